/**
 * The conversation in a form that belongs to no provider. Only the schemas name its fields: types are inferred from
 * them, and {@link readTranscript} uses them to read what VS Code kept through a reload.
 */
import * as z from 'zod/mini';
import type { Json, JsonSchema, ToolExample } from '../catalog/tool';
import type { Immutable } from '../util/immutable';
import { isObject } from '../util/objects';
import { once } from '../util/once';

/** The schemas. A field that isn't named here is left out when a kept transcript is read. */
const schemas = once(() => {
  // `z.json()` would copy objects and drop names such as `__proto__`, but wire blocks are sent back as they came.
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

  /** The lasting record of a search. Discovery is read from it alone. */
  const searchRecord = {
    queries: z.array(text),
    strategy: text,
    /** The ids that the search returned, best first. */
    found: z.array(text),
    /**
     * The definitions with which tools entered the conversation here, for wires that refer to them. They stay as they
     * were sent.
     */
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
    grounds: z.object({ settings: text, pins: text, model: text, servers: text }),
    /** The outcome of mode `auto`; undefined if another rule decides. */
    auto: z.optional(keptDecision),
    /** Whether VS Code's core tools are too many for the model; undefined while there are none. */
    core: z.optional(keptDecision),
    /** The system prompt's text on the deferred tools, and the delivery that it was written for. */
    guidance: z.optional(z.object({ delivery: text, text })),
    /**
     * The number of deferred tools of each server that the model knows about, from the guidance or from later notes.
     */
    told: z.record(text, count),
    /** The names of the tools of servers with deferred ones, for a provider whose model reads a server's tool names. */
    names: z.optional(z.record(text, z.array(text))),
    /**
     * The beginning of every request to this model, if tools can join the conversation later: the instructions and the
     * tools of its first request, as they were sent. `delivery` is absent if nothing was deferred then, `code` if no
     * code run by the provider could call tools.
     */
    base: z.optional(
      z.object({
        /** A hash that the notes on tools that join or leave name too. Absent if an older version began the chat. */
        id: z.optional(text),
        system: text,
        tools: z.array(definition),
        /** The deferred tools that were found or called under another model, as they were sent. */
        found: z.optional(z.array(definition)),
        delivery: z.optional(text),
        code: flag,
      }),
    ),
  });

  const call = z.object({
    callId: text,
    /** The tool name that the model called. There may be no such tool. */
    name: text,
    /** The model's input: an object, or anything else if it was no valid JSON object. */
    input: z.optional(z.unknown()),
    /** The id of the provider's code that made the call; absent if the model made it. */
    caller: z.optional(text),
  });
  const opaque = z.object({
    wire: z.enum(['anthropic', 'openai']),
    /** The model that wrote it. Only that model can read its signed parts. */
    model: z.optional(text),
    value: asItCame,
    /** The service's id of the reply. */
    id: z.optional(text),
    /** Claude's container in which code of this reply runs. */
    container: z.optional(text),
    /** The request after which the reply's thinking is valid. Absent if the model's thinking is valid anywhere. */
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
    /**
     * The text of a search's answer without the tools found. A wire that sends found tools as references uses it;
     * `parts` has the text and the tools.
     */
    remarks: z.optional(text),
    /**
     * The id of a deferred tool that was called without having been discovered. It counts as discovered from here on.
     */
    loaded: z.optional(text),
    /** Set if the call was cancelled before it began. */
    notRun: flag,
  });

  const user = z.object({
    kind: z.literal('user'),
    text,
    images: z.optional(z.array(image)),
    /** Set if we wrote it, not the user: a note on the tools that have come. */
    note: flag,
    /** The tools that joined the conversation here. `declared`: also in the request's list of tools. */
    joined: z.optional(z.array(z.extend(definition, { declared: flag }))),
    /** The names of the tools that left the conversation here, since they are gone or hidden. */
    left: z.optional(z.array(text)),
    /** The id of the beginning that they joined or left. */
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

/** The lasting record of a search. */
export type SearchRecord = Read<'search'>;
/** A search that a provider ran, under its id there. */
export type ProviderSearchRecord = Read<'providerSearch'>;
/** A tool call that a model made. */
export type ToolCall = Read<'call'>;
/** How a call ended. `refused`: the user chose Skip, or a limit prevented it. */
export type CallOutcome = Read<'outcome'>;
/** A piece of a tool's result. `data` is base64. `omitted` replaces binary data that is shown to no model. */
export type ResultPart = Read<'part'>;
export type ImagePart = Read<'image'>;
export type ToolResult = Read<'result'>;
/**
 * A whole reply in one wire's own form, with parts that only that wire understands (thinking, encrypted content, its
 * own searches). It is sent back to that wire alone; any other gets the neutral part.
 */
export type OpaqueBlock = Read<'opaque'>;
/** The wires that have blocks of their own. */
export type Wire = OpaqueBlock['wire'];
/**
 * The decisions of a conversation's first request that hold for all later ones, so that their prefix stays the same.
 * They are kept with the reply to that request, and with later replies that changed them.
 */
export type ConversationPlan = Read<'plan'>;
/** How a set of tools is loaded, with the reason in short and in full. */
export type KeptDecision = Read<'keptDecision'>;
/** A tool that joined in mid-conversation. */
export type JoinedTool = NonNullable<UserItem['joined']>[number];
/** A question of the user, or a note of ours. */
export type UserItem = Read<'user'>;
/** A model's output in one round. */
export type AssistantItem = Read<'assistant'>;
/** One entry of the conversation. */
export type TranscriptItem = Read<'item'>;
export type Transcript = readonly TranscriptItem[];

/** Reads a transcript from a file or from VS Code's storage. Returns undefined if it isn't one. */
export function readTranscript(value: unknown): Transcript | undefined {
  const read = schemas().transcript.safeParse(value);
  return read.success ? read.data : undefined;
}
