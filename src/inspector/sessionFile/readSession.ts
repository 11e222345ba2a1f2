// Reads and checks the file of an exported session.

import * as z from 'zod/mini';
import { boundSchema } from '../../core/catalog/bounds';
import { createCatalog } from '../../core/catalog/catalog';
import type { Tool } from '../../core/catalog/tool';
import { ledgerEventSchema } from '../../core/ledger/events';
import type { LedgerEvent } from '../../core/ledger/ledger';
import { LOADING_RULES } from '../../core/planning/ruleNumbers';
import { DEFAULT_SETTINGS } from '../../core/settings/settings';
import { isObject, isTooDeep, jsonText } from '../../core/util/objects';
import { type ExportedSession, type FileHead, type FileTool, FORMAT, type SessionFile, VERSION } from './format';
import { JsonError, type JsonPiece, jsonPieces } from './jsonPieces';

/** The reason why a file can't be shown. The host turns it into a message. */
export type FileProblem =
  /** The file isn't UTF-8. */
  | { readonly kind: 'notText' }
  /** The file isn't a single, complete JSON object. */
  | { readonly kind: 'notJson'; readonly line: number; readonly message: string }
  /** The file is JSON, but not an exported session. */
  | { readonly kind: 'notOurs' }
  | { readonly kind: 'version'; readonly version: string; readonly newer: boolean }
  /** The file was edited or cut. `where` is a path in its JSON. */
  | { readonly kind: 'wrong'; readonly where: string; readonly message: string };

type SessionReading =
  | { readonly ok: true; readonly file: SessionFile }
  | { readonly ok: false; readonly problem: FileProblem };

const text = z.string();
const tokens = z.object({ value: z.number(), certainty: z.enum(['measured', 'estimated']) });
const pins = z.record(text, z.enum(['eager', 'deferred']));
const hint = z.optional(z.boolean());
const object = z.custom<{ readonly [key: string]: unknown }>(isObject, 'must be an object');

/** Files from version 0.1.0 don't contain these fields. */
const { maxResults, maxResultsLimit } = DEFAULT_SETTINGS;

const headSchema = z.object({
  exportedAt: z.string().check(z.refine((date) => !Number.isNaN(Date.parse(date)), 'must be a date')),
  product: z.object({ name: text, version: text }),
  contents: z.boolean(),
  mode: z.enum(['auto', 'on', 'off']),
  maxResults: z._default(z.int().check(z.positive()), maxResults),
  maxResultsLimit: z._default(z.int().check(z.positive()), maxResultsLimit),
  strategy: z.object({ name: text, why: text }),
  delivery: z.object({ name: text, why: text, degraded: z.optional(text) }),
  pins: z.object({ tools: pins, servers: pins }),
});

const listSchemas = {
  servers: z.object({
    name: text,
    state: z.enum(['running', 'starting', 'stopped', 'failed', 'untrusted']),
    detail: z.optional(text),
    cached: z.optional(z.boolean()),
    problems: z.array(text),
  }),
  tools: z.object({
    id: text,
    server: text,
    name: text,
    modelName: text,
    title: z.optional(text),
    description: text,
    inputSchema: object,
    annotations: z.optional(
      z.object({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint }),
    ),
    origin: z.enum(['mcp', 'vscode']),
    examples: z.optional(
      z.array(z.object({ args: object, description: z.optional(text), tags: z.optional(z.array(text)) })),
    ),
    tokens,
    loading: z.enum(['eager', 'discovered', 'deferred', 'omitted']),
    reason: text,
    reasonLong: text,
    rule: z.optional(z.enum(LOADING_RULES)),
  }),
  events: ledgerEventSchema(),
};
type SessionListName = keyof typeof listSchemas;

/**
 * Reads a session file in steps, so that the caller can yield to the event loop. The yielded values have no meaning.
 * Never throws.
 */
export function* readSession(document: string): Generator<undefined, SessionReading> {
  const head: { [field: string]: unknown } = {};
  const lists: { [name in SessionListName]: unknown[] } = { servers: [], tools: [], events: [] };
  try {
    for (const piece of jsonPieces(document)) {
      const problem = isListName(piece.field) ? readElement(piece, lists) : readField(piece, head);
      if (problem) return { ok: false, problem };
      yield undefined;
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { ok: false, problem: { kind: 'notJson', line: error.line, message: error.message } };
  }
  if (head.format !== FORMAT) return { ok: false, problem: { kind: 'notOurs' } };
  const parsed = headSchema.safeParse(head);
  if (!parsed.success) return { ok: false, problem: wrong('', parsed.error) };
  const file = { format: FORMAT, version: VERSION, ...parsed.data, ...lists } as unknown as SessionFile;
  yield undefined;
  const problem = inconsistency(file);
  return problem ? { ok: false, problem } : { ok: true, file };
}

/** `format` and `version` come first, so a file of another kind or of a later version isn't read further. */
function readField({ field, index, value }: JsonPiece, head: { [field: string]: unknown }): FileProblem | undefined {
  if (index !== undefined) return undefined;
  head[field] = value;
  if (field === 'format' && value !== FORMAT) return { kind: 'notOurs' };
  if (field !== 'version' || value === VERSION) return undefined;
  const version = typeof value === 'string' ? value : jsonText(value);
  return { kind: 'version', version, newer: Number(version) > VERSION };
}

function readElement(
  { field, index, value }: JsonPiece,
  lists: { readonly [name in SessionListName]: unknown[] },
): FileProblem | undefined {
  const name = field as SessionListName;
  if (index === undefined) return { kind: 'wrong', where: name, message: 'must be a list' };
  const parsed = listSchemas[name].safeParse(value);
  if (!parsed.success) return wrong(`${name}[${index}]`, parsed.error);
  lists[name].push(parsed.data);
  return undefined;
}

function isListName(field: string): field is SessionListName {
  return Object.hasOwn(listSchemas, field);
}

function wrong(prefix: string, error: z.core.$ZodError): FileProblem {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).reduce<string>(
    (where, part) =>
      typeof part === 'number' ? `${where}[${part}]` : where === '' ? String(part) : `${where}.${String(part)}`,
    prefix,
  );
  return { kind: 'wrong', where: path, message: issue ? wordsOf(issue) : error.message };
}

function wordsOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return 'must be the name of a kind of event';
    case 'custom':
      return issue.message;
    default:
      return 'isn’t valid';
  }
}

/** Returns a problem that the schema doesn't detect: a repeated name, or events in the wrong order. */
function inconsistency(file: SessionFile): FileProblem | undefined {
  return (
    twice(
      'tools',
      file.tools.map((tool) => tool.id),
    ) ??
    twice(
      'servers',
      file.servers.map((server) => server.name),
    ) ??
    outOfOrder(file.events)
  );
}

function twice(list: string, names: readonly string[]): FileProblem | undefined {
  const seen = new Set<string>();
  const index = names.findIndex((name) => seen.size === seen.add(name).size);
  return index < 0
    ? undefined
    : { kind: 'wrong', where: `${list}[${index}]`, message: `“${names[index]}” is there twice` };
}

function outOfOrder(events: readonly LedgerEvent[]): FileProblem | undefined {
  const index = events.findIndex((event, at) => at > 0 && event.seq <= (events[at - 1]?.seq ?? 0));
  return index < 0
    ? undefined
    : { kind: 'wrong', where: `events[${index}].seq`, message: 'must be higher than the one before' };
}

/** Creates the session from a file, in steps. */
export function* sessionOf(file: SessionFile): Generator<undefined, ExportedSession> {
  const own = new Map<string, FileTool>();
  const tools: Tool[] = [];
  for (const tool of file.tools) {
    own.set(tool.id, tool);
    tools.push(toTool(tool));
    yield undefined;
  }
  const catalog = createCatalog(1, tools, file.servers);
  return {
    events: file.events,
    catalog,
    loading: own,
    tokensOf: (tool) => own.get(tool.id)?.tokens ?? { value: 0, certainty: 'measured' },
    pins: file.pins,
    mode: file.mode,
    maxResults: file.maxResults,
    maxResultsLimit: file.maxResultsLimit,
    strategy: file.strategy,
    delivery: file.delivery,
  };
}

function toTool({ tokens: _, loading: __, reason: ___, reasonLong: ____, rule: _____, ...tool }: FileTool): Tool {
  // Nothing in a file is ever run. Its schemas are untrusted and get the same limits as those of servers.
  return {
    ...tool,
    inputSchema: boundSchema(tool.inputSchema).schema,
    ...(tool.examples ? { examples: tool.examples.filter((example) => !isTooDeep(example)) } : {}),
    invokeName: '',
  };
}

/** The data about the export itself. */
export type Origin = Pick<FileHead, 'exportedAt' | 'product' | 'contents'>;
