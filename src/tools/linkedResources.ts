// The resources to which servers' results linked. These alone are read by their address, and only through their server.

import { READ_LINKED, type Tool, toolId, type UnnamedTool } from '../core/catalog/tool';
import { type ResourceLink, type ToolRun, type ToolRunner, toolMessage } from '../core/ports';
import type { Redact } from '../core/util/knownSecrets';

/** Number of links of one server that are remembered: the newest. */
const MAX_LINKS = 5_000;

/** Remembers each server's links, and has a tool for each server with links that reads them. */
export class LinkedResources {
  /** Server → URI → the address under which the server's host reads it. */
  readonly #links = new Map<string, Map<string, string>>();
  readonly #readers = new Map<string, UnnamedTool>();

  /** The tools, and for each server with links the tool that reads them. A server's own tool of its name wins. */
  withReaders(tools: readonly UnnamedTool[]): readonly UnnamedTool[] {
    if (this.#readers.size === 0) return tools;
    const ids = new Set(tools.map(({ id }) => id));
    return [...tools, ...[...this.#readers.values()].filter(({ id }) => !ids.has(id))];
  }

  add(server: string, links: readonly ResourceLink[]): void {
    const known = this.#links.get(server) ?? new Map<string, string>();
    this.#links.set(server, known);
    for (const { uri, address } of links) {
      known.delete(uri);
      known.set(uri, address);
    }
    for (const uri of known.keys()) {
      if (known.size <= MAX_LINKS) break;
      known.delete(uri);
    }
    if (!this.#readers.has(server)) this.#readers.set(server, readerOf(server));
  }

  /** Returns the address of a resource; undefined if the server hasn't linked to it. */
  addressOf(server: string, uri: unknown): string | undefined {
    return typeof uri === 'string' ? this.#links.get(server)?.get(uri) : undefined;
  }

  /** Forgets a server that is gone, or that is another one now. */
  forget(server: string): void {
    this.#links.delete(server);
    this.#readers.delete(server);
  }
}

/**
 * Runs tools, and offers the model to read what their results link to.
 * @param readerOf the tool that reads the links of a server, by its id; undefined if it can't be called
 * @param redact replaces secrets: the model names a resource by the URI that it was shown
 */
export function withLinks(
  runner: ToolRunner,
  linked: LinkedResources,
  readerOf: (id: string) => Tool | undefined,
  redact: Redact,
): ToolRunner {
  return {
    async run(tool, input, signal, inOrder) {
      if (tool.item?.kind !== 'linked') {
        const { links, ...run } = await runner.run(tool, input, signal, inOrder);
        if (!links) return run;
        linked.add(
          tool.server,
          links.map(({ uri, address }) => ({ uri: redact(uri), address })),
        );
        const reader = readerOf(readerId(tool.server));
        return reader?.item ? offering(run, reader) : run;
      }
      const address = linked.addressOf(tool.server, input.uri);
      if (address === undefined)
        return toolMessage(
          'failed',
          `${tool.modelName} reads only what a result of “${tool.server}” linked to in this window. Call the tool that gives the link again, and pass its URI as it is.`,
        );
      const { links: _, ...run } = await runner.run(tool, { uri: address }, signal, inOrder);
      return run;
    },
  };
}

function offering(run: ToolRun, reader: Tool): ToolRun {
  const text = `[To read a linked resource: ${reader.modelName}({"uri": "…"})]`;
  return { ...run, parts: [...run.parts, { type: 'text', text }] };
}

/** Id of the tool that reads the resources to which a server's results linked. */
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
