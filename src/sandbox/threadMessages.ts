import * as z from 'zod/mini';
import type { ScriptAnswer, ScriptLimits, ScriptRequest } from '../core/code/sandboxPort';
import { once } from '../core/util/once';

/**
 * All that crosses between the host and a script's thread: texts. What comes out of the thread is checked: behind it
 * stands an engine that a script may have broken.
 */

/** Characters of one message out of the thread, and of one into it. */
const MAX_OUT = 2_000_000;
export const MAX_IN = 8_000_000;
/** Characters of a name or an id. */
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
    z.object({ op: z.literal('get'), id, id_: name }),
    z.object({ op: z.literal('list'), id }),
    z.object({ op: z.literal('show'), id, id_: name }),
    z.object({ op: z.literal('sleep'), id, ms: z.number() }),
  ]);

  const place = z.object({ line: z.int(), column: z.int() });
  const unawaited = z.array(text);

  const message = z.discriminatedUnion('type', [
    /** The engine stands; from here on the script's time is watched. */
    z.object({ type: z.literal('ready') }),
    /** So many messages were worked through. */
    z.object({ type: z.literal('idle'), seen: z.int(), computeMs: z.number() }),
    z.object({ type: z.literal('ask'), ask: text }),
    z.object({ type: z.literal('log'), text }),
    z.object({
      type: z.literal('returned'),
      value: z.union([z.object({ type: z.enum(['text', 'json']), text }), z.object({ type: z.literal('nothing') })]),
      unawaited,
      computeMs: z.number(),
    }),
    z.object({
      type: z.literal('threw'),
      name: text,
      message: text,
      place: z.optional(place),
      tool: z.optional(text),
      unawaited,
      computeMs: z.number(),
    }),
    z.object({
      type: z.literal('stopped'),
      reason: z.enum(['time', 'memory', 'calls', 'requests', 'stuck', 'lost']),
      why: z.optional(text),
      unawaited,
      computeMs: z.number(),
    }),
  ]);
  return { request, message };
});

export type FromThread = z.infer<ReturnType<typeof schemas>['message']>;

/** A message of the thread's; undefined where it isn't one. */
export function readMessage(data: unknown): FromThread | undefined {
  return checked(schemas().message, data);
}

/** What the script asks, with the number that its answer carries; undefined where it isn't a request. */
export function readRequest(json: string): { readonly id: number; readonly request: ScriptRequest } | undefined {
  const parsed = checked(schemas().request, json);
  if (!parsed) return undefined;
  const { id: number, ...rest } = parsed;
  const request = 'id_' in rest ? { op: rest.op, id: rest.id_ } : rest;
  return { id: number, request: request as ScriptRequest };
}

function checked<T>(schema: z.ZodMiniType<T>, data: unknown): T | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const parsed = schema.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
