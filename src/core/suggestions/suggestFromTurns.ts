import type { Loading, Tool } from '../catalog/tool';
import { guidanceText } from '../planning/guidance';
import type { LoadingRule } from '../planning/loadingDecision';
import { ownDefinitions } from '../planning/ownTools';
import { DEFAULT_CHARS_PER_TOKEN, definitionText, subtractTokens, sumTokens, ZERO } from '../usage/tokens';
import type { Tokens } from '../usage/types';
import { groupBy } from '../util/groupBy';
import { isFoundIn, pinFigures } from './pinFigures';
import { type TurnFacts, WINDOW } from './turnFacts';
import type { DeferFigures, Suggestion } from './types';

// Makes suggestions from the last turns of the session. Each saves tokens in these turns, as they were recorded.

/** The number of turns that a suggestion needs. Two out of two turns may be chance. */
const MIN_TURNS = 3;
/** The number of turns after which a tool counts as unused. A tool needed daily isn't useless after a morning. */
const MIN_UNUSED_TURNS = 8;
/** The minimum saving per round, in tokens, that is worth a suggestion. */
const MIN_TOKENS = 100;
/** The maximum number of suggestions of one kind that are shown. */
const MAX_OF_KIND = 5;

export interface TurnInputs {
  readonly turns: readonly TurnFacts[];
  /** Ids of all tools that any agent called since the first of these turns. */
  readonly called: ReadonlySet<string>;
  readonly tools: readonly Tool[];
  /** The loading of each tool. A tool that is missing here is in no request. */
  readonly loading: ReadonlyMap<string, { readonly loading: Loading; readonly rule: LoadingRule }>;
  readonly tokensOf: (tool: Tool) => Tokens;
}

/** Returns the suggestions from the last turns, the largest saving of each kind first. */
export function suggestFromTurns(inputs: TurnInputs): readonly Suggestion[] {
  if (inputs.turns.length < MIN_TURNS) return [];
  const servers = unusedServers(inputs);
  const covered = new Set(servers.map(({ server }) => server));
  return [...pins(inputs), ...servers, ...unusedTools(inputs, covered), ...idleServers(inputs)];
}

/** Returns the first suggestions of each kind. */
export function fewOfEachKind(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return [...groupBy(suggestions, ({ kind }) => kind).values()].flatMap((all) => all.slice(0, MAX_OF_KIND));
}

/** Suggests pins for deferred tools that were discovered in more than half of the turns. */
function pins({ turns, tools, loading, tokensOf }: TurnInputs): Suggestion[] {
  const seen = new Set(
    turns.flatMap((turn) => [...turn.discovered.keys(), ...turn.searches.flatMap(({ hits }) => hits)]),
  );
  return tools
    .flatMap((tool) => {
      const how = loading.get(tool.id)?.loading;
      if (how === undefined || how === 'eager' || !seen.has(tool.id)) return [];
      const count = turns.filter((turn) => isFoundIn(turn, tool.id)).length;
      if (count < MIN_TURNS || count * 2 <= turns.length) return [];
      const figures = pinFigures(tool.id, tokensOf(tool), turns);
      return [{ id: `pin ${tool.id}`, kind: 'pinTool' as const, tool: tool.id, ...figures }];
    })
    .filter(({ net }) => net.value > 0)
    .sort((a, b) => b.net.value - a.net.value);
}

/** Returns the figures of deferring tools, if they weren't called for a while and that would save enough. */
function deferFigures(eager: readonly Tool[], own: readonly Tool[], inputs: TurnInputs): DeferFigures | undefined {
  const { turns, tools, loading, tokensOf } = inputs;
  const ids = new Set(own.map(({ id }) => id));
  // A search finds only deferred tools, so a found tool wasn't eager in that turn.
  const last = turns.findLastIndex(
    (turn) =>
      turn.calls.some(({ tool }) => ids.has(tool)) || turn.searches.some(({ hits }) => hits.some((id) => ids.has(id))),
  );
  const unused = turns.length - 1 - last;
  if (unused < MIN_UNUSED_TURNS) return undefined;
  // If nothing is deferred yet, deferring a tool adds our own tools to each request.
  const searches = tools.some(({ id }) => !['eager', undefined].includes(loading.get(id)?.loading));
  const tokens = sumTokens(eager.map(tokensOf));
  const added = searches ? ZERO : searchToolTokens();
  const net = subtractTokens(tokens, added);
  return net.value < MIN_TOKENS ? undefined : { turns: unused, tokens, added, net };
}

/** Suggests deferring eager tools that weren't called, unless the mode made them eager: that concerns whole servers. */
function unusedTools(inputs: TurnInputs, covered: ReadonlySet<string>): Suggestion[] {
  return inputs.tools
    .flatMap((tool) => {
      const how = inputs.loading.get(tool.id);
      if (how?.loading !== 'eager' || how.rule === 'mode' || covered.has(tool.server)) return [];
      const figures = deferFigures([tool], [tool], inputs);
      return figures ? [{ id: `defer ${tool.id}`, kind: 'deferTool' as const, tool: tool.id, ...figures }] : [];
    })
    .sort((a, b) => b.net.value - a.net.value);
}

/** Suggests deferring servers that have several eager tools and none that was called. */
function unusedServers(inputs: TurnInputs): (Suggestion & { readonly kind: 'deferServer' })[] {
  return [...groupBy(inputs.tools, (tool) => tool.server)]
    .flatMap(([server, own]) => {
      const eager = own.filter(({ id }) => inputs.loading.get(id)?.loading === 'eager');
      const figures = eager.length < 2 ? undefined : deferFigures(eager, own, inputs);
      if (!figures) return [];
      return [{ id: `server ${server}`, kind: 'deferServer' as const, server, eager: eager.length, ...figures }];
    })
    .sort((a, b) => b.net.value - a.net.value);
}

/**
 * Suggests hiding servers with only deferred tools, if none of these was called. This saves no definitions, since no
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
      return [{ id: `hide ${server}`, kind: 'hideServer' as const, server, ...figures }];
    })
    .sort((a, b) => b.hits - a.hits || b.tools - a.tools);
}

/** Estimates the most that our own tools and the guidance add to each request of a session that doesn't search yet. */
function searchToolTokens(): Tokens {
  const own = ownDefinitions('bridge', { code: true }).map(definitionText).join();
  const guidance = guidanceText({ deferred: 1, servers: [], delivery: 'bridge' });
  return { value: Math.ceil((own.length + guidance.length) / DEFAULT_CHARS_PER_TOKEN), certainty: 'estimated' };
}
