// The format of exported sessions.

import type { Tool } from '../../core/catalog/tool';
import type { LoadingRule } from '../../core/planning/ruleNumbers';
import type { Tokens } from '../../core/usage/types';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import type { ToolLoading, ViewInputs } from '../protocol/inputs';

/** The value of the first field in every file. */
export const FORMAT = 'tool-search-session';
/** The version of the format. It increases with each change that older readers can't read. */
export const VERSION = 1;

/** A tool at the time of the export. */
export type FileTool = Omit<Tool, 'invokeName' | 'alwaysLoad' | 'referenceName'> & {
  readonly tokens: Tokens;
  readonly loading: ToolLoading['loading'];
  readonly reason: string;
  readonly reasonLong: string;
  readonly rule?: LoadingRule;
};

/** The fields of a file that aren't lists. */
export interface FileHead {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** The time of the export, in ISO 8601 and UTC. */
  readonly exportedAt: string;
  readonly product: { readonly name: string; readonly version: string };
  /** Whether prompts, queries, arguments, results and messages are included. */
  readonly contents: boolean;
  readonly mode: ViewInputs['mode'];
  readonly maxResults: number;
  readonly strategy: ViewInputs['strategy'];
  readonly delivery: ViewInputs['delivery'];
  readonly pins: ViewInputs['pins'];
}

export type ExportedSession = Pick<
  ViewInputs,
  'events' | 'catalog' | 'loading' | 'tokensOf' | 'pins' | 'mode' | 'maxResults' | 'strategy' | 'delivery'
>;

export interface ExportOptions {
  readonly contents: boolean;
  /** The time in milliseconds since the epoch. */
  readonly at: number;
  readonly productVersion: string;
  /** The known secrets. Texts that look like secrets are removed too. */
  readonly secrets: Pick<KnownSecrets, 'inJson'>;
}
