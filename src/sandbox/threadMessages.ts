// The messages between the host and a script's thread, all of them text. Messages from the thread are checked, since a
// script may have taken control of its engine.

import * as z from 'zod/mini';
import type { ScriptAnswer, ScriptLimits, ScriptRequest } from '../core/code/sandboxPort';
import { parseJson } from '../core/util/objects';
import { once } from '../core/util/once';

/** The maximum lengths of a message from the thread and of a message to it, in characters. */
const MAX_OUT = 2_000_000;
export const MAX_IN = 8_000_000;
/** The maximum length of a name or id, in characters. */
const MAX_NAME = 128;

export type ToThread =
  | { readonly type: 'start'; readonly code: string; readonly limits: ScriptLimits }
  | { readonly type: 'answer'; readonly id: number; readonly answer: ScriptAnswer };

const schemas = once(() => {
  const name = z.string().check(z.maxLength(MAX_NAME));
  const text = z.string().check(z.maxLength(MAX_OUT));
  const id = z.int();

  const request = z.discriminatedUnion('op', [
    z.object({
      op: z.literal('call'),
      id,
      name,
      form: z.enum(['value', 'text', 'parts']),
      args: z.optional(z.unknown()),
    }),
    z.object({ op: z.literal('search'), id, query: text, limit: z.optional(z.number()), server: z.optional(name) }),
    z.object({ op: z.literal('describe'), id, name }),
    z.object({ op: z.literal('get'), id, result: name }),
    z.object({ op: z.literal('list'), id }),
    z.object({ op: z.literal('show'), id, result: name }),
    z.object({ op: z.literal('sleep'), id, ms: z.number() }),
  ]);

  const place = z.object({ line: z.int(), column: z.int() });
  const end = { unawaited: z.array(text), computeMs: z.number() };
  const counts = z.record(text, z.int());
  const faults = z.optional(z.object({ unheard: counts, open: counts, missing: counts }));

  const message = z.discriminatedUnion('type', [
    /** The engine has started. The script's time limit begins. */
    z.object({ type: z.literal('ready') }),
    /** `seen` is the number of messages that the thread has processed. */
    z.object({ type: z.literal('idle'), seen: z.int(), computeMs: z.number() }),
    z.object({ type: z.literal('ask'), ask: text }),
    z.object({ type: z.literal('log'), text }),
    z.object({
      type: z.literal('returned'),
      value: z.union([z.object({ type: z.enum(['text', 'json']), text }), z.object({ type: z.literal('nothing') })]),
      faults,
      ...end,
    }),
    z.object({
      type: z.literal('threw'),
      name: text,
      message: text,
      place: z.optional(place),
      tool: z.optional(text),
      faults,
      ...end,
    }),
    z.object({
      type: z.literal('stopped'),
      reason: z.enum(['time', 'memory', 'calls', 'requests', 'stuck', 'lost']),
      why: z.optional(text),
      ...end,
    }),
  ]);
  return { request, message };
});

export type FromThread = z.infer<ReturnType<typeof schemas>['message']>;

/** Reads a message from the thread; undefined if it is invalid. */
export function readMessage(data: unknown): FromThread | undefined {
  return checked(schemas().message, data);
}

/** Reads a request of the script and the number for its answer; undefined if the request is invalid. */
export function readRequest(json: string): { readonly id: number; readonly request: ScriptRequest } | undefined {
  const parsed = checked(schemas().request, json);
  if (!parsed) return undefined;
  const { id, ...request } = parsed;
  return { id, request: request as ScriptRequest };
}

function checked<T>(schema: z.ZodMiniType<T>, data: unknown): T | undefined {
  return typeof data === 'string' ? schema.safeParse(parseJson(data)).data : undefined;
}
