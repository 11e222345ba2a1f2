// A turn in figures. The chat, `/stats`, the inspector, reports and exports all show these.

import { isLanguageModel } from '../models/searchOnly';
import { sumRounds, withoutSaving } from '../usage/roundTokens';
import { subtractTokens, sumTokens } from '../usage/tokens';
import { toolsInRequest } from '../usage/toolsInRequest';
import type { CacheMissRecord, RoundTokens, Tokens } from '../usage/types';
import { groupBy } from '../util/groupBy';
import { type EventOf, eventsOf, type LedgerEvent } from './events';
import { type LossCause, lossCause, type Unit } from './lossCause';

export interface TurnFigures {
  /** The events with the final plan, without requests that a service refused, and without savings if the turn failed. */
  readonly events: readonly LedgerEvent[];
  readonly started: EventOf<'turnStarted'>;
  readonly ended: EventOf<'turnEnded'> | undefined;
  readonly rounds: readonly EventOf<'roundEnded'>[];
  readonly asksModel: boolean;
  /** The tokens of each model call. The estimate for another agent's turn is one. Empty if no model was asked. */
  readonly requests: readonly RoundTokens[];
  /** The sums over `requests`. */
  readonly tokens: RoundTokens;
  /** The tokens that weren't sent; negative if more were sent than with every definition. */
  readonly net: Tokens;
  /** Whether the turn was answered and its figures are known, so that a saving or a loss can be claimed. */
  readonly compared: boolean;
  /** The tokens that a model would have read. Set if no model was asked. */
  readonly withModel: RoundTokens | undefined;
  /** The number of tools whose definitions the last request contained, and the number that it could have contained. */
  readonly inRequest: number;
  readonly tools: number;
  /** The cache misses, and the tokens that they made the provider read again. */
  readonly misses: readonly (Required<Pick<CacheMissRecord, 'broke' | 'lost'>> & { readonly round: number })[];
  readonly readAgain: Tokens;
  /** Why the turn cost more dollars, and why it sent more tokens. Undefined if it didn't. */
  readonly lossCause: { readonly [unit in Unit]: LossCause | undefined };
}

/** Returns the figures of each turn, in the order in which they began. */
export function figuresOfTurns(events: readonly LedgerEvent[]): readonly TurnFigures[] {
  return [...groupBy(events, ({ turn }) => turn).values()].flatMap((own) => turnFigures(own) ?? []);
}

export function unitOf(turns: readonly TurnFigures[]): Unit {
  const counted = turns.filter(({ tokens }) => tokens.sent.value > 0);
  return counted.length > 0 && counted.every(({ tokens }) => tokens.cost?.usd) ? 'usd' : 'tokens';
}

/** Returns the figures of a turn from its events; undefined if the turn's beginning is missing. */
export function turnFigures(recorded: readonly LedgerEvent[]): TurnFigures | undefined {
  const ended = recorded.find((event) => event.type === 'turnEnded');
  const events = asRun(recorded, ended?.status === 'failed');
  const started = events.find((event) => event.type === 'turnStarted');
  if (!started) return undefined;
  const rounds = eventsOf(events, 'roundEnded');
  const asksModel = isLanguageModel(started.model);
  const read = [...rounds.map(({ tokens }) => tokens), ...(ended?.agentTokens ? [ended.agentTokens] : [])];
  const requests = asksModel ? read : [];
  const tokens = sumRounds(requests);
  const { counts } = events.findLast((event) => event.type === 'roundStarted') ?? started;
  const { inRequest, total } = toolsInRequest(counts, started.delivery.name);
  const misses = rounds.flatMap(({ round, prefix }) =>
    prefix?.broke ? [{ round, broke: prefix.broke, lost: prefix.lost }] : [],
  );
  const readAgain = sumTokens(misses.map(({ lost }) => lost));
  const cause = (unit: Unit) => lossCause({ events, tokens, misses }, counts.deferred + counts.discovered > 0, unit);
  return {
    ...{ events, started, ended, rounds, asksModel, requests, tokens, inRequest, tools: total, misses, readAgain },
    net: subtractTokens(tokens.baseline, tokens.sent),
    compared: ended?.status === 'answered' && tokens.sent.value + tokens.baseline.value > 0,
    withModel: asksModel || read.length === 0 ? undefined : sumRounds(read),
    lossCause: { usd: cause('usd'), tokens: cause('tokens') },
  };
}

/** Returns a turn's events as it ran: without refused plans and requests, and without savings if it failed. */
function asRun(events: readonly LedgerEvent[], failed: boolean): readonly LedgerEvent[] {
  const run: LedgerEvent[] = [];
  for (const event of events) {
    if (event.type === 'replanned') replan(run, event);
    else if (event.type === 'roundEnded' && failed) run.push({ ...event, tokens: withoutSaving(event.tokens) });
    else run.push(event);
  }
  return run;
}

/** Changes the turn's start to the new plan, and removes the refused request. */
function replan(run: LedgerEvent[], { strategy, delivery, counts, refused }: EventOf<'replanned'>): void {
  const start = run.findIndex(({ type }) => type === 'turnStarted');
  const started = run[start];
  if (started?.type === 'turnStarted')
    run[start] = {
      ...started,
      ...(strategy && { strategy }),
      ...(delivery && { delivery }),
      ...(counts && { counts }),
    };
  const request = run.findLastIndex((other) => other.type === 'roundStarted' && other.round === refused);
  if (request >= 0) run.splice(request, 1);
}
