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
  const [scheme, authority, path, query] = chat?.split(' ') ?? [];
  const toolInvocationToken = chat === undefined ? undefined : { sessionResource: { scheme, authority, path, query } };
  const result = await tool(name).invoke({ input, toolInvocationToken } as never, source.token);
  return result?.content;
}

describe('the tools for other agents', () => {
  it('pass on what is asked, and in which chat', async () => {
    expect(await invoke('search_tools', { queries: ['a'] }, 'vscode local /1')).toMatchObject([{ value: 'found' }]);
    await invoke('call_tool', { name: 'x' }, 'vscode local /2');
    const others = ['vscode remote /2', 'vscode remote /2 a', 'other remote /2'];
    for (const chat of [...others, ...others, undefined]) await invoke('describe_tool', {}, chat);
    expect(calls.map(({ tool: name, input }) => [name, input])).toEqual([
      ['search_tools', { queries: ['a'] }],
      ['call_tool', { name: 'x' }],
      ...Array(7).fill(['describe_tool', {}]),
    ]);
    expect(new Set(calls.map(({ chat }) => chat)).size).toBe(6);
    expect(calls.at(-1)?.chat).toBe('');
  });

  it('hand over failures, images and what is left out', async () => {
    const run: ToolRun = {
      outcome: 'failed',
      parts: [
        { type: 'text', text: 'No such file.' },
        { type: 'image', mimeType: 'image/png', bytes: 3, data: 'QUFB' },
        { type: 'omitted', mimeType: 'application/zip', bytes: 2048 },
        { type: 'document', mimeType: 'application/pdf', bytes: 3, data: 'QkJC' },
      ],
    };
    answer = async () => run;
    expect(await invoke('call_tool', {})).toMatchObject([
      { value: 'No such file.' },
      { mimeType: 'image/png', data: Buffer.from('AAA') },
      { value: '[application/zip, 2048 bytes, not shown]' },
      { mimeType: 'application/pdf', data: Buffer.from('BBB') },
    ]);
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
    ['describe_tool', { names: ['x', 7, 'y'] }, 'Describe tools\\: x, y'],
    ['run_code', { title: 'Sum', code: '1' }, 'Run a script\\: Sum'],
    ['call_tool', 'read', 'Call files/read\\_file'],
    ['call_tool', { name: 'gone' }, 'Call gone'],
    ['call_tool', undefined, 'Call'],
  ])('say what %s is about to do with %j, as text', async (name, input, said) => {
    const { invocationMessage } =
      (await tool(name).prepareInvocation?.({ input } as never, {} as vscode.CancellationToken)) ?? {};
    expect(invocationMessage).toMatchObject({ value: said });
  });
});
