// The events of the ledger. Their types are inferred from the schemas that read them from files. Files contain only
// fields that are named here.

import * as z from 'zod/mini';
import { usageSchemas } from '../usage/types';
import { once } from '../util/once';
import type { ReadonlyDeep } from '../util/readonlyDeep';

const schemas = /* @__PURE__ */ once(() => {
  const text = z.string();
  const count = z.number();
  const names = z.array(text);
  const { tokens, roundTokens, cacheMiss } = usageSchemas();
  const counts = z.object({ eager: count, discovered: count, deferred: count });
  const choice = z.object({ name: text, why: text });
  const outcome = z.enum(['ok', 'failed', 'invalid', 'refused', 'cancelled']);
  const hit = z.object({
    id: text,
    score: count,
    matchType: text,
    terms: names,
    /** Set if the hit was cut as a weak one: its shares of the best score and of the best hit's coverage. */
    weak: z.optional(z.object({ score: count, covered: count })),
  });
  const base = {
    /** Consecutive from 1. */
    seq: z.int(),
    /** Milliseconds since the epoch. For an event with `ms`, the time at which it ended. */
    at: count,
    /** 1 for the session's first turn. */
    turn: z.int(),
  };
  const inRound = { ...base, round: z.int() };
  /** The call id of the script that made the call; absent if the model made it. */
  const script = z.optional(text);
  const call = {
    ...inRound,
    callId: text,
    /** The tool's id, or the name that the model used if there is no such tool. */
    tool: text,
    args: text,
    script,
  };

  const event = z.discriminatedUnion('type', [
    z.object({
      ...base,
      type: z.literal('turnStarted'),
      prompt: text,
      model: z.object({ id: text, vendor: text, name: text }),
      strategy: choice,
      delivery: choice,
      counts,
      /** The number of VS Code's tools that were neither in the request nor found by searches; absent if 0. */
      unsent: z.optional(count),
      /** The chat's name; absent if it isn't known. */
      chat: z.optional(text),
      /** Set if another agent asked. */
      agent: z.optional(z.literal(true)),
    }),
    z.object({ ...inRound, type: z.literal('roundStarted'), counts }),
    /** The turn continues with another plan, because a service refused its request or a strategy failed. */
    z.object({
      ...base,
      type: z.literal('replanned'),
      strategy: z.optional(choice),
      delivery: z.optional(choice),
      counts: z.optional(counts),
      /** The round whose request was refused; absent if a strategy failed. The next request has the same number. */
      refused: z.optional(z.int()),
    }),
    /** A model call, recorded when its tokens have been counted. The call may have ended some time before. */
    z.object({
      ...inRound,
      type: z.literal('roundEnded'),
      ms: count,
      tokens: roundTokens,
      outputTokens: z.optional(tokens),
      /** Absent for a conversation's first request, and if the previous request is no longer known. */
      prefix: z.optional(cacheMiss),
    }),
    z.object({
      ...inRound,
      type: z.literal('searched'),
      callId: text,
      query: text,
      strategy: text,
      server: z.optional(text),
      ms: count,
      searched: count,
      matched: count,
      limit: count,
      hits: z.array(hit),
      below: z.array(hit),
      /** One sentence: an error, or the answer to a search that found nothing. */
      note: z.optional(text),
      failed: z.boolean(),
      script,
    }),
    /** Tools that a search found for the first time, and the tokens of their definitions. */
    z.object({ ...inRound, type: z.literal('discovered'), ids: names, tokens }),
    /** The beginning of a call that may change something. A reload of the window may cut the call off. */
    z.object({ ...call, type: z.literal('callStarted') }),
    z.object({
      ...call,
      type: z.literal('called'),
      known: z.boolean(),
      outcome,
      /** One line on the result, or the error. */
      summary: text,
      resultBytes: count,
      /** Whether the tool was deferred and no search had found it. */
      withoutDiscovery: z.boolean(),
      /** The number of failed calls of the same tool before this one in this turn. */
      retry: count,
      ms: count,
    }),
    /** The beginning of a model's script. The script's searches and calls refer to it in `script`. */
    z.object({
      ...inRound,
      type: z.literal('scriptStarted'),
      callId: text,
      /** The model's short title for the user; may be empty. */
      title: text,
      code: text,
      /** Set if the provider runs the script in its own sandbox. */
      where: z.optional(z.literal('provider')),
    }),
    z.object({
      ...inRound,
      type: z.literal('scriptEnded'),
      callId: text,
      outcome,
      ms: count,
      /** The time that the engine computed, in milliseconds; 0 if the provider ran the script. */
      computeMs: count,
      calls: count,
      failed: count,
      /** The servers, in the order in which the script first called them. */
      servers: names,
      /** The characters of all results, and of the results that count as kept from the model: see `keptFromModel`. */
      returnedChars: count,
      countedChars: count,
      /** The length in characters of the answer to the model, and the answer's beginning. */
      outputChars: count,
      output: text,
      /** The reason for a failure, in one sentence. */
      note: z.optional(text),
      /** The line of the script's code that failed, from 1. */
      line: z.optional(z.int()),
    }),
    z.object({ ...base, type: z.literal('warned'), message: text }),
    z.object({
      ...base,
      type: z.literal('turnEnded'),
      /** For another agent's turn, whose requests aren't known: see agentEstimate.ts. */
      agentTokens: z.optional(roundTokens),
      status: z.enum(['answered', 'failed', 'cancelled']),
      ms: count,
      message: z.optional(text),
    }),
  ]);
  return { hit, event };
});

type EventSchemas = ReturnType<typeof schemas>;

export const ledgerEventSchema = () => schemas().event;

export type LedgerEvent = ReadonlyDeep<z.infer<EventSchemas['event']>>;
export type EventType = LedgerEvent['type'];
export type EventOf<Type extends EventType> = Extract<LedgerEvent, { readonly type: Type }>;
/** An event without its time and place in the ledger. */
export type LedgerEntry = { [Type in EventType]: Omit<EventOf<Type>, 'seq' | 'at' | 'turn'> }[EventType];
export type EntryOf<Type extends EventType> = Extract<LedgerEntry, { readonly type: Type }>;
export type LoggedHit = ReadonlyDeep<z.infer<EventSchemas['hit']>>;
export type TurnStatus = EventOf<'turnEnded'>['status'];

export function eventsOf<Type extends EventType>(events: readonly LedgerEvent[], type: Type): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** Whether two chats may be the same one: their names are equal, or at least one isn't known. */
export function mayBeSameChat(one: string | undefined, other: string | undefined): boolean {
  return !one || !other || one === other;
}

/** Whether an event is the call of a tool that may have run. A refused or invalid call never reached its server. */
export function isUse(event: LedgerEvent): event is EventOf<'called'> {
  return event.type === 'called' && event.known && event.outcome !== 'refused' && event.outcome !== 'invalid';
}
