// The hooks with which other extensions choose and describe a turn's tools. `filterTools.ts` calls them.

import type { ToolFilter, ToolRenderer } from '../../../tool-search';
import type { Tool } from '../catalog/tool';
import { NamedHooks } from './namedHooks';

/** A renderer, with the tools that it has already described. */
interface NamedRenderer {
  readonly name: string;
  readonly render: ToolRenderer;
  readonly rendered: WeakMap<Tool, Tool>;
}

/** Holds the filters and the renderer of other extensions. */
export class TurnTools {
  readonly filters = new NamedHooks<ToolFilter>('tool filter');
  #renderer: NamedRenderer | undefined;

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
