import type { Catalog } from '../../core/catalog/catalog';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import type { Standing, Tool } from '../../core/catalog/tool';
import type { LedgerEvent } from '../../core/ledger/ledger';
import type { LoadingDecision } from '../../core/planning/loadingDecision';
import type { Pins } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import type { Tokens } from '../../core/usage/types';
import type { Strings } from '../text/text';
import type { SuggestionsView } from './suggestions';

/** How a tool is loaded and why. A withheld tool has no rule. */
export type ToolLoading = Pick<LoadingDecision, 'reason' | 'reasonLong'> &
  Partial<Pick<LoadingDecision, 'rule'>> & { readonly loading: Standing };

/** The loading of a tool that no rule names. */
export const NO_RULE: ToolLoading = { loading: 'deferred', reason: '', reasonLong: '' };

/** All data from which the inspector's view is made. */
export interface ViewInputs {
  readonly events: readonly LedgerEvent[];
  readonly catalog: Catalog;
  /** The loading of tools by id. {@link NO_RULE} applies to a missing tool. */
  readonly loading: ReadonlyMap<string, ToolLoading>;
  /** Returns the tokens of a tool. A new function means that the figures may have changed. */
  readonly tokensOf: (tool: Tool) => Tokens;
  readonly pins: Pins;
  /** The pattern of `toolsearch.models` that applies to the last turn's model. */
  readonly modelRule?: string;
  readonly mode: Settings['mode'];
  readonly maxResults: Settings['maxResults'];
  readonly strategy: { readonly name: string; readonly why: string };
  readonly delivery: { readonly name: string; readonly why: string };
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The tools that have changed since the user accepted them; the same list while it hasn't changed. `withheld`: models
   * don't get these tools.
   */
  readonly changed?: {
    readonly tools: readonly Pick<Tool, 'id' | 'server' | 'name'>[];
    readonly withheld: boolean;
  };
  readonly suggestions?: SuggestionsView;
  readonly trusted: boolean;
  /** The servers that are starting, by name, with the time of their start in milliseconds since the epoch. */
  readonly startingSince: ReadonlyMap<string, number>;
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
  /** The language as a BCP 47 tag. */
  readonly locale: string;
  readonly strings: Strings;
}
