import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import type { AgentCall } from '../../../src/core/agents/agentTools';
import { type ToolRun, toolMessage } from '../../../src/core/ports';
import { type AgentToolsPort, registerLanguageModelTools } from '../../../src/ui/agents/languageModelTools';
import { makeTool } from '../core/turn/world';
import { CancellationTokenSource } from '../shim/basics';
import { host, resetHost } from '../shim/host';

const TOOL = makeTool('files', 'read_file', 'Reads');

let registered: vscode.Disposable;
let calls: AgentCall[];
let answer: AgentToolsPort['answer'];
beforeEach(() => {
  resetHost();
  calls = [];
  answer = async () => toolMessage('ok', 'found');
  registered = registerLanguageModelTools({
    named: (input) => (input === 'read' ? TOOL : undefined),
    answer: (call, token, signal) => {
      calls.push(call);
      return answer(call, token, signal);
    },
  });
});
afterEach(() => registered.dispose());

const tool = (name: string) => host.tools.get(`toolsearch_${name}`) as vscode.LanguageModelTool<unknown>;

async function invoke(name: string, input: unknown, chat?: string, source = new CancellationTokenSource()) {
  const [authority, path] = chat?.split(' ') ?? [];
  const toolInvocationToken = chat === undefined ? undefined : { sessionResource: { authority, path } };
  const result = await tool(name).invoke({ input, toolInvocationToken } as never, source.token);
  return result?.content;
}

describe('the tools for other agents', () => {
  it('pass on what is asked, and in which chat', async () => {
    expect(await invoke('search_tools', { queries: ['a'] }, 'local /chat/1')).toMatchObject([{ value: 'found' }]);
    await invoke('call_tool', { name: 'x' }, 'local /chat/2');
    await invoke('describe_tool', {}, 'remote /chat/2');
    expect(calls.map(({ tool: name, input }) => [name, input])).toEqual([
      ['search_tools', { queries: ['a'] }],
      ['call_tool', { name: 'x' }],
      ['describe_tool', {}],
    ]);
    expect(new Set(calls.map(({ chat }) => chat)).size).toBe(3);
  });

  it('hand over failures, images and what is left out', async () => {
    const run: ToolRun = {
      outcome: 'failed',
      parts: [
        { type: 'text', text: 'No such file.' },
        { type: 'image', mimeType: 'image/png', bytes: 3, data: 'QUFB' },
        { type: 'omitted', mimeType: 'application/zip', bytes: 2048 },
      ],
    };
    answer = async () => run;
    const content = await invoke('call_tool', {});
    expect(content).toMatchObject([
      { value: 'No such file.' },
      { mimeType: 'image/png' },
      { value: '[application/zip, 2048 bytes, not shown]' },
    ]);
    expect(content?.[1]).toMatchObject({ data: Buffer.from('AAA') });
  });

  it('are cancelled with the call, and before it', async () => {
    const aborted: boolean[] = [];
    answer = (_, _token, signal) =>
      new Promise((resolve) => {
        aborted.push(signal.aborted);
        if (signal.aborted) resolve(toolMessage('cancelled', 'x'));
        else signal.addEventListener('abort', () => resolve(toolMessage('cancelled', 'x')));
      });
    const source = new CancellationTokenSource();
    const call = invoke('call_tool', {}, undefined, source);
    source.cancel();
    await call;
    await invoke('call_tool', {}, undefined, source);
    expect(aborted).toEqual([false, true]);
  });

  it.each([
    ['search_tools', { queries: ['a *b*', 'c'] }, 'Search tools\\: a \\*b\\*, c'],
    ['describe_tool', { names: ['x'] }, 'Describe tools\\: x'],
    ['call_tool', 'read', 'Call files/read\\_file'],
    ['call_tool', { name: 'gone' }, 'Call gone'],
    ['call_tool', undefined, 'Call'],
  ])('say what %s is about to do with %j, as text', async (name, input, said) => {
    const { invocationMessage } =
      (await tool(name).prepareInvocation?.({ input } as never, {} as vscode.CancellationToken)) ?? {};
    expect(invocationMessage).toMatchObject({ value: said });
  });
});
