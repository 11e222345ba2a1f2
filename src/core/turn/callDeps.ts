import type { Catalog } from '../catalog/catalog';
import type { Tool } from '../catalog/tool';
import type { CodeDeps } from '../code/scriptHost';
import type { RenderResult } from '../hooks/resultRenderer';
import type { LedgerEntry } from '../ledger/ledger';
import type { DeliveryName, ToolRunner } from '../ports';
import type { SearchPort } from '../search/types';
import type { Settings } from '../settings/settings';
import type { TokenCounter } from '../usage/tokenCounter';
import type { CallLimits } from './callLimits';
import type { ProviderCode } from './providerCode';

/** What calls are answered with and recorded to. */
export interface CallDeps {
  readonly round: number;
  readonly catalog: Catalog;
  readonly eager: readonly Tool[];
  readonly deferred: readonly Tool[];
  /** Ids that were discovered before this round. */
  readonly discovered: ReadonlySet<string>;
  readonly strategy: string;
  readonly delivery: DeliveryName;
  /** Stands before the names of our tools, where an agent has them under longer ones. */
  readonly prefix?: string;
  readonly settings: Settings;
  readonly search: SearchPort;
  readonly runner: ToolRunner;
  /** All calls of this turn so far. */
  readonly calls: CallLimits;
  readonly counter: TokenCounter;
  readonly now: () => number;
  readonly renderResult?: RenderResult | undefined;
  readonly record: (entry: LedgerEntry) => void;
  readonly sink: {
    searching(queries: readonly string[]): void;
    found(tools: readonly Tool[]): void;
    calling(tool: Tool): void;
    /** A script runs; its title may be empty. */
    running?(title: string): void;
  };
  /** Set where `run_code` is offered. */
  readonly code?: CodeDeps | undefined;
  /** The code that the model's provider runs. */
  readonly providerCode?: ProviderCode | undefined;
  readonly warn: (message: string) => void;
}

/** Model names of tools that a name that is no tool's may have meant. */
export async function nearestNames(
  name: string,
  among: readonly Tool[],
  { search }: Pick<CallDeps, 'search'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const candidates = new Set(among.map((tool) => tool.id));
  const outcome = await search.search({ query: name, strategy: 'auto', limit: 3, candidates }, signal);
  if (!outcome.ok) return [];
  return outcome.hits.length > 0 ? outcome.hits.map((hit) => hit.tool.modelName) : outcome.nearest;
}
