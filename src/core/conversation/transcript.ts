/**
 * The conversation in a form that belongs to no provider. The schemas are the one place that names its fields: types are
 * inferred from them, and {@link readTranscript} reads with them what VS Code kept through a reload.
 */
import * as z from 'zod/mini';
import type { Json, JsonSchema, ToolExample } from '../catalog/tool';
import type { Immutable } from '../util/immutable';
import { isObject } from '../util/objects';
import { once } from '../util/once';

/** The schemas. A field that isn't named here is left out when a kept transcript is read. */
const schemas = once(() => {
  // Not `z.json()`, which copies objects and leaves names such as `__proto__` out: wire blocks are sent back as they came.
  const asItCame = z.custom<Json>((value) => value !== undefined);
  const text = z.string();
  const count = z.number();
  const flag = z.optional(z.literal(true));

  /** A tool as it was sent to a model. */
  const definition = z.object({
    id: text,
    server: text,
    name: text,
    description: text,
    inputSchema: z.custom<JsonSchema>(isObject),
    outputSchema: z.optional(z.custom<JsonSchema>(isObject)),
    examples: z.optional(z.array(z.custom<ToolExample>(isObject))),
    callers: z.optional(z.enum(['code', 'both'])),
  });

  /** The lasting trace of a search: discovery is read from it alone. */
  const searchRecord = {
    queries: z.array(text),
    strategy: text,
    /** Ids that the search returned, best first. */
    found: z.array(text),
    /** Definitions with which tools entered the conversation here, for wires that refer to them: they stay as they were sent. */
    definitions: z.optional(z.array(definition)),
  };
  const search = z.object(searchRecord);
  const media = { mimeType: text, bytes: count, data: text };
  const image = z.object({ type: z.literal('image'), ...media });
  const part = z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text }),
    image,
    z.object({ type: z.literal('document'), ...media }),
    z.object({ type: z.literal('omitted'), mimeType: text, bytes: count }),
  ]);
  const outcome = z.enum(['ok', 'failed', 'refused', 'cancelled']);

  const keptDecision = z.object({ loading: z.enum(['eager', 'deferred']), reason: text, reasonLong: text });
  const plan = z.object({
    /** Hashes of what it was decided on. If one differs, it is decided again. */
    grounds: z.object({ settings: text, pins: text, model: text, servers: text }),
    /** The outcome of mode `auto`; undefined if another rule decides. */
    auto: z.optional(keptDecision),
    /** Whether VS Code's core tools are too many for the model; undefined while there are none. */
    core: z.optional(keptDecision),
    /** What the system prompt says of the deferred tools, and the delivery that it was written for. */
    guidance: z.optional(z.object({ delivery: text, text })),
    /** How many deferred tools of each server the model knows of, from the guidance or from notes since. */
    told: z.record(text, count),
    /** Names of the tools of servers with deferred ones, for a provider whose model reads a server's tool names. */
    names: z.optional(z.record(text, z.array(text))),
    /**
     * The beginning of every request to this model, if tools can join the conversation later: the instructions and the tools
     * of its first request, as they were sent. `delivery` is absent if nothing was deferred then, `code` if no code of the
     * provider's could call tools.
     */
    base: z.optional(z.object({ system: text, tools: z.array(definition), delivery: z.optional(text), code: flag })),
  });

  const call = z.object({
    callId: text,
    /** The model name that was called. It may name no tool. */
    name: text,
    /** What the model sent: an object, or anything else if it was no valid JSON object. */
    input: z.optional(z.unknown()),
    /** The id of the provider's code that made the call; absent if the model made it. */
    caller: z.optional(text),
  });
  const opaque = z.object({
    wire: z.enum(['anthropic', 'openai']),
    /** The model that wrote it. Only that model can read what it signed. */
    model: z.optional(text),
    value: asItCame,
    /** The service's id of the reply. */
    id: z.optional(text),
    /** Claude's sandbox that code of this reply runs in. */
    container: z.optional(text),
    /** The request that the reply's thinking is valid after. Absent if the model's thinking is valid anywhere. */
    after: z.optional(
      z.object({
        /** Hash of all that came before the reply, thinking aside. */
        prefix: text,
        /** How many replies directly before this one still had their thinking. */
        kept: count,
      }),
    ),
  });
  const providerSearch = z.object({ ...searchRecord, callId: z.optional(text) });
  const result = z.object({
    callId: text,
    outcome,
    parts: z.array(part),
    /** Set if the call was a search. */
    search: z.optional(search),
    /** What a search says besides the tools that it found, for wires that send those as references. `parts` has all of it. */
    remarks: z.optional(text),
    /** Id of a deferred tool that was called without having been discovered: it counts as discovered from here on. */
    loaded: z.optional(text),
    /** Set if the call was cancelled before it began. */
    notRun: flag,
  });

  const user = z.object({
    kind: z.literal('user'),
    text,
    images: z.optional(z.array(image)),
    /** Written by us, not by the user: which tools have come. */
    note: flag,
    /** Tools that joined the conversation here. `declared`: also among the deferred tools of the request. */
    joined: z.optional(z.array(z.extend(definition, { declared: flag }))),
    /** How a question ended that got no answer. */
    unanswered: z.optional(z.enum(['failed', 'cancelled'])),
  });
  const assistant = z.object({
    kind: z.literal('assistant'),
    text,
    calls: z.array(call),
    /** What the provider itself searched during this reply. */
    searches: z.optional(z.array(providerSearch)),
    opaque: z.optional(z.array(opaque)),
    opening: z.optional(plan),
  });
  const item = z.discriminatedUnion('kind', [
    user,
    assistant,
    z.object({ kind: z.literal('results'), results: z.array(result) }),
  ]);
  return {
    definition,
    search,
    providerSearch,
    image,
    part,
    outcome,
    keptDecision,
    plan,
    call,
    opaque,
    result,
    user,
    assistant,
    item,
    transcript: z.array(item),
  };
});
type Schemas = ReturnType<typeof schemas>;
type Read<Name extends keyof Schemas> = Immutable<z.infer<Schemas[Name]>>;

/** The lasting trace of a search. */
export type SearchRecord = Read<'search'>;
/** A search that a provider ran, under its id there. */
export type ProviderSearchRecord = Read<'providerSearch'>;
/** A tool call that a model made. */
export type ToolCall = Read<'call'>;
/** How a call ended. `refused`: the user chose Skip, or a limit said no. */
export type CallOutcome = Read<'outcome'>;
/** A piece of a tool's result. `data` is base64; `omitted` stands for binary data that no model is shown. */
export type ResultPart = Read<'part'>;
export type ImagePart = Read<'image'>;
export type ToolResult = Read<'result'>;
/**
 * A whole reply as one wire wrote it, with what only that wire understands (thinking, encrypted content, its own
 * searches). It is sent back to that wire alone; any other gets the neutral part.
 */
export type OpaqueBlock = Read<'opaque'>;
/** The wires that have blocks of their own. */
export type Wire = OpaqueBlock['wire'];
/**
 * What a conversation's first request decided for all that follow, so that their prefix stays the same. It is kept with the
 * reply to the request that decided it, and with later replies that changed it.
 */
export type ConversationPlan = Read<'plan'>;
/** How a set of tools is loaded, with the reason in short and in full. */
export type KeptDecision = Read<'keptDecision'>;
/** A tool that joined in mid-conversation. */
export type JoinedTool = NonNullable<UserItem['joined']>[number];
/** A question of the user, or a note of ours. */
export type UserItem = Read<'user'>;
/** What a model said in one round. */
export type AssistantItem = Read<'assistant'>;
/** One entry of the conversation. */
export type TranscriptItem = Read<'item'>;
export type Transcript = readonly TranscriptItem[];

/** Reads a transcript from a file or from VS Code's storage; undefined if it isn't one. */
export function readTranscript(value: unknown): Transcript | undefined {
  const read = schemas().transcript.safeParse(value);
  return read.success ? read.data : undefined;
}
