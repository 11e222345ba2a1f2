import type { Tool } from '../catalog/tool';
import { findIn } from './find';
import { createSearchPort } from './searchPort';
import { StrategyRegistry } from './strategies/registry';
import { ToolIndex } from './toolIndex';
import type { SearchPort } from './types';

/** What tools that don't change are searched with. */
export interface FixedSearch {
  readonly port: SearchPort;
  readonly find: ReturnType<typeof findIn>;
  /** Resolves once all of them can be found. */
  readonly settled: () => Promise<void>;
}

/** A search of its own over these tools, with what ships with the product alone; they are indexed at once, bit by bit. */
export function searchOver(tools: readonly Tool[], yieldToEventLoop: () => Promise<void>): FixedSearch {
  const index = new ToolIndex();
  index.follow(tools, yieldToEventLoop);
  return {
    port: createSearchPort(index, new StrategyRegistry(), { yieldToEventLoop }),
    find: findIn(index),
    settled: () => index.settled(),
  };
}
