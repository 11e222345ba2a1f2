import { isObject } from '../util/objects';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema as a server sent it. It may be malformed: empty, huge, or not an object schema. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Returns the properties of an object's schema; none if it is malformed. */
export function propertiesOf(schema: unknown): { readonly [name: string]: unknown } {
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {};
}

/** Returns the names of the properties that an object has to have; none if its schema is malformed. */
export function requiredOf(schema: unknown): ReadonlySet<string> {
  const names: readonly unknown[] = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** A server's hints about a tool's behaviour (MCP's `annotations`). They are not promises. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * Whether a tool changes something, as its server declares; undefined if it doesn't say. Of a tool that only reads, other
 * hints mean nothing (MCP). VS Code doesn't pass hints on.
 */
export function declaredChange({ annotations }: Pick<Tool, 'annotations'>): boolean | undefined {
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  return readOnlyHint === undefined ? destructiveHint || undefined : !readOnlyHint;
}

/** An example call of a tool, from `toolsearch.examples`. It is searched like a description and shown to the model. */
export interface ToolExample {
  readonly args: { readonly [name: string]: Json };
  readonly description?: string;
  readonly tags?: readonly string[];
}

/**
 * How a tool is loaded in a conversation. `eager`: its definition is in the requests from the start. `discovered`: it
 * is in the requests since a search found it. `deferred`: only a search can find it.
 */
export type Loading = 'eager' | 'discovered' | 'deferred';

/**
 * How any tool is loaded. `omitted`: neither in the request nor found by a search. It is a hidden tool, a tool of VS Code
 * outside the scope, or, in mode `off`, one that only a search could find: a resource, a prompt or a tool of VS Code.
 */
export type Standing = Loading | 'omitted';

/** One tool that can be called. {@link Tool.id} identifies it everywhere except in requests to a model. */
export interface Tool {
  /** `server/name`, unique in a catalog; see {@link toolId}. */
  readonly id: string;
  /** The server's name as the user knows it (the key in `mcp.json`). It is `vscode` for tools without an MCP server. */
  readonly server: string;
  /** The server's own name for the tool. Globs in settings match this name. */
  readonly name: string;
  /** The name for models: unique in a catalog, `^[A-Za-z0-9_-]{1,64}$`, always the same. See `modelNames.ts`. */
  readonly modelName: string;
  /** The name under which the tool is run (for `vscode.lm`, the name in `vscode.lm.tools`). */
  readonly invokeName: string;
  /** The name of VS Code's own tool in prompts and settings (`readFile`), without its group. */
  readonly referenceName?: string;
  readonly title?: string;
  /** The description. May be empty, since some servers send none. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The schema of the tool's structured results. VS Code doesn't pass it on, so only tools of our client have one. */
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** Whether the tool belongs to an MCP server, or to VS Code or an extension; see `toolsearch.scope`. */
  readonly origin: 'mcp' | 'vscode';
  /**
   * Whether the tool or its server asks for it to be in every request (`_meta["anthropic/alwaysLoad"]`, `alwaysLoad`)
   * or to be deferred (also `defer_loading: true`).
   */
  readonly alwaysLoad?: boolean;
  readonly examples?: readonly ToolExample[];
  /** The invisible characters that were removed from the definition's texts, as `U+200B`. */
  readonly unseen?: string;
  /** Set for a resource, a template or a prompt. These are found and called like tools. */
  readonly item?: ServerItem;
}

/**
 * A resource, a template of resources or a prompt of a server. `linked` is the item that reads the resources linked in
 * the server's results, and has no address of its own.
 */
interface ServerItem {
  readonly kind: 'resource' | 'template' | 'prompt' | 'linked';
  /** A resource's URI, a template of such URIs, or a prompt's name. */
  readonly address: string;
}

/** A tool without its name for models. That name depends on all tools. */
export type UnnamedTool = Omit<Tool, 'modelName'>;

/** The name of the tool that reads the resources linked in a server's results. */
export const READ_LINKED = 'read_linked_resource';

/** Whether a tool is a resource, a template of resources or a prompt that a server lists. */
export function isListedItem({ item }: Pick<Tool, 'item'>): boolean {
  return item !== undefined && item.kind !== 'linked';
}

/** A tool in a request to a model. */
export interface ToolDefinition {
  /** The tool's {@link Tool.id}, which identifies it in the transcript's searches. For a tool of ours, its name. */
  readonly id: string;
  /** The tool's server, for wires that group tools. Empty for a tool of ours. */
  readonly server: string;
  /** The tool's name for models. */
  readonly name: string;
  /** The description without examples: see `descriptionWithExamples`. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The schema of the tool's structured results, for code that reads them. Not sent if only the model calls it. */
  readonly outputSchema?: JsonSchema;
  /** Example calls, for wires that have a field for them. */
  readonly examples?: readonly ToolExample[];
  /** Set if code that the provider runs may call the tool. `code`: only that code may; `both`: the model may too. */
  readonly callers?: 'code' | 'both';
}

/** The server name of tools in `vscode.lm.tools` that don't belong to an MCP server. */
export const VSCODE_SERVER = 'vscode';

/** Returns a tool's id, `server/name`. A slash in its name becomes `%2F`, so the last slash ends the server's name. */
export function toolId(server: string, name: string): string {
  return `${server}/${name.replace(/%(?=(?:25)*2F)/g, '%25').replaceAll('/', '%2F')}`;
}

/** Splits a tool's id into server and name; undefined if it has no slash. */
export function splitId(id: string): { readonly server: string; readonly name: string } | undefined {
  const slash = id.lastIndexOf('/');
  if (slash < 0) return undefined;
  const name = id.slice(slash + 1).replace(/%((?:25)*)2F/g, (_, more: string) => (more ? `%${more.slice(2)}2F` : '/'));
  return { server: id.slice(0, slash), name };
}

/** Returns the id with the tool's name as its server writes it, with slashes. People write it so in settings. */
export function plainId(id: string): string {
  const { server, name } = splitId(id) ?? { server: '', name: '' };
  return id.includes('%') ? `${server}/${name}` : id;
}

/** Compares texts by code unit, so that their order doesn't depend on the machine's locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
