import { describe, expect, it } from 'vitest';
import { runTurn } from '../../../../src/core/turn/turn';
import { call, makeRequest, makeTool, makeWorld, ScriptedModel, TestRunner, TestSink, text } from '../turn/world';

const SUM = makeTool('math', 'sum', 'Adds numbers');
const ECHO = makeTool('math', 'echo', 'Says it again');
const NATIVE = { native: { strategies: ['bm25'], references: true, maxDeferred: 1_000 } };
const never = new AbortController().signal;

async function notesOf(references: readonly string[], info = {}) {
  const port = new ScriptedModel([[text('ok')]], { info });
  await runTurn(makeWorld([SUM, ECHO]), makeRequest(port, { references: new Set(references) }), new TestSink(), never);
  const { transcript = [], required } = port.requests[0] ?? {};
  return { required, notes: transcript.flatMap((item) => (item.kind === 'user' && item.note ? [item.text] : [])) };
}

describe('a tool that the prompt names with #', () => {
  it('is asked for in words if its call can’t be demanded', async () => {
    expect(await notesOf([SUM.id])).toEqual({
      required: ['math_sum'],
      notes: ['(The user named the tool math_sum for this question: call it.)'],
    });
  });

  it('is demanded alone from a provider that can do that', async () => {
    expect(await notesOf([SUM.id], NATIVE)).toEqual({ required: ['math_sum'], notes: [] });
  });

  it('is one of several to choose from, also there', async () => {
    const { required, notes } = await notesOf([SUM.id, ECHO.id], NATIVE);
    expect(required).toEqual(['math_echo', 'math_sum']);
    expect(notes).toEqual([expect.stringContaining('math_echo, math_sum. Call those of them that it needs')]);
  });
});

describe('a question without tools', () => {
  it('keeps the tools in the request and runs none', async () => {
    const port = new ScriptedModel([[call('math_sum', { a: 1 })], [text('Two.')]]);
    const runner = new TestRunner();
    const request = makeRequest(port, { runner, withoutTools: true, references: new Set([SUM.id]) });
    const { items, answer } = await runTurn(makeWorld([SUM]), request, new TestSink(), never);
    expect(answer).toBe('Two.');
    expect(runner.ran).toEqual([]);
    expect(JSON.stringify(items)).toContain('the user wants an answer without tools');
    for (const { tools, required, withoutCalls } of port.requests)
      expect([tools.map(({ name }) => name), required, withoutCalls]).toEqual([['math_sum'], [], true]);
  });
});
