import { splitId, VSCODE_SERVER } from '../../core/catalog/tool';
import type { EventOf, LedgerEvent } from '../../core/ledger/events';
import type { TurnFigures } from '../../core/ledger/turnFigures';
import { sumTokens } from '../../core/usage/tokens';
import type { ViewInputs } from '../protocol/inputs';
import type { EventView, FlagView } from '../protocol/view';
import { cutBytes } from '../text/bytes';
import type { Text } from '../text/text';
import { scriptView } from './scriptViews';

/** The maximum number of bytes of a text in the timeline, which shows only a few lines of each. */
const MAX_LINE = 400;
const MAX_WORDS = 2_000;

interface Placed {
  readonly round: number;
  readonly view: EventView;
}

/** Returns a turn's timeline, sorted by the start of events. A round's request and its end are one row. */
export function eventViews(figures: TurnFigures, inputs: ViewInputs, text: Text): EventView[] {
  const { events } = figures;
  const called = new Set(events.flatMap((event) => (event.type === 'called' ? [event.tool] : [])));
  const turn: TurnEvents = { ...figures, called, inputs, text };
  let round = 0;
  const requested = new Set(events.flatMap((event) => (event.type === 'roundStarted' ? [event.round] : [])));
  const placed: Placed[] = [];
  for (const event of events) {
    if (event.type === 'roundStarted') requested.delete(event.round);
    // An event that was recorded before its round's request is shown before it.
    if ('round' in event) round = requested.has(event.round) ? event.round - 0.5 : event.round;
    if (event.type === 'turnEnded') round = Number.MAX_VALUE;
    // These events are shown inside the script's row.
    if ('script' in event && event.script !== undefined) continue;
    const view = eventView(event, turn);
    if (view) placed.push({ round, view });
    const broken = event.type === 'roundEnded' ? cacheMiss(event, turn) : undefined;
    if (broken) placed.push({ round, view: broken });
  }
  return placed
    .sort((a, b) => a.round - b.round || first(a) - first(b) || a.view.at - b.view.at || a.view.seq - b.view.seq)
    .map((p) => p.view);
}

/**
 * Returns the order of a row in its round, independent of the clock: the round's own row, its cache miss, then
 * everything that happened in it.
 */
function first({ view }: Placed): number {
  return view.kind === 'round' ? 0 : view.kind === 'cacheMiss' ? 1 : 2;
}

interface TurnEvents extends Pick<TurnFigures, 'events' | 'started' | 'ended' | 'rounds' | 'asksModel'> {
  readonly called: ReadonlySet<string>;
  readonly inputs: ViewInputs;
  readonly text: Text;
}

/** Returns an event's row; null if it has none of its own. */
function eventView(event: LedgerEvent, turn: TurnEvents): EventView | null {
  const { text, started } = turn;
  const base = { seq: event.seq, at: Math.max(0, event.at - started.at), flags: [] };
  const began = (ms: number) => ({ at: Math.max(0, event.at - ms - started.at), ms });
  switch (event.type) {
    case 'turnStarted':
    case 'replanned':
    case 'roundEnded':
    case 'callStarted':
    case 'scriptEnded':
      return null;
    case 'scriptStarted':
      return { ...base, ...scriptPart(event, turn) };
    case 'roundStarted': {
      const done = turn.rounds.find((other) => other.round === event.round);
      return {
        ...base,
        kind: 'round',
        round: event.round,
        ms: done?.ms,
        ...(turn.asksModel && done ? { sent: done.tokens.sent, usd: done.tokens.cost?.usd?.sent } : {}),
      };
    }
    case 'searched':
      return { ...base, ...began(event.ms), ...searchPart(event, turn) };
    case 'discovered': {
      const tools = event.ids.map((id) => ({ id, ...nameOf(id, turn) }));
      return {
        ...base,
        kind: 'discovered',
        tools,
        unused: turn.ended ? tools.filter((tool) => !turn.called.has(tool.id)).length : 0,
        // Over a bridge the definitions don't enter the conversation.
        ...(started.delivery.name === 'bridge' ? {} : { tokens: event.tokens }),
      };
    }
    case 'called':
      return {
        ...base,
        ...began(event.ms),
        kind: 'call',
        flags: callFlags(event, text),
        tool: event.tool,
        ...(event.known ? nameOf(event.tool, turn) : { name: event.tool }),
        args: line(event.args),
        summary: line(event.summary),
        outcome: event.outcome,
      };
    case 'warned':
      return { ...base, kind: 'warning', message: words(event.message) };
    case 'turnEnded': {
      const known = turn.rounds.flatMap((round) => round.outputTokens ?? []);
      return {
        ...base,
        kind: 'end',
        status: event.status,
        message: event.message && words(event.message),
        outputTokens: known.length > 0 ? sumTokens(known) : undefined,
      };
    }
  }
}

function scriptPart(event: EventOf<'scriptStarted'>, turn: TurnEvents) {
  const view = scriptView(event, turn.events, (id) => nameOf(id, turn));
  const { outcome = 'ok' } = view;
  const flags: FlagView[] = outcome === 'ok' ? [] : [{ kind: outcome, text: turn.text.t(`flag.${outcome}`) }];
  return { kind: 'script' as const, flags, ...view };
}

function searchPart(event: EventOf<'searched'>, turn: TurnEvents) {
  const { query, server, strategy, searched, matched, limit, note } = event;
  const flag = event.failed ? 'failed' : event.hits.length === 0 ? 'noHits' : undefined;
  const flags: FlagView[] = flag ? [{ kind: flag, text: turn.text.t(`flag.${flag}`) }] : [];
  return {
    kind: 'search' as const,
    flags,
    query: words(query),
    server: server && line(server),
    strategy,
    searched,
    matched,
    limit,
    note: note && words(note),
    hits: [...event.hits, ...event.below].map(({ matchType: _, ...hit }, index) => ({
      ...hit,
      ...nameOf(hit.id, turn),
      rank: index + 1,
      returned: index < event.hits.length,
    })),
  };
}

/** Returns the row of a round's cache miss: its cause, and the tokens that were read again. */
function cacheMiss(event: EventOf<'roundEnded'>, turn: TurnEvents): EventView | undefined {
  const { prefix } = event;
  if (!prefix?.broke) return undefined;
  const { cause, tool, said } = prefix.broke;
  const why = turn.text.t(`cache.${cause}`, { tool: line(tool ?? '') });
  const started = turn.events.find((other) => other.type === 'roundStarted' && other.round === event.round);
  return {
    seq: event.seq,
    at: Math.max(0, (started?.at ?? event.at) - turn.started.at),
    flags: [],
    kind: 'cacheMiss',
    why: said === undefined ? why : turn.text.t('cache.said', { why, said: line(said) }),
    same: prefix.same,
    readAgain: prefix.lost,
  };
}

function line(text: string): string {
  return cutBytes(text, MAX_LINE);
}

function words(text: string): string {
  return cutBytes(text, MAX_WORDS);
}

function callFlags(event: EventOf<'called'>, text: Text): FlagView[] {
  const flags: FlagView[] = [];
  if (event.withoutDiscovery) flags.push({ kind: 'withoutDiscovery', text: text.t('flag.withoutDiscovery') });
  if (event.retry > 0) flags.push({ kind: 'retried', text: text.t('flag.retried', { n: event.retry }) });
  if (event.outcome !== 'ok') flags.push({ kind: event.outcome, text: text.t(`flag.${event.outcome}`) });
  return flags;
}

/** Returns a tool's names. If the tool is no longer in the catalog, they are read from its id. */
function nameOf(id: string, turn: TurnEvents): { server: string; name: string } {
  const tool = turn.inputs.catalog.byId.get(id);
  if (tool) return { server: tool.server, name: tool.name };
  return splitId(id) ?? { server: VSCODE_SERVER, name: id };
}
