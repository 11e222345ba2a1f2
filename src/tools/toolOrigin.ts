// Finds the server of a listed tool, and the tool's name on that server.

import { ENDPOINT_NAME } from '../core/agents/endpointPort';
import { RESERVED_NAMES } from '../core/catalog/modelNames';
import { type Tool, type ToolExample, VSCODE_SERVER } from '../core/catalog/tool';

/** A tool in the list of VS Code or of our own client. */
export interface ListedTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: object | undefined;
  readonly tags: readonly string[];
  /** `<server>/<tool>`. It exists at run time, but VS Code's typings don't have it. */
  readonly fullReferenceName?: string;
  /** Whether the tool asks to be in every request (true) or to be deferred (false); undefined if neither is known. */
  readonly alwaysLoad?: boolean;
  /** Example calls of the tool, if its source provides them. Examples in the schema are read separately. */
  readonly examples?: readonly ToolExample[];
  /** Fields that only our own client provides, including the tool's server and its name there. */
  readonly own?: Pick<Tool, 'server' | 'name' | 'title' | 'annotations' | 'outputSchema'>;
}

interface ToolOrigin {
  readonly server: string;
  /** The server's own name for the tool. VS Code replaces dots in it with underscores. */
  readonly name: string;
  readonly origin: 'mcp' | 'vscode';
  /** The name after `#`, without its group. Only for a tool that belongs to no server. */
  readonly referenceName?: string;
}

/**
 * Returns a tool's server and its name there. VS Code gives both in `fullReferenceName`, with the server in lower case.
 * If that is missing, the prefix of the tool's name is used, which is made from the name that the server gives itself.
 * @param configured the names of servers in `mcp.json`
 */
export function toolOrigin(tool: ListedTool, configured: readonly string[]): ToolOrigin {
  if (tool.own) return { server: tool.own.server, name: tool.own.name, origin: 'mcp' };
  if (!tool.tags.includes('mcp')) {
    const referenceName = tool.fullReferenceName?.split('/').at(-1);
    return { server: VSCODE_SERVER, name: tool.name, origin: 'vscode', ...(referenceName ? { referenceName } : {}) };
  }
  const found = fromReference(tool.fullReferenceName, configured) ?? fromPrefix(tool.name, configured);
  return { ...found, origin: 'mcp' };
}

/** Whether a tool comes from an MCP endpoint of Tool Search, in any window. The search must not find its own tools. */
export function isOfEndpoint({ name, tags, own }: ListedTool): boolean {
  const prefix = `mcp_${prefixName(ENDPOINT_NAME)}`;
  if (own || !tags.includes('mcp') || !name.startsWith(prefix)) return false;
  return RESERVED_NAMES.has(name.slice(prefix.length).replace(/^\d*_/, ''));
}

type OriginName = { readonly server: string; readonly name: string };

function fromReference(reference: string | undefined, configured: readonly string[]): OriginName | undefined {
  if (!reference) return undefined;
  const server = longest(configured.filter((name) => reference.startsWith(`${referenceName(name)}/`)));
  if (server !== undefined) return { server, name: reference.slice(referenceName(server).length + 1) };
  const slash = reference.lastIndexOf('/');
  return slash > 0 && slash < reference.length - 1
    ? { server: reference.slice(0, slash), name: reference.slice(slash + 1) }
    : undefined;
}

/**
 * Finds the server by the prefix: `mcp_`, at most 13 characters, `_`. If two servers share a prefix, a number is before
 * the last `_`.
 */
function fromPrefix(toolName: string, configured: readonly string[]): OriginName {
  const rest = toolName.replace(/^mcp_/, '');
  const separatorAfter = (server: string): number => {
    const slug = prefixName(server);
    return rest.startsWith(slug)
      ? slug.length + (/^\d*_/.exec(rest.slice(slug.length))?.[0].length ?? Number.NaN)
      : Number.NaN;
  };
  const server = longest(configured.filter((name) => separatorAfter(name) < rest.length));
  if (server !== undefined) return { server, name: rest.slice(separatorAfter(server)) };
  const end = rest.indexOf('_');
  return end > 0 && end < rest.length - 1
    ? { server: rest.slice(0, end), name: rest.slice(end + 1) }
    : { server: 'mcp', name: rest };
}

/** Returns a server's name in the form of `fullReferenceName`. */
export function referenceName(server: string): string {
  return server.toLowerCase().replace(/\s+/g, '-');
}

/** Returns a server's name in the form of the tools' prefix, if the server gives itself that name. */
function prefixName(server: string): string {
  return slug(server).replaceAll('.', '_');
}

function slug(server: string): string {
  return server
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .slice(0, 13);
}

/**
 * Whether VS Code gives equally named tools of two servers one name, and so lists only the first. It tells apart servers
 * with one slug, but replaces dots afterwards.
 */
export function namesCollide(one: string, other: string): boolean {
  return slug(one) !== slug(other) && prefixName(one) === prefixName(other);
}

function longest(names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => b.length - a.length)[0];
}
