import { describe, expect, it, vi } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { type ToolRun, toolMessage } from '../../../../src/core/ports';
import { ConfirmationQueue, type QueuedCall } from '../../../../src/ui/confirmations/confirmationQueue';
import { makeTool } from '../../core/turn/world';

const WRITE = makeTool('files', 'write');
const SEND = makeTool('mail', 'send');

/** A queue whose questions `answer` answers. It runs the allowed calls. */
function lineOf(answer: (calls: readonly QueuedCall[]) => boolean = () => true) {
  const questions: string[] = [];
  const ran: unknown[] = [];
  let open = 0;
  const line = new ConfirmationQueue(async (calls) => {
    expect(++open).toBe(1);
    questions.push(`${calls[0]?.call.tool.id} ×${calls.length}`);
    await new Promise((resolve) => setImmediate(resolve));
    open--;
    return answer(calls) ? Promise.all(calls.map(({ run }) => run())) : toolMessage('refused', 'skipped');
  });
  const signal = new AbortController().signal;
  const add = (tool: Tool, input: { readonly [name: string]: unknown }, of = signal): Promise<ToolRun> =>
    line.add({
      call: { tool, input, signal: of },
      run: async () => {
        ran.push(input);
        return toolMessage('ok', JSON.stringify(input));
      },
    });
  return { line, add, questions, ran };
}

const inputs = (count: number) => Array.from({ length: count }, (_, i) => ({ path: String(i) }));

describe('questions to the user', () => {
  it('are one for twelve waiting calls; each gets its own result', async () => {
    const { add, questions, line } = lineOf();
    const runs = await Promise.all(inputs(12).map((input) => add(WRITE, input)));
    expect(questions).toEqual(['files/write ×12']);
    expect(runs).toEqual(inputs(12).map((input) => toolMessage('ok', JSON.stringify(input))));
    expect(line.idle).toBe(true);
  });

  it('are one for calls that come shortly after each other', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { add, questions } = lineOf();
      const runs: Promise<ToolRun>[] = [];
      for (const input of inputs(12)) {
        runs.push(add(WRITE, input));
        await vi.advanceTimersByTimeAsync(40);
      }
      await vi.advanceTimersByTimeAsync(100);
      await Promise.all(runs);
      expect(questions).toEqual(['files/write ×12']);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each<[string, Tool[], object[], string]>([
    [
      'one tool, with 20 calls',
      [...Array(21).fill(WRITE), SEND, WRITE],
      [],
      'files/write ×20,files/write ×2,mail/send ×1',
    ],
    ['one tool of a server', [WRITE, makeTool('files', 'delete')], [], 'files/write ×1,files/delete ×1'],
    ['one long call', [WRITE, WRITE, WRITE], [{ text: 'x'.repeat(10_000) }], 'files/write ×1,files/write ×2'],
  ])('have %s at most each, in order', async (_, tools, given, asked) => {
    const { add, questions } = lineOf();
    await Promise.all(tools.map((tool, at) => add(tool, { path: String(at), ...given[at] })));
    expect(questions.join()).toBe(asked);
  });

  it('come one by one from a loop that awaits each', async () => {
    const { add, questions } = lineOf();
    for (const input of inputs(3)) await add(WRITE, input);
    expect(questions).toEqual(['files/write ×1', 'files/write ×1', 'files/write ×1']);
  });

  it('end with a skip, for that tool and that script alone', async () => {
    const { add, questions, ran } = lineOf((calls) => calls[0]?.call.tool !== WRITE);
    const other = new AbortController().signal;
    const runs = await Promise.all([
      ...inputs(30).map((input) => add(WRITE, input)),
      add(SEND, {}),
      add(WRITE, { path: 'x' }, other),
    ]);
    expect(questions).toEqual(['files/write ×20', 'mail/send ×1', 'files/write ×1']);
    expect(runs.map(({ outcome }) => outcome).join()).toBe(`${'refused,'.repeat(30)}ok,refused`);
    expect(ran).toEqual([{}]);
  });

  it('are not asked about calls that nobody waits for any more', async () => {
    const { add, questions } = lineOf();
    const abort = new AbortController();
    const first = add(WRITE, { path: 'a' }, abort.signal);
    const second = add(SEND, {});
    abort.abort();
    expect((await first).outcome).toBe('cancelled');
    expect((await second).outcome).toBe('ok');
    expect(questions).toEqual(['mail/send ×1']);
  });
});
