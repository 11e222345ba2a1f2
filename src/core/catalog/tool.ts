// Tools and the parts of a tool, as all of the product knows them.

/** A JSON value, as it crosses a wire. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema as a server sent it. It may be malformed: empty, huge or not even an object schema. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A server's hints about a tool's behaviour (MCP's `annotations`). They are not promises. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * A worked call of a tool, from the setting `toolsearch.examples`: searched like a description and shown to the model.
 */
export interface ToolExample {
  readonly args: { readonly [name: string]: Json };
  readonly description?: string;
  readonly tags?: readonly string[];
}

/**
 * How a tool is loaded in a conversation: in its requests from the start, in them since a search, or only to be found.
 */
export type Loading = 'eager' | 'discovered' | 'deferred';

/**
 * Like {@link Loading}, for any tool. `omitted`: neither in the request nor to be found, a tool of VS Code that no rule
 * offers.
 */
export type Standing = Loading | 'omitted';

/** One callable tool. Its {@link Tool.id} names it everywhere except in requests to a model. */
export interface Tool {
  /** `server/name`, unique in a catalog; see {@link toolId}. */
  readonly id: string;
  /** The server's name as the user knows it (the key in `mcp.json`); `vscode` for tools of no MCP server. */
  readonly server: string;
  /** The server's own name for the tool. Globs in settings match this. */
  readonly name: string;
  /**
   * The name for models: unique in a catalog, `^[A-Za-z0-9_-]{1,64}$`, the same in every session. See `modelNames.ts`.
   */
  readonly modelName: string;
  /** The name under which the tool's source runs it (for `vscode.lm` the name in `vscode.lm.tools`). */
  readonly invokeName: string;
  /** VS Code's name for a tool of its own in prompts and settings (`readFile`), without its group. */
  readonly referenceName?: string;
  readonly title?: string;
  /** May be empty: some servers send none. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /**
   * The schema of its structured results. VS Code doesn't pass on a server's, so only tools of our own client have one.
   */
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** Whether an MCP server or VS Code (or an extension) has it; see `toolsearch.scope`. */
  readonly origin: 'mcp' | 'vscode';
  /**
   * Whether the tool or its server asks to be in every request (`_meta["anthropic/alwaysLoad"]`, `alwaysLoad`) or to be
   * deferred (also `defer_loading: true`).
   */
  readonly alwaysLoad?: boolean;
  readonly examples?: readonly ToolExample[];
  /** The invisible characters that its definition had, as `U+200B`. They are removed from its prose. */
  readonly unseen?: string;
  /** Set if it isn't a tool of the server, but is found and called like one. */
  readonly item?: ServerItem;
}

/**
 * Something of a server that is read rather than run. `linked` reads the resources to which the server's results
 * linked, and has no address of its own.
 */
interface ServerItem {
  readonly kind: 'resource' | 'template' | 'prompt' | 'linked';
  /** A resource's URI, a template of such URIs, or a prompt's name. */
  readonly address: string;
}

/** A tool without its name for models, which depends on the whole list. */
export type UnnamedTool = Omit<Tool, 'modelName'>;

/** The server's name for the tool that reads the resources to which the server's results linked. */
export const READ_LINKED = 'read_linked_resource';

/** Whether it is a resource, a template of resources, or a prompt that a server lists. */
export function isListedItem({ item }: Pick<Tool, 'item'>): boolean {
  return item !== undefined && item.kind !== 'linked';
}

/** A tool in a request to a model. */
export interface ToolDefinition {
  /** The tool's {@link Tool.id}, by which searches in a transcript name it; the name itself for a tool of ours. */
  readonly id: string;
  /** The tool's server, for wires that group tools; empty for a tool of ours. */
  readonly server: string;
  /** The model name. */
  readonly name: string;
  /** Without the examples: see `descriptionWithExamples`. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /**
   * The schema of its structured results, for code that reads them. Never part of a definition that the model alone
   * calls.
   */
  readonly outputSchema?: JsonSchema;
  /** Worked calls, for wires that have a field for them. */
  readonly examples?: readonly ToolExample[];
  /** Set if code that the provider runs may call it: `code` alone, or the model too. */
  readonly callers?: 'code' | 'both';
}

/** The server name of tools in `vscode.lm.tools` that belong to no MCP server. */
export const VSCODE_SERVER = 'vscode';

/**
 * Builds a tool's id, `server/name`. Servers and tools may have slashes in their names, so one in a tool's name is
 * written as `%2F`: the last slash of an id always ends the server's name.
 */
export function toolId(server: string, name: string): string {
  return `${server}/${name.replace(/%(?=(?:25)*2F)/g, '%25').replaceAll('/', '%2F')}`;
}

/** Splits a tool's id; undefined if it has no slash. */
export function splitId(id: string): { readonly server: string; readonly name: string } | undefined {
  const slash = id.lastIndexOf('/');
  if (slash < 0) return undefined;
  const name = id.slice(slash + 1).replace(/%((?:25)*)2F/g, (_, more: string) => (more ? `%${more.slice(2)}2F` : '/'));
  return { server: id.slice(0, slash), name };
}

/**
 * Returns the id with the tool's name as its server writes it. Settings and pins from before ids were escaped have this
 * form.
 */
export function plainId(id: string): string {
  const { server, name } = splitId(id) ?? { server: '', name: '' };
  return id.includes('%') ? `${server}/${name}` : id;
}

/** Compares strings by code unit, so that an order never depends on the machine's locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
