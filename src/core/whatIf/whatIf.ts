/**
 * Compares a session's turns under different settings in a table. Each row is a replay, so its figures come from the
 * requests that the engine would have made. They are estimates, since a model might have searched differently.
 */
import type { LedgerEvent } from '../ledger/events';
import type { DeliveryName } from '../ports';
import { BUILT_IN_STRATEGIES } from '../search/types';
import { costOf } from '../usage/cacheCost';
import { segmentsOf } from '../usage/requestShape';
import { definitionOf } from '../usage/tokens';
import { cut } from '../util/cut';
import { groupBy } from '../util/groupBy';
import { bestRow } from './bestRow';
import { Calibration } from './calibration';
import { createCharsPerToken } from './charsPerToken';
import { toolRanks } from './ranks';
import { type RecordedTurn, recordedTurns, type Step } from './recordedTurns';
import { Replay, type ReplayDeps, type ReplayedTurn, type Variant } from './replay';
import type { Change, Figures, LeftOutTurn, RoughReason, WhatIf, WhatIfRow } from './types';

/** The number of turns that are replayed unless the user asks for all. */
const LAST_TURNS = 20;
/** The limits on search results that are compared. */
const RESULTS = [3, 5, 10, 20];
const DELIVERIES: readonly DeliveryName[] = ['server', 'client', 'local', 'bridge'];
/** The number of definitions that are prepared without yielding to the event loop. */
const PREPARED_AT_ONCE = 100;
/** The maximum number of characters of a turn's prompt in the table. */
const MAX_PROMPT = 80;
/**
 * The maximum number of called tools that one row makes eager, and the minimum number of turns that called each of
 * them.
 */
const MAX_EAGER = 5;
const MIN_EAGER_TURNS = 2;
/**
 * The share by which a replay under the recorded settings may differ from the recorded figures. A turn with a larger
 * difference is left out.
 */
const TOLERANCE = 0.1;
/** The tokens by which each request may be off in any case. They are a large share of the shortest requests only. */
const FEW_TOKENS = 50;

/** The share of a row's figures that may be uncertain. */
const ROUGH_SHARE = 0.04;

export interface WhatIfInputs extends ReplayDeps {
  readonly events: readonly LedgerEvent[];
  /** Whether to replay all turns, not only the last ones. */
  readonly all: boolean;
  /** Ids of the tools to make eager; undefined for the tools that were called most. */
  readonly eager?: readonly string[] | undefined;
}

/**
 * Replays the last turns of a session under each setting. `onProgress` gets the table after each row.
 * @throws the signal's reason if the signal aborts
 */
export async function whatIf(
  inputs: WhatIfInputs,
  signal: AbortSignal,
  onProgress: (table: WhatIf) => void = () => {},
): Promise<WhatIf> {
  await prepare(inputs, signal);
  const read = recordedTurns(inputs.events, inputs.catalog);
  const looked = inputs.all ? read : read.slice(-LAST_TURNS);
  const leftOut = looked.filter((turn): turn is LeftOutTurn => 'why' in turn);
  const recorded = looked.filter((turn): turn is RecordedTurn => !('why' in turn));
  const calibration = new Calibration(createCharsPerToken(inputs));
  const replayAs = (turns: readonly RecordedTurn[], variant: Variant) =>
    replayAll(turns, new Replay(inputs, calibration, variant), signal);
  await replayAs(recorded, { asRecorded: true });
  calibration.learn();
  const asRecorded = await replayAs(recorded, { asRecorded: true });
  const isSame = ({ tokens, steps }: RecordedTurn, replayed: ReplayedTurn | undefined) =>
    replayed !== undefined &&
    Math.abs(replayed.tokens - tokens.sent.value) <= Math.max(TOLERANCE * tokens.sent.value, FEW_TOKENS * steps.length);
  const turns = recorded.filter((turn, index) => isSame(turn, asRecorded[index]));
  for (const { turn } of recorded.filter((each) => !turns.includes(each))) leftOut.push({ turn, why: 'differs' });
  const base = asRecorded.filter((replayed, index) => isSame(recorded[index] as RecordedTurn, replayed));
  let table: WhatIf = {
    rows: [rowOf({ kind: 'recorded' }, turns.map(recordedFigures), [])],
    measured: turns.every(({ tokens }) => tokens.sent.certainty === 'measured'),
    turns: turns.map(({ turn, prompt }) => ({ turn, prompt: cut(prompt, MAX_PROMPT) })),
    leftOut: leftOut.sort((a, b) => a.turn - b.turn),
    earlier: read.length - looked.length,
    rankedBy: BUILT_IN_STRATEGIES,
    ranks: [],
    running: true,
  };
  onProgress(table);
  for (const change of turns.length === 0 ? [] : changesFor(turns, inputs)) {
    const replayed = await replayAs(turns, variantOf(change));
    if (replayed.some((turn) => turn === undefined)) continue;
    const figures = turns.map((turn, index) => shifted(recordedFigures(turn), replayed[index], base[index]));
    const missed = [...new Set(replayed.flatMap((turn) => turn?.missed ?? []))];
    const before = new Set(base.flatMap((turn) => turn?.missed ?? []));
    const row = rowOf(
      change,
      figures,
      missed.filter((tool) => !before.has(tool)),
    );
    const rough = roughReason(row, changed(turns, replayed, base));
    table = { ...table, rows: [...table.rows, rough ? { ...row, rough } : row] };
    onProgress(table);
  }
  const ranks = await toolRanks(
    inputs,
    signal,
    looked.map(({ turn }) => turn),
  );
  return { ...table, ...bestRow(table.rows, turns, inputs), ranks, running: false };
}

/**
 * Prepares the data about each definition in small steps. Otherwise the first request would prepare all of it at once.
 */
async function prepare({ catalog, yieldToEventLoop }: WhatIfInputs, signal: AbortSignal): Promise<void> {
  for (const [index, tool] of catalog.tools.entries()) {
    segmentsOf({ tools: [definitionOf(tool).definition], system: '', transcript: [] });
    if (index % PREPARED_AT_ONCE > 0) continue;
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
}

async function replayAll(
  turns: readonly RecordedTurn[],
  replay: Replay,
  signal: AbortSignal,
): Promise<readonly (ReplayedTurn | undefined)[]> {
  const replayed: (ReplayedTurn | undefined)[] = [];
  for (const turn of turns) {
    signal.throwIfAborted();
    replayed.push(await replay.next(turn, signal));
  }
  signal.throwIfAborted();
  return replayed;
}

function recordedFigures({ turn, steps, tokens }: RecordedTurn): Figures & { readonly turn: number } {
  return {
    turn,
    requests: steps.length,
    tokens: tokens.sent.value,
    ...(tokens.cost ? { cost: costOf(tokens).sent.value } : {}),
  };
}

/**
 * Returns recorded figures plus the difference between two replays, so that an error that both replays share has no
 * effect.
 */
function shifted(
  { turn, requests, tokens, cost }: Figures & { readonly turn: number },
  now: Figures | undefined,
  before: Figures | undefined,
): Figures & { readonly turn: number } {
  const change = (of: (figures: Figures) => number) => (now && before ? of(now) - of(before) : 0);
  return {
    turn,
    requests: requests + change((figures) => figures.requests),
    tokens: Math.max(0, tokens + change((figures) => figures.tokens)),
    ...(cost === undefined ? {} : { cost: Math.max(0, cost + change((figures) => figures.cost ?? 0)) }),
  };
}

/** A turn as it was recorded, replayed as it was, and replayed under a row's settings. */
interface Pair {
  readonly recorded: Figures;
  readonly before: ReplayedTurn;
  readonly now: ReplayedTurn;
}

/** Returns the turns whose requests differ between two replays. The figures of all other turns are certain. */
function changed(
  turns: readonly RecordedTurn[],
  replayed: readonly (ReplayedTurn | undefined)[],
  base: readonly (ReplayedTurn | undefined)[],
): readonly Pair[] {
  return turns.flatMap((turn, index) => {
    const [now, before] = [replayed[index], base[index]];
    if (!now || !before || now.contents === before.contents) return [];
    return [{ recorded: recordedFigures(turn), before, now }];
  });
}

/**
 * Returns the main reason why more than {@link ROUGH_SHARE} of a row's figures is uncertain; undefined if no more than
 * that is. `pairs` has each turn with other requests than before.
 */
function roughReason(
  { tokens, cost = Number.POSITIVE_INFINITY }: WhatIfRow,
  pairs: readonly Pair[],
): RoughReason | undefined {
  const sum = (of: (pair: Pair) => number) => pairs.reduce((total, pair) => total + of(pair), 0);
  const shares = {
    texts: sum(({ now }) => now.unsure.texts) / tokens,
    searches: sum(({ now }) => now.unsure.searches) / tokens,
    // If the cache didn't do as in the replay, it may not under other settings either.
    cache: sum(({ now, before, recorded }) => now.unsure.cache + missedCost(before, recorded)) / cost,
  };
  if (shares.texts + shares.searches + shares.cache <= ROUGH_SHARE) return undefined;
  return (['texts', 'searches', 'cache'] as const).reduce((most, reason) =>
    shares[reason] > shares[most] ? reason : most,
  );
}

/** Returns the cost by which a replay differs from what was recorded. */
function missedCost(replayed: Figures, recorded: Figures): number {
  return recorded.cost === undefined ? 0 : Math.abs((replayed.cost ?? 0) - recorded.cost);
}

function rowOf(change: Change, turns: WhatIfRow['turns'], missed: readonly string[]): WhatIfRow {
  const sum = (of: (figures: Figures) => number) => turns.reduce((total, turn) => total + of(turn), 0);
  const costs = turns.length > 0 && turns.every(({ cost }) => cost !== undefined);
  return {
    id: idOf(change),
    change,
    requests: sum(({ requests }) => requests),
    tokens: sum(({ tokens }) => tokens),
    ...(costs ? { cost: sum(({ cost = 0 }) => cost) } : {}),
    missed,
    turns,
  };
}

function idOf(change: Change): string {
  return 'to' in change
    ? `${change.kind} ${change.to}`
    : 'tools' in change
      ? `eager ${change.tools.join(' ')}`
      : change.kind;
}

function variantOf(change: Change): Variant {
  switch (change.kind) {
    case 'recorded':
      return { asRecorded: true };
    case 'today':
      return {};
    case 'allEager':
      return { settings: { mode: 'off' } };
    case 'deferred':
      return { settings: { mode: 'on' } };
    case 'eager':
      return { eager: change.tools };
    case 'delivery':
      return { settings: { delivery: change.to as DeliveryName } };
    case 'strategy':
      return { settings: { strategy: change.to } };
    case 'maxResults':
      return { settings: { maxResults: change.to } };
  }
}

/**
 * Returns the rows to compute, besides the recorded one. A value that is set today or that every turn had gets no row.
 */
function changesFor(turns: readonly RecordedTurn[], { settings, eager }: WhatIfInputs): readonly Change[] {
  const tools = eager ?? mostCalled(turns);
  return [
    { kind: 'today' },
    ...DELIVERIES.filter((to) => to !== settings.delivery && !turns.every(({ delivery }) => delivery === to)).map(
      (to) => ({ kind: 'delivery' as const, to }),
    ),
    ...BUILT_IN_STRATEGIES.filter(
      (to) => to !== settings.strategy && !turns.every(({ strategy }) => strategy === to),
    ).map((to) => ({ kind: 'strategy' as const, to })),
    ...RESULTS.filter((to) => to !== settings.maxResults && to <= settings.maxResultsLimit).map((to) => ({
      kind: 'maxResults' as const,
      to,
    })),
    ...(tools.length > 0 ? [{ kind: 'eager' as const, tools }] : []),
    ...(turns.some(({ allEager }) => allEager) ? [{ kind: 'deferred' as const }] : []),
    ...(turns.every(({ allEager }) => allEager) ? [] : [{ kind: 'allEager' as const }]),
  ];
}

/** Returns the tools that were searched for and called in the most turns. */
function mostCalled(turns: readonly RecordedTurn[]): readonly string[] {
  const found = new Set(turns.flatMap(({ steps }) => steps.flatMap(hitsOf)));
  const called = turns.flatMap(({ steps }) => [...new Set(steps.flatMap(calledIn))]);
  return [...groupBy(called, (tool) => tool)]
    .filter(([tool, uses]) => found.has(tool) && uses.length >= Math.min(MIN_EAGER_TURNS, turns.length))
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_EAGER)
    .map(([tool]) => tool);
}

function hitsOf({ searches }: Step): readonly string[] {
  return searches.flatMap(({ hits }) => [...hits]);
}

function calledIn({ calls }: Step): readonly string[] {
  return calls.map(({ tool }) => tool);
}
