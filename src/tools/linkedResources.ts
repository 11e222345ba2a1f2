// Resources that servers' results link to. Only these can be read by their address, and only through their own server.

import { READ_LINKED, type Tool, toolId, type UnnamedTool } from '../core/catalog/tool';
import { type ResourceLink, type ToolRunner, toolMessage } from '../core/ports';
import type { Redact } from '../core/util/knownSecrets';
import { setLatest } from '../core/util/setLatest';

/** The maximum number of links stored for a server. The oldest are dropped. */
const MAX_LINKS = 5_000;

/** Stores each server's links. Each server with links gets a tool that reads them. */
export class LinkedResources {
  /** Server → URI → the address under which VS Code or our MCP client reads the resource. */
  readonly #links = new Map<string, Map<string, string>>();
  readonly #readers = new Map<string, UnnamedTool>();

  /** Returns the tools, and a reading tool for each server with links, unless a server's own tool has its name. */
  withReaders(tools: readonly UnnamedTool[]): readonly UnnamedTool[] {
    if (this.#readers.size === 0) return tools;
    const ids = new Set(tools.map(({ id }) => id));
    return [...tools, ...[...this.#readers.values()].filter(({ id }) => !ids.has(id))];
  }

  add(server: string, links: readonly ResourceLink[]): void {
    const known = this.#links.get(server) ?? new Map<string, string>();
    this.#links.set(server, known);
    for (const { uri, address } of links) setLatest(known, uri, address, MAX_LINKS);
    if (!this.#readers.has(server)) this.#readers.set(server, readerOf(server));
  }

  /** Returns a resource's address; undefined if the server has no link to it. */
  addressOf(server: string, uri: unknown): string | undefined {
    return typeof uri === 'string' ? this.#links.get(server)?.get(uri) : undefined;
  }

  /** Removes the links of a server that was removed or redefined. */
  forget(server: string): void {
    this.#links.delete(server);
    this.#readers.delete(server);
  }
}

/**
 * Returns a function that runs calls, stores the links in their results and lets the model read them.
 * @param readerOf returns the tool with this id, which reads a server's links; undefined if it can't be called now
 * @param redact replaces secrets in URIs; the model uses the redacted URI to name a resource
 */
export function withLinks(
  invoke: ToolRunner['invoke'],
  linked: LinkedResources,
  readerOf: (id: string) => Tool | undefined,
  redact: Redact,
): ToolRunner['invoke'] {
  return async (call) => {
    const { tool, input } = call;
    if (tool.item?.kind !== 'linked') {
      const { links, ...run } = await invoke(call);
      if (!links) return run;
      const shown = links.map(({ uri, address }) => ({ uri: redact(uri), address }));
      linked.add(tool.server, shown);
      const reader = readerOf(readerId(tool.server));
      if (!reader?.item) return run;
      const text = `[To read a linked resource: ${reader.modelName}({"uri": "…"})]`;
      return { ...run, parts: [...run.parts, { type: 'text', text }] };
    }
    const address = linked.addressOf(tool.server, input.uri);
    if (address === undefined)
      return toolMessage(
        'failed',
        `${tool.modelName} reads only what a result of “${tool.server}” linked to in this window. Call the tool that gives the link again, and pass its URI as it is.`,
      );
    const { links: _, ...run } = await invoke({ ...call, input: { uri: address } });
    return run;
  };
}

function readerId(server: string): string {
  return toolId(server, READ_LINKED);
}

function readerOf(server: string): UnnamedTool {
  const id = readerId(server);
  return {
    id,
    server,
    name: READ_LINKED,
    invokeName: id,
    description: `Reads a resource of ${server} that one of its results linked to.`,
    inputSchema: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
    annotations: { readOnlyHint: true },
    origin: 'mcp',
    item: { kind: 'linked', address: '' },
  };
}
