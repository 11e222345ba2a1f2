import type { Usage } from '../ports';
import { costOf } from './cacheCost';
import { DEFAULT_CHARS_PER_TOKEN, subtractTokens, sumTokens } from './tokens';
import type { RoundTokens, Tokens } from './types';

/**
 * The inspector's arithmetic, all of it. For a round:
 *
 *     sent     = prompt and history + eager + discovered + search overhead
 *     baseline = prompt and history + every definition that could be in the request
 *     kept out = every definition − eager − discovered
 *     net      = baseline − sent = kept out − search overhead
 *
 * and for a turn or a session the sums over its rounds. Where the provider reported what it was sent, `sent` is exactly that.
 *
 * Beside the balance, and in none of it, stands what stayed in a script:
 *
 *     stayed = what its calls returned, each as far as a model would have got it − what the model was answered
 */

/** The parts that what was sent is made of, in the order in which they are stacked. */
export const PARTS = ['promptAndHistory', 'eager', 'discovered', 'searchOverhead'] as const;
type Part = (typeof PARTS)[number];

/** What follows from a round's figures, or from a turn's. */
interface Balance {
  /** Definitions that weren't in the request. */
  readonly keptOut: Tokens;
  /** Definitions that were, and what searching took. */
  readonly inContext: Tokens;
  /** Negative where searching cost more than it kept out. */
  readonly net: Tokens;
}

export function balanceOf(tokens: Pick<RoundTokens, Part | 'sent' | 'baseline'>): Balance {
  const { promptAndHistory, eager, discovered, searchOverhead, sent, baseline } = tokens;
  return {
    keptOut: subtractTokens(baseline, sumTokens([promptAndHistory, eager, discovered])),
    inContext: sumTokens([eager, discovered, searchOverhead]),
    net: subtractTokens(baseline, sent),
  };
}

/** All figures of several rounds together. What a cache gave and took is known only where the provider says so. */
export function sumRounds(rounds: readonly RoundTokens[]): RoundTokens {
  const sum = (part: Part | 'sent' | 'baseline') => sumTokens(rounds.map((round) => round[part]));
  const cached = (part: 'cacheRead' | 'cacheWrite') => {
    const known = rounds.flatMap((round) => round[part] ?? []);
    return known.length > 0 ? { [part]: known.reduce((total, value) => total + value, 0) } : {};
  };
  return {
    promptAndHistory: sum('promptAndHistory'),
    eager: sum('eager'),
    discovered: sum('discovered'),
    searchOverhead: sum('searchOverhead'),
    sent: sum('sent'),
    baseline: sum('baseline'),
    ...cached('cacheRead'),
    ...cached('cacheWrite'),
    ...(rounds.some(({ price }) => price) ? { price: sumPrices(rounds) } : {}),
  };
}

/** A round without a price counts with its tokens, so that the sum is of one kind. */
function sumPrices(rounds: readonly RoundTokens[]): RoundTokens['price'] {
  const prices = rounds.map(costOf);
  return {
    sent: prices.reduce((sum, price) => sum + price.sent.value, 0),
    baseline: prices.reduce((sum, price) => sum + price.baseline.value, 0),
  };
}

/** The share of what was sent that came from the cache, 0 to 1, over the rounds whose provider speaks of its cache. */
export function cacheReadShare(rounds: readonly Pick<RoundTokens, 'sent' | 'cacheRead'>[]): number | undefined {
  const told = rounds.filter((round) => round.cacheRead !== undefined);
  const sent = sumTokens(told.map((round) => round.sent)).value;
  return sent > 0 ? told.reduce((sum, { cacheRead = 0 }) => sum + cacheRead, 0) / sent : undefined;
}

/** What the parts of a request cost. */
export interface TokenCounts {
  readonly all: Tokens;
  readonly eager: Tokens;
  readonly discovered: Tokens;
  /** Guidance and our own definitions. */
  readonly ours: Tokens;
  /** Search calls and results in the conversation. */
  readonly searches: Tokens;
  readonly history: Tokens;
  /** The whole request as the service counts it before it searches; only where the provider searches itself. */
  readonly onePass?: Tokens;
}

/** What was heard of a round's cost. */
interface ReportedUsage {
  /** What the provider reported; before the reply's end where that was cut. */
  readonly usage?: Usage | undefined;
  /** The reply ended before its end. */
  readonly cut?: boolean;
  /** How often the provider searched, where it searches itself. */
  readonly searches?: number | undefined;
}

/**
 * What a round cost by kind. Where the provider reported its usage, `sent` is exactly that. What the prices don't explain
 * (a wire's own wrapping, a model's prompt for tools) belongs to the prompt and history: any system pays it. Where the
 * provider searched, it read the request more than once: then only what one reading holds does, and the rest is overhead.
 * Prices above what was reported were too high: the parts shrink alike, the baseline's definitions too, as estimates.
 * Of a reply that was cut, what was reported is used, and the rest is an estimate and marked so.
 * @param expanded the discovered definitions at the reply's end, where the provider put more of them into sight
 */
export function roundTokens(
  prices: TokenCounts,
  heard: ReportedUsage,
  expanded: Tokens = prices.discovered,
): RoundTokens {
  const { all, eager, discovered, ours, searches } = prices;
  const { usage, cut = false } = heard;
  const history: Tokens = cut && !usage ? { ...prices.history, certainty: 'estimated' } : prices.history;
  const overhead = sumTokens([ours, searches]);
  if (!usage) {
    const sent = sumTokens([history, eager, expanded, overhead]);
    return {
      promptAndHistory: history,
      eager,
      discovered: expanded,
      searchOverhead: overhead,
      sent,
      baseline: sumTokens([history, all]),
    };
  }
  const sent =
    cut && heard.searches !== undefined
      ? readUntilCut(usage, heard.searches, expanded, discovered)
      : measured(usage.inputTokens);
  const onePass = prices.onePass ?? (heard.searches ? sumTokens([history, eager, discovered, overhead]) : undefined);
  const searchOverhead = onePass ? passesOverhead(prices, onePass, sent, expanded) : overhead;
  const tools = sumTokens([eager, expanded, searchOverhead]).value;
  const share = Math.min(1, sent.value / Math.max(1, tools));
  const shrunk = (part: Tokens): Tokens =>
    share === 1 ? part : { value: Math.floor(part.value * share), certainty: 'estimated' };
  const parts = { eager: shrunk(eager), discovered: shrunk(expanded), searchOverhead: shrunk(searchOverhead) };
  const promptAndHistory = subtractTokens(sent, sumTokens(Object.values(parts)));
  return {
    promptAndHistory,
    ...parts,
    sent,
    baseline: sumTokens([promptAndHistory, shrunk(all)]),
    ...(usage.cacheReadTokens === undefined ? {} : { cacheRead: usage.cacheReadTokens }),
    ...(usage.cacheWriteTokens === undefined ? {} : { cacheWrite: usage.cacheWriteTokens }),
  };
}

function measured(value: number): Tokens {
  return { value, certainty: 'measured' };
}

/** What a provider that searches had read when its reply was cut: it told of the first reading, and reads again after each search. */
function readUntilCut(usage: Usage, searches: number, expanded: Tokens, discovered: Tokens): Tokens {
  const more = Math.max(0, expanded.value - discovered.value);
  return { value: usage.inputTokens * (1 + searches) + more, certainty: 'estimated' };
}

/** All that was sent beside one reading of prompt and history, and the definitions. */
function passesOverhead(
  { eager, discovered, ours, searches }: TokenCounts,
  onePass: Tokens,
  sent: Tokens,
  expanded: Tokens,
): Tokens {
  const prompt = subtractTokens(onePass, sumTokens([eager, discovered, ours, searches]));
  const rest = subtractTokens(sent, sumTokens([prompt, eager, expanded]));
  return { ...rest, value: Math.max(0, rest.value) };
}

/** Characters of a result that a model gets at the most (25,000 tokens or so). */
export const MAX_RESULT_CHARS = 100_000;

/**
 * What stayed in a script, at most: nobody knows whether the model would have made these calls, or asked for less. Always an
 * estimate; negative where the answer was longer than what was called for it.
 * @param countedChars characters of results, each up to {@link MAX_RESULT_CHARS}, of as many different calls as a turn allows
 */
export function keptFromModel({
  countedChars,
  outputChars,
}: {
  readonly countedChars: number;
  readonly outputChars: number;
}): Tokens {
  return { value: scriptTokens(countedChars) - scriptTokens(outputChars), certainty: 'estimated' };
}

/** Tokens of a script's text: no model counted it. */
export function scriptTokens(chars: number): number {
  return Math.ceil(chars / DEFAULT_CHARS_PER_TOKEN);
}
