import type { Catalog } from '../../core/catalog/catalog';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import type { Loading, Tool } from '../../core/catalog/tool';
import type { LedgerEvent } from '../../core/ledger/ledger';
import type { LoadingRule } from '../../core/planning/loadingRules';
import type { Pins } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import type { Tokens } from '../../core/usage/types';
import type { Strings } from '../text/text';
import type { SuggestionsView } from './suggestions';

/** How one tool stands and why: short for the grid, whole for its details. */
export interface ToolLoading {
  /** `omitted`: no rule offers it. */
  readonly loading: Loading | 'omitted';
  readonly reason: string;
  readonly reasonLong: string;
  /** Absent if nobody wrote it down. */
  readonly rule?: LoadingRule;
}

/** All that the inspector's view is folded from. */
export interface ViewInputs {
  readonly events: readonly LedgerEvent[];
  readonly catalog: Catalog;
  /** By tool id; a tool that is missing counts as deferred, without a reason. */
  readonly loading: ReadonlyMap<string, ToolLoading>;
  /** The same function as long as it gives the same figures. */
  readonly tokensOf: (tool: Tool) => Tokens;
  readonly pins: Pins;
  /** The pattern of `toolsearch.models` that holds for the last turn's model. */
  readonly modelRule?: string;
  readonly mode: Settings['mode'];
  readonly maxResults: Settings['maxResults'];
  readonly maxResultsLimit: Settings['maxResultsLimit'];
  readonly strategy: { readonly name: string; readonly why: string };
  /** `degraded`: one sentence on why a better delivery wasn't to be had. */
  readonly delivery: { readonly name: string; readonly why: string; readonly degraded?: string };
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Tools that changed since the user accepted them, the same list while they are the same; `withheld`: models
   * don't get them.
   */
  readonly changed?: {
    readonly tools: readonly { readonly id: string; readonly server: string; readonly name: string }[];
    readonly withheld: boolean;
  };
  readonly suggestions?: SuggestionsView;
  readonly trusted: boolean;
  /** Milliseconds since the epoch, by the name of a server that is starting. */
  readonly startingSince: ReadonlyMap<string, number>;
  /** Processes and memory by server: the same map while nothing changes; absent if the servers aren't ours. */
  readonly processes?: ReadonlyMap<
    string,
    { readonly since: number; readonly measured?: { readonly processes: number; readonly bytes: number } }
  >;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** BCP 47. */
  readonly locale: string;
  readonly strings: Strings;
}
