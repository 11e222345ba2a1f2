// The hooks with which other extensions choose and describe a turn's tools. `filterTools.ts` calls them.

import type { JsonSchema, Tool, ToolAnnotations } from '../catalog/tool';
import { systemTimer, type Timer } from '../util/signals';
import { NamedHooks } from './namedHooks';

/** A tool as code of another extension gets it. It is a copy, so that changes to it don't affect ours. */
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
  /** Ids of the tools that this conversation's searches have found. */
  readonly discovered: readonly string[];
}

/**
 * A tool of a round with another description or other arguments for models. Its server gets the call as the model made
 * it.
 */
export interface RewordedTool {
  readonly id: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
}

/**
 * Returns the tools that a round may use (eager, found and called ones). Each is an id or a {@link RewordedTool}. Called
 * before each request of a turn.
 */
export type ToolFilter = (
  tools: readonly OfferedTool[],
  round: RoundInfo,
  signal: AbortSignal,
) => readonly (string | RewordedTool)[] | Promise<readonly (string | RewordedTool)[]>;

/** Returns a tool's description for models; undefined keeps the server's description. */
export type ToolRenderer = (tool: OfferedTool, signal: AbortSignal) => string | undefined | Promise<string | undefined>;

/** A renderer, with the tools that it has already described. */
interface NamedRenderer {
  readonly name: string;
  readonly render: ToolRenderer;
  readonly rendered: WeakMap<Tool, Tool>;
}

/** Holds the filters and the renderer of other extensions. */
export class TurnTools {
  readonly timer: Timer;
  readonly filters = new NamedHooks<ToolFilter>('tool filter');
  #renderer: NamedRenderer | undefined;

  constructor(timer = systemTimer) {
    this.timer = timer;
  }

  get renderer(): NamedRenderer | undefined {
    return this.#renderer;
  }

  /** Whether no extension filters or describes tools. */
  get isUnused(): boolean {
    return this.filters.isEmpty && !this.#renderer;
  }

  /**
   * Sets the renderer. Returns a function that removes it.
   * @throws {Error} if another renderer is registered, because only one can be used
   */
  setRenderer(name: string, render: ToolRenderer): () => void {
    if (this.#renderer) throw new Error(`There is already a tool renderer, "${this.#renderer.name}".`);
    const mine = { name, render, rendered: new WeakMap<Tool, Tool>() };
    this.#renderer = mine;
    return () => {
      if (this.#renderer === mine) this.#renderer = undefined;
    };
  }
}
