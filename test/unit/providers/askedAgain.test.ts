import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { Json } from '../../../src/core/catalog/tool';
import { cutOffTurn, retriedItems } from '../../../src/core/ledger/cutOff';
import { CANCELLED_MEANWHILE, type ModelPort, type ToolRun } from '../../../src/core/ports';
import type { Settings } from '../../../src/core/settings/settings';
import type { TurnOutcome } from '../../../src/core/turn/turn';
import { createVscodeLmPort } from '../../../src/providers/vscodeLm/vscodeLmPort';
import { readHistory, turnMetadata } from '../../../src/ui/chat/history';
import { refuse as refuseAnthropic } from '../../standin/anthropicRules.mjs';
import { refuse as refuseOpenai } from '../../standin/openaiRules.mjs';
import { makeTool, makeWorld, ok, playTurn, TestRunner } from '../core/turn/world';
import { isFuzz } from '../property';
import {
  ChatRequestTurn,
  ChatResponseMarkdownPart,
  ChatResponseTurn,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from '../shim/parts';
import { ANTHROPIC, type Event, OPENAI, streamed, type Wire } from './wires';

afterEach(() => vi.useRealTimers());

/** A part of the guidance on deferred tools, which can only be in a message here. */
const GUIDANCE = 'tools of ';
const PAY = makeTool('bank', 'pay', 'Pays what is asked for.');

/** The content of a request in order, in a form that all services share. */
type Said = { readonly by: 'user' | 'model' | 'call' | 'result'; readonly text: string };

/**
 * A model that follows its request: it makes a call for each unanswered question, and answers once there are results.
 */
function literal(said: readonly Said[]): { readonly calls: readonly string[] } | { readonly text: string } {
  const answered = said.findLastIndex(({ by }) => by !== 'user');
  const pending = said.slice(answered + 1).map(({ text }) => text);
  return pending.length > 0 ? { calls: pending } : { text: 'Done.' };
}

/** A service with such a model, its requests, and the fault of one of them. */
interface Service {
  readonly port: ModelPort;
  readonly asked: Said[][];
  /** Errors in its requests that a real service would refuse. */
  readonly problems: string[];
  fault: Fault | undefined;
  /** Counts down to the request with the fault. */
  faultIn: number;
  times: number;
  onFault?: () => void;
}

interface Fault {
  readonly name: string;
  /** How often the fault occurs, if the request is sent again. */
  readonly times?: number;
  /** Returns the answer that replaces the regular one. */
  answer(events: readonly Event[], wire: Wire, signal: AbortSignal | null | undefined): Response | Promise<Response>;
}

let ids = 0;

function list(value: Json | undefined): readonly { readonly [key: string]: Json }[] {
  return Array.isArray(value) ? (value as readonly { readonly [key: string]: Json }[]) : [];
}

function anthropicSaid(body: { readonly [key: string]: Json }): Said[] {
  return list(body.messages).flatMap(({ role, content }): Said[] =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)).map((block): Said => {
      if (block.type === 'tool_use') return { by: 'call', text: String(block.name) };
      if (block.type === 'tool_result') return { by: 'result', text: JSON.stringify(block.content) };
      return { by: role === 'user' ? 'user' : 'model', text: String(block.text) };
    }),
  );
}

function openaiSaid(body: { readonly [key: string]: Json }): Said[] {
  return list(body.input).flatMap((item): Said[] => {
    if (item.type === 'function_call') return [{ by: 'call', text: String(item.name) }];
    if (item.type === 'function_call_output') return [{ by: 'result', text: String(item.output) }];
    if (item.role === 'developer') return [];
    const text =
      typeof item.content === 'string'
        ? item.content
        : list(item.content)
            .map((part) => String(part.text))
            .join('');
    return [{ by: item.role === 'user' ? 'user' : 'model', text }];
  });
}

function overWire(wire: Wire): Service {
  const service: Omit<Service, 'port'> = { asked: [], problems: [], fault: undefined, faultIn: 0, times: 0 };
  const port = wire.create(async (input, init) => {
    init?.signal?.throwIfAborted();
    if (wire.isCount(String(input))) return wire.count(50);
    const body = JSON.parse(String(init?.body)) as { readonly [key: string]: Json };
    const refusal = wire === ANTHROPIC ? refuseAnthropic(body) : refuseOpenai(body)?.message;
    if (refusal !== undefined) service.problems.push(refusal);
    const said = wire === ANTHROPIC ? anthropicSaid(body) : openaiSaid(body);
    service.asked.push(said);
    const reply = literal(said);
    const events =
      'text' in reply
        ? wire.reply(reply.text)
        : wire.calls(reply.calls.map((why) => ({ id: `call_${++ids}`, name: PAY.modelName, input: { why } })));
    const { fault } = service;
    if (fault && service.faultIn === 0 && service.times-- > 0) return fault.answer(events, wire, init?.signal);
    service.faultIn -= service.faultIn > 0 ? 1 : 0;
    return streamed(events);
  });
  return Object.assign(service, { port });
}

/** The same model behind `vscode.lm`, which has no events. A fault is thrown, or ends the reply. */
function overVscode(): Service {
  const service: Omit<Service, 'port'> = { asked: [], problems: [], fault: undefined, faultIn: 0, times: 0 };
  const model = {
    id: 'm',
    vendor: 'v',
    name: 'Model',
    maxInputTokens: 100_000,
    sendRequest: async (messages: { readonly role: number; readonly content: readonly unknown[] }[]) => {
      const said = messages
        .flatMap(({ role, content }): Said[] =>
          content.map((part): Said => {
            if (part instanceof LanguageModelToolCallPart) return { by: 'call', text: part.name };
            if (part instanceof LanguageModelToolResultPart)
              return { by: 'result', text: JSON.stringify(part.content) };
            return { by: role === 1 ? 'user' : 'model', text: (part as LanguageModelTextPart).value };
          }),
        )
        .filter(({ by, text }) => by !== 'user' || !text.includes(GUIDANCE));
      service.asked.push(said);
      const reply = literal(said);
      const parts =
        'text' in reply
          ? [new LanguageModelTextPart(reply.text)]
          : reply.calls.map((why) => new LanguageModelToolCallPart(`c${++ids}`, PAY.modelName, { why }));
      const { fault } = service;
      const fails = fault && service.faultIn === 0 && service.times-- > 0;
      if (!fails) service.faultIn -= service.faultIn > 0 ? 1 : 0;
      if (fails) service.onFault?.();
      if (fails && !fault.name.includes('mid'))
        throw fault.name === 'blocked' ? LanguageModelError.Blocked('no') : new Error('broken');
      return {
        stream: (async function* () {
          yield* fails ? parts.slice(0, 1) : parts;
          if (fails) throw new Error('broken');
        })(),
      };
    },
    countTokens: async (text: string) => text.length,
  } as unknown as vscode.LanguageModelChat;
  return Object.assign(service, { port: createVscodeLmPort(model) });
}

const failing = (status: number, message = 'no', headers?: { readonly [name: string]: string }): Fault => ({
  name: `${status} ${message} ${JSON.stringify(headers ?? {})}`,
  times: 9,
  answer: (_, wire) => wire.failure(status, message, headers),
});
const cutAfter = (count: number): Fault => ({
  name: `cut after ${count} events`,
  answer: (events) => streamed(events.slice(0, Math.min(count, events.length - 1))),
});
const brokenAfter = (count: number): Fault => ({
  name: `connection reset after ${count} events`,
  answer: (events) => {
    const head = events.slice(0, count).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        const next = head[sent++];
        if (next === undefined) controller.error(new TypeError('terminated'));
        else controller.enqueue(new TextEncoder().encode(next));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  },
});
const inStream = (code: string): Fault => ({
  name: `${code} in the stream`,
  answer: (events, wire) =>
    streamed([
      ...events.slice(0, 2),
      wire === ANTHROPIC
        ? { type: 'error', error: { type: code, message: 'Overloaded' } }
        : {
            type: 'response.failed',
            response: { status: 'failed', error: { code, message: 'no' }, output: [], usage: null },
          },
    ]),
});
const FAULTS: readonly Fault[] = [
  failing(529, 'overloaded'),
  failing(408),
  failing(429, 'slow down', { 'retry-after': '12' }),
  failing(429, 'slow down', { 'retry-after': '3600' }),
  failing(429, 'slow down', { 'retry-after': 'soon' }),
  failing(400, 'no such thing'),
  failing(401),
  failing(413),
  { name: '502 page', times: 9, answer: () => new Response('<html>Bad gateway</html>', { status: 502 }) },
  {
    name: 'empty body',
    answer: () => new Response(null, { status: 200, headers: { 'content-type': 'text/event-stream' } }),
  },
  { name: 'page', answer: () => new Response('<html>Log in</html>', { headers: { 'content-type': 'text/html' } }) },
  {
    name: 'reset before headers',
    times: 9,
    answer: () => {
      throw new TypeError('fetch failed');
    },
  },
  inStream('overloaded_error'),
  inStream('insufficient_quota'),
  { name: 'no end', answer: (events, _, signal) => streamed(events.slice(0, -1), { open: true, signal }) },
  ...[0, 1, 2, 3, 4, 5].flatMap((count) => [cutAfter(count), brokenAfter(count)]),
];
const VSCODE_FAULTS: readonly Fault[] = ['blocked', 'broken', 'broken in mid'].map((name) => ({
  name,
  answer: () => Response.error(),
}));

/** Advances the clock until the work is done, since it waits for retries and silence. */
async function over<Value>(work: Promise<Value>): Promise<Value> {
  let open = true;
  const done = work.finally(() => {
    open = false;
  });
  done.catch(() => {});
  while (open) await vi.advanceTimersByTimeAsync(5_000);
  return done;
}

/** A chat with one model, as VS Code keeps it. */
class Chat {
  readonly world = makeWorld([PAY]);
  readonly turns: object[] = [];
  readonly runner: TestRunner;
  /** Replaces the result of a call. */
  onRun: (() => ToolRun) | undefined;
  /** Whether the metadata of questions that failed or were stopped is lost. */
  forgets = false;
  readonly #mode: Settings['mode'];

  constructor(mode: Settings['mode'] = 'off') {
    this.#mode = mode;
    this.runner = new TestRunner(() => this.onRun?.() ?? ok('paid'));
  }

  async ask(port: ModelPort, prompt: string, signal = new AbortController().signal): Promise<TurnOutcome> {
    const { events } = this.world.ledger;
    const { history, retried } = readHistory(
      this.turns as unknown as vscode.ChatContext['history'],
      (asked, known) => cutOffTurn(events, { prompt: asked, known }),
      (known) => retriedItems(events, { prompt, known }),
    );
    const outcome = await over(
      playTurn(this.world, port, {
        prompt,
        history: [...history, ...retried],
        runner: this.runner,
        settings: { mode: this.#mode },
        signal,
      }),
    );
    const keeps = !this.forgets || outcome.status === 'answered';
    const result = {
      ...(keeps
        ? { metadata: JSON.parse(JSON.stringify(turnMetadata([...retried, ...outcome.items], outcome.turn))) }
        : {}),
      ...(outcome.status === 'failed' ? { errorDetails: { message: outcome.message ?? '' } } : {}),
    };
    this.turns.push(
      new ChatRequestTurn(prompt),
      new ChatResponseTurn([new ChatResponseMarkdownPart(outcome.answer)], result),
    );
    return outcome;
  }
}

/** VS Code's own Retry asks again with a history that ends before the question. */
const RETRIED = 'VS Code’s Retry';

const isFailed = ({ by, text }: Said) => by === 'model' && /isn’t pending/.test(text);
const texts = (said: readonly Said[], text: string) =>
  said.filter((it) => it.by === 'user' && it.text.trim() === text).length;

/** Errors in a conversation, even if the services accept them. */
function strange(said: readonly Said[]): readonly string[] {
  return said.flatMap(({ by }, index) => {
    const next = said[index + 1]?.by;
    if ((by === 'user' || by === 'model') && by === next) return [`${by} twice: ${JSON.stringify(said)}`];
    return said.filter((it) => it.by === 'call').length === said.filter((it) => it.by === 'result').length
      ? []
      : ['calls without results'];
  });
}

const WIRES: readonly (readonly [string, () => Service, readonly Fault[]])[] = [
  ['Anthropic', () => overWire(ANTHROPIC), FAULTS],
  ['OpenAI', () => overWire(OPENAI), FAULTS],
  ['VS Code', overVscode, VSCODE_FAULTS],
];

/** The questions after the first question failed. */
const NEXT = [
  ['the same', ['pay']],
  [RETRIED, ['pay']],
  ['the same with white space', ['pay  ']],
  ['the same again and again', ['pay', 'pay']],
  ['another', ['thanks']],
  ['try again', ['try again']],
  ['another, then the same', ['thanks', 'pay']],
] as const;
/** Cases in which VS Code has lost the failed question's outcome. */
const LOST = NEXT.filter(([name]) => name === 'the same' || name === 'another');
/** A third of these questions, or all by `npm run fuzz`. Three faults or stops in a row have all of them. */
const nextAfter = (fault: number) => NEXT.filter((_, at) => isFuzz() || (fault + at) % 3 === 0);

interface GoesOn {
  readonly service: Service;
  readonly chat: Chat;
  readonly next: readonly string[];
  readonly label: string;
  /** Whether the first question got no answer. */
  readonly isOpen: boolean;
}

/** Asks the next questions. No call may run twice, and each request contains what ran. */
async function expectOnce({ service, chat, next, label, isOpen }: GoesOn): Promise<void> {
  const ranBefore = chat.runner.ran.length;
  expect(ranBefore, label).toBeLessThanOrEqual(1);
  for (const [index, prompt] of next.entries()) {
    const sent = service.asked.length;
    const ran = chat.runner.ran.length;
    const { status } = await chat.ask(service.port, prompt);
    const request = service.asked[sent] ?? [];
    const where = `${label} ${JSON.stringify(request)}`;
    expect(status, where).toBe('answered');
    const same = prompt.trim() === 'pay';
    const asksAgain = isOpen && index === 0;
    expect(chat.runner.ran.length, where).toBe(asksAgain && same ? 1 : ran + 1);
    if (asksAgain) {
      expect(texts(request, 'pay'), where).toBe(1);
      expect(request.filter(isFailed).length, where).toBe(same ? 0 : 1);
    }
    expect(request.filter(({ by }) => by === 'result').length, where).toBeGreaterThanOrEqual(ranBefore);
  }
  expect(service.problems, label).toEqual([]);
  for (const said of service.asked) expect(strange(said), label).toEqual([]);
}

describe.each(WIRES)('What was asked of %s', (_name, create, faults) => {
  const cases = faults.flatMap((fault, index) =>
    [0, 1].map((at) => [`${fault.name} at request ${at + 1}`, fault, at, nextAfter(index + at)] as const),
  );

  it.each(cases)('runs no call twice after %s', async (_case, fault, at, questions) => {
    vi.useFakeTimers();
    for (const forgets of [false, true]) {
      for (const [name, next] of forgets ? LOST : questions) {
        const service = create();
        Object.assign(service, { fault, faultIn: at, times: fault.times ?? 1 });
        const chat = new Chat();
        chat.forgets = forgets;
        const first = await chat.ask(service.port, 'pay');
        service.fault = undefined;
        const label = `${fault.name} at ${at + 1}, ${name}${forgets ? ', forgotten' : ''}: ${first.status} ${first.message}`;
        if (name === RETRIED && first.status === 'answered') continue;
        if (name === RETRIED) chat.turns.splice(-2);
        await expectOnce({ service, chat, next, label, isOpen: first.status === 'failed' });
      }
    }
  });

  // Stops before a request, in a reply after each of its events, and while the tool runs.
  const stops = [0, 1].flatMap((at) =>
    [0, 1, 2, 3, 4].map((count) => [`request ${at + 1}, event ${count}`, at, count] as const),
  );

  it.each([...stops, ['the call', -1, 0] as const])(
    'runs no call twice if the user stopped it in %s',
    async (_case, at, count) => {
      vi.useFakeTimers();
      for (const forgets of [false, true]) {
        for (const [name, next] of forgets ? LOST : nextAfter(at + count)) {
          const service = create();
          const chat = new Chat();
          chat.forgets = forgets;
          const stop = new AbortController();
          const fault: Fault = {
            name: 'mid',
            answer: (events, _wire, signal) => {
              const response = streamed(events.slice(0, count), { open: true, signal });
              setTimeout(() => stop.abort(), 1);
              return response;
            },
          };
          if (at >= 0) Object.assign(service, { fault, faultIn: at, times: 1 });
          else
            chat.onRun = () => {
              stop.abort();
              return CANCELLED_MEANWHILE;
            };
          if (at >= 0 && _name === 'VS Code') service.onFault = () => stop.abort();
          const first = await chat.ask(service.port, 'pay', stop.signal);
          chat.onRun = undefined;
          service.fault = undefined;
          const label = `${_case}, ${name}${forgets ? ', forgotten' : ''}: ${first.status}`;
          if (first.status === 'answered') continue;
          expect(first.status, label).toBe('cancelled');
          if (name === RETRIED) chat.turns.splice(-2);
          await expectOnce({ service, chat, next, label, isOpen: true });
        }
      }
    },
  );
});

it.each([1, 2, 3])(
  'A tool runs once for a question that VS Code’s Retry asked again %i times, until it was answered',
  async (times) => {
    vi.useFakeTimers();
    const service = overWire(ANTHROPIC);
    const chat = new Chat();
    for (let i = 0; i < times; i++) {
      Object.assign(service, { fault: failing(401), faultIn: i === 0 ? 1 : 0, times: 1 });
      expect((await chat.ask(service.port, 'pay')).status).toBe('failed');
      chat.turns.splice(-2);
    }
    // The last of them fails too and remains in the chat, so that the user can ask it again.
    Object.assign(service, { fault: failing(401), faultIn: 0, times: 1 });
    await chat.ask(service.port, 'pay');
    service.fault = undefined;
    expect((await chat.ask(service.port, 'pay')).status).toBe('answered');
    expect(chat.runner.ran).toHaveLength(1);
  },
);

it('VS Code’s Retry is no retry of a question already answered', async () => {
  vi.useFakeTimers();
  const service = overWire(ANTHROPIC);
  Object.assign(service, { fault: failing(401), faultIn: 1, times: 1 });
  const chat = new Chat();
  expect((await chat.ask(service.port, 'pay')).status).toBe('failed');
  service.fault = undefined;
  await chat.ask(service.port, 'pay');
  chat.turns.splice(0);
  const sent = service.asked.length;
  await chat.ask(service.port, 'pay');
  expect(service.asked[sent]?.map(({ by }) => by).filter((by) => by === 'result')).toEqual([]);
});

describe('A question that goes on with another provider', () => {
  const from = WIRES.flatMap(([name, create, faults]) =>
    WIRES.filter(([other]) => other !== name).map(
      ([other, createOther]) => [name, other, create, createOther, faults] as const,
    ),
  );
  it.each(from)('runs no call twice from %s to %s', async (_from, _to, create, createOther, faults) => {
    vi.useFakeTimers();
    const some = faults.filter((_fault, index) => isFuzz() || index % 3 === 0);
    for (const fault of some)
      for (const at of [0, 1])
        for (const prompt of ['pay', 'thanks']) {
          const service = create();
          Object.assign(service, { fault, faultIn: at, times: fault.times ?? 1 });
          const chat = new Chat('on');
          const first = await chat.ask(service.port, 'pay');
          if (first.status === 'answered') continue;
          const ran = chat.runner.ran.length;
          const other = createOther();
          const label = `${fault.name} at ${at + 1}`;
          expect((await chat.ask(other.port, prompt)).status, label).toBe('answered');
          expect(chat.runner.ran.length, label).toBe(prompt === 'pay' ? 1 : ran + 1);
          expect(other.problems, label).toEqual([]);
          for (const said of other.asked) expect(strange(said), label).toEqual([]);
        }
  });
});
