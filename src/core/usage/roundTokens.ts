import type { Usage } from '../ports';
import { DEFAULT_CHARS_PER_TOKEN, subtractTokens, sumTokens, ZERO } from './tokens';
import type { RoundTokens, Tokens } from './types';

/**
 * All arithmetic over token counts. For a request:
 *
 *     sent     = prompt and history + eager + discovered + search overhead
 *     baseline = prompt and history + every definition that could be in the request
 *     kept out = every definition − eager − discovered
 *     net      = baseline − sent = kept out − search overhead
 *
 * A request that only searched has no baseline, and all of it is search overhead. For a turn or a session these are the
 * sums over the requests. `sent` is exactly the provider's usage if it reports one.
 *
 * Not part of this balance:
 *
 *     kept from the model = results of a script's calls, each up to the limit of one result − the script's output
 */

/** The parts of `sent`, in the order in which they are stacked. */
export const PARTS = ['promptAndHistory', 'eager', 'discovered', 'searchOverhead'] as const;
export type Part = (typeof PARTS)[number];

/** Returns the sums over several rounds. Cache figures are included if a provider reports them. */
export function sumRounds(rounds: readonly RoundTokens[]): RoundTokens {
  const sum = (part: Part | 'sent' | 'baseline') => sumTokens(rounds.map((round) => round[part]));
  const cached = (part: 'cacheRead' | 'cacheWrite') => {
    const known = rounds.flatMap((round) => round[part] ?? []);
    return known.length > 0 ? { [part]: known.reduce((total, value) => total + value, 0) } : {};
  };
  const caches = rounds.flatMap(({ baselineCache }) => baselineCache ?? []);
  return {
    promptAndHistory: sum('promptAndHistory'),
    eager: sum('eager'),
    discovered: sum('discovered'),
    searchOverhead: sum('searchOverhead'),
    sent: sum('sent'),
    baseline: sum('baseline'),
    ...cached('cacheRead'),
    ...cached('cacheWrite'),
    ...(rounds.some(({ cost }) => cost)
      ? { cost: sumCosts(rounds), baselineCache: sumFields(['read', 'write'], caches) }
      : {}),
  };
}

/** Sums costs. A round of unknown cost adds its number of tokens instead, so that the sum covers all rounds. */
function sumCosts(rounds: readonly RoundTokens[]): RoundTokens['cost'] {
  const costs = rounds.map(({ cost, sent, baseline }) => cost ?? { sent: sent.value, baseline: baseline.value });
  const dollars = rounds.filter(({ sent }) => sent.value > 0).map(({ cost }) => cost?.usd);
  const parts = costs.map((cost) => cost.parts);
  return {
    ...sumFields(['sent', 'baseline'], costs),
    ...(isComplete(parts) ? { parts: sumFields(PARTS, parts) } : {}),
    ...(isComplete(dollars) ? { usd: sumFields(['sent', 'baseline'], dollars) } : {}),
  };
}

function isComplete<Value>(values: readonly (Value | undefined)[]): values is readonly Value[] {
  return values.every((value) => value !== undefined);
}

function sumFields<Field extends string>(
  fields: readonly Field[],
  values: readonly { readonly [field in Field]: number }[],
): { readonly [field in Field]: number } {
  const sum = (field: Field) => values.reduce((total, value) => total + value[field], 0);
  return Object.fromEntries(fields.map((field) => [field, sum(field)])) as { [field in Field]: number };
}

/** Returns the share of the sent tokens that was read from caches, 0 to 1, over the rounds with a report on it. */
export function cacheReadShare(rounds: readonly Pick<RoundTokens, 'sent' | 'cacheRead'>[]): number | undefined {
  const withCache = rounds.filter((round) => round.cacheRead !== undefined);
  const sent = sumTokens(withCache.map((round) => round.sent)).value;
  return sent > 0 ? withCache.reduce((sum, { cacheRead = 0 }) => sum + cacheRead, 0) / sent : undefined;
}

/** The tokens of a request by kind, as they were counted. */
export interface TokenCounts {
  /** Every definition that could be in the request. */
  readonly all: Tokens;
  readonly eager: Tokens;
  readonly discovered: Tokens;
  /** The guidance, and the definitions of our own tools that are needed for searching. */
  readonly ours: Tokens;
  /** The search calls and results in the conversation. */
  readonly searches: Tokens;
  readonly history: Tokens;
  /** The service's count of the twin's request without servers' definitions; absent if it doesn't count requests. */
  readonly twinPrompt?: Tokens;
  /** The tokens that the service adds to a request as soon as it has a tool. They are a part of the prompt. */
  readonly toolPrompt?: number;
}

/** The provider's report on a round. */
interface ReportedUsage {
  /** The usage as reported. If the reply was cut, this is an estimate from the last report before the cut. */
  readonly usage?: Usage | undefined;
  readonly cut?: boolean;
  /** The number of the provider's searches, if it searches itself. */
  readonly searches?: number | undefined;
  /** The tokens of a request whose reply was cut before its usage was reported, if they were counted afterwards. */
  readonly counted?: number | undefined;
  /** Whether the twin has no such request, because the reply only searched or belongs to the one before. */
  readonly untwinned?: boolean;
  readonly isOwnTwin?: boolean;
}

/**
 * Returns the tokens of a round by kind. `sent` is exactly the provider's usage if it reports one. The prompt and
 * history are taken from the twin. All other tokens, except the servers' definitions, exist because of searching:
 * tools, guidance, calls and results, a wire's wrapping of deferred tools, a provider's second reading. If the service
 * can't count the twin, the overhead is counted instead, and the rest is the prompt and history. A request that only
 * searched is entirely overhead. If the counts exceed the usage, all parts shrink in proportion and become estimates.
 * Tokens of a cut reply that weren't reported are estimated.
 * @param expanded the discovered definitions at the reply's end, if the provider found more of them
 */
export function roundTokens(
  counts: TokenCounts,
  { usage, cut = false, searches, counted: later, untwinned = false, isOwnTwin = false }: ReportedUsage,
  expanded: Tokens = counts.discovered,
): RoundTokens {
  const { all, eager } = counts;
  const ours = sumTokens([counts.ours, counts.searches]);
  const counted = counts.twinPrompt ?? counts.history;
  const prompt: Tokens = cut && !usage ? { ...counted, certainty: 'estimated' } : counted;
  const sent: Tokens = !usage
    ? later === undefined
      ? sumTokens([prompt, eager, expanded, ours])
      : { value: later, certainty: 'estimated' }
    : { value: usage.inputTokens, certainty: cut && searches !== undefined ? 'estimated' : 'measured' };
  const cached = {
    ...(usage?.cacheReadTokens === undefined ? {} : { cacheRead: usage.cacheReadTokens }),
    ...(usage?.cacheWriteTokens === undefined ? {} : { cacheWrite: usage.cacheWriteTokens }),
  };
  const isRest = (usage ?? later) !== undefined && (counts.twinPrompt !== undefined || Boolean(searches));
  const rest = subtractTokens(sent, sumTokens([prompt, eager, expanded]));
  const overhead = isRest ? { ...rest, value: Math.max(0, rest.value) } : ours;
  if (untwinned) return { ...NOTHING, searchOverhead: sent, usualOverhead: overhead, sent, ...cached };
  const tools = sumTokens([eager, expanded, overhead]).value;
  const share = Math.min(1, sent.value / Math.max(1, tools));
  const shrunk = (part: Tokens): Tokens =>
    share === 1 ? part : { value: Math.floor(part.value * share), certainty: 'estimated' };
  const parts = { eager: shrunk(eager), discovered: shrunk(expanded), searchOverhead: shrunk(overhead) };
  const promptAndHistory = subtractTokens(sent, sumTokens(Object.values(parts)));
  const baseline = isOwnTwin ? sent : sumTokens([promptAndHistory, shrunk(all)]);
  return { promptAndHistory, ...parts, sent, baseline, ...cached };
}

/** Returns the tokens of a round that claims no saving: its baseline is at most what was sent, and as much is cached. */
export function withoutSaving(
  tokens: RoundTokens,
  used = { read: tokens.cacheRead ?? 0, write: tokens.cacheWrite ?? 0 },
): RoundTokens {
  const { cost, sent } = tokens;
  if (cost ? cost.baseline <= cost.sent : tokens.baseline.value <= sent.value) return tokens;
  const baseline = { ...tokens.baseline, value: sent.value };
  const usd = cost?.usd && { usd: { ...cost.usd, baseline: cost.usd.sent } };
  return { ...tokens, baseline, ...(cost && { cost: { ...cost, baseline: cost.sent, ...usd }, baselineCache: used }) };
}

/** The tokens of a request that a service refused before it answered. */
export const NOTHING: RoundTokens = {
  promptAndHistory: ZERO,
  eager: ZERO,
  discovered: ZERO,
  searchOverhead: ZERO,
  sent: ZERO,
  baseline: ZERO,
};

/**
 * Returns the maximum number of tokens that a script may have kept from the model: an estimate, since the model might
 * have made other calls or asked for less. Negative if the output was longer than the results of the calls.
 * `countedChars`: the characters of results, each cut as the model would get it, for at most as many different calls
 * as a turn allows.
 */
export function keptFromModel(script: { readonly countedChars: number; readonly outputChars: number }): Tokens {
  const value = scriptTokens(script.countedChars) - scriptTokens(script.outputChars);
  return { value, certainty: 'estimated' };
}

/** Estimates the tokens of a script's text, which no model counted. */
export function scriptTokens(chars: number): number {
  return Math.ceil(chars / DEFAULT_CHARS_PER_TOKEN);
}
