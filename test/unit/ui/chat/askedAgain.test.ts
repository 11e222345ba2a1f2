import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { cutOffTurn, retriedItems } from '../../../../src/core/ledger/cutOffTurns';
import {
  CANCELLED_MEANWHILE,
  CountRefused,
  ModelError,
  type ModelEvent,
  type ModelPort,
  type ToolRun,
} from '../../../../src/core/ports';
import type { TurnOutcome } from '../../../../src/core/turn/turn';
import { readHistory, turnMetadata } from '../../../../src/ui/chat/history';
import { call, MODEL, makeTool, makeWorld, ok, playTurn, TestRunner, text } from '../../core/turn/world';
import { ChatRequestTurn, ChatResponseMarkdownPart, ChatResponseTurn } from '../../shim/parts';

const PAY = makeTool('bank', 'pay', 'Pays what is asked for.');

/** The content of a request in order. */
type Said = { readonly by: 'user' | 'model' | 'call' | 'result'; readonly text: string };

const saidOf = (transcript: Transcript): readonly Said[] =>
  transcript.flatMap((item): Said[] => {
    if (item.kind === 'user') return item.note ? [] : [{ by: 'user', text: item.text }];
    if (item.kind === 'results') return item.results.map((result) => ({ by: 'result', text: resultText(result) }));
    const calls = item.calls.map(({ name }): Said => ({ by: 'call', text: name }));
    return [...(item.text === '' ? [] : [{ by: 'model' as const, text: item.text }]), ...calls];
  });

/** What goes wrong in one request of a service, after so many events of its reply. */
interface Fault {
  readonly name: string;
  readonly request: 1 | 2;
  readonly events: number;
  readonly error?: ModelError;
}

let calls = 0;

/**
 * A model that follows its request: it makes a call for each unanswered question, and answers once there are results.
 */
class Literal implements ModelPort {
  readonly info = MODEL;
  readonly asked: (readonly Said[])[] = [];
  fault: Fault | undefined;
  /** Stops the question, for a fault without an error. */
  stop = () => {};

  async *send({ transcript }: { readonly transcript: Transcript }): AsyncGenerator<ModelEvent> {
    const said = saidOf(transcript);
    this.asked.push(said);
    const pending = said.slice(said.findLastIndex(({ by }) => by !== 'user') + 1);
    const events: readonly ModelEvent[] =
      pending.length > 0
        ? [text('I pay.'), ...pending.map((it) => call(PAY.modelName, { why: it.text }, `call_${++calls}`))]
        : [text('Done.'), { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }];
    const { fault } = this;
    if (fault?.request !== this.asked.length) return yield* events;
    yield* events.slice(0, fault.events);
    if (fault.error) throw fault.error;
    this.stop();
  }

  countTokens(): Promise<number> {
    return Promise.reject(new CountRefused());
  }
}

const FAULTS: readonly Fault[] = ([1, 2] as const).flatMap((request) => [
  { name: 'a refusal', request, events: 0, error: new ModelError('no', { unanswered: true }) },
  ...[0, 1, 2].map((events) => ({ name: 'a broken reply', request, events, error: new ModelError('broken') })),
]);
const STOPS: readonly Fault[] = ([1, 2] as const).flatMap((request) =>
  [0, 1, 2].map((events) => ({ name: 'a stop', request, events })),
);

/** A chat with one model, as VS Code keeps it. */
class Chat {
  readonly world = makeWorld([PAY]);
  readonly turns: object[] = [];
  readonly runner: TestRunner;
  /** Replaces the result of a call. */
  onRun: (() => ToolRun) | undefined;
  /** Whether the metadata of questions that failed or were stopped is lost. */
  forgets = false;

  constructor() {
    this.runner = new TestRunner(() => this.onRun?.() ?? ok('paid'));
  }

  async ask(port: ModelPort, prompt: string, signal = new AbortController().signal): Promise<TurnOutcome> {
    const { events } = this.world.ledger;
    const { history, retried } = readHistory(
      this.turns as unknown as vscode.ChatContext['history'],
      (asked, known) => cutOffTurn(events, { prompt: asked, known }),
      (known) => retriedItems(events, { prompt, known }),
    );
    const outcome = await playTurn(this.world, port, {
      prompt,
      history: [...history, ...retried],
      runner: this.runner,
      settings: { mode: 'off' },
      signal,
    });
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

/** Errors in a conversation: a side that speaks twice, or calls without results. */
function strange(said: readonly Said[]): readonly string[] {
  const twice = said.some(({ by }, index) => ['user', 'model'].includes(by) && by === said[index + 1]?.by);
  const count = (kind: Said['by']) => said.filter(({ by }) => by === kind).length;
  return twice || count('call') !== count('result') ? [JSON.stringify(said)] : [];
}

/** VS Code's own Retry asks again with a history that ends before the question. */
const RETRIED = 'VS Code’s Retry';

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

/** Asks the next questions. No call may run twice, and each request contains what ran. */
async function expectOnce(port: Literal, chat: Chat, next: readonly string[], isOpen: boolean): Promise<void> {
  const ranBefore = chat.runner.ran.length;
  expect(ranBefore).toBeLessThanOrEqual(1);
  for (const [index, prompt] of next.entries()) {
    const sent = port.asked.length;
    const ran = chat.runner.ran.length;
    const { status } = await chat.ask(port, prompt);
    const request = port.asked[sent] ?? [];
    const where = JSON.stringify(request);
    expect(status, where).toBe('answered');
    const same = prompt.trim() === 'pay';
    const asksAgain = isOpen && index === 0;
    expect(chat.runner.ran.length, where).toBe(asksAgain && same ? 1 : ran + 1);
    if (asksAgain) {
      expect(request.filter((it) => it.by === 'user' && it.text.trim() === 'pay').length, where).toBe(1);
      const failed = request.filter((it) => it.by === 'model' && /isn’t pending/.test(it.text));
      expect(failed.length, where).toBe(same ? 0 : 1);
    }
    expect(request.filter(({ by }) => by === 'result').length, where).toBeGreaterThanOrEqual(ranBefore);
  }
  for (const said of port.asked) expect(strange(said)).toEqual([]);
}

describe.each(NEXT)('A question that got no answer, then %s', (name, next) => {
  /** Asks a question that goes wrong, and then the next ones. */
  async function goesOn(fault: Fault | undefined, forgets: boolean): Promise<void> {
    const [port, chat, stop] = [new Literal(), new Chat(), new AbortController()];
    Object.assign(port, { fault, stop: () => stop.abort() });
    chat.forgets = forgets;
    if (!fault)
      chat.onRun = () => {
        stop.abort();
        return CANCELLED_MEANWHILE;
      };
    const { status } = await chat.ask(port, 'pay', stop.signal);
    expect(status).toBe(fault?.error ? 'failed' : 'cancelled');
    port.fault = undefined;
    chat.onRun = undefined;
    if (name === RETRIED) chat.turns.splice(-2);
    await expectOnce(port, chat, next, true);
  }
  const cases = [...FAULTS, ...STOPS].map((fault) => ({ fault, ...fault }));

  it.each(cases)('runs no call twice after $name in request $request, event $events', ({ fault }) =>
    goesOn(fault, false),
  );

  it('runs no call twice if the user stopped it in the call', () => goesOn(undefined, false));

  if (name === 'the same' || name === 'another')
    it('runs no call twice though VS Code lost how it ended', async () => {
      for (const fault of [...FAULTS, ...STOPS, undefined]) await goesOn(fault, true);
    });
});

describe('VS Code’s Retry', () => {
  const fails = (request: 1 | 2): Fault => ({ name: 'a refusal', request, events: 0, error: new ModelError('no') });

  it.each([1, 2, 3])('runs a tool once, however often a question was asked: %i times', async (times) => {
    const chat = new Chat();
    for (let i = 0; i < times; i++) {
      const port = Object.assign(new Literal(), { fault: fails(i === 0 ? 2 : 1) });
      expect((await chat.ask(port, 'pay')).status).toBe('failed');
      chat.turns.splice(-2);
    }
    // The last of them fails too and remains in the chat, so that the user can ask it again.
    await chat.ask(Object.assign(new Literal(), { fault: fails(1) }), 'pay');
    expect((await chat.ask(new Literal(), 'pay')).status).toBe('answered');
    expect(chat.runner.ran).toHaveLength(1);
  });

  it('is no retry of a question already answered', async () => {
    const chat = new Chat();
    expect((await chat.ask(Object.assign(new Literal(), { fault: fails(2) }), 'pay')).status).toBe('failed');
    await chat.ask(new Literal(), 'pay');
    chat.turns.splice(0);
    const port = new Literal();
    await chat.ask(port, 'pay');
    expect(port.asked[0]?.filter(({ by }) => by === 'result')).toEqual([]);
  });
});
