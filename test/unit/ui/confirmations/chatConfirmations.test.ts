import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { type ToolRun, toolMessage } from '../../../../src/core/ports';
import { ChatConfirmations } from '../../../../src/ui/confirmations/chatConfirmations';
import { makeTool } from '../../core/turn/world';
import { CancellationError } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';
import { LanguageModelTextPart, LanguageModelToolResult } from '../../shim/parts';

const CONFIRM = 'toolsearch_confirm_call';
const TOOL = makeTool('files', 'write_*file*', 'Writes');
const done: ToolRun = { outcome: 'ok', parts: [{ type: 'text', text: 'written' }] };
const none = new AbortController().signal;

let consent: ChatConfirmations;
let ran: number;
beforeEach(() => {
  resetHost();
  consent = new ChatConfirmations();
  ran = 0;
});
afterEach(() => {
  consent.dispose();
  vi.useRealTimers();
});

const ask = (signal = none, run = async () => done) =>
  consent.ask({ tool: TOOL, input: { path: 'a' }, signal }, undefined, () => {
    ran++;
    return run();
  });

/** The question that VS Code would show the user for these options. */
async function question(options: { readonly input: unknown }) {
  const tool = host.tools.get(CONFIRM);
  const prepared = await tool?.prepareInvocation?.(options, {} as vscode.CancellationToken);
  return prepared?.confirmationMessages;
}

/** Collects the questions that are asked, which are still answered. */
function questions(): unknown[] {
  const asked: unknown[] = [];
  const allow = host.invokeTool;
  host.invokeTool = async (name, options, token) => {
    asked.push(await question(options as { input: unknown }));
    return allow(name, options, token);
  };
  return asked;
}

describe('a call that the user is asked about', () => {
  it('is shown with arguments of 5,000 characters at most', async () => {
    const asked = questions();
    const input = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`to${i}`, 'x'.repeat(200)]));
    await consent.ask({ tool: TOOL, input, signal: none }, undefined, async () => done);
    const [shown] = asked as { message: { value: string } }[];
    expect(shown?.message.value).toContain('to10');
    expect(shown?.message.value.length).toBeLessThan(6_000);
  });

  it('is refused in VS Code’s words if it is skipped', async () => {
    host.invokeTool = async () => new LanguageModelToolResult([new LanguageModelTextPart('The user chose to skip.')]);
    expect(await ask()).toEqual(toolMessage('refused', 'The user chose to skip.'));
    expect(ran).toBe(0);
  });

  it('is cancelled with the turn, and can’t be run after that', async () => {
    const abort = new AbortController();
    let options: unknown;
    host.invokeTool = (_, given, token) => {
      options = given;
      return new Promise((_resolve, reject) => token?.onCancellationRequested(() => reject(new CancellationError())));
    };
    const asked = ask(abort.signal);
    await vi.waitFor(() => expect(options).toBeDefined());
    abort.abort();
    expect(await asked).toMatchObject({ outcome: 'cancelled' });
    expect(await question(options as { input: unknown })).toBeUndefined();
    const late = await host.tools.get(CONFIRM)?.invoke(options as never, {} as vscode.CancellationToken);
    expect(late?.content).toMatchObject([{ value: 'No call waits for this.' }]);
    expect(ran).toBe(0);
  });

  it('is not run if VS Code can’t ask', async () => {
    host.invokeTool = () => Promise.reject(new Error('No window.'));
    expect(await ask()).toEqual(toolMessage('refused', 'The call was not run: No window.'));
  });

  it.each([true, false])('is run once, though VS Code asks again or fails: %s', async (again) => {
    const allow = host.invokeTool;
    host.invokeTool = async (...args) => {
      const result = await allow(...args);
      if (!again) throw new Error('Lost.');
      await allow(...args);
      return result;
    };
    expect(await ask()).toEqual(done);
    expect(ran).toBe(1);
  });

  it('waits until another question of its chat is answered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answers: (() => void)[] = [];
    const allow = host.invokeTool;
    host.invokeTool = async (...args) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return allow(...args);
    };
    const questionsAfter = async (answered?: number) => {
      if (answered !== undefined) answers[answered]?.();
      await vi.advanceTimersByTimeAsync(1_000);
      return answers.length;
    };
    const askAbout = (name: string) =>
      consent.ask({ tool: makeTool('files', name), input: {}, signal: none }, undefined, async () => done);
    const asked = [askAbout('one'), askAbout('two')];
    expect([await questionsAfter(), await questionsAfter(0)]).toEqual([1, 2]);
    asked.push(askAbout('three'));
    expect([await questionsAfter(), await questionsAfter(1), await questionsAfter(2)]).toEqual([2, 3, 3]);
    expect(await Promise.all(asked)).toEqual([done, done, done]);
  });

  it('is one of several at once, each with its own answer', async () => {
    const asked = questions();
    const run = async (name: string) => {
      await vi.waitFor(() => expect(ran).toBe(2));
      return toolMessage('failed', name);
    };
    const results = await Promise.all(['one', 'two'].map((name) => ask(none, () => run(name))));
    expect(results).toEqual([toolMessage('failed', 'one'), toolMessage('failed', 'two')]);
    expect(asked).toMatchObject([{ title: 'Run this tool of an MCP server 2 times?' }]);
  });
});

it('a model that calls it by itself gets nothing', async () => {
  const opened = new Promise<void>((resolve) => (host.invokeTool = () => new Promise(() => resolve())));
  void ask();
  await opened;
  for (const input of [undefined, {}, { call: 'x' }, { call: 99 }]) {
    const result = await host.tools.get(CONFIRM)?.invoke({ input } as never, {} as vscode.CancellationToken);
    expect(result?.content).toMatchObject([{ value: 'No call waits for this.' }]);
  }
});
