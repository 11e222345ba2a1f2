import type { Tool } from '../catalog/tool';
import type { CodeDeps } from '../code/scriptHost';
import type { Transcript } from '../conversation/transcript';
import type { ResultRenderers } from '../hooks/resultRenderer';
import type { TurnTools } from '../hooks/turnTools';
import type { Ledger } from '../ledger/ledger';
import { reportTurn, type TurnReport } from '../ledger/report';
import { conversationPlanOf, withoutConversationPlan } from '../planning/conversationPlan';
import { discoveredIds } from '../planning/discovery';
import { describeNow, type Overview } from '../planning/overview';
import type { ModelInfo, ModelPort, ToolRunner, ToolSource } from '../ports';
import type { SearchPort } from '../search/types';
import { type ModelSettings, settingsFor } from '../settings/forModel';
import type { MissingStrategy } from '../settings/parseSettings';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import type { LastRequests } from '../usage/cacheMiss';
import { TokenCounter, type TokenCounters } from '../usage/tokenCounter';
import { definitionOf } from '../usage/tokens';
import type { Tokens } from '../usage/types';
import { runTurn, type TurnDeps, type TurnOutcome, type TurnSink } from './turn';

/** What a session is made of. */
interface SessionDeps {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly ledger: Ledger;
  readonly renderers: ResultRenderers;
  readonly turnTools: TurnTools;
  readonly counters: TokenCounters;
  readonly requests?: LastRequests;
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  /** A strategy that is set for the models of a rule, or for all, but that nobody has registered. */
  readonly missingStrategy?: (rule?: string) => MissingStrategy | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly yieldToEventLoop?: TurnDeps['yieldToEventLoop'];
  readonly timer?: TurnDeps['timer'];
}

/** One question to the session; settings and pins are those of the moment. */
export interface TurnQuestion {
  readonly prompt: string;
  /** What the user typed of it, where it holds more. */
  readonly typed?: string;
  readonly history: Transcript;
  readonly references: ReadonlySet<string>;
  readonly port: ModelPort;
  readonly runner: ToolRunner;
  /** What scripts run with, where they can. */
  readonly code?: CodeDeps;
  /** In place of the mode that is set: for this question alone, so nothing of it is decided for the conversation. */
  readonly mode?: Settings['mode'] | undefined;
}

/** All turns of a window, whichever chat and model they belong to, and how things stand between them. */
export class Session {
  readonly #deps: SessionDeps;
  readonly #listeners = new Set<(report: TurnReport) => void>();
  /** Prices before there is a model. */
  readonly #unknownCounter = new TokenCounter();
  #pricing: { readonly charsPerToken: number; readonly of: (tool: Tool) => Tokens } | undefined;
  #model: ModelInfo | undefined;
  #scripts = false;
  #transcript: Transcript = [];
  #overview: { readonly of: readonly unknown[]; readonly value: Overview } | undefined;
  #report: TurnReport | undefined;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** The last turn; undefined before the first. */
  get lastReport(): TurnReport | undefined {
    return this.#report;
  }

  /** Calls `listener` after each turn; returns what stops that. */
  onDidEndTurn(listener: (report: TurnReport) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs a turn and reports it. */
  async ask(question: TurnQuestion, sink: TurnSink, signal: AbortSignal): Promise<TurnOutcome> {
    const { search, ledger, renderers, turnTools, now, yieldToEventLoop, timer } = this.#deps;
    this.#model = question.port.info;
    this.#scripts = question.code !== undefined && question.code.sandbox.unavailable === undefined;
    this.#transcript = question.history;
    const counter = this.#deps.counters.of(question.port.info);
    const { vendor, id } = question.port.info;
    const { source, warnings } = await turnTools.prepare(
      this.#deps.source,
      { prompt: question.prompt, model: `${vendor}/${id}` },
      signal,
    );
    const { settings, rule } = settingsFor(this.#deps.settings(), question.port.info);
    const ran = await runTurn(
      {
        source,
        search,
        ledger,
        counter,
        now,
        requests: this.#deps.requests,
        ...(yieldToEventLoop ? { yieldToEventLoop } : {}),
        ...(timer ? { timer } : {}),
        renderResult: (answer, aborted) => renderers.render(answer, aborted),
      },
      {
        ...question,
        settings: question.mode ? { ...settings, mode: question.mode } : settings,
        pins: this.#deps.pins(),
        missingStrategy: this.#deps.missingStrategy?.(rule),
        warnings,
      },
      sink,
      signal,
    );
    const outcome = question.mode ? { ...ran, items: withoutConversationPlan(ran.items) } : ran;
    this.#transcript = [...question.history, ...outcome.items];
    const report = reportTurn(ledger.events, outcome.turn, outcome.answer);
    if (report) {
      this.#report = report;
      for (const listener of [...this.#listeners]) listener(report);
    }
    return outcome;
  }

  /** The settings that hold for the last turn's model, before the first turn those for all. */
  get effective(): ModelSettings {
    return settingsFor(this.#deps.settings(), this.#model);
  }

  /** How things stand now; the same object while nothing changes. */
  overview(): Overview {
    const { catalog } = this.#deps.source;
    const of = [catalog, this.#deps.settings(), this.#deps.pins(), this.#model, this.#transcript];
    if (!this.#overview?.of.every((part, index) => part === of[index])) {
      const value = describeNow({
        catalog,
        ...this.effective,
        pins: this.#deps.pins(),
        model: this.#model,
        scripts: this.#scripts,
        discovered: discoveredIds(this.#transcript, catalog),
        counter: this.#currentCounter(),
        opening: conversationPlanOf(this.#transcript),
      });
      this.#overview = { of, value };
    }
    return this.#overview.value;
  }

  /**
   * A definition's price, by what the last model's counts came to: one count a tool would overstate the sum. The same
   * function as long as it gives the same prices.
   */
  get tokensOf(): (tool: Tool) => Tokens {
    const counter = this.#currentCounter();
    const { charsPerToken } = counter;
    if (this.#pricing?.charsPerToken !== charsPerToken) {
      this.#pricing = { charsPerToken, of: (tool) => counter.estimate(definitionOf(tool).text.length) };
    }
    return this.#pricing.of;
  }

  /** The price of so many characters of a definition, by the last model's counts. */
  tokensOfText(chars: number): Tokens {
    return this.#currentCounter().estimate(chars);
  }

  #currentCounter(): TokenCounter {
    return this.#model ? this.#deps.counters.of(this.#model) : this.#unknownCounter;
  }
}
