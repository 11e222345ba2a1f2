import type { Tool } from '../catalog/tool';
import { findIn } from './find';
import { createSearchPort } from './searchPort';
import { StrategyRegistry } from './strategies/registry';
import { ToolIndex } from './toolIndex';
import type { SearchPort } from './types';

/** A search over a fixed list of tools. */
export interface FixedSearch {
  readonly port: SearchPort;
  readonly find: ReturnType<typeof findIn>;
  /** Resolves when all of the tools can be found. */
  readonly settled: () => Promise<void>;
}

/**
 * Creates a separate search over these tools, with only the strategies and search words that ship with the product.
 * Indexing starts at once and lets other work run in between.
 */
export function searchOver(tools: readonly Tool[], yieldToEventLoop: () => Promise<void>): FixedSearch {
  const index = new ToolIndex();
  index.follow(tools, yieldToEventLoop);
  return {
    port: createSearchPort(index, new StrategyRegistry(), { yieldToEventLoop }),
    find: findIn(index),
    settled: () => index.settled(),
  };
}
