import type { Loading, Tool } from '../catalog/tool';
import type { LoadingRule } from '../planning/loadingRules';
import { balanceOf } from '../usage/arithmetic';
import { costOf } from '../usage/cacheCost';
import { subtractTokens, sumTokens, ZERO } from '../usage/tokens';
import type { Tokens } from '../usage/types';
import { groupBy } from '../util/groupBy';
import { isFoundIn, pinFigures } from './pinFigures';
import { type TurnFacts, WINDOW } from './turnFacts';
import type { Suggestion } from './types';

/** Turns before anything is said about habits: two of two is chance. */
export const MIN_TURNS = 3;
/** Turns before something counts as unused: what is needed once a day shouldn't be called useless in the morning. */
const MIN_UNUSED_TURNS = 8;
/** Less than this many tokens a round isn't worth a click. */
const MIN_TOKENS = 100;
/** A shorter beginning isn't cached by any provider: 1,024 tokens is the least that Anthropic and OpenAI document. */
const MIN_PREFIX_TOKENS = 1_024;
/** Turns in which a cut-off hit was needed before a larger limit is proposed. */
const MIN_CUT_OFF = 3;

/** Everything that suggestions from turns are made of. */
export interface TurnInputs {
  readonly turns: readonly TurnFacts[];
  /** Ids of what was called since the first of them, whoever called it. */
  readonly called: ReadonlySet<string>;
  readonly tools: readonly Tool[];
  /** A tool that is missing is in no request. */
  readonly loading: ReadonlyMap<string, { readonly loading: Loading; readonly rule: LoadingRule }>;
  readonly tokensOf: (tool: Tool) => Tokens;
  /** What the search tools and their guidance take in a round. */
  readonly searchTools: Tokens;
  readonly mode: 'auto' | 'on' | 'off';
  readonly maxResults: number;
  readonly maxResultsLimit: number;
}

/** The suggestions from the last turns, the largest saving first. */
export function suggestFromTurns(inputs: TurnInputs): readonly Suggestion[] {
  const { turns } = inputs;
  if (turns.length < MIN_TURNS) return costlyTurn(inputs);
  const off = modeOff(inputs);
  const servers = unusedServers(inputs);
  const covered = new Set(servers.map(({ server }) => server));
  return [
    ...pins(inputs),
    ...servers,
    ...unusedTools(inputs).filter(({ server }) => !covered.has(server)),
    ...(off.length > 0 ? off : costlyTurn(inputs)),
    ...bridge(inputs),
    ...moreResults(inputs),
    ...idleServers(inputs),
  ].map((found) => ('suggestion' in found ? found.suggestion : found));
}

/** Deferred tools that were discovered in more than half of the turns. */
function pins({ turns, tools, loading, tokensOf }: TurnInputs): Suggestion[] {
  const seen = new Set(
    turns.flatMap((turn) => [...turn.discovered.keys(), ...turn.searches.flatMap(({ hits }) => hits)]),
  );
  const found = tools.flatMap((tool): (Suggestion & { kind: 'pinTool' })[] => {
    const how = loading.get(tool.id)?.loading;
    if (how === undefined || how === 'eager' || !seen.has(tool.id)) return [];
    const count = turns.filter((turn) => isFoundIn(turn, tool.id)).length;
    if (count < MIN_TURNS || count * 2 <= turns.length) return [];
    return [{ id: `pin ${tool.id}`, kind: 'pinTool', tool: tool.id, ...pinFigures(tool.id, tokensOf(tool), turns) }];
  });
  // Without tokens saved, what is left is a model call less: that is worth a pin too, and the figure says what it costs.
  return found.filter(({ net, calls }) => net.value > 0 || calls > 0).sort((a, b) => b.net.value - a.net.value);
}

/** Turns in which a tool could have been called, and wasn't needed; one that was searched for lately wasn't eager then. */
function unusedFor(turns: readonly TurnFacts[], isOwn: (id: string) => boolean): number {
  const last = turns.findLastIndex(
    (turn) => turn.calls.some(({ tool }) => isOwn(tool)) || turn.searches.some(({ hits }) => hits.some(isOwn)),
  );
  return turns.length - 1 - last;
}

/** Eager tools that weren't called: only those that somebody made eager, since the mode's choice is the server's matter. */
function unusedTools({
  turns,
  tools,
  loading,
  tokensOf,
}: TurnInputs): { readonly server: string; readonly suggestion: Suggestion }[] {
  return tools
    .flatMap((tool) => {
      const how = loading.get(tool.id);
      if (how?.loading !== 'eager' || how.rule === 'mode') return [];
      const unused = unusedFor(turns, (id) => id === tool.id);
      const tokens = tokensOf(tool);
      if (unused < MIN_UNUSED_TURNS || tokens.value < MIN_TOKENS) return [];
      return [
        {
          server: tool.server,
          tokens,
          suggestion: { id: `defer ${tool.id}`, kind: 'deferTool' as const, tool: tool.id, turns: unused, tokens },
        },
      ];
    })
    .sort((a, b) => b.tokens.value - a.tokens.value);
}

/** Servers with several eager tools of which none was called. */
function unusedServers({
  turns,
  tools,
  loading,
  tokensOf,
  searchTools,
}: TurnInputs): { readonly server: string; readonly suggestion: Suggestion }[] {
  // Where nothing is deferred yet, deferring brings the search tools into each request.
  const added = tools.some((tool) => !['eager', undefined].includes(loading.get(tool.id)?.loading))
    ? ZERO
    : searchTools;
  return [...groupBy(tools, (tool) => tool.server)]
    .flatMap(([server, own]) => {
      const eager = own.filter((tool) => loading.get(tool.id)?.loading === 'eager');
      if (eager.length < 2) return [];
      const ids = new Set(own.map((tool) => tool.id));
      const unused = unusedFor(turns, (id) => ids.has(id));
      const tokens = sumTokens(eager.map(tokensOf));
      const net = subtractTokens(tokens, added);
      if (unused < MIN_UNUSED_TURNS || net.value < MIN_TOKENS) return [];
      const suggestion = {
        id: `server ${server}`,
        kind: 'deferServer' as const,
        server,
        turns: unused,
        eager: eager.length,
        tokens,
        added,
        net,
      };
      return [{ server, suggestion }];
    })
    .sort((a, b) => b.suggestion.net.value - a.suggestion.net.value);
}

/**
 * Servers that only searches know: nothing of them is in any request, so this saves no tokens and is said last, and only
 * after all the turns that are looked at.
 */
function idleServers({ turns, called, tools, loading }: TurnInputs): Suggestion[] {
  if (turns.length < WINDOW) return [];
  const isSearchable = ({ id }: Tool) => (loading.get(id)?.loading ?? 'eager') !== 'eager';
  const of = tools.filter(isSearchable).length;
  const results = turns.flatMap((turn) => turn.searches.flatMap(({ hits }) => hits));
  return [...groupBy(tools, (tool) => tool.server)]
    .flatMap(([server, own]) => {
      if (!own.every((tool) => tool.origin === 'mcp' && isSearchable(tool) && !called.has(tool.id))) return [];
      const ids = new Set(own.map(({ id }) => id));
      const hits = results.filter((id) => ids.has(id)).length;
      const figures = { turns: turns.length, tools: own.length, of, hits, results: results.length };
      return [{ id: `idle ${server}`, kind: 'idleServer' as const, server, ...figures }];
    })
    .sort((a, b) => b.hits - a.hits || b.tools - a.tools);
}

/** Searching cost more than it saved over all these turns, in tokens or, with a cache that is paid for, by price. */
function modeOff({ turns, mode }: TurnInputs): Suggestion[] {
  if (mode === 'off') return [];
  const tokens = turns.map((turn) => sumTokens(turn.net));
  const costs = turns.map((turn, index) => turn.costNet ?? tokens[index] ?? ZERO);
  for (const [by, nets] of [['tokens', tokens] as const, ['price', costs] as const]) {
    const net = sumTokens(nets);
    if (net.value >= 0) continue;
    const mean = { value: Math.round(net.value / turns.length), certainty: net.certainty };
    return [
      {
        id: 'mode off',
        kind: 'modeOff',
        by,
        turns: turns.length,
        losses: nets.filter(({ value }) => value < 0).length,
        net: mean,
      },
    ];
  }
  return [];
}

/** The newest of the turns that cost more than they saved: `/eager` sends such a question with every definition. */
function costlyTurn({ turns, mode }: TurnInputs): Suggestion[] {
  const last = mode === 'off' ? undefined : turns.findLast(({ sums }) => costOf(sums).net.value < 0);
  if (!last) return [];
  const by = last.sums.cost ? 'price' : 'tokens';
  const figures = last.sums.cost ? costOf(last.sums) : { ...last.sums, net: balanceOf(last.sums).net };
  const requests = last.rounds.filter(({ onlySearched }) => onlySearched).length;
  const { sent, baseline, net } = figures;
  return [{ id: `costly ${last.turn}`, kind: 'costlyTurn', by, turn: last.turn, requests, sent, baseline, net }];
}

/** Found tools that join the definitions have the whole conversation behind them read anew. */
function bridge({ turns }: TurnInputs): Suggestion[] {
  const broken = turns.filter((turn) => turn.delivery === 'local' && turn.lostToDiscovery.length > 0);
  const sum = sumTokens(broken.flatMap((turn) => turn.lostToDiscovery));
  const lost = { value: Math.round(sum.value / turns.length), certainty: 'estimated' as const };
  if (broken.length < MIN_TURNS || lost.value < MIN_PREFIX_TOKENS) return [];
  return [{ id: 'bridge', kind: 'bridge', turns: turns.length, broken: broken.length, lost }];
}

/** Hits that the limit cut off and the model called nevertheless, later in the turn. */
function moreResults({ turns, maxResults, maxResultsLimit }: TurnInputs): Suggestion[] {
  const ranks = turns.flatMap((turn) => {
    const called = new Set(turn.calls.map(({ tool }) => tool));
    const needed = turn.searches.flatMap(({ hits, below }) =>
      below.flatMap((id, index) => (called.has(id) && !hits.includes(id) ? [hits.length + index + 1] : [])),
    );
    return needed.length > 0 ? [Math.min(...needed)] : [];
  });
  const to = Math.min(maxResultsLimit, Math.max(0, ...ranks));
  if (ranks.length < MIN_CUT_OFF || to <= maxResults) return [];
  return [{ id: `results ${to}`, kind: 'moreResults', turns: ranks.length, of: turns.length, from: maxResults, to }];
}
