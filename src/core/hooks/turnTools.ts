// The hooks with which other extensions filter and describe the tools of a turn.

import { boundSchema } from '../catalog/bounds';
import type { JsonSchema, Tool, ToolAnnotations } from '../catalog/tool';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { isObject } from '../util/objects';
import { visibleText } from '../util/plainText';
import { sameJson } from '../util/sameJson';
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
  readonly inputSchema: JsonSchema;
  readonly annotations?: ToolAnnotations;
}

/** The turn that the tools are for. */
export interface TurnInfo {
  readonly prompt: string;
  /** `vendor/id` */
  readonly model: string;
}

/** The round that the tools are for. */
export interface RoundInfo extends TurnInfo {
  /** 1 for a turn's first request. */
  readonly round: number;
  /** The ids that this conversation's searches have found. */
  readonly discovered: readonly string[];
}

/** A tool of a round with another description or other arguments for models. Its server gets the call unchanged. */
export interface ChangedTool {
  readonly id: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
}

/**
 * Returns the tools that a round may use (eager, found and called), each as its id or as a {@link ChangedTool}. Called
 * before each request of a turn.
 */
export type ToolFilter = (
  tools: readonly OfferedTool[],
  round: RoundInfo,
  signal: AbortSignal,
) => readonly (string | ChangedTool)[] | Promise<readonly (string | ChangedTool)[]>;

/** Returns a tool's description for models; undefined keeps the server's. */
export type ToolRenderer = (tool: OfferedTool, signal: AbortSignal) => string | undefined | Promise<string | undefined>;

/** Longest description, in characters, as for a server's own. */
const MAX_DESCRIPTION = 20_000;

/** A round's tools as the filters want them: id → the tool, unchanged or changed; absent for a tool that is left out. */
interface FilteredTools {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Names of the filters that answered. */
  readonly by: readonly string[];
  /** Ids of the tools that the filters changed. */
  readonly changed: ReadonlySet<string>;
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

  /** Whether nobody filters or describes tools. */
  get isUnused(): boolean {
    return this.#filters.size === 0 && !this.#renderer;
  }

  /** Asks all filters and the renderer. One that fails or hangs is left out, with a warning. Never rejects. */
  async filter(all: readonly Tool[], round: RoundInfo, signal: AbortSignal): Promise<FilteredTools> {
    const warnings: string[] = [];
    const by: string[] = [];
    let kept = new Map(all.map((tool) => [tool.id, tool]));
    for (const [name, filter] of this.#filters) {
      try {
        const { tools, unknown } = await this.#ask(filter, [...kept.values()], round, signal);
        kept = tools;
        by.push(name);
        if (unknown.length > 0)
          warnings.push(
            l10n.t(
              'The tool filter “{0}” returned ids that are no tools of this turn: {1}.',
              name,
              unknown.slice(0, 5).join(', '),
            ),
          );
      } catch (error) {
        warnings.push(
          l10n.t(
            'The tool filter “{0}” failed ({1}). This turn has all tools that it was given.',
            name,
            messageOf(error),
          ),
        );
      }
    }
    const servers = all.filter(({ id }) => kept.has(id));
    const changed = new Set(servers.filter((tool) => kept.get(tool.id) !== tool).map(({ id }) => id));
    const rendered = await this.#render(servers, signal, warnings);
    for (const tool of servers) {
      const words = rendered?.get(tool);
      const prepared = kept.get(tool.id);
      // A filter's words come before the renderer's.
      if (!words || prepared?.description !== tool.description) continue;
      kept.set(tool.id, prepared === tool ? words : { ...prepared, description: words.description });
    }
    return { tools: kept, by, changed, warnings };
  }

  async #ask(
    filter: ToolFilter,
    tools: readonly Tool[],
    round: RoundInfo,
    signal: AbortSignal,
  ): Promise<{ readonly tools: Map<string, Tool>; readonly unknown: readonly string[] }> {
    const answer: unknown = await runOutside(
      (stopped) => filter(tools.map(offer), { ...round }, stopped),
      signal,
      this.#timer,
    );
    if (!Array.isArray(answer)) throw new Error(l10n.t('it returned no list of tool ids'));
    const known = new Map(tools.map((tool) => [tool.id, tool]));
    const kept = new Map<string, Tool>();
    const unknown: string[] = [];
    for (const item of answer) {
      const change: { readonly [key: string]: unknown } = isObject(item) ? item : { id: item };
      const tool = known.get(String(change.id));
      if (tool) kept.set(tool.id, changedTool(tool, change));
      else unknown.push(String(change.id));
    }
    // In the catalog's order, whatever the filter's.
    return {
      tools: new Map(
        tools.flatMap(({ id }) => {
          const tool = kept.get(id);
          return tool ? [[id, tool] as const] : [];
        }),
      ),
      unknown,
    };
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

/**
 * Applies a filter's change to a tool, within the bounds of servers' own definitions.
 * @throws {Error} if the change is no description or no object schema
 */
function changedTool(tool: Tool, { description, inputSchema }: { readonly [key: string]: unknown }): Tool {
  if (description !== undefined && (typeof description !== 'string' || description.trim() === ''))
    throw new Error(l10n.t('it returned no text for {0}', tool.id));
  if (inputSchema !== undefined && (!isObject(inputSchema) || (inputSchema.type ?? 'object') !== 'object'))
    throw new Error(l10n.t('it returned no object schema for {0}', tool.id));
  const words = description === undefined ? tool.description : visibleText(description).slice(0, MAX_DESCRIPTION);
  const schema =
    inputSchema === undefined
      ? tool.inputSchema
      : { ...boundSchema(structuredClone(inputSchema)).schema, type: 'object' };
  const isSame = words === tool.description && (inputSchema === undefined || sameJson(schema, tool.inputSchema));
  return isSame ? tool : { ...tool, description: words, inputSchema: schema };
}

/** Returns the copy of a tool that other extensions get. */
export function offer({ id, server, name, title, description, inputSchema, annotations }: Tool): OfferedTool {
  return {
    id,
    server,
    name,
    ...(title === undefined ? {} : { title }),
    description,
    // Copied only if it is read: there may be thousands.
    get inputSchema() {
      return structuredClone(inputSchema);
    },
    ...(annotations ? { annotations: { ...annotations } } : {}),
  };
}
