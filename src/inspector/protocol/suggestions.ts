import type { Tokens } from '../../core/usage/types';

export type SuggestionGroup = 'pins' | 'unused' | 'idle';

export interface SuggestionView {
  readonly id: string;
  readonly group: SuggestionGroup;
  /** The title. `subject` is the part of it that is emphasized. */
  readonly title: string;
  readonly subject: string;
  readonly evidence: string;
  /** The calculation of the saving, line by line. The last line is the sum. */
  readonly sums: readonly { readonly label: string; readonly tokens: number }[];
  readonly saving?: { readonly tokens: Tokens; readonly per: 'suggest.perTurn' | 'suggest.perRound' };
  /** The benefit if it isn't a saving of tokens. */
  readonly benefit?: string;
  /** The effect of applying the suggestion. */
  readonly action: string;
}

/** Suggestions as the webview shows them. */
export interface SuggestionsView {
  readonly items: readonly SuggestionView[];
  /** The number of further suggestions of these kinds, which aren't shown. */
  readonly more: number;
  /** The suggestions that were applied in this session, newest first. Each can be undone. */
  readonly done: readonly { readonly id: string; readonly text: string }[];
  readonly dismissed: number;
}
