// Finds out which server a listed tool belongs to, and its name there.

import { ENDPOINT_NAME } from '../core/agents/endpointPort';
import { RESERVED_NAMES } from '../core/catalog/modelNames';
import { type Tool, type ToolExample, VSCODE_SERVER } from '../core/catalog/tool';

/** A tool as VS Code or our own client lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: object | undefined;
  readonly tags: readonly string[];
  /** `<server>/<tool>`. It exists at run time only, not in the typings of VS Code. */
  readonly fullReferenceName?: string;
  /** Whether the tool asks to be in every request or to be deferred, if its source passes that on. */
  readonly alwaysLoad?: boolean;
  /** Worked calls of the tool, if its source passes them on. Those in its schema are read from there. */
  readonly examples?: readonly ToolExample[];
  /** Fields that only our own client knows, among them the tool's server and its name there. */
  readonly own?: Pick<Tool, 'server' | 'name' | 'title' | 'annotations' | 'outputSchema'>;
}

/** The wish of a tool about its loading, from its `_meta`: `alwaysLoad`, or `defer_loading: true`. */
export function loadingWish(meta: { readonly [key: string]: unknown } = {}): Pick<ListedTool, 'alwaysLoad'> {
  const wish = meta['anthropic/alwaysLoad'] ?? meta.alwaysLoad;
  if (typeof wish === 'boolean') return { alwaysLoad: wish };
  return meta.defer_loading === true ? { alwaysLoad: false } : {};
}

interface ToolOrigin {
  readonly server: string;
  /** The server's own name for the tool, as far as VS Code reveals it (it turns dots into underscores). */
  readonly name: string;
  readonly origin: 'mcp' | 'vscode';
  /** Only for a tool of no server: its name after `#`, without its group. */
  readonly referenceName?: string;
}

/**
 * Finds out which server a tool belongs to. VS Code reports it in `fullReferenceName`, with the server's name in lower
 * case. Without that, only the tool's prefix is left, which comes from the name that the server gives itself.
 * @param configured names of servers as they are in `mcp.json`
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

/**
 * Whether the tool comes from an MCP endpoint of ours, in this window or another. Search must not find itself through
 * it.
 */
export function isOfEndpoint({ name, tags, own }: ListedTool): boolean {
  const prefix = `mcp_${prefixName(ENDPOINT_NAME)}`;
  if (own || !tags.includes('mcp') || !name.startsWith(prefix)) return false;
  return RESERVED_NAMES.has(name.slice(prefix.length).replace(/^\d*_/, ''));
}

type Found = { readonly server: string; readonly name: string };

function fromReference(reference: string | undefined, configured: readonly string[]): Found | undefined {
  if (!reference) return undefined;
  const server = longest(configured.filter((name) => reference.startsWith(`${referenceName(name)}/`)));
  if (server !== undefined) return { server, name: reference.slice(referenceName(server).length + 1) };
  const slash = reference.lastIndexOf('/');
  return slash > 0 && slash < reference.length - 1
    ? { server: reference.slice(0, slash), name: reference.slice(slash + 1) }
    : undefined;
}

/**
 * Finds the server by the prefix: `mcp_`, at most 13 characters, `_`, and a number before the last `_` if two servers
 * share a prefix.
 */
function fromPrefix(toolName: string, configured: readonly string[]): Found {
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

/** Returns a server's name as VS Code writes it into `fullReferenceName`. */
function referenceName(server: string): string {
  return server.toLowerCase().replace(/\s+/g, '-');
}

/**
 * Returns a server's name as VS Code writes it into the prefix of its tools, if the server calls itself by that name.
 */
function prefixName(server: string): string {
  return server
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .slice(0, 13)
    .replaceAll('.', '_');
}

function longest(names: readonly string[]): string | undefined {
  return names.reduce<string | undefined>(
    (best, name) => (best === undefined || name.length > best.length ? name : best),
    undefined,
  );
}
