/** Requests of the webview: their schemas, the types inferred from these, and the parser that the host uses. */
import * as z from 'zod/mini';
import { PIN_VALUES } from '../../core/settings/pins';

/** The maximum length of a query, in characters. The time of a search grows with the length of its query. */
const MAX_TYPED = 2_000;

const text = z.string();

/** Commands of VS Code by name. The host decides what each one does. */
const hostCommand = z.enum([
  'selectStrategy',
  'selectDelivery',
  'selectMode',
  'selectSet',
  'hideTools',
  'exportSession',
  'openSettings',
  'showLog',
  'openMcpJson',
  'addServer',
  'startServers',
  'compareChanged',
  'acceptChanged',
  'manageTrust',
]);
export type HostCommand = z.infer<typeof hostCommand>;

/** The commands that can be limited to a server, and those of them that can be limited to a tool. */
const FOR_SERVER: ReadonlySet<HostCommand> = new Set(['startServers', 'compareChanged', 'acceptChanged']);
const FOR_TOOL: ReadonlySet<HostCommand> = new Set(['compareChanged', 'acceptChanged']);

/** Runs a command. `server` is a server's name, `tool` a tool's id. */
const run = z
  .object({ type: z.literal('run'), command: hostCommand, server: z.optional(text), tool: z.optional(text) })
  .check(
    z.refine(({ command, server, tool }) =>
      tool === undefined
        ? server === undefined || FOR_SERVER.has(command)
        : server !== undefined && FOR_TOOL.has(command),
    ),
  );

/** The target of a pin. `id` is empty for all tools. */
const pinTarget = z.object({ kind: z.enum(['tool', 'server', 'all']), id: text });
export type AnyPinTarget = z.infer<typeof pinTarget>;

/** A question of the playground: which tools a query finds, or which queries find a tool. */
const playQuestion = z
  .object({
    mode: z.enum(['query', 'tool']),
    /** The query. In mode `tool`, it is tried besides the tool's own words, and it may be empty. */
    query: text.check(z.maxLength(MAX_TYPED)),
    /** The id of the tool; required in mode `tool`. */
    tool: z.optional(text),
    /** The tools to search: all, or those that a model would have to search for. */
    scope: z.enum(['all', 'deferred']),
  })
  .check(z.refine(({ mode, tool }) => mode === 'query' || tool !== undefined));
export type PlayQuestion = Readonly<z.infer<typeof playQuestion>>;

/** `id` is the id of a suggestion: for `undo`, of an applied one. `restore` brings back all dismissed suggestions. */
const suggest = z.object({
  type: z.literal('suggest'),
  act: z.enum(['apply', 'dismiss', 'undo', 'restore']),
  id: text,
});
export type SuggestRequest = z.infer<typeof suggest>;

const toHost = z.discriminatedUnion('type', [
  /** The page has loaded and can receive messages. */
  z.object({ type: z.literal('ready') }),
  run,
  z
    .object({ type: z.literal('pin'), target: pinTarget, pin: z.enum(PIN_VALUES) })
    // All tools can't be hidden at once, since `toolsearch.mode` has no such value.
    .check(z.refine(({ target, pin }) => target.kind !== 'all' || pin !== 'off')),
  z.object({ type: z.literal('getTool'), id: text }),
  /**
   * Requests a round's request and reply: to show them in the page, or with `whole` to open everything in an editor.
   */
  z.object({ type: z.literal('getExchange'), turn: z.int(), round: z.int(), whole: z.optional(z.boolean()) }),
  /** Runs a tool with these arguments after VS Code's confirmation. A call that is still running is cancelled. */
  z.object({ type: z.literal('tryTool'), id: text, input: z.record(text, z.unknown()) }),
  /** Requests the events of a turn, now and after each change. null means the newest turn at any time. */
  z.object({ type: z.literal('watch'), turn: z.nullable(z.int()) }),
  z.object({ type: z.literal('copy'), text }),
  z.object({ type: z.literal('play'), question: playQuestion }),
  suggest,
]);
export type ToHost = z.infer<typeof toHost>;

/** A request with its number, which the answers repeat. Each request of a page increases the number by one. */
const request = z.object({ request: z.number(), message: toHost });
export type Request = z.infer<typeof request>;

/** Returns the request in a message of the webview; undefined if it isn't valid. */
export function parseRequest(sent: unknown): Request | undefined {
  return request.safeParse(sent).data;
}
