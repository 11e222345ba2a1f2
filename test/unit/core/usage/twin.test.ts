import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { eventsOf } from '../../../../src/core/ledger/events';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { figuresOfTurns } from '../../../../src/core/ledger/turnFigures';
import type { Settings } from '../../../../src/core/settings/settings';
import { Session } from '../../../../src/core/turn/session';
import { sumRounds } from '../../../../src/core/usage/roundTokens';
import { twinTranscript } from '../../../../src/core/usage/twin';
import { type StandIn, startStandIn } from '../../../standin/server.mjs';
import { standInPort } from '../../providers/ports';
import {
  choices,
  makeCatalog,
  makeServices,
  makeTool,
  ok,
  SETTINGS,
  schema,
  TestRunner,
  TestSink,
  TestSource,
} from '../turn/world';

/** One step of a conversation: a question, a new chat, a return to the first one, or a pause. */
type Step =
  | { readonly kind: 'ask'; readonly prompt: string; readonly model: 0 | 1 | 2; readonly stop: boolean }
  | { readonly kind: 'newChat' }
  | { readonly kind: 'firstChat' }
  | { readonly kind: 'pause'; readonly minutes: number };

/** Models with their cache costs relative to uncached tokens, written here independently of the product. */
const MODELS = [
  { id: 'claude-sonnet-4-6', read: 0.1, write: 1.25 },
  { id: 'claude-opus-4-5', read: 0.1, write: 1.25 },
  // Its thinking is bound to the conversation.
  { id: 'claude-sonnet-5-5', read: 0.05, write: 1.25 },
];

const text = (length: number, seed: number) =>
  Array.from({ length }, (_, index) => `part${(index * 7 + seed) % 90}`).join(' ');
const TOOLS = [
  makeTool('math', 'get-sum', 'Returns the sum of two numbers', {
    inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
  }),
  makeTool('talk', 'echo', 'Echoes a message', { inputSchema: schema({ message: { type: 'string' } }, ['message']) }),
  ...Array.from({ length: 50 }, (_, index) => makeTool('other', `zz${index}`, `Filler ${index}: ${text(60, index)}.`)),
];

/**
 * Plays the steps against a service of its own. Returns the service's figures and the ledger's.
 * @param twin without deferral
 */
async function play(delivery: Settings['delivery'], steps: readonly Step[], twin: boolean) {
  let clock = 0;
  const standIn = await startStandIn({ now: () => clock });
  try {
    const ledger = new Ledger();
    const settings: Settings = { ...SETTINGS, mode: twin ? 'off' : 'on', delivery, codeMode: 'off' };
    const services = makeServices(new TestSource(makeCatalog(TOOLS)), {
      ledger,
      user: choices(() => settings),
      // Without a timer, no count is given up, however slow the machine is.
      clock: { now: () => clock, timer: () => () => {}, yieldToEventLoop: async () => {} },
    });
    const session = new Session(services);
    const ports = MODELS.map(({ id }) => standInPort(standIn, id));
    const histories: Transcript[] = [[]];
    let chat = 0;
    for (const step of steps) {
      clock += 1_000;
      if (step.kind === 'newChat') chat = histories.push([]) - 1;
      else if (step.kind === 'firstChat') chat = 0;
      else if (step.kind === 'pause') clock += step.minutes * 60_000;
      else {
        const [history = [], port = standInPort(standIn, 'none')] = [histories[chat], ports[step.model]];
        const controller = new AbortController();
        const runner = new TestRunner(({ name }, input) => {
          if (step.stop) controller.abort();
          return ok(name === 'get-sum' ? String(Number(input.a) + Number(input.b)) : `You said: ${input.message}`);
        });
        const question = { prompt: step.prompt, history, chat: `chat ${chat}`, references: new Set<string>() };
        const { items } = await session.ask({ ...question, port, runner }, new TestSink(), controller.signal);
        // The history as VS Code returns it.
        histories[chat] = JSON.parse(JSON.stringify([...history, ...items]));
      }
    }
    const requests = figuresOfTurns(ledger.events).flatMap((turn) => turn.requests);
    return { reported: reportedBy(standIn), events: ledger.events, sums: sumRounds(requests) };
  } finally {
    await standIn.close();
  }
}

/** The input of all answered requests, by the service's own usage. */
function reportedBy({ requests }: StandIn): { tokens: number; cached: number; cost: number } {
  const sum = { tokens: 0, cached: 0, cost: 0 };
  for (const { path, status, usage, body } of requests) {
    if (path !== '/v1/messages' || status !== 200 || !usage) continue;
    const model = MODELS.find(({ id }) => id === body.model);
    if (!model) throw new Error(`No prices for ${body.model}`);
    const { input_tokens: fresh, cache_read_input_tokens: read = 0, cache_creation_input_tokens: write = 0 } = usage;
    sum.tokens += fresh + read + write;
    sum.cached += read;
    sum.cost += fresh + read * model.read + write * model.write;
  }
  return sum;
}

const off = (value: number, truth: number) => Math.abs(value - truth) / Math.max(1, truth);

it('calls a tool of call_tool directly, also in the wire’s blocks', () => {
  const through = (name: string, input: { readonly [key: string]: Json }) => ({
    kind: 'assistant' as const,
    text: '',
    calls: [{ callId: 'c', name, input }],
    opaque: [{ wire: 'anthropic' as const, value: [{ type: 'tool_use', id: 'c', name, input }] }],
  });
  const wrapped = through('call_tool', { name: 'math_get-sum', arguments: { a: 1 } });
  expect(twinTranscript([wrapped])).toEqual([through('math_get-sum', { a: 1 })]);
});

describe('the baseline of a conversation', () => {
  it('contains thinking that is bound to what was sent', async () => {
    // The stand-in's model thinks as much as it is asked.
    const steps = [1, 2, 3, 4].map((n) => ({
      kind: 'ask' as const,
      prompt: `echo message="${'some words '.repeat(150)}" n=${n}`,
      model: 2 as const,
      stop: false,
    }));
    const [{ sums }, twin] = await Promise.all([play('local', steps, false), play('local', steps, true)]);
    expect(sums.baseline.certainty).toBe('estimated');
    expect(off(sums.baseline.value, twin.reported.tokens)).toBeLessThan(0.05);
    expect(off(sums.cost?.baseline ?? 0, twin.reported.cost)).toBeLessThan(0.05);
  });

  it('has the cache of three days, recomputed by hand', async () => {
    const ask = (n: number, model: 0 | 1 = 0, stop = false): Step => {
      return { kind: 'ask', prompt: `get-sum a=${n} b=${n + 1}`, model, stop };
    };
    const pause = (minutes: number): Step => ({ kind: 'pause', minutes });
    const days: Step[][] = [
      [ask(1), ask(2), pause(4), ask(3), { kind: 'newChat' }, ask(4), pause(900)],
      [ask(5), ask(6, 1), ask(7), pause(900)],
      [{ kind: 'firstChat' }, ask(8), ask(9, 0, true), ask(10)],
    ];
    // The part of each request of the baseline that Claude Sonnet 4.6 reads from its cache, which lives for five minutes:
    // nothing, the definitions, or the whole request before with the same model.
    const read = [
      ...['nothing', 'last', 'last', 'last', 'last', 'last', 'definitions', 'last'],
      ...['nothing', 'last', 'nothing', 'last', 'last but two', 'last'],
      ...['nothing', 'last', 'last', 'last', 'last'],
    ];
    const { events, sums, reported } = await play('bridge', days.flat(), false);
    const rounds = eventsOf(events, 'roundEnded').flatMap(({ tokens }) => (tokens.baseline.value > 0 ? tokens : []));
    const sizes = rounds.map(({ baseline }) => baseline.value);
    const byHand = sizes.map((size, index) => {
      const [first = 0, last = 0, earlier = 0] = [sizes[0], sizes[index - 1], sizes[index - 3]];
      // The question of a new chat has 21 tokens.
      const cached = { nothing: 0, definitions: first - 21, last, 'last but two': earlier }[read[index] ?? ''] ?? 0;
      return 0.1 * cached + 1.25 * (size - cached);
    });
    expect(rounds.map(({ cost }) => cost?.baseline)).toEqual(byHand.map((cost) => expect.closeTo(cost, -0.3)));
    expect([sums.sent.value, sums.cacheRead]).toEqual([reported.tokens, reported.cached]);
    expect(off(sums.cost?.sent ?? 0, reported.cost)).toBeLessThan(0.002);
  });
});
