import type { Transcript } from '../../../../src/core/conversation/transcript';
import type { LedgerEvent } from '../../../../src/core/ledger/events';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { figuresOfTurns } from '../../../../src/core/ledger/turnFigures';
import type { ModelPort, ToolRun } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import { Session } from '../../../../src/core/turn/session';
import { sumRounds } from '../../../../src/core/usage/roundTokens';
import type { RoundTokens } from '../../../../src/core/usage/types';
import { createAnthropicPort } from '../../../../src/providers/anthropic/anthropicPort';
import { Capabilities } from '../../../../src/providers/capabilities';
import { createOpenaiPort } from '../../../../src/providers/openai/openaiPort';
import { KEYS, type StandIn, startStandIn } from '../../../standin/server.mjs';
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
export type Step =
  | {
      readonly kind: 'ask';
      readonly prompt: string;
      readonly model: 0 | 1 | 2;
      readonly stop: boolean;
    }
  | { readonly kind: 'newChat' }
  | { readonly kind: 'firstChat' }
  | { readonly kind: 'pause'; readonly minutes: number };

export interface Course {
  readonly wire: 'claude' | 'gpt';
  readonly delivery: Settings['delivery'];
  readonly steps: readonly Step[];
}

/**
 * The models of each service, with their cache costs relative to uncached tokens, written here independently of the
 * product.
 */
const MODELS = {
  claude: [
    { id: 'claude-sonnet-4-6', read: 0.1, write: 1.25 },
    { id: 'claude-opus-4-5', read: 0.1, write: 1.25 },
    // Its thinking is bound to the conversation.
    { id: 'claude-sonnet-5-5', read: 0.05, write: 1.25 },
  ],
  gpt: [
    { id: 'gpt-5.4', read: 0.1, write: 1 },
    { id: 'gpt-5.6-sol', read: 0.1, write: 1.25 },
    { id: 'gpt-6-sol', read: 0.1, write: 1.25 },
  ],
} as const;

const text = (length: number, seed: number) =>
  Array.from({ length }, (_, index) => `part${(index * 7 + seed) % 90}`).join(' ');
const TOOLS = [
  makeTool('math', 'get-sum', 'Returns the sum of two numbers', {
    invokeName: 'math_get-sum',
    inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
  }),
  makeTool('talk', 'echo', 'Echoes a message', {
    invokeName: 'talk_echo',
    inputSchema: schema({ message: { type: 'string' } }, ['message']),
  }),
  ...Array.from({ length: 50 }, (_, index) =>
    makeTool('other', `zz${index}`, `Filler ${index}: ${text(60, index)}.`, { invokeName: `other_zz${index}` }),
  ),
];
function answer(name: string, input: { readonly [key: string]: unknown }): ToolRun {
  return ok(name === 'get-sum' ? String(Number(input.a) + Number(input.b)) : `You said: ${input.message}`);
}

/** A conversation's answered requests, with the tokens and the cost of their input. */
interface Input {
  readonly requests: number;
  readonly tokens: number;
  /** The tokens that were read from the cache. */
  readonly cached: number;
  readonly cost: number;
}

/** A conversation that was played: the service's figures and the ledger's figures. */
export interface Played {
  readonly reported: Input;
  readonly events: readonly LedgerEvent[];
  readonly sums: RoundTokens;
}

/** Plays a course against a service of its own. @param twin without deferral */
export async function play(course: Course, twin: boolean): Promise<Played> {
  let clock = 0;
  const now = () => clock;
  const standIn = await startStandIn({ now });
  try {
    const ledger = new Ledger();
    const chat = sessionChat(servicesOf(ledger, now));
    const ports = MODELS[course.wire].map(({ id }) => portOf(course.wire, id, standIn));
    for (const step of course.steps) {
      clock += 1_000;
      if (step.kind === 'newChat') chat.startNew();
      else if (step.kind === 'firstChat') chat.goBack();
      else if (step.kind === 'pause') clock += step.minutes * 60_000;
      else {
        const settings = { mode: twin ? 'off' : 'on', delivery: course.delivery, codeMode: 'off' } as const;
        await chat.ask(step.prompt, ports[step.model] as ModelPort, settings, step.stop);
      }
    }
    const requests = figuresOfTurns(ledger.events).flatMap((turn) => turn.requests);
    return { reported: reportedBy(standIn, course.wire), events: ledger.events, sums: sumRounds(requests) };
  } finally {
    await standIn.close();
  }
}

function portOf(wire: Course['wire'], model: string, { url }: StandIn): ModelPort {
  const capabilities = new Capabilities();
  return wire === 'claude'
    ? createAnthropicPort({ model, name: model, apiKey: KEYS.anthropic, baseUrl: url, capabilities })
    : createOpenaiPort({ model, name: model, apiKey: KEYS.openai, baseUrl: `${url}/v1`, capabilities });
}

/** The input of all answered requests, by the service's own usage. */
function reportedBy(standIn: StandIn, wire: Course['wire']): Input {
  let requests = 0;
  let tokens = 0;
  let cached = 0;
  let cost = 0;
  for (const { path, status, usage, body } of standIn.requests) {
    if (!['/v1/messages', '/v1/responses'].includes(path) || status !== 200 || !usage) continue;
    const model = MODELS[wire].find(({ id }) => id === body.model);
    if (!model) throw new Error(`No prices for ${body.model}`);
    const { cached_tokens = 0, cache_write_tokens = 0 } = usage.input_tokens_details ?? {};
    const read = usage.cache_read_input_tokens ?? cached_tokens;
    const write = usage.cache_creation_input_tokens ?? cache_write_tokens;
    const fresh = wire === 'claude' ? usage.input_tokens : usage.input_tokens - read - write;
    requests++;
    tokens += fresh + read + write;
    cached += read;
    cost += fresh + read * model.read + write * model.write;
  }
  return { requests, tokens, cached, cost };
}

interface Chat {
  startNew(): void;
  /** Returns to the first chat. */
  goBack(): void;
  /** @param stop cancels the question while its tool runs */
  ask(prompt: string, port: ModelPort, settings: Partial<Settings>, stop: boolean): Promise<void>;
}

/** The services of a window whose settings change with each question. */
function servicesOf(ledger: Ledger, now: () => number) {
  const mutable = { settings: SETTINGS };
  const services = makeServices(new TestSource(makeCatalog(TOOLS)), {
    ledger,
    user: choices(() => mutable.settings),
    // Without a timer, no count is given up, however slow the machine is.
    clock: { now, timer: () => () => {}, yieldToEventLoop: async () => {} },
  });
  return { services, mutable };
}

type Window = ReturnType<typeof servicesOf>;

function sessionChat({ services, mutable }: Window): Chat {
  const session = new Session(services);
  const histories: Transcript[] = [[]];
  let chat = 0;
  return {
    startNew: () => {
      chat = histories.push([]) - 1;
    },
    goBack: () => {
      chat = 0;
    },
    async ask(prompt, port, change, stop) {
      mutable.settings = { ...SETTINGS, ...change };
      const controller = new AbortController();
      const runner = new TestRunner((tool, input) => {
        if (stop) controller.abort();
        return answer(tool.name, input);
      });
      const outcome = await session.ask(
        {
          prompt,
          history: histories[chat] ?? [],
          chat: `chat ${chat}`,
          references: new Set(),
          port,
          runner,
        },
        new TestSink(),
        controller.signal,
      );
      // The history as VS Code returns it.
      histories[chat] = JSON.parse(JSON.stringify([...(histories[chat] ?? []), ...outcome.items]));
    },
  };
}
