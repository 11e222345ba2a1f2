/** Requests of the webview: their schemas, the types inferred from these, and the parser that the host uses. */
import * as z from 'zod/mini';
import { PIN_VALUES } from '../../core/settings/pins';
import { isObject } from '../../core/util/objects';
import { EXPORT_FORMATS, MAX_DROPPED } from './export';
import { MAX_SCRIPT_CODE } from './script';

/** Longest query in characters. Nobody types more, and a search takes time in proportion. */
const MAX_QUERY = 2_000;

const text = z.string();

/** Commands of VS Code by name; the host decides what each does. */
const hostCommand = z.enum([
  'selectStrategy',
  'selectDelivery',
  'selectMode',
  'findTools',
  'hideTools',
  'writeSearchWords',
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

/** Commands that accept a server, and of these the ones that accept a tool of the server. */
const FOR_SERVER: ReadonlySet<HostCommand> = new Set(['startServers', 'compareChanged', 'acceptChanged']);
const FOR_TOOL: ReadonlySet<HostCommand> = new Set(['compareChanged', 'acceptChanged']);

/** `server` limits the command to a server, by its name; `tool` to a tool of that server, by its id. */
const run = z
  .object({ type: z.literal('run'), command: hostCommand, server: z.optional(text), tool: z.optional(text) })
  .check(
    z.refine(({ command, server, tool }) =>
      tool === undefined
        ? server === undefined || FOR_SERVER.has(command)
        : server !== undefined && FOR_TOOL.has(command),
    ),
  );

/** The target of a pin; `id` is empty for all tools. */
const pinTarget = z.object({ kind: z.enum(['tool', 'server', 'all']), id: text });
export type AnyPinTarget = z.infer<typeof pinTarget>;

/** A question of the playground: which tools a query finds, or which queries find a tool. */
const playQuestion = z
  .object({
    mode: z.enum(['query', 'tool']),
    /** In mode `tool` one more query to try; it may be empty. */
    query: text.check(z.maxLength(MAX_QUERY)),
    /** Id of the wanted tool; required in mode `tool`. */
    tool: z.optional(text),
    /** The searched tools: all, or those that a model would have to search for. */
    scope: z.enum(['all', 'deferred']),
  })
  .check(z.refine(({ mode, tool }) => mode === 'query' || tool !== undefined));
export type PlayQuestion = Readonly<z.infer<typeof playQuestion>>;

/**
 * `apply` and `dismiss` take the id of a suggestion, `undo` that of a done one; `restore` brings back all dismissed
 * ones.
 */
const suggest = z.object({
  type: z.literal('suggest'),
  act: z.enum(['apply', 'dismiss', 'undo', 'restore']),
  id: text,
});
export type SuggestRequest = z.infer<typeof suggest>;

/** The most tools that a replay makes eager together. */
const MAX_EAGER = 50;

/** Asks for the table of replays, of all turns or of the last. `eager`: ids of tools; absent for the most called ones. */
const whatIfRequest = z.object({
  type: z.literal('whatIf'),
  all: z.boolean(),
  eager: z.optional(z.array(text).check(z.maxLength(MAX_EAGER))),
});
export type WhatIfRequest = z.infer<typeof whatIfRequest>;

const files = [
  /** Asks for a place, and writes the session. `contents`: also prompts, queries, arguments, results and messages. */
  z.object({ type: z.literal('export'), format: z.enum(EXPORT_FORMATS), contents: z.boolean() }),
  /** Asks for a file, and opens it. */
  z.object({ type: z.literal('openExport') }),
  /** Opens a dropped file. */
  z.object({ type: z.literal('openText'), name: text, text: text.check(z.maxLength(MAX_DROPPED)) }),
] as const;
const fileRequest = z.discriminatedUnion('type', files);
export type FileRequest = z.infer<typeof fileRequest>;

const toHost = z.discriminatedUnion('type', [
  /** The page has loaded and can receive. */
  z.object({ type: z.literal('ready') }),
  run,
  z
    .object({ type: z.literal('pin'), target: pinTarget, pin: z.enum(PIN_VALUES) })
    // The mode hides nothing.
    .check(z.refine(({ target, pin }) => target.kind !== 'all' || pin !== 'off')),
  z.object({ type: z.literal('getTool'), id: text }),
  /** Asks for the request and reply of a round, to show them or, with `whole`, to open all of it in an editor. */
  z.object({ type: z.literal('getExchange'), turn: z.int(), round: z.int(), whole: z.optional(z.boolean()) }),
  /** Runs a tool with these arguments, after VS Code's confirmation. A call that still runs is ended. */
  z.object({ type: z.literal('tryTool'), id: text, input: z.record(text, z.unknown()) }),
  /** Asks for the events of a turn, now and after each change; null follows the newest turn. */
  z.object({ type: z.literal('watch'), turn: z.nullable(z.int()) }),
  z.object({ type: z.literal('copy'), text }),
  z.object({ type: z.literal('play'), question: playQuestion }),
  /** Runs a script over the live catalog as a turn of its own, and ends the script that still runs. */
  z.object({ type: z.literal('runScript'), code: text.check(z.maxLength(MAX_SCRIPT_CODE)) }),
  z.object({ type: z.literal('stopScript') }),
  whatIfRequest,
  z.object({ type: z.literal('stopWhatIf') }),
  suggest,
  ...files,
]);
export type ToHost = z.infer<typeof toHost>;

/** A request under a number that its answers repeat; the number grows by one with each request of a page. */
const request = z.object({ request: z.number(), message: toHost });
export type Request = z.infer<typeof request>;

/** A request as the webview sent it; undefined if it isn't a known one. */
export function parseRequest(sent: unknown): Request | undefined {
  return request.safeParse(sent).data;
}

/**
 * The file that an exported session's page showed before a reload. The page keeps it beside its own state. `uri` is
 * absent for a dropped file, because VS Code doesn't report its place.
 */
const keptExport = z.object({ file: text, uri: z.optional(text) });
export type KeptExport = z.infer<typeof keptExport>;

export function parseKeptExport(state: unknown): KeptExport | undefined {
  return isObject(state) ? keptExport.safeParse(state.exported).data : undefined;
}
