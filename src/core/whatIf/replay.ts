/**
 * Replays recorded turns under other settings, with the engine that runs real turns. The model, the tools and the
 * sandbox are replaced, so nothing is sent and no tool is called.
 */
import type { Catalog } from '../catalog/catalog';
import { RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { CodeDeps } from '../code/codeDeps';
import { KeptResults } from '../code/keptResults';
import { Shapes } from '../code/shapes';
import { MAX_RESULT_CHARS } from '../conversation/cutResult';
import type { Transcript } from '../conversation/transcript';
import { ResultRenderers } from '../hooks/resultRenderer';
import { TurnTools } from '../hooks/turnTools';
import { Ledger } from '../ledger/ledger';
import { type ModelInfo, PROVIDER_STRATEGY, type ToolRunner, type ToolSource, toolMessage } from '../ports';
import type { SearchPort } from '../search/types';
import { settingsFor } from '../settings/forModel';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import type { runTurn, TurnSink } from '../turn/turn';
import { LastRequests } from '../usage/cacheMiss';
import { PromptCaches } from '../usage/promptCache';
import { TokenCounter, TokenCounters } from '../usage/tokenCounter';
import type { Tokens } from '../usage/types';
import { memoize } from '../util/memoize';
import type { Calibration } from './calibration';
import type { ViewRequest } from './readTokens';
import type { RecordedTurn } from './recordedTurns';
import { ReplayPort } from './replayPort';
import type { SearchFacts, Spent } from './spending';

/** A variant of today's settings and pins. */
export interface Variant {
  readonly settings?: Partial<Settings>;
  readonly eager?: readonly string[];
  /** Set to replay each turn with the delivery, the strategy and the mode that it had. */
  readonly asRecorded?: true;
}

export interface ReplayDeps {
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly pins: Pins;
  /** Whether scripts can run here. */
  readonly scripts: boolean;
  readonly models: {
    readonly of: (model: RecordedTurn['model']) => ModelInfo;
    readonly viewRequest: ViewRequest;
  };
  readonly search: SearchPort;
  /** The function that runs turns. It is passed in, so that the host's bundle has only one copy of it. */
  readonly runTurn: typeof runTurn;
  readonly yieldToEventLoop: () => Promise<void>;
}

/** A replayed turn. `missed`: the called tools that the recorded queries didn't find. */
export interface ReplayedTurn extends Spent {
  readonly missed: readonly string[];
}

/** Replays turns one after the other, each as part of its conversation. */
export class Replay {
  readonly #deps: ReplayDeps;
  readonly #variant: Variant;
  readonly #pins: Pins;
  readonly #settings = memoize<Settings>();
  readonly #calibration: Calibration;
  readonly #caches = new PromptCaches();
  readonly #searches = new Map<string, SearchFacts>();
  readonly #histories = new Map<number, Transcript>();

  constructor(deps: ReplayDeps, calibration: Calibration, variant: Variant) {
    this.#deps = deps;
    this.#calibration = calibration;
    this.#variant = variant;
    const { pins } = deps;
    const eager = Object.fromEntries((variant.eager ?? []).map((id) => [id, 'eager' as const]));
    this.#pins = { ...pins, tools: { ...pins.tools, ...eager } };
  }

  /** Replays the next turn. Returns undefined if the settings aren't possible with the turn's model. */
  async next(turn: RecordedTurn, signal: AbortSignal): Promise<ReplayedTurn | undefined> {
    const { catalog, models, search, yieldToEventLoop } = this.#deps;
    const info = models.of(turn.model);
    const settings = this.#settingsFor(turn, info);
    const pins = this.#pins;
    const port = new ReplayPort(
      {
        turn,
        info,
        catalog,
        caches: this.#caches,
        calibration: this.#calibration,
        searches: this.#searches,
        viewRequest: models.viewRequest,
        twinHasScripts: this.#deps.settings.codeMode === 'on',
      },
      search,
      this.#deps.settings.maxResults,
    );
    const source: ToolSource = {
      catalog,
      onDidChange: () => () => {},
      refresh: () => catalog,
      whenReady: async () => catalog,
    };
    const results = resultsOf(turn);
    const before = turn.follows === undefined ? undefined : this.#histories.get(turn.follows);
    const history = before ?? seedOf(turn.foundBefore);
    const outcome = await this.#deps.runTurn(
      {
        source,
        search,
        ledger: new Ledger(),
        user: { settings: () => settings, pins: () => pins, workspace: () => [], missingStrategy: () => undefined },
        hooks: { renderers: new ResultRenderers(), turnTools: new TurnTools() },
        counters: new FixedCounters(port),
        requests: new LastRequests(),
        clock: { now: () => turn.steps[0]?.at ?? 0, timer: () => () => {}, yieldToEventLoop },
      },
      {
        prompt: turn.prompt,
        history,
        references: new Set(),
        port,
        runner: results.runner,
        settings,
        pins,
        ...(this.#deps.scripts ? { code: results.code } : {}),
      },
      NO_SINK,
      signal,
    );
    this.#histories.set(turn.turn, [...history, ...outcome.items]);
    return port.spent.requests === 0 ? undefined : { ...port.spent, missed: [...port.missed] };
  }

  /** Returns the same object for turns with the same settings, since plans are made once for each object. */
  #settingsFor({ delivery, strategy, allEager }: RecordedTurn, info: ModelInfo): Settings {
    const { settings } = settingsFor(this.#deps.settings, info);
    return this.#settings([settings, delivery, strategy, allEager], () =>
      this.#changed(settings, { delivery, strategy, allEager }),
    );
  }

  #changed(
    settings: Settings,
    { delivery, strategy, allEager }: Pick<RecordedTurn, 'delivery' | 'strategy' | 'allEager'>,
  ): Settings {
    // A question with `/eager` is replayed with `/eager`.
    const asAsked = allEager ? { mode: 'off' as const } : {};
    if (!this.#variant.asRecorded) return { ...settings, ...asAsked, ...this.#variant.settings };
    const isAuto = strategy === 'bm25' || strategy === PROVIDER_STRATEGY;
    const mode = settings.mode === 'off' ? 'on' : settings.mode;
    return { ...settings, delivery, strategy: isAuto ? 'auto' : strategy, mode, ...asAsked };
  }
}

const NO_SINK: TurnSink = {
  text() {},
  searching() {},
  found() {},
  calling() {},
  warning() {},
  waiting() {},
};

/**
 * Returns replacements for tools and scripts. Their results have the recorded lengths, since the ledger doesn't contain
 * the whole texts.
 */
function resultsOf(turn: RecordedTurn): { readonly runner: ToolRunner; readonly code: CodeDeps } {
  const left = turn.steps.flatMap(({ calls }) => calls);
  const take = (id: string) => {
    const at = left.findIndex(({ tool }) => tool === id);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const textOf = (id: string) => {
    const call = take(id);
    return {
      outcome: call?.outcome ?? ('ok' as const),
      text: '.'.repeat(Math.min(call?.resultChars ?? 1, MAX_RESULT_CHARS)),
    };
  };
  return {
    runner: {
      run: async (tool) => {
        const { outcome, text } = textOf(tool.id);
        return toolMessage(outcome, text);
      },
    },
    code: {
      sandbox: {
        unavailable: undefined,
        run: async () => {
          const value = { type: 'text' as const, text: textOf(RUN_CODE).text };
          return { kind: 'returned', value, logs: [], unawaited: [], computeMs: 0 };
        },
      },
      shapes: new Shapes(),
      kept: new KeptResults().of(''),
      redact: (text) => text,
      asking: () => 'never',
    },
  };
}

/** Returns a short conversation in which a search found these tools. It replaces earlier turns that aren't replayed. */
function seedOf(found: readonly string[]): Transcript {
  if (found.length === 0) return [];
  const callId = 'replayed-before';
  const search = { queries: [], strategy: 'auto', found };
  return [
    { kind: 'user', text: '.' },
    { kind: 'assistant', text: '', calls: [{ callId, name: SEARCH_TOOLS, input: {} }] },
    { kind: 'results', results: [{ callId, outcome: 'ok', parts: [], search }] },
    { kind: 'assistant', text: '.', calls: [] },
  ];
}

/** Counts with a fixed number of characters per token, so that no text has to be hashed. */
class FixedCounter extends TokenCounter {
  readonly #port: ReplayPort;

  constructor(port: ReplayPort) {
    super(() => 0);
    this.#port = port;
  }

  override estimate(chars: number): Tokens {
    return { value: this.#port.tokens(chars), certainty: 'estimated' };
  }

  override known(_kind: unknown, text: string): Tokens {
    return this.estimate(text.length);
  }

  override async count(_kind: unknown, text: string): Promise<Tokens> {
    return this.estimate(text.length);
  }
}

class FixedCounters extends TokenCounters {
  readonly #counter: TokenCounter;

  constructor(port: ReplayPort) {
    super();
    this.#counter = new FixedCounter(port);
  }

  override of(): TokenCounter {
    return this.#counter;
  }
}
