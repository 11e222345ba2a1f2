import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import type { Ledger } from '../../../../src/core/ledger/ledger';
import { reportTurn } from '../../../../src/core/ledger/report';
import type { ModelPort } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import { KEYS } from '../../../standin/server.mjs';
import {
  filler,
  makeTool,
  makeWorld,
  ok,
  playTurn,
  ScriptedModel,
  schema,
  TestRunner,
  TestSink,
  text,
} from '../../core/turn/world';
import { useStandIn } from '../ports';

const number = { type: 'number' };
const SUM = makeTool('math', 'get-sum', 'Returns the sum of two numbers', {
  inputSchema: schema({ a: number, b: number }, ['a', 'b']),
});
const ECHO = makeTool('math', 'echo', 'Echoes back its input', {
  inputSchema: schema({ message: { type: 'string' } }, ['message']),
});
const CLOCK = makeTool('clock', 'now', 'Tells the time in a city', {
  inputSchema: schema({ city: { type: 'string' } }, ['city']),
});
const TOOLS = [SUM, ECHO, CLOCK, ...filler('other', 40)];
const PINS = { tools: { 'math/echo': 'eager' as const }, servers: {} };

const services = useStandIn();

/** A port over the stand-in that also keeps the reported usage. */
function claude(model = 'claude-sonnet-4-6') {
  const port = services.portOf(model, { name: 'Claude' });
  const reported: number[] = [];
  const listening: ModelPort = {
    get info() {
      return port.info;
    },
    async *send(request, signal) {
      let last = 0;
      for await (const event of port.send(request, signal)) {
        if (event.type === 'usage') last = event.usage.inputTokens;
        yield event;
      }
      reported.push(last);
    },
    countTokens: port.countTokens.bind(port),
    countDefinitions: port.countDefinitions?.bind(port),
    countRequest: port.countRequest?.bind(port),
  };
  return { port: listening, reported };
}

/** Asks questions in order, all in one conversation. */
async function converse(
  prompts: readonly string[],
  options: { readonly port: ModelPort; readonly settings?: Partial<Settings>; readonly history?: Transcript },
) {
  const world = makeWorld(TOOLS);
  const sink = new TestSink();
  const runner = new TestRunner((tool, input) => ok(`${tool.name}: ${JSON.stringify(input)}`));
  let history: Transcript = options.history ?? [];
  const outcomes = [];
  for (const prompt of prompts) {
    const outcome = await playTurn(world, options.port, {
      prompt,
      history,
      runner,
      pins: PINS,
      settings: { delivery: 'server', ...options.settings },
      sink,
    });
    history = [...history, ...outcome.items];
    outcomes.push(outcome);
  }
  return { world, sink, runner, outcomes, history };
}

const sentBodies = (from: number) =>
  services.standIn.requests
    .slice(from)
    .filter((request) => request.path === '/v1/messages')
    .map((request) => request.body);
const refused = (from: number) => services.standIn.requests.slice(from).flatMap((request) => request.error ?? []);
const discovered = (ledger: Ledger) => ledger.events.flatMap((event) => (event.type === 'discovered' ? event.ids : []));

describe('a conversation with Claude', () => {
  it.each([
    { delivery: 'server', strategy: 'bm25' },
    { delivery: 'server', strategy: 'regex' },
    { delivery: 'client', strategy: 'auto' },
  ] as const)('by $delivery and $strategy keeps its prefix and adds up', async (settings) => {
    const from = services.standIn.requests.length;
    const { port, reported } = claude();
    const { world, outcomes, runner, sink } = await converse(
      ['get-sum a=2 b=40', 'echo message=hi', 'now city=Oslo', 'get-sum a=1 b=1', 'now city=Rome'],
      { port, settings },
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(Array(5).fill('answered'));
    expect(runner.ran.map((run) => run.id)).toEqual([
      'math/get-sum',
      'math/echo',
      'clock/now',
      'math/get-sum',
      'clock/now',
    ]);
    expect(discovered(world.ledger).filter((id) => id === 'math/get-sum')).toHaveLength(1);
    expect(refused(from)).toEqual([]);
    expect(sink.warnings).toEqual([]);

    const prefixes = sentBodies(from).map(({ system, tools }) =>
      JSON.stringify({ system, tools: tools.filter((tool: { defer_loading?: boolean }) => !tool.defer_loading) }),
    );
    expect(prefixes.length).toBeGreaterThan(8);
    expect(new Set(prefixes).size).toBe(1);

    const reports = outcomes.map((outcome) => reportTurn(world.ledger.events, outcome.turn, outcome.answer));
    expect(reports.reduce((sum, report) => sum + (report?.sentTokens ?? 0), 0)).toBe(
      reported.reduce((sum, value) => sum + value, 0),
    );
    expect(reports.map((report) => report?.measured)).toEqual(Array(5).fill(true));
    for (const event of world.ledger.events) {
      if (event.type !== 'roundEnded') continue;
      const { promptAndHistory, eager, discovered: found, searchOverhead, sent, usualOverhead } = event.tokens;
      expect(promptAndHistory.value + eager.value + found.value + searchOverhead.value).toBe(sent.value);
      // A request that only searched is overhead as a whole.
      expect(promptAndHistory.value > 0).toBe(usualOverhead === undefined);
      expect(searchOverhead.value).toBeGreaterThanOrEqual(0);
    }
  });

  it('begun by another model goes on with its finds, both ways', async () => {
    const other = new ScriptedModel(
      [
        [
          { type: 'search', search: { callId: 's', queries: ['sum'], strategy: 'provider', found: ['math_get-sum'] } },
          text('Found it.'),
          { type: 'opaque', block: { wire: 'openai', value: [{ type: 'reasoning' }] } },
        ],
        [text('Done.')],
      ],
      { info: { native: { strategies: ['provider'], references: true, maxDeferred: 10_000 } } },
    );
    const from = services.standIn.requests.length;
    const first = await converse(['find a tool for sums'], { port: other });
    const second = await converse(['get-sum a=2 b=40'], { port: claude().port, history: first.history });
    expect(second.runner.ran.map((run) => run.id)).toEqual(['math/get-sum']);
    expect(second.world.ledger.events.filter((event) => event.type === 'searched')).toEqual([]);
    expect(refused(from)).toEqual([]);
    expect(JSON.stringify(sentBodies(from))).not.toContain('reasoning');
    const third = await converse(['thanks'], { port: other, history: second.history });
    expect(third.outcomes[0]?.status).toBe('answered');
  });

  it('survives that a found tool goes away', async () => {
    const { port } = claude();
    const first = await converse(['now city=Oslo'], { port });
    const from = services.standIn.requests.length;
    const world = makeWorld(TOOLS.filter((tool) => tool !== CLOCK));
    const outcome = await playTurn(world, port, { prompt: 'get-sum a=1 b=2', history: first.history, pins: PINS });
    expect(outcome.status).toBe('answered');
    expect(refused(from)).toEqual([]);
  });

  it('goes on without a tool whose schema the service rejects', async () => {
    const { port } = claude();
    const { outcomes, sink } = await converse(['get-sum a=2 b=40 [[fault:reject:other_zz7]]'], { port });
    expect(outcomes[0]).toMatchObject({ status: 'answered' });
    expect(sink.warnings).toEqual([expect.stringMatching(/^The tool other\/zz7 is left out/)]);
  });

  it('goes on over the bridge if the service has no search', async () => {
    const { port } = claude();
    const { outcomes, sink, runner } = await converse(['get-sum a=2 b=40 [[fault:notoolsearch]]', 'now city=Oslo'], {
      port,
      settings: { delivery: 'auto', allowedCallers: { '*': 'both' } },
    });
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['answered', 'answered']);
    expect(runner.ran.map((run) => run.id)).toEqual(['math/get-sum', 'clock/now']);
    expect(sink.warnings[0]).toMatch(/reports that .* has no tool search of its own/);
  });

  it('searches by patterns if the service knows only those, with a note', async () => {
    const { port } = claude();
    const { outcomes, sink, runner } = await converse(
      ['get-sum a=2 b=40 [[fault:regexonly]]', 'now city=Oslo [[fault:regexonly]]'],
      {
        port,
      },
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['answered', 'answered']);
    expect(runner.ran.map((run) => run.id)).toEqual(['math/get-sum', 'clock/now']);
    expect(sink.warnings).toEqual([expect.stringContaining('supports only search by patterns here')]);
    expect(port.info.native?.strategies).toEqual(['regex']);
  });

  it('can be continued after the stream was cut in mid-block', async () => {
    const { port } = claude();
    const { outcomes } = await converse(['get-sum a=2 b=40 [[fault:cut]]', 'get-sum a=2 b=40'], { port });
    expect(outcomes[0]).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/ended before the answer was complete/),
    });
    expect(outcomes[1]).toMatchObject({ status: 'answered' });
  });

  it.each([
    ['401', /refused the API key/],
    ['html', /not as Anthropic's service does/],
    ['odd', /./],
    ['early', /ended before the answer was complete/],
    ['error', /./],
    ['refusal', /declined/],
  ])('ends in a sentence for the user at %s', async (fault, message) => {
    const { outcomes } = await converse([`get-sum a=2 b=40 [[fault:${fault}]]`], { port: claude().port });
    expect(outcomes[0]).toMatchObject({ status: 'failed', message: expect.stringMatching(message) });
    expect(outcomes[0]?.message).not.toContain(KEYS.anthropic);
  });

  it.each(['retry', 'unknown', 'searcherror', 'twice', 'length'])('goes on through %s', async (fault) => {
    const { outcomes } = await converse([`get-sum a=2 b=40 [[fault:${fault}*1]]`], { port: claude().port });
    expect(outcomes[0]?.status).toBe('answered');
  });
});
