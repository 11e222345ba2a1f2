// The hooks with which other extensions filter and describe the tools of a turn.

import { createCatalog } from '../catalog/catalog';
import type { Tool, ToolAnnotations } from '../catalog/tool';
import type { ToolSource } from '../ports';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { visibleText } from '../util/plainText';
import type { Timer } from '../util/signals';
import { runOutside } from './outside';

/** A copy of a tool for code of another extension, so that its changes don't affect ours. */
export interface OfferedTool {
  /** `server/name` */
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations?: ToolAnnotations;
}

/** The turn that the tools are for. */
export interface TurnInfo {
  readonly prompt: string;
  /** `vendor/id` */
  readonly model: string;
}

/** Returns the ids of the tools that a turn may use: eager, found and called. */
export type ToolFilter = (
  tools: readonly OfferedTool[],
  turn: TurnInfo,
  signal: AbortSignal,
) => readonly string[] | Promise<readonly string[]>;

/** Returns a tool's description for models; undefined keeps the server's. */
export type ToolRenderer = (tool: OfferedTool, signal: AbortSignal) => string | undefined | Promise<string | undefined>;

/** Longest description, in characters, as for a server's own. */
const MAX_DESCRIPTION = 20_000;

/** The tools of one turn, with warnings for the user about their choice. */
export interface PreparedTools {
  readonly source: ToolSource;
  readonly warnings: readonly string[];
}

/** Holds the filters and the renderer of other extensions, and protects a turn from their errors. */
export class TurnTools {
  readonly #timer: Timer | undefined;
  readonly #filters = new Map<string, ToolFilter>();
  #renderer:
    | { readonly name: string; readonly render: ToolRenderer; readonly rendered: WeakMap<Tool, Tool> }
    | undefined;

  constructor(timer?: Timer) {
    this.#timer = timer;
  }

  /**
   * Adds a filter; the returned function removes it. With several, a turn has the tools that all of them let through.
   * @throws {Error} if the name is empty or taken
   */
  addFilter(name: string, filter: ToolFilter): () => void {
    if (name.trim() === '') throw new Error('A tool filter needs a name.');
    if (this.#filters.has(name)) throw new Error(`There is already a tool filter "${name}".`);
    this.#filters.set(name, filter);
    return () => {
      if (this.#filters.get(name) === filter) this.#filters.delete(name);
    };
  }

  /**
   * Sets the renderer; the returned function removes it.
   * @throws {Error} if another one is registered: only one can be used
   */
  setRenderer(name: string, render: ToolRenderer): () => void {
    if (this.#renderer) throw new Error(`There is already a tool renderer, "${this.#renderer.name}".`);
    const mine = { name, render, rendered: new WeakMap<Tool, Tool>() };
    this.#renderer = mine;
    return () => {
      if (this.#renderer === mine) this.#renderer = undefined;
    };
  }

  /**
   * Returns the tools for a turn. A filter or renderer that fails or hangs is left out of the turn, with a warning. If
   * there is a filter, tools that appear during the turn wait for the next one, because the filter hasn't seen them.
   * Never rejects.
   */
  async prepare(source: ToolSource, turn: TurnInfo, signal: AbortSignal): Promise<PreparedTools> {
    if (this.#filters.size === 0 && !this.#renderer) return { source, warnings: [] };
    const warnings: string[] = [];
    const { tools } = source.catalog;
    let kept: ReadonlySet<string> | undefined;
    for (const [name, filter] of this.#filters) {
      const offered = tools.filter((tool) => kept?.has(tool.id) ?? true);
      const ids = await this.#filter(name, filter, offered, turn, signal, warnings);
      if (ids) kept = ids;
    }
    const rendered = await this.#render(
      tools.filter((tool) => kept?.has(tool.id) ?? true),
      signal,
      warnings,
    );
    return {
      source: view(source, (tool) => (kept && !kept.has(tool.id) ? undefined : (rendered?.get(tool) ?? tool))),
      warnings,
    };
  }

  async #filter(
    name: string,
    filter: ToolFilter,
    tools: readonly Tool[],
    turn: TurnInfo,
    signal: AbortSignal,
    warnings: string[],
  ): Promise<ReadonlySet<string> | undefined> {
    try {
      const ids: unknown = await runOutside((stopped) => filter(tools.map(offer), turn, stopped), signal, this.#timer);
      if (!Array.isArray(ids)) throw new Error(l10n.t('it returned no list of tool ids'));
      const known = new Set(tools.map((tool) => tool.id));
      const unknown = ids.filter((id) => !known.has(id));
      if (unknown.length > 0)
        warnings.push(
          l10n.t(
            'The tool filter “{0}” returned ids that are no tools of this turn: {1}.',
            name,
            unknown.slice(0, 5).map(String).join(', '),
          ),
        );
      return new Set(ids.filter((id) => known.has(id)));
    } catch (error) {
      warnings.push(
        l10n.t(
          'The tool filter “{0}” failed ({1}). This turn has all tools that it was given.',
          name,
          messageOf(error),
        ),
      );
      return undefined;
    }
  }

  async #render(
    tools: readonly Tool[],
    signal: AbortSignal,
    warnings: string[],
  ): Promise<WeakMap<Tool, Tool> | undefined> {
    const current = this.#renderer;
    if (!current) return undefined;
    const fresh = tools.filter((tool) => !current.rendered.has(tool));
    try {
      await runOutside(
        async (stopped) => {
          for (const tool of fresh) {
            if (stopped.aborted) return;
            const text: unknown = await current.render(offer(tool), stopped);
            if (text !== undefined && (typeof text !== 'string' || text.trim() === ''))
              throw new Error(l10n.t('it returned no text for {0}', tool.id));
            const description = text === undefined ? tool.description : visibleText(text).slice(0, MAX_DESCRIPTION);
            current.rendered.set(tool, description === tool.description ? tool : { ...tool, description });
          }
        },
        signal,
        this.#timer,
      );
    } catch (error) {
      warnings.push(
        l10n.t(
          "“{0}”, which changes tool descriptions, failed ({1}). The servers' own descriptions are used.",
          current.name,
          messageOf(error),
        ),
      );
    }
    return current.rendered;
  }
}

/** Returns the copy of a tool that other extensions get. */
export function offer({ id, server, name, title, description, annotations }: Tool): OfferedTool {
  return {
    id,
    server,
    name,
    ...(title === undefined ? {} : { title }),
    description,
    ...(annotations ? { annotations: { ...annotations } } : {}),
  };
}

/** Returns the same source seen through a filter, applied again only when its catalog changes. */
function view(source: ToolSource, change: (tool: Tool) => Tool | undefined): ToolSource {
  let seen = source.catalog;
  const read = () => {
    const tools = seen.tools.map(change).filter((tool): tool is Tool => tool !== undefined);
    return createCatalog(seen.revision, tools, seen.servers);
  };
  let catalog = read();
  return {
    get catalog() {
      if (source.catalog !== seen) {
        seen = source.catalog;
        catalog = read();
      }
      return catalog;
    },
    onDidChange: (listener) => source.onDidChange(listener),
    refresh: () => source.refresh(),
    whenReady: (options) => source.whenReady(options),
  };
}
