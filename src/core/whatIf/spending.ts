/**
 * Sums the tokens and the cost of a replayed turn's requests. Recorded figures are used if there are any: for the
 * prompt, for the thinking of searches, and for the tokens that searching adds on the wire.
 */
import type { Catalog } from '../catalog/catalog';
import { SEARCH_TOOLS } from '../catalog/modelNames';
import { isNative, type ModelInfo, type ModelRequest, type ProviderSearch } from '../ports';
import { inputCost } from '../usage/cacheCost';
import { cacheable, type ModelPrices, modelPrices } from '../usage/modelPrices';
import type { PromptCaches } from '../usage/promptCache';
import { charsOf } from '../usage/requestShape';
import { shortHash } from '../util/hash';
import type { Calibration, CharsPerToken } from './calibration';
import { searchIds } from './inTranscript';
import { type RequestChars, readRequest, type ViewRequest } from './readTokens';
import type { RecordedTurn, Step } from './recordedTurns';
import type { RoughReason } from './types';

/** The assumed error of a count, as a share, and of an offer or a search in a form that wasn't recorded, in tokens. */
const UNSURE_SHARE = 0.05;
const UNSURE_FORM = 40;

/** The facts about a search that its query and result don't show. */
export interface SearchFacts {
  /**
   * The tokens of thinking in the search's reply. Only the same model reads the thinking again, and only in the same
   * form of request.
   */
  readonly thinking?: { readonly tokens: number; readonly model: string; readonly form: string };
  /** The tokens by which the search's results may differ from the provider's. */
  readonly unsure?: number;
}

export interface SpendingDeps {
  readonly turn: RecordedTurn;
  readonly info: ModelInfo;
  readonly catalog: Catalog;
  readonly caches: PromptCaches;
  /** Converts texts into tokens, by the figures of recorded turns and earlier replays. */
  readonly calibration: Calibration;
  /** The facts about searches, by the ids of their calls. Later turns of the conversation need them too. */
  readonly searches: Map<string, SearchFacts>;
  readonly viewRequest: ViewRequest;
  readonly twinHasScripts: boolean;
}

/** The sums over the requests of a replayed turn. `cost` is absent if the model's cache isn't known. */
export interface Spent {
  readonly requests: number;
  readonly tokens: number;
  readonly cost?: number;
  /** A hash of what the requests contain. */
  readonly contents: string;
  /** The uncertain parts of the sums, by reason. `cache` is a part of the cost, and the other parts are tokens. */
  readonly unsure: { readonly [reason in RoughReason]: number };
}

const NOTHING_UNSURE: Spent['unsure'] = { texts: 0, searches: 0, cache: 0 };

export class Spending {
  readonly #deps: SpendingDeps;
  readonly #charsPerToken: CharsPerToken;
  readonly #rules: ModelPrices | undefined;
  spent: Spent;

  constructor(deps: SpendingDeps) {
    this.#deps = deps;
    this.#charsPerToken = deps.calibration.charsPerToken(deps.turn);
    this.#rules = modelPrices(deps.info);
    this.spent = { requests: 0, tokens: 0, ...(this.#rules ? { cost: 0 } : {}), contents: '', unsure: NOTHING_UNSURE };
  }

  tokens(chars: number): number {
    return Math.ceil(chars / this.#charsPerToken.definitions);
  }

  /** Returns the tokens of text in a wire's JSON. */
  #written(chars: number): number {
    return Math.ceil(chars / this.#charsPerToken.wire);
  }

  /** Records the thinking of a reply that only searched. */
  noteThinking(callId: string, request: ModelRequest, tokens: number): void {
    const { searches, info } = this.#deps;
    searches.set(callId, {
      ...searches.get(callId),
      thinking: { tokens, model: info.id, form: searchFormOf(request, info) },
    });
  }

  /** Records that a search is uncertain, because its query or result wasn't recorded in this form. */
  noteUnsure(callId: string, chars: number): void {
    const { searches } = this.#deps;
    searches.set(callId, { ...searches.get(callId), unsure: this.tokens(chars) });
  }

  /** Records that the model may have made one more search before this request's calls, with a request of this size. */
  noteRecall(tokens: number): void {
    const { spent } = this;
    this.spent = { ...spent, unsure: { ...spent.unsure, searches: spent.unsure.searches + tokens } };
  }

  /** Adds a request. Each search by the provider adds another reading of the request. */
  add(request: ModelRequest, step: Step, made: readonly ProviderSearch[]): void {
    const { turn, caches, calibration, info, searches } = this.#deps;
    const chars = readRequest(request, this.#deps);
    const { segments } = chars;
    const ids = searchIds(request.transcript);
    const facts = ids.flatMap((id) => searches.get(id) ?? []);
    const form = searchFormOf(request, info);
    const thinking = sum(facts, (fact) =>
      fact.thinking?.model === info.id && fact.thinking.form === form ? fact.thinking.tokens : 0,
    );
    const learned = calibration.of(request);
    const offers = hasSearch(request) ? 1 : 0;
    const overhead = this.#written(chars.searching) + Math.round(thinking);
    const added = Math.round(learned.offer * offers + learned.asked * ids.length);
    const total = Math.max(0, step.prompt + this.tokens(chars.definitions) + overhead + added);
    const rules = this.#rules;
    const tools = Math.min(total, this.tokens(charsOf(segments.filter(({ kind }) => kind === 'tool'))));
    const model = `${info.vendor}/${info.id}`;
    const used = rules && caches.use({ model, segments, tokens: { tools, total }, at: step.at }, rules);
    const readings = this.#readings(request, made, chars).map((more, index) =>
      Math.round(total + more + learned.made * (index + 1)),
    );
    const all = sum([total, ...readings], (tokens) => tokens);
    // With every definition in a request, the texts of searches are too small a part of it.
    if (offers > 0 && !turn.allEager) {
      const missing = (step.sent - all) / (made.length + 1) + added + (Math.round(learned.made) * made.length) / 2;
      calibration.note(request, { asked: ids.length, made: made.length / 2, missing });
    }
    const again = rules ? sum([total, ...readings].slice(0, made.length), (tokens) => cacheable(tokens, rules)) : 0;
    const cost = rules && used ? inputCost(all, { read: used.read + again, write: used.write }, rules) : undefined;
    const unsureFound = sum(facts, (fact) => fact.unsure ?? 0);
    const unsure = (calibration.knows(request) ? 0 : UNSURE_FORM * (offers + ids.length)) + unsureFound;
    const unsureMade = sum(made, ({ callId }) => searches.get(callId)?.unsure ?? 0);
    const isAtLimit = rules !== undefined && isAtMinimum(total, unsure + total * UNSURE_SHARE, rules);
    // The tools that were found decide which definitions stay in the list, and so whether the cache holds the list.
    const unsureCost = isAtLimit ? total : unsureFound > 0 ? this.tokens(chars.listed) : 0;
    const { spent } = this;
    this.spent = {
      requests: spent.requests + 1,
      tokens: spent.tokens + all,
      ...(cost === undefined ? {} : { cost: (spent.cost ?? 0) + cost }),
      contents: shortHash([spent.contents, ...segments.map(({ hash }) => hash)].join(' ')),
      unsure: {
        ...spent.unsure,
        texts: spent.unsure.texts + unsure * (made.length + 1) + unsureMade,
        cache: spent.unsure.cache + unsureCost,
      },
    };
  }

  /** Returns, for each search of the provider, the tokens that its searches so far have added to the request. */
  #readings(request: ModelRequest, made: readonly ProviderSearch[], before: RequestChars): readonly number[] {
    const { catalog } = this.#deps;
    const records = made.map((search) => ({
      ...search,
      found: search.found.flatMap((name) => catalog.byModelName.get(name)?.id ?? []),
    }));
    return records.map((_, index) => {
      const reply = { kind: 'assistant' as const, text: '', calls: [], searches: records.slice(0, index + 1) };
      const then = readRequest({ ...request, transcript: [...request.transcript, reply] }, this.#deps);
      return this.tokens(then.definitions - before.definitions) + this.#written(then.searching - before.searching);
    });
  }
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** Whether the uncertainty of a request's tokens decides whether the request is long enough for the cache. */
function isAtMinimum(total: number, unsure: number, rules: ModelPrices): boolean {
  return cacheable(total - unsure, rules) === 0 && cacheable(total + unsure, rules) > 0;
}

export function hasSearch({ tools, delivery, deferred }: ModelRequest): boolean {
  return delivery === 'server' ? deferred.length > 0 : tools.some(({ name }) => name === SEARCH_TOOLS);
}

/** Returns the form of searches in a request. GPT's own form can't be played back in a request without it. */
function searchFormOf(request: ModelRequest, { native }: ModelInfo): string {
  const { deferred, opened = {} } = request;
  const isOwn = native?.describesServers === true && isNative(request.delivery);
  return isOwn && (deferred.length > 0 || Object.keys(opened).length > 0) ? 'native' : 'plain';
}
