// The conversation in a form that is independent of providers. Only the schemas name its fields: the types are inferred
// from them, and `readTranscript` reads with them what VS Code stored.

import * as z from 'zod/mini';
import type { Json, JsonSchema, ToolExample } from '../catalog/tool';
import { isObject } from '../util/objects';
import { once } from '../util/once';
import type { ReadonlyDeep } from '../util/readonlyDeep';

/** The schemas of a transcript. Fields that they don't name are left out when a stored transcript is read. */
const schemas = once(() => {
  // Providers' blocks are sent back unchanged. `z.json()` would copy objects and drop names such as `__proto__`.
  const asItCame = z.custom<Json>((value) => value !== undefined);
  const text = z.string();
  const count = z.number();
  const flag = z.optional(z.literal(true));

  /** A tool's definition as it was sent to a model. */
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

  /** The stored record of a search. The discovered tools of a conversation are read from these records alone. */
  const searchRecord = {
    queries: z.array(text),
    strategy: text,
    /** Ids of the tools that the search returned, best first. */
    found: z.array(text),
    /** The definitions of the tools that this search brought in, as sent: for wires that refer to found tools. */
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
  const outcome = z.enum(['ok', 'failed', 'invalid', 'refused', 'cancelled']);

  const keptDecision = z.object({ loading: z.enum(['eager', 'deferred']), reason: text, reasonLong: text });
  const plan = z.object({
    /** Hashes of the inputs of the plan. If one changes, the plan is made again. */
    inputHashes: z.object({ settings: text, pins: text, model: text, servers: text }),
    /** The decision of mode `auto`; undefined if another rule decides. */
    auto: z.optional(keptDecision),
    /** The decision on VS Code's core tools, which may be too many for the model; undefined if there are none. */
    core: z.optional(keptDecision),
    /** The decision on tools whose servers want them in every request; undefined if there are none. */
    wished: z.optional(keptDecision),
    /** The system prompt's text on the deferred tools, and the delivery for which it was written. */
    guidance: z.optional(z.object({ delivery: text, text })),
    /** The number of deferred tools of each server that the model knows of, from the guidance or from notes. */
    announced: z.record(text, count),
    /** The names of tools, by server with deferred ones, for a provider whose model reads a server's tool names. */
    names: z.optional(z.record(text, z.array(text))),
    /**
     * The beginning of every request to this model: the instructions and tools of its first request, as they were sent.
     * Present if tools can join the conversation later. `delivery` is absent if the first request deferred nothing,
     * `code` if no code run by the provider could call tools.
     */
    base: z.optional(
      z.object({
        /** A hash that identifies this beginning. Notes on tools that join or leave name it too. */
        id: text,
        system: text,
        tools: z.array(definition),
        /** The deferred tools that were found or called with another model, as they were sent. */
        found: z.optional(z.array(definition)),
        delivery: z.optional(text),
        code: flag,
      }),
    ),
  });

  const call = z.object({
    callId: text,
    /** The tool name that the model called. A tool of this name may not exist. */
    name: text,
    /** The model's input: an object, or another value if the model sent no valid JSON object. */
    input: z.optional(z.unknown()),
    /** The id of the provider's code that made the call; absent if the model itself made it. */
    caller: z.optional(text),
  });
  const opaque = z.object({
    wire: z.enum(['anthropic', 'openai']),
    /** The model that wrote the reply. Only that model can read the reply's signed parts. */
    model: z.optional(text),
    value: asItCame,
    id: z.optional(text),
    /** Claude's container that runs the code of this reply. */
    container: z.optional(text),
    /** The beginning after which the reply's thinking is valid; absent if it is valid after any beginning. */
    after: z.optional(
      z.object({
        /** The hash of everything before the reply, except thinking. */
        prefix: text,
        /** The number of replies directly before this one that still had their thinking. */
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
    /** A search's answer without the tools found, for wires that send these as references. `parts` has both. */
    remarks: z.optional(text),
    /** The id of a deferred tool that was called before a search found it. From then on it counts as discovered. */
    loaded: z.optional(text),
    /** Set if the call was cancelled before it began. */
    notRun: flag,
  });

  const user = z.object({
    kind: z.literal('user'),
    text,
    images: z.optional(z.array(image)),
    /** Set if this is a note of ours on tools that have come, not a question of the user. */
    note: flag,
    /** The tools that joined the conversation here. `declared` means that the request's list has the tool too. */
    joined: z.optional(z.array(z.extend(definition, { declared: flag }))),
    /** The names of the tools that left the conversation here, since they are gone or hidden. */
    left: z.optional(z.array(text)),
    /** The id of the conversation's beginning that these tools joined or left; see `base`. */
    base: z.optional(text),
    /** How a question without an answer ended. */
    unanswered: z.optional(z.enum(['failed', 'cancelled'])),
  });
  const assistant = z.object({
    kind: z.literal('assistant'),
    text,
    calls: z.array(call),
    /** The provider's own searches during this reply. */
    searches: z.optional(z.array(providerSearch)),
    opaque: z.optional(z.array(opaque)),
    /** Tokens of thinking that is valid only after this conversation. An estimate; absent if there is none. */
    boundThinking: z.optional(z.number()),
    conversationPlan: z.optional(plan),
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
type TranscriptSchemas = ReturnType<typeof schemas>;
type FromSchema<Name extends keyof TranscriptSchemas> = ReadonlyDeep<z.infer<TranscriptSchemas[Name]>>;

/** The lasting record of a search. */
export type SearchRecord = FromSchema<'search'>;
/** A search that a provider ran, under its id there. */
export type ProviderSearchRecord = FromSchema<'providerSearch'>;
export type ToolCall = FromSchema<'call'>;
/** How a call ended. `refused`: the user skipped it, or a limit prevented it. */
export type CallOutcome = FromSchema<'outcome'>;
/** A piece of a tool's result. `data` is base64. `omitted` replaces binary data that no model gets. */
export type ResultPart = FromSchema<'part'>;
export type ImagePart = FromSchema<'image'>;
export type ToolResult = FromSchema<'result'>;
/**
 * A whole reply in one wire's own form, with the parts that only this wire understands (thinking, encrypted content,
 * the provider's own searches). It is sent back to this wire only; others get the neutral part.
 */
export type OpaqueBlock = FromSchema<'opaque'>;
/** The wires that have opaque blocks. */
export type Wire = OpaqueBlock['wire'];
/**
 * The decisions of a conversation's first request. They apply to all later requests, so that the prefix stays the same.
 * They are stored with the reply to that request, and with later replies that changed them.
 */
export type ConversationPlan = FromSchema<'plan'>;
/** How a set of tools is loaded, with a short and a full reason. */
export type KeptDecision = FromSchema<'keptDecision'>;
/** A tool that joined in mid-conversation. */
export type JoinedTool = NonNullable<UserItem['joined']>[number];
/** A question of the user, or a note of ours. */
export type UserItem = FromSchema<'user'>;

/** Whether an item is a question of the user, not a note of ours. */
export function isQuestion(item: TranscriptItem): item is UserItem {
  return item.kind === 'user' && !item.note;
}

/** Returns the names of all tools that were called. */
export function calledNames(items: Transcript): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.kind === 'assistant' ? item.calls.map(({ name }) => name) : [])));
}

/** A model's output in one round. */
export type AssistantItem = FromSchema<'assistant'>;
/** One entry of the conversation. */
export type TranscriptItem = FromSchema<'item'>;
export type Transcript = readonly TranscriptItem[];

/** Reads a transcript from a file or from VS Code's storage. Returns undefined if the value isn't a transcript. */
export function readTranscript(value: unknown): Transcript | undefined {
  const read = schemas().transcript.safeParse(value);
  return read.success ? read.data : undefined;
}
