import type { TurnReport } from '../../../tool-search';
import type { Tool } from '../catalog/tool';
import type { Transcript } from '../conversation/transcript';
import { conversationPlanOf, withoutConversationPlan } from '../planning/conversationPlan';
import { describeNow, type Overview } from '../planning/loadingOverview';
import type { ModelInfo } from '../ports';
import { type ModelSettings, settingsFor } from '../settings/modelSettings';
import { TokenCounter } from '../usage/tokenCounter';
import { definitionOf } from '../usage/tokens';
import type { Tokens } from '../usage/types';
import { Listeners } from '../util/listeners';
import { memoize } from '../util/memoize';
import type { TurnOutcome, TurnQuestion, TurnSink } from './turn';
import type { TurnServices } from './turnServices';

/** All turns of a window, for every chat and model, and the state between turns. */
export class Session {
  readonly #services: TurnServices;
  readonly #ended = new Listeners<TurnReport>();
  /** Estimates tokens before there is a model. */
  readonly #unknownCounter = new TokenCounter();
  readonly #tokensOf = memoize<(tool: Tool) => Tokens>();
  #model: ModelInfo | undefined;
  #scripts = false;
  #transcript: Transcript = [];
  readonly #overview = memoize<Overview>();
  #report: TurnReport | undefined;

  constructor(services: TurnServices) {
    this.#services = services;
  }

  /** The last turn; undefined before the first. */
  get lastReport(): TurnReport | undefined {
    return this.#report;
  }

  /** Whether scripts could run in the last turn; true before the first. */
  get runsScripts(): boolean {
    return this.#model === undefined || this.#scripts;
  }

  /** Calls `listener` after each turn. Returns a function that stops that. */
  onDidEndTurn(listener: (report: TurnReport) => void): () => void {
    return this.#ended.add(listener);
  }

  /** Runs a turn with the settings and pins of this moment, and reports it. */
  async ask(question: TurnQuestion, sink: TurnSink, signal: AbortSignal): Promise<TurnOutcome> {
    const { ledger, user } = this.#services;
    this.#model = question.port.info;
    this.#scripts = question.code !== undefined && question.code.sandbox.unavailable === undefined;
    this.#transcript = question.history;
    const { settings, rule } = settingsFor(user.settings(), question.port.info);
    const { runTurn } = await import('./turn');
    const ran = await runTurn(
      this.#services,
      {
        ...question,
        settings: question.mode ? { ...settings, mode: question.mode } : settings,
        pins: user.pins(),
        missingStrategy: user.missingStrategy(rule),
      },
      sink,
      signal,
    );
    const outcome = question.mode ? { ...ran, items: withoutConversationPlan(ran.items) } : ran;
    this.#transcript = [...question.history, ...outcome.items];
    const { reportTurn } = await import('../ledger/turnReport');
    const report = reportTurn(ledger.events, outcome.turn, outcome.answer);
    if (report) {
      this.#report = report;
      this.#ended.tell(report);
    }
    return outcome;
  }

  /** The settings that apply to the last turn's model; before the first turn, those for all models. */
  get effective(): ModelSettings {
    return settingsFor(this.#services.user.settings(), this.#model);
  }

  /** Returns the current state. It is the same object until something changes. */
  overview(): Overview {
    const { source, user } = this.#services;
    const { catalog } = source;
    const pins = user.pins();
    return this.#overview([catalog, user.settings(), pins, this.#model, this.#transcript], () =>
      describeNow({
        catalog,
        ...this.effective,
        pins,
        model: this.#model,
        transcript: this.#transcript,
        counter: this.#currentCounter(),
        conversationPlan: conversationPlanOf(this.#transcript, this.#model),
      }),
    );
  }

  /**
   * Returns the tokens of a definition, estimated by the ratio of the last model's counts. A separate count for each
   * tool would overstate the sum. It is the same function until the ratio changes.
   */
  get tokensOf(): (tool: Tool) => Tokens {
    const counter = this.#currentCounter();
    return this.#tokensOf([counter.charsPerToken], () => (tool) => counter.estimate(definitionOf(tool).text.length));
  }

  /** Returns the tokens of `chars` characters of a definition, estimated by the ratio of the last model's counts. */
  tokensOfText(chars: number): Tokens {
    return this.#currentCounter().estimate(chars);
  }

  #currentCounter(): TokenCounter {
    return this.#model ? this.#services.counters.of(this.#model) : this.#unknownCounter;
  }
}
