import { relay } from '../../../../src/core/agents/relay';
import { RelayTurns } from '../../../../src/core/agents/relayTurns';
import { type AgentItem, ReplyCache } from '../../../../src/core/agents/replyCache';
import type { Tool } from '../../../../src/core/catalog/tool';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import type { Ledger, LedgerEvent } from '../../../../src/core/ledger/ledger';
import { reportTurn } from '../../../../src/core/ledger/turnReport';
import { ModelError, type ModelPort, type ToolRun } from '../../../../src/core/ports';
import type { SearchPort } from '../../../../src/core/search/types';
import { NO_PINS, type Pins } from '../../../../src/core/settings/pins';
import type { Settings } from '../../../../src/core/settings/settings';
import { Session } from '../../../../src/core/turn/session';
import { systemTimer, type Timer } from '../../../../src/core/util/timers';
import type { TurnReport } from '../../../../tool-search';
import { asAgentTool } from '../agents/world';
import {
  choices,
  makeCatalog,
  makeServices,
  runCall,
  SETTINGS,
  searchOver,
  TestRunner,
  TestSink,
  TestSource,
} from './world';

/** The circumstances of a question, for both drivers. */
export interface Setting {
  readonly port: ModelPort;
  readonly tools: readonly Tool[];
  readonly settings?: Partial<Settings>;
  readonly pins?: Pins;
  readonly search?: (source: TestSource) => SearchPort;
  readonly timer?: Timer;
  /** Runs the tools. */
  readonly answer?: (tool: Tool) => ToolRun | Promise<ToolRun>;
  readonly signal?: AbortSignal;
  /** The question; by default one that no tool is for. */
  readonly prompt?: string;
  /** The text of a repeated question; by default a new question. */
  readonly again?: string;
  /** Asks once more after this callback. */
  readonly askAgainAfter?: (source: TestSource) => void;
}

/** The outcome of a question. */
export interface Came {
  readonly said: string;
  readonly warnings: readonly string[];
  /** Ids of the tools that ran. */
  readonly ran: readonly string[];
  readonly events: readonly LedgerEvent[];
  /** Undefined if no turn has ended. */
  readonly report: TurnReport | undefined;
  /** The whole conversation as the next question finds it. */
  readonly conversation: Transcript;
}

export type Drive = (setting: Setting) => Promise<Came>;

const never = new AbortController().signal;
/**
 * Waits until so many turns have ended. An agent doesn't wait for counts: they are recorded a moment later, and then
 * the turn ends.
 */
const ended = (ledger: Ledger, turns: number) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (ledger.events.filter(({ type }) => type === 'turnEnded').length >= turns) resolve();
    };
    ledger.onDidChange(look);
    look();
  });

/** The services of a window with this setting. */
function servicesOf(setting: Setting, source: TestSource) {
  let now = 0;
  return makeServices(source, {
    search: (setting.search ?? searchOver)(source),
    user: choices(
      () => ({ ...SETTINGS, ...setting.settings }),
      () => setting.pins ?? NO_PINS,
    ),
    clock: { now: () => now++, timer: setting.timer ?? systemTimer, yieldToEventLoop: async () => {} },
  });
}

/** Asks `@toolsearch`. */
export const askTurn: Drive = async (setting) => {
  const source = new TestSource(makeCatalog(setting.tools));
  const services = servicesOf(setting, source);
  const { ledger } = services;
  const session = new Session(services);
  const runner = new TestRunner(setting.answer);
  const sink = new TestSink();
  const question = {
    prompt: setting.prompt ?? 'do it',
    history: [],
    references: new Set<string>(),
    port: setting.port,
    runner,
  };
  const outcome = await session.ask(question, sink, setting.signal ?? never);
  let conversation = outcome.items;
  if (setting.askAgainAfter) {
    setting.askAgainAfter(source);
    // The history as VS Code returns it.
    const history: Transcript = JSON.parse(JSON.stringify(conversation));
    const next = await session.ask(
      { ...question, prompt: setting.again ?? 'and now this', history },
      sink,
      setting.signal ?? never,
    );
    conversation = [...conversation, ...next.items];
  }
  return {
    said: sink.said,
    warnings: sink.warnings,
    ran: runner.ran.map(({ id }) => id),
    events: ledger.events,
    report: session.lastReport,
    conversation,
  };
};

/**
 * Asks the same through another agent, which passes its tools, runs the calls that it gets, and asks again with the
 * results.
 */
export const askRelay: Drive = async (setting) => {
  const source = new TestSource(makeCatalog(setting.tools));
  const services = servicesOf(setting, source);
  const { ledger } = services;
  const turns = new RelayTurns(ledger, { now: () => 0, timer: () => () => {} });
  const cache = new ReplyCache();
  const runner = new TestRunner(setting.answer);
  const signal = setting.signal ?? never;
  const items: AgentItem[] = [{ item: { kind: 'user', text: setting.prompt ?? 'do it' } }];
  const warnings: string[] = [];
  let said = '';
  const ask = async () => {
    const transcript = cache.restore(items);
    const outcome = await relay(
      {
        services,
        turns,
        log: (line) => warnings.push(line),
        outcomeOf: (text) => (text.startsWith('MCP error') ? 'failed' : 'ok'),
      },
      {
        port: setting.port,
        system: '',
        transcript,
        tools: source.catalog.tools.map(asAgentTool),
        mustCall: false,
      },
      { text: (delta) => (said += delta), call: () => {} },
      signal,
    );
    cache.remember(outcome.kept, outcome.visible, transcript);
    items.push({ item: { kind: 'assistant', ...outcome.visible }, kept: JSON.parse(JSON.stringify(outcome.kept)) });
    return outcome.visible.calls;
  };
  const answer = async () => {
    try {
      for (let calls = await ask(); calls.length > 0 && !signal.aborted; calls = await ask()) {
        const results = [];
        for (const call of calls) {
          const tool = source.catalog.tools.find(({ invokeName }) => invokeName === call.name);
          const run: ToolRun = tool
            ? await runCall(runner, tool, call.input, signal)
            : { outcome: 'failed', parts: [{ type: 'text', text: 'unknown tool' }] };
          results.push({
            callId: call.callId,
            outcome: 'ok' as const,
            parts: [{ type: 'text' as const, text: resultText(run) }],
          });
        }
        items.push({ item: { kind: 'results', results } });
      }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
    }
  };
  await answer();
  if (setting.askAgainAfter) {
    setting.askAgainAfter(source);
    items.push({ item: { kind: 'user', text: setting.again ?? 'and now this' } });
    await answer();
  }
  // An agent that was stopped asks no more, since its window closes.
  if (signal.aborted) turns.dispose();
  await ended(ledger, setting.askAgainAfter ? 2 : 1);
  return {
    said,
    warnings,
    ran: runner.ran.map(({ id }) => id),
    events: ledger.events,
    report: reportTurn(ledger.events, 1, said),
    conversation: cache.restore(items),
  };
};
