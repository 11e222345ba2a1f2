import type { Loading, Tool } from '../catalog/tool';
import type { LoadingRule } from '../planning/ruleNumbers';
import { costOf } from '../usage/cacheCost';
import { balanceOf } from '../usage/roundTokens';
import { subtractTokens, sumTokens, ZERO } from '../usage/tokens';
import type { Tokens } from '../usage/types';
import { groupBy } from '../util/groupBy';
import { isFoundIn, pinFigures } from './pinFigures';
import { type TurnFacts, WINDOW } from './turnFacts';
import type { Suggestion } from './types';

// Makes suggestions from the last turns of the session.

/** The number of turns that a suggestion about habits needs. Two out of two turns may be chance. */
export const MIN_TURNS = 3;
/**
 * The number of turns after which a tool counts as unused. A tool that is needed once a day isn't useless because a
 * morning passed without it.
 */
const MIN_UNUSED_TURNS = 8;
/** The minimum saving per round, in tokens, that is worth a suggestion. */
const MIN_TOKENS = 100;
/**
 * The minimum length of a request's beginning that any provider caches, in tokens. Anthropic and OpenAI document at
 * least 1,024.
 */
const MIN_PREFIX_TOKENS = 1_024;
/** The number of turns that must have needed a cut-off hit before a larger limit is suggested. */
const MIN_CUT_OFF = 3;

/** The inputs of the suggestions from turns. */
export interface TurnInputs {
  readonly turns: readonly TurnFacts[];
  /** Ids of all tools that any agent called since the first of these turns. */
  readonly called: ReadonlySet<string>;
  readonly tools: readonly Tool[];
  /** The loading of each tool. A tool that is missing here is in no request. */
  readonly loading: ReadonlyMap<string, { readonly loading: Loading; readonly rule: LoadingRule }>;
  readonly tokensOf: (tool: Tool) => Tokens;
  /** The tokens of our search tools and their guidance in a round. */
  readonly searchTools: Tokens;
  readonly mode: 'auto' | 'on' | 'off';
  readonly maxResults: number;
  readonly maxResultsLimit: number;
}

/** Returns the suggestions from the last turns, the largest saving first. */
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

/** Suggests pins for deferred tools that were discovered in more than half of the turns. */
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
  // If a pin saves no tokens, it may still save a model call. The figure then shows the cost.
  return found.filter(({ net, calls }) => net.value > 0 || calls > 0).sort((a, b) => b.net.value - a.net.value);
}

/**
 * Returns the number of turns since a tool was last called or found. A search finds only deferred tools, so the tool
 * wasn't eager in that turn.
 */
function unusedFor(turns: readonly TurnFacts[], isOwn: (id: string) => boolean): number {
  const last = turns.findLastIndex(
    (turn) => turn.calls.some(({ tool }) => isOwn(tool)) || turn.searches.some(({ hits }) => hits.some(isOwn)),
  );
  return turns.length - 1 - last;
}

/**
 * Suggests deferring eager tools that weren't called. Tools that are eager because of the mode are excluded, since that
 * choice concerns the whole server.
 */
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

/** Suggests deferring servers that have several eager tools and none that was called. */
function unusedServers({
  turns,
  tools,
  loading,
  tokensOf,
  searchTools,
}: TurnInputs): { readonly server: string; readonly suggestion: Suggestion }[] {
  // If nothing is deferred yet, deferring a tool adds the search tools to each request.
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
 * Suggests removing servers with only deferred tools, if none of these was called. This saves no tokens, since no
 * request contains these tools. The suggestion therefore comes last, and only if there were {@link WINDOW} turns.
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

/**
 * Suggests turning the mode off if searching cost more than it saved over all these turns. This is measured in tokens,
 * or by cost if the model's cache has prices.
 */
function modeOff({ turns, mode }: TurnInputs): Suggestion[] {
  if (mode === 'off') return [];
  const tokens = turns.map((turn) => sumTokens(turn.net));
  const costs = turns.map((turn, index) => turn.costNet ?? tokens[index] ?? ZERO);
  for (const [by, nets] of [['tokens', tokens] as const, ['cost', costs] as const]) {
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

/**
 * Suggests `/eager`, which sends a question with every definition, after the newest turn in which searching cost more
 * than it saved.
 */
function costlyTurn({ turns, mode }: TurnInputs): Suggestion[] {
  const last = mode === 'off' ? undefined : turns.findLast(({ sums }) => costOf(sums).net.value < 0);
  if (!last) return [];
  const by = last.sums.cost ? 'cost' : 'tokens';
  const figures = last.sums.cost ? costOf(last.sums) : { ...last.sums, net: balanceOf(last.sums).net };
  const requests = last.rounds.filter(({ onlySearched }) => onlySearched).length;
  const { sent, baseline, net } = figures;
  return [{ id: `costly ${last.turn}`, kind: 'costlyTurn', by, turn: last.turn, requests, sent, baseline, net }];
}

/**
 * Suggests the delivery `bridge` if found tools joined the definitions, since the provider then reads the whole
 * conversation again.
 */
function bridge({ turns }: TurnInputs): Suggestion[] {
  const broken = turns.filter((turn) => turn.delivery === 'local' && turn.lostToDiscovery.length > 0);
  const sum = sumTokens(broken.flatMap((turn) => turn.lostToDiscovery));
  const lost = { value: Math.round(sum.value / turns.length), certainty: 'estimated' as const };
  if (broken.length < MIN_TURNS || lost.value < MIN_PREFIX_TOKENS) return [];
  return [{ id: 'bridge', kind: 'bridge', turns: turns.length, broken: broken.length, lost }];
}

/** Suggests a larger limit if a search cut off hits that the model called later in the turn. */
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
