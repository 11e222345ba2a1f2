import * as z from 'zod/mini';
import { CACHE_MISS_CAUSES, type RoundTokens } from '../usage/types';
import { once } from '../util/once';
import type { LedgerEvent, LoggedHit } from './ledger';

/** What a ledger's event looks like in a file. A field that isn't named here is left out of exports, and not read from them. */
const schemas = once(() => {
  const text = z.string();
  const count = z.number();
  const names = z.array(text);
  const tokens = z.object({ value: count, certainty: z.enum(['measured', 'estimated']) });
  const counts = z.object({ eager: count, discovered: count, deferred: count });
  const choice = z.object({ name: text, why: text });
  const hit = z.object({
    id: text,
    score: count,
    matchType: text,
    terms: names,
    learnt: z.optional(z.object({ adds: count, times: count, words: names })),
    weak: z.optional(z.object({ score: count, covered: count })),
  });
  const roundTokens = z.object({
    promptAndHistory: tokens,
    eager: tokens,
    discovered: tokens,
    searchOverhead: tokens,
    sent: tokens,
    baseline: tokens,
    cacheRead: z.optional(count),
    cacheWrite: z.optional(count),
    price: z.optional(z.object({ sent: count, baseline: count })),
  });
  const prefix = z.object({
    same: tokens,
    lost: tokens,
    broke: z.optional(z.object({ cause: z.enum(CACHE_MISS_CAUSES), tool: z.optional(text) })),
  });
  const outcome = z.enum(['ok', 'failed', 'refused', 'cancelled']);
  const base = { seq: z.int(), at: count, turn: z.int() };
  const inRound = { ...base, round: z.int() };

  const events = {
    turnStarted: z.object({
      ...base,
      type: z.literal('turnStarted'),
      prompt: text,
      model: z.object({ id: text, vendor: text, name: text }),
      strategy: choice,
      delivery: choice,
      counts,
    }),
    roundStarted: z.object({ ...inRound, type: z.literal('roundStarted'), counts }),
    replanned: z.object({
      ...base,
      type: z.literal('replanned'),
      strategy: z.optional(choice),
      delivery: z.optional(choice),
      counts: z.optional(counts),
      refused: z.optional(z.int()),
    }),
    roundEnded: z.object({
      ...inRound,
      type: z.literal('roundEnded'),
      ms: count,
      tokens: roundTokens,
      outputTokens: z.optional(tokens),
      prefix: z.optional(prefix),
    }),
    searched: z.object({
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
      note: z.optional(text),
      failed: z.boolean(),
      script: z.optional(text),
      before: z.optional(z.literal(true)),
    }),
    discovered: z.object({ ...inRound, type: z.literal('discovered'), ids: names, tokens }),
    callStarted: z.object({
      ...inRound,
      type: z.literal('callStarted'),
      callId: text,
      tool: text,
      args: text,
      script: z.optional(text),
    }),
    called: z.object({
      ...inRound,
      type: z.literal('called'),
      callId: text,
      tool: text,
      known: z.boolean(),
      args: text,
      outcome,
      summary: text,
      resultBytes: count,
      withoutDiscovery: z.boolean(),
      retry: count,
      ms: count,
      script: z.optional(text),
    }),
    scriptStarted: z.object({
      ...inRound,
      type: z.literal('scriptStarted'),
      callId: text,
      title: text,
      code: text,
      where: z.optional(z.literal('provider')),
    }),
    scriptEnded: z.object({
      ...inRound,
      type: z.literal('scriptEnded'),
      callId: text,
      outcome,
      ms: count,
      computeMs: count,
      calls: count,
      failed: count,
      servers: names,
      returnedChars: count,
      countedChars: count,
      outputChars: count,
      output: text,
      note: z.optional(text),
      line: z.optional(z.int()),
    }),
    warned: z.object({ ...base, type: z.literal('warned'), message: text }),
    turnEnded: z.object({
      ...base,
      type: z.literal('turnEnded'),
      status: z.enum(['answered', 'failed', 'cancelled']),
      ms: count,
      message: z.optional(text),
    }),
    rated: z.object({ ...base, type: z.literal('rated'), helpful: z.boolean() }),
  };
  return {
    hit,
    roundTokens,
    events,
    event: z.discriminatedUnion('type', [
      events.turnStarted,
      events.roundStarted,
      events.replanned,
      events.roundEnded,
      events.searched,
      events.discovered,
      events.callStarted,
      events.called,
      events.scriptStarted,
      events.scriptEnded,
      events.warned,
      events.turnEnded,
      events.rated,
    ]),
  };
});
type Schemas = ReturnType<typeof schemas>;

/** One event, read. */
export const ledgerEventSchema = () => schemas().event;

type SameKeys<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? true : false;
type Same = {
  readonly [Type in LedgerEvent['type']]: SameKeys<
    Extract<LedgerEvent, { type: Type }>,
    z.infer<Schemas['events'][Type]>
  >;
} & {
  readonly roundTokens: SameKeys<RoundTokens, z.infer<Schemas['roundTokens']>>;
  readonly hit: SameKeys<LoggedHit, z.infer<Schemas['hit']>>;
};
type Differing = { readonly [Name in keyof Same]: Same[Name] extends true ? never : Name }[keyof Same];
type AssertNone<None extends never> = None;
/** Fails to compile where an event has a field that its schema lacks, or the other way round: name it in both. */
export type Complete = AssertNone<Differing>;
