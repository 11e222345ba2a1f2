import * as z from 'zod/mini';
import type { Json } from '../catalog/tool';
import { once } from '../util/once';
import type {
  ConversationPlan,
  OpaqueBlock,
  ProviderSearchRecord,
  ResultPart,
  ToolCall,
  ToolResult,
  Transcript,
  TranscriptItem,
} from './transcript';

/** What a transcript looks like where it was kept by something else than this window: a field that isn't named here is left out. */
const schemas = once(() => {
  // Not `z.json()`, which copies objects and leaves names such as `__proto__` out: a wire's own blocks are played back as they came.
  const asItCame = z.custom<Json>((value) => value !== undefined);
  const text = z.string();
  const count = z.number();
  const outcome = z.enum(['ok', 'failed', 'refused', 'cancelled']);
  const searchRecord = {
    queries: z.array(text),
    strategy: text,
    found: z.array(text),
  };
  const media = { mimeType: text, bytes: count, data: text };
  const image = z.object({ type: z.literal('image'), ...media });

  const part = z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text }),
    image,
    z.object({ type: z.literal('document'), ...media }),
    z.object({ type: z.literal('omitted'), mimeType: text, bytes: count }),
  ]);

  const keptDecision = z.object({ loading: z.enum(['eager', 'deferred']), reason: text, reasonLong: text });
  const opening = z.object({
    grounds: z.object({ settings: text, pins: text, model: text, servers: text }),
    auto: z.optional(keptDecision),
    core: z.optional(keptDecision),
    guidance: z.optional(z.object({ delivery: text, text })),
    told: z.record(text, count),
    names: z.optional(z.record(text, z.array(text))),
  });

  const item = z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('user'),
      text,
      images: z.optional(z.array(image)),
      note: z.optional(z.literal(true)),
      unanswered: z.optional(z.enum(['failed', 'cancelled'])),
    }),
    z.object({
      kind: z.literal('assistant'),
      text,
      calls: z.array(z.object({ callId: text, name: text, input: z.optional(z.unknown()), caller: z.optional(text) })),
      searches: z.optional(z.array(z.object({ ...searchRecord, callId: z.optional(text) }))),
      opaque: z.optional(
        z.array(
          z.object({
            wire: z.enum(['anthropic', 'openai']),
            model: z.optional(text),
            value: asItCame,
            container: z.optional(text),
          }),
        ),
      ),
      opening: z.optional(opening),
    }),
    z.object({
      kind: z.literal('results'),
      results: z.array(
        z.object({
          callId: text,
          outcome,
          parts: z.array(part),
          search: z.optional(z.object(searchRecord)),
          remarks: z.optional(text),
          loaded: z.optional(text),
          notRun: z.optional(z.literal(true)),
        }),
      ),
    }),
  ]);
  return { part, opening, item, transcript: z.array(item) };
});
type Schemas = ReturnType<typeof schemas>;

/** A transcript out of a file or of what another program kept; undefined where it isn't one. */
export function readTranscript(value: unknown): Transcript | undefined {
  const read = schemas().transcript.safeParse(value);
  return read.success ? (read.data as Transcript) : undefined;
}

type SameKeys<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? true : false;
type Kind = TranscriptItem['kind'];
type PartType = ResultPart['type'];
type Read<Of extends Kind> = Extract<z.infer<Schemas['item']>, { kind: Of }>;
type Assistant = Read<'assistant'>;
type Same = {
  readonly [Of in Kind]: SameKeys<Extract<TranscriptItem, { kind: Of }>, Read<Of>>;
} & {
  readonly [Of in PartType as `part ${Of}`]: SameKeys<
    Extract<ResultPart, { type: Of }>,
    Extract<z.infer<Schemas['part']>, { type: Of }>
  >;
} & {
  readonly call: SameKeys<ToolCall, Assistant['calls'][number]>;
  readonly search: SameKeys<ProviderSearchRecord, NonNullable<Assistant['searches']>[number]>;
  readonly opaque: SameKeys<OpaqueBlock, NonNullable<Assistant['opaque']>[number]>;
  readonly opening: SameKeys<ConversationPlan, z.infer<Schemas['opening']>>;
  readonly result: SameKeys<ToolResult, Read<'results'>['results'][number]>;
};
type Differing = { readonly [Name in keyof Same]: Same[Name] extends true ? never : Name }[keyof Same];
type AssertNone<None extends never> = None;
/** Fails to compile where a field of the transcript isn't read, or one is read that it doesn't have: what isn't read is lost with the next turn. */
export type Complete = AssertNone<Differing>;
