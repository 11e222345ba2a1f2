import type { Tool } from '../catalog/tool';
import type { ResultRenderers } from '../hooks/resultRenderer';
import type { TurnTools } from '../hooks/turnTools';
import type { Ledger } from '../ledger/ledger';
import { reportTurn, type TurnReport } from '../ledger/report';
import { discoveredIds } from '../planning/discovery';
import { describeNow, type Overview } from '../planning/overview';
import type { ModelInfo, ModelPort, ToolRunner, ToolSource } from '../ports';
import type { SearchPort } from '../search/types';
import type { Pins, Settings } from '../settings/settings';
import { definitionOf, TokenMeter } from '../tokens/tokens';
import type { Tokens } from '../tokens/types';
import type { Transcript } from '../transcript/transcript';
import { runTurn, type TurnOutcome, type TurnSink, type TurnWorld } from './turn';

/** What a session is made of. */
export interface SessionParts {
  readonly source: ToolSource;
  readonly search: SearchPort;
  readonly ledger: Ledger;
  readonly renderers: ResultRenderers;
  readonly turnTools: TurnTools;
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly breathe?: TurnWorld['breathe'];
}

/** One question to the session; settings and pins are those of the moment. */
export interface Question {
  readonly prompt: string;
  readonly history: Transcript;
  readonly references: ReadonlySet<string>;
  readonly port: ModelPort;
  readonly runner: ToolRunner;
}

/** All turns of a window, whichever chat and model they belong to, and how things stand between them. */
export class Session {
  readonly #parts: SessionParts;
  readonly #meters = new Map<string, TokenMeter>();
  readonly #listeners = new Set<(report: TurnReport) => void>();
  /** Prices before there is a model. */
  readonly #unknownMeter = new TokenMeter();
  #pricing: { readonly charsPerToken: number; readonly of: (tool: Tool) => Tokens } | undefined;
  #model: ModelInfo | undefined;
  #transcript: Transcript = [];
  #overview: { readonly of: readonly unknown[]; readonly value: Overview } | undefined;
  #report: TurnReport | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
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
  async ask(question: Question, sink: TurnSink, signal: AbortSignal): Promise<TurnOutcome> {
    const { search, ledger, renderers, turnTools, now, breathe } = this.#parts;
    this.#model = question.port.info;
    this.#transcript = question.history;
    const meter = this.#meterOf(question.port.info);
    const { vendor, id } = question.port.info;
    const { source, warnings } = await turnTools.prepare(this.#parts.source, { prompt: question.prompt, model: `${vendor}/${id}` }, signal);
    const outcome = await runTurn(
      {
        source,
        search,
        ledger,
        meter,
        now,
        ...(breathe ? { breathe } : {}),
        renderResult: (answer, aborted) => renderers.render(answer, aborted),
      },
      { ...question, settings: this.#parts.settings(), pins: this.#parts.pins(), warnings },
      sink,
      signal,
    );
    this.#transcript = [...question.history, ...outcome.items];
    const report = reportTurn(ledger.events, outcome.turn, outcome.answer);
    if (report) {
      this.#report = report;
      for (const listener of [...this.#listeners]) listener(report);
    }
    return outcome;
  }

  /** How things stand now; the same object while nothing changes. */
  overview(): Overview {
    const { catalog } = this.#parts.source;
    const of = [catalog, this.#parts.settings(), this.#parts.pins(), this.#model, this.#transcript];
    if (!this.#overview?.of.every((part, index) => part === of[index])) {
      const value = describeNow({
        catalog,
        settings: this.#parts.settings(),
        pins: this.#parts.pins(),
        model: this.#model,
        discovered: discoveredIds(this.#transcript, catalog),
        meter: this.#currentMeter(),
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
    const meter = this.#currentMeter();
    const { charsPerToken } = meter;
    if (this.#pricing?.charsPerToken !== charsPerToken) {
      this.#pricing = { charsPerToken, of: (tool) => meter.estimate(definitionOf(tool).text.length) };
    }
    return this.#pricing.of;
  }

  /** The price of so many characters of a definition, by the last model's counts. */
  tokensOfText(chars: number): Tokens {
    return this.#currentMeter().estimate(chars);
  }

  #currentMeter(): TokenMeter {
    return this.#model ? this.#meterOf(this.#model) : this.#unknownMeter;
  }

  #meterOf({ vendor, id }: ModelInfo): TokenMeter {
    const key = `${vendor}/${id}`;
    const meter = this.#meters.get(key) ?? new TokenMeter();
    this.#meters.set(key, meter);
    return meter;
  }
}
