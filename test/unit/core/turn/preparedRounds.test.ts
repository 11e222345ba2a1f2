import { describe, expect, it } from 'vitest';
import { NamedHooks } from '../../../../src/core/hooks/namedHooks';
import type { ModelPort } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import { Session } from '../../../../src/core/turn/session';
import type { RoundInfo, ToolFilter } from '../../../../tool-search';
import { inProcess } from '../../providers/inProcess';
import { portOf } from '../../providers/ports';
import {
  call,
  choices,
  filler,
  makeServices,
  makeTool,
  makeWorld,
  ok,
  ScriptedModel,
  SETTINGS,
  schema,
  TestRunner,
  TestSink,
  text,
} from './world';

const never = new AbortController().signal;
const ECHO = makeTool('math', 'echo', 'Echoes back', {
  inputSchema: schema({ message: { type: 'string' } }, ['message']),
});
const SUM = makeTool('math', 'sum', 'Returns the sum of two numbers', {
  inputSchema: schema({ a: { type: 'number' } }),
});
const TOOLS = [ECHO, SUM, ...filler('other', 40)];
const search = call('search_tools', { queries: ['select:math_sum'] });

/** A session whose tools are prepared by a filter, and a question to it. */
function withFilter(filter: ToolFilter, settings: Partial<Settings> = {}) {
  const filters = new NamedHooks<ToolFilter>('tool filter');
  filters.add('mine', filter);
  const services = makeServices(makeWorld(TOOLS).source, {
    user: choices(() => ({ ...SETTINGS, mode: 'on', delivery: 'local', ...settings })),
    filters,
  });
  const session = new Session(services);
  const runner = new TestRunner(() => ok('done'));
  return {
    runner,
    prepared: () => services.ledger.events.flatMap((event) => (event.type === 'prepared' ? [event] : [])),
    called: () => services.ledger.events.flatMap((event) => (event.type === 'called' ? [event] : [])),
    ask: (port: ModelPort, history: Parameters<Session['ask']>[0]['history'] = [], prompt = 'do it') =>
      session.ask({ prompt, history, references: new Set(), port, runner }, new TestSink(), never),
  };
}

const all: ToolFilter = (tools) => tools.map(({ id }) => id);
const described =
  (description: (round: RoundInfo) => string): ToolFilter =>
  (tools, round) =>
    tools.map(({ id }) => (id === SUM.id ? { id, description: description(round) } : id));

describe('tools that are prepared for each round', () => {
  it('are chosen again, with what was found', async () => {
    const rounds: RoundInfo[] = [];
    const world = withFilter((tools, round) => {
      rounds.push(round);
      return tools.filter(({ id }) => round.round > 1 || id !== SUM.id).map(({ id }) => id);
    });
    const model = new ScriptedModel([[search], [search], [call('math_sum', {})], [text('done')]]);
    await world.ask(model);
    expect(world.runner.ran.map(({ id }) => id)).toEqual([SUM.id]);
    expect(rounds.map(({ round, discovered }) => [round, discovered])).toEqual([
      [1, []],
      [2, []],
      [3, [SUM.id]],
      [4, [SUM.id]],
    ]);
    expect(world.prepared()).toMatchObject([
      { round: 1, by: ['mine'], tools: 42, kept: 41, changed: [], late: [] },
      { round: 2, kept: 42 },
    ]);
  });

  it('can’t be called once they are taken away', async () => {
    const world = withFilter((tools, { round }) => (round > 1 ? [] : all(tools, {} as never, never)), { mode: 'off' });
    await world.ask(
      new ScriptedModel([[call('math_echo', { message: 'a' })], [call('math_echo', { message: 'b' })], [text('done')]]),
    );
    expect(world.runner.ran).toHaveLength(1);
    expect(world.called()).toMatchObject([{ outcome: 'ok' }, { outcome: 'failed', known: false }]);
  });

  it('keep the definition that was sent; the ledger names late changes', async () => {
    const world = withFilter(described(({ round }) => `Sum of round ${round}`));
    const model = new ScriptedModel([[search], [call('math_sum', {})], [call('math_sum', {})], [text('done')]]);
    await world.ask(model);
    const sent = model.requests.map(({ tools }) => tools.find(({ id }) => id === SUM.id)?.description);
    expect(sent).toEqual([undefined, 'Sum of round 2', 'Sum of round 2', 'Sum of round 2']);
    expect(world.prepared().map(({ round, changed, late }) => [round, changed, late])).toEqual([
      [1, [SUM.id], []],
      [3, [], [SUM.id]],
    ]);
  });

  it('stay hidden if the user hid them, whatever a filter returns', async () => {
    const hidden = { hiddenTools: { math: ['sum'] }, delivery: 'bridge' } as const;
    const world = withFilter(() => [{ id: SUM.id, description: 'Unhidden words' }, ECHO.id], hidden);
    const model = new ScriptedModel([
      [search],
      [call('math_sum', { a: 1 })],
      [call('call_tool', { name: 'math_sum', arguments: { a: 1 } })],
      [text('done')],
    ]);
    await world.ask(model);
    expect(world.runner.ran).toEqual([]);
    expect(JSON.stringify(model.requests)).not.toContain('Unhidden words');
    expect(JSON.stringify(model.requests.at(-1)?.transcript)).toContain('hid');
  });

  it('are what search answers and checks use', async () => {
    const inputSchema = schema({ a: { type: 'number', description: 'At most 3' } }, ['a']);
    const world = withFilter(
      (tools) => tools.map(({ id }) => (id === SUM.id ? { id, description: 'Adds small numbers.', inputSchema } : id)),
      { delivery: 'bridge' },
    );
    const model = new ScriptedModel([[search], [text('done')]]);
    await world.ask(model);
    const answer = JSON.stringify(model.requests[1]?.transcript.at(-1));
    expect(answer).toContain('Adds small numbers.');
    expect(answer).toContain('At most 3');
  });
});

describe.each(['claude-opus-5-5', 'gpt-6-sol'])('a conversation with %s', (model) => {
  it.each(['server', 'client', 'local'] as const)(
    'only grows while a filter rewords tools, delivery %s',
    async (delivery) => {
      let version = 0;
      const world = withFilter(
        (tools) => {
          version++;
          return tools.map(({ id }) => ({ id, description: `Version ${version} of ${id}` }));
        },
        { delivery },
      );
      const { fetch, served } = inProcess();
      const port = portOf(model, { fetch });
      const first = await world.ask(port, [], 'echo message=a');
      const second = await world.ask(port, first.items, 'echo message=b');
      expect([first.status, second.status]).toEqual(['answered', 'answered']);
      expect(served.flatMap(({ error }) => error ?? [])).toEqual([]);
      expect(served.flatMap(({ miss }) => miss ?? [])).toEqual([]);
      expect(world.prepared().some(({ late }) => late.includes(ECHO.id))).toBe(true);
    },
  );
});
