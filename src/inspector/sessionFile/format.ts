import type { ServerInfo } from '../../core/catalog/catalog';
import type { Tool } from '../../core/catalog/tool';
import type { LedgerEvent } from '../../core/ledger/ledger';
import type { LoadingRule } from '../../core/planning/loadingRules';
import type { Tokens } from '../../core/usage/types';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import type { ToolLoading, ViewInputs } from '../protocol/inputs';

/** The first field of every file. */
export const FORMAT = 'tool-search-session';
/** Grows with every change that an older reader can't read. */
export const VERSION = 1;

/** A tool as it stood when the session was written down. */
export type FileTool = Omit<Tool, 'invokeName' | 'alwaysLoad' | 'referenceName'> & {
  readonly tokens: Tokens;
  readonly loading: ToolLoading['loading'];
  readonly reason: string;
  readonly reasonLong: string;
  /** Absent in files that 0.1.0 wrote. */
  readonly rule?: LoadingRule;
};

/** All of a file but its lists. */
export interface FileHead {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  readonly product: { readonly name: string; readonly version: string };
  /** Whether prompts, queries, arguments, results and messages are in it. */
  readonly contents: boolean;
  readonly mode: ViewInputs['mode'];
  readonly maxResults: number;
  readonly maxResultsLimit: number;
  readonly strategy: ViewInputs['strategy'];
  readonly delivery: ViewInputs['delivery'];
  readonly pins: ViewInputs['pins'];
}

/** A session as a file holds it: enough to show it again without any server. */
export interface SessionFile extends FileHead {
  readonly servers: readonly ServerInfo[];
  readonly tools: readonly FileTool[];
  readonly events: readonly LedgerEvent[];
}

/** The data that an export is written from. */
export type Session = Pick<
  ViewInputs,
  | 'events'
  | 'catalog'
  | 'loading'
  | 'tokensOf'
  | 'pins'
  | 'mode'
  | 'maxResults'
  | 'maxResultsLimit'
  | 'strategy'
  | 'delivery'
>;

/** How it is to be written down. */
export interface ExportOptions {
  readonly contents: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly productVersion: string;
  /** The known secrets, besides texts that look like one. */
  readonly secrets: Pick<KnownSecrets, 'inJson'>;
}
