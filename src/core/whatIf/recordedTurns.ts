/**
 * Reads turns from the ledger in a form that can be replayed: each model call with its searches and calls. Turns that
 * can't be replayed are left out, with the reason.
 */
import type { Catalog } from '../catalog/catalog';
import { RUN_CODE } from '../catalog/modelNames';
import type { CallOutcome } from '../conversation/transcript';
import { asRun } from '../ledger/asRun';
import { eventsOf, type LedgerEvent, mayBeSameChat } from '../ledger/events';
import type { DeliveryName } from '../ports';
import { sumRounds } from '../usage/roundTokens';
import type { RoundTokens } from '../usage/types';
import { groupBy } from '../util/groupBy';
import { parseJson } from '../util/objects';
import type { LeftOutTurn } from './types';

/** A search of the model. One call can carry several queries. */
export interface RecordedSearch {
  readonly queries: readonly string[];
  readonly server?: string;
  readonly limit: number;
  /** Ids of the tools that the search returned, and of those that the conversation didn't have before. */
  readonly hits: ReadonlySet<string>;
  readonly fresh: ReadonlySet<string>;
}

export interface RecordedCall {
  /** The called tool's id; `run_code` for a script. */
  readonly tool: string;
  readonly input: unknown;
  readonly outcome: CallOutcome;
  readonly resultChars: number;
}

/** A model call: its request, and the model's searches and calls. */
export interface Step {
  /** The time of the request, in milliseconds since the epoch. */
  readonly at: number;
  /** The tokens of the prompt and history without definitions and searches. */
  readonly prompt: number;
  readonly sent: number;
  /** The tokens that searching added to it. */
  readonly overhead: number;
  readonly outputTokens: number;
  readonly searches: readonly RecordedSearch[];
  readonly calls: readonly RecordedCall[];
}

export interface RecordedTurn {
  readonly turn: number;
  readonly prompt: string;
  readonly model: { readonly id: string; readonly vendor: string; readonly name: string };
  readonly delivery: DeliveryName;
  readonly strategy: string;
  /** Whether the requests contained every definition. */
  readonly allEager: boolean;
  /** The number of the previous turn in the conversation, if the ledger shows it. */
  readonly follows?: number;
  /** Ids of the tools that the conversation had found before this turn. */
  readonly foundBefore: readonly string[];
  readonly steps: readonly Step[];
  /** The number of tools that the first request could have contained, and the tokens of all their definitions. */
  readonly definitions: { readonly tools: number; readonly tokens: number };
  /** The sums over the turn's model calls. */
  readonly tokens: RoundTokens;
}

/** The state of a conversation up to a turn. */
interface Head {
  readonly turn: number;
  /** The chat's name; undefined if the ledger doesn't name it. */
  readonly chat: string | undefined;
  readonly model: string;
  readonly prompt: number;
  readonly found: ReadonlySet<string>;
}

/** Reads all turns of a session, oldest first. */
export function recordedTurns(
  events: readonly LedgerEvent[],
  catalog: Catalog,
): readonly (RecordedTurn | LeftOutTurn)[] {
  const heads: Head[] = [];
  return [...groupBy(events, ({ turn }) => turn)].map(([turn, own]) => {
    const read = readTurn(turn, asRun(own), heads, catalog);
    if (!('why' in read)) {
      const found = eventsOf(own, 'discovered').flatMap(({ ids }) => ids);
      heads.unshift({
        turn,
        chat: eventsOf(own, 'turnStarted')[0]?.chat,
        model: read.model.id,
        prompt: read.steps.at(-1)?.prompt ?? 0,
        found: new Set([...read.foundBefore, ...found]),
      });
    }
    return read;
  });
}

function readTurn(
  turn: number,
  events: readonly LedgerEvent[],
  heads: readonly Head[],
  catalog: Catalog,
): RecordedTurn | LeftOutTurn {
  const [started] = eventsOf(events, 'turnStarted');
  const [ended] = eventsOf(events, 'turnEnded');
  if (!started || ended?.status !== 'answered') return { turn, why: 'unfinished' };
  if (started.agent || ended.agentTokens) return { turn, why: 'agent' };
  const rounds = eventsOf(events, 'roundEnded').filter(({ tokens }) => tokens.sent.value > 0);
  if (rounds.length === 0) return { turn, why: 'noModel' };
  if (eventsOf(events, 'scriptStarted').some(({ where }) => where)) return { turn, why: 'providerCode' };
  if (started.prompt === '') return { turn, why: 'noContents' };
  const called = eventsOf(events, 'called').filter(({ known, script }) => known && script === undefined);
  if (called.some(({ tool }) => !catalog.byId.has(tool))) return { turn, why: 'toolGone' };
  const steps = rounds.map((round, index) => {
    const of = events.filter((event) => 'round' in event && event.round === round.round);
    return {
      at: round.at - round.ms,
      prompt: promptOf(rounds.slice(index).map(({ tokens }) => tokens)),
      sent: round.tokens.sent.value,
      overhead: (round.tokens.usualOverhead ?? round.tokens.searchOverhead).value,
      outputTokens: round.outputTokens?.value ?? 0,
      searches: searchesOf(of),
      calls: callsOf(of),
    };
  });
  const { counts, chat, model, delivery, strategy, prompt } = started;
  const isNamed = chat !== undefined && heads.some((head) => head.chat === chat);
  const goesOn = isNamed || rounds[0]?.prefix !== undefined || counts.discovered > 0;
  const inChat = heads.filter((head) => mayBeSameChat(head.chat, chat));
  const allEager = counts.deferred + counts.discovered === 0;
  const discovered = allEager ? undefined : counts.discovered;
  const before = goesOn ? headOf(inChat, { discovered, prompt: steps[0]?.prompt ?? 0, model: model.id }) : undefined;
  return {
    turn,
    prompt,
    model,
    delivery: delivery.name as DeliveryName,
    strategy: strategy.name,
    allEager,
    ...(before ? { follows: before.turn } : {}),
    foundBefore: [...(before?.found ?? [])],
    steps,
    definitions: {
      tools: counts.eager + counts.deferred + counts.discovered,
      tokens: Math.max(...rounds.map(({ tokens }) => tokens.baseline.value - tokens.promptAndHistory.value)),
    },
    tokens: sumRounds(rounds.map(({ tokens }) => tokens)),
  };
}

/**
 * Returns the turn of this chat that a turn continues: the newest turn with a shorter history, if possible one with as
 * many found tools. It may be an older turn, if the user edits an earlier question.
 */
function headOf(
  heads: readonly Head[],
  { discovered, prompt, model }: Pick<Head, 'model' | 'prompt'> & { readonly discovered: number | undefined },
): Head | undefined {
  const shorter = heads.filter((head) => head.model !== model || head.prompt <= prompt);
  return shorter.find(({ found }) => found.size === discovered) ?? shorter[0];
}

/**
 * Returns the tokens of the prompt and history of the first of these model calls. For a call that only searched, the
 * ledger counts them as overhead. They are then taken from the next other call, since searches aren't part of the
 * history.
 */
function promptOf([first, ...rest]: readonly RoundTokens[]): number {
  if (!first) return 0;
  if (!first.usualOverhead) return first.promptAndHistory.value;
  const next = rest.find(({ usualOverhead }) => !usualOverhead);
  return next?.promptAndHistory.value ?? Math.max(0, first.sent.value - first.usualOverhead.value);
}

function searchesOf(events: readonly LedgerEvent[]): readonly RecordedSearch[] {
  const searched = eventsOf(events, 'searched').filter(({ script }) => script === undefined);
  const fresh = new Set(eventsOf(events, 'discovered').flatMap(({ ids }) => ids));
  return [...groupBy(searched, ({ callId }) => callId).values()].map((queries) => {
    const hits = queries.flatMap((search) => search.hits.map(({ id }) => id));
    const [first] = queries;
    return {
      queries: queries.map(({ query }) => query),
      ...(first?.server === undefined ? {} : { server: first.server }),
      limit: first?.limit ?? 0,
      hits: new Set(hits),
      fresh: new Set(hits.filter((id) => fresh.has(id))),
    };
  });
}

function callsOf(events: readonly LedgerEvent[]): readonly RecordedCall[] {
  const calls = eventsOf(events, 'called')
    .filter(({ script }) => script === undefined)
    .map(({ tool, args, outcome, resultBytes }) => ({
      tool,
      input: parseJson(args) ?? {},
      outcome,
      resultChars: resultBytes,
    }));
  const scripts = eventsOf(events, 'scriptEnded').map(({ callId, outcome, outputChars }) => {
    const code = eventsOf(events, 'scriptStarted').find((started) => started.callId === callId)?.code ?? '';
    return { tool: RUN_CODE, input: { title: '', code }, outcome, resultChars: outputChars };
  });
  return [...calls, ...scripts];
}
