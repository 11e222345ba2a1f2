import { describe, expect, it } from 'vitest';
import { call, makeCatalog, makeTool, makeWorld, playTurn, TestModel, TestRunner, text } from '../turn/world';

const SUM = makeTool('math', 'sum', 'Adds numbers');
const ECHO = makeTool('math', 'echo', 'Says it again');
const LOG = makeTool('math', 'log', 'Writes it down');
const FORCES = { forcesCalls: true };

async function notesOf(references: readonly string[], info = {}) {
  const port = new TestModel([[text('ok')]], { info });
  await playTurn(makeWorld([SUM, ECHO]), port, { references: new Set(references) });
  const { transcript = [], required } = port.requests[0] ?? {};
  return { required, notes: transcript.flatMap((item) => (item.kind === 'user' && item.note ? [item.text] : [])) };
}

describe('a tool that the prompt names with #', () => {
  it('is asked for in words if its call can’t be demanded', async () => {
    expect(await notesOf([SUM.id])).toEqual({
      required: [],
      notes: ['(The user named the tool math_sum for this question: call it.)'],
    });
  });

  it('is demanded alone from a provider that can do that', async () => {
    expect(await notesOf([SUM.id], FORCES)).toEqual({ required: ['math_sum'], notes: [] });
  });

  it('is asked for in words if it joins the conversation', async () => {
    const world = makeWorld([ECHO]);
    const port = new TestModel([[text('Hello.')], [text('ok')]], { info: { ...FORCES, addsTools: true } });
    const { items } = await playTurn(world, port);
    world.source.catalog = makeCatalog([SUM, ECHO]);
    await playTurn(world, port, { history: items, references: new Set([SUM.id]) });
    expect(JSON.stringify(port.requests[1]?.transcript)).toContain('named the tool math_sum for this question: call');
  });
});

describe('several tools that the prompt names with #', () => {
  const references = new Set([SUM.id, ECHO.id]);

  it('are demanded and asked for in words', async () => {
    const { required, notes } = await notesOf([SUM.id, ECHO.id], FORCES);
    expect(required).toEqual(['math_echo', 'math_sum']);
    expect(notes).toEqual([expect.stringContaining('math_echo, math_sum. Call one of them before any other tool.')]);
  });

  it('are a choice: other tools wait until one was called', async () => {
    const others = [call('math_log', {}), call('search_tools', { queries: ['a'] }, 's')];
    const through = call('call_tool', { name: 'math_log', arguments: {} }, 't');
    const port = new TestModel([[...others, through], [call('math_sum', {})], [call('math_log', {})], [text('ok')]], {
      info: FORCES,
    });
    const runner = new TestRunner();
    const world = makeWorld([SUM, ECHO, LOG]);
    const { items } = await playTurn(world, port, { references, runner });
    expect(runner.ran.map(({ id }) => id)).toEqual([SUM.id, LOG.id]);
    expect(port.requests.map(({ required }) => required)).toEqual([
      ['math_echo', 'math_sum'],
      ['math_echo', 'math_sum'],
      [],
      [],
    ]);
    expect(JSON.stringify(items).split('the user named math_echo and math_sum for this question')).toHaveLength(4);
    const outcomes = world.ledger.events.flatMap((event) => (event.type === 'called' ? [event.outcome] : []));
    expect(outcomes).toEqual(['refused', 'refused', 'ok', 'ok']);
  });

  it('are demanded in three rounds, for a model that never calls them', async () => {
    const port = new TestModel([...Array.from({ length: 4 }, () => [call('math_log', {})]), [text('ok')]], {
      info: FORCES,
    });
    const runner = new TestRunner();
    await playTurn(makeWorld([SUM, ECHO, LOG]), port, { references, runner });
    expect(port.requests.map(({ required }) => required.length)).toEqual([2, 2, 2, 0, 0]);
    expect(runner.ran.map(({ id }) => id)).toEqual([LOG.id]);
  });

  it('can be called through the bridge as well', async () => {
    const port = new TestModel([[call('call_tool', { name: 'math_sum', arguments: {} })], [text('ok')]]);
    const runner = new TestRunner();
    const settings = { mode: 'on', delivery: 'bridge' } as const;
    await playTurn(makeWorld([SUM, ECHO, LOG]), port, { references, runner, settings });
    expect(runner.ran.map(({ id }) => id)).toEqual([SUM.id]);
  });
});

it('a question without tools keeps them in the request and runs none', async () => {
  const port = new TestModel([[call('math_sum', { a: 1 })], [text('Two.')]]);
  const runner = new TestRunner();
  const question = { runner, withoutTools: true as const, references: new Set([SUM.id]) };
  const { items, answer } = await playTurn(makeWorld([SUM]), port, question);
  expect(answer).toBe('Two.');
  expect(runner.ran).toEqual([]);
  expect(JSON.stringify(items)).toContain('the user wants an answer without tools');
  for (const { tools, required, transcript } of port.requests) {
    expect([tools.map(({ name }) => name), required]).toEqual([['math_sum'], []]);
    expect(JSON.stringify(transcript)).toContain('wants an answer to this question without tools');
  }
});
