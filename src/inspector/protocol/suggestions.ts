import type { Tokens } from '../../core/usage/types';
import type { PlayQuestion } from './requests';

/** Suggestions as the webview shows them. */

export type SuggestionGroup = 'pins' | 'unused' | 'finding' | 'settings' | 'idle';

export interface SuggestionView {
  readonly id: string;
  readonly group: SuggestionGroup;
  /** The title as it is read; `subject` is the part of it that stands out. */
  readonly title: string;
  readonly subject: string;
  readonly evidence: string;
  /** How the saving comes about, line by line; the last line is the sum. */
  readonly sums: readonly { readonly label: string; readonly value: string }[];
  /** Negative if it costs tokens and is worth it for something else. */
  readonly saving?: { readonly tokens: Tokens; readonly per: string };
  /** The benefit if it isn't tokens. */
  readonly benefit?: string;
  /** The effect of one click; absent if there is nothing to write. */
  readonly action?: string;
  /** A question for the playground that shows it. */
  readonly look?: PlayQuestion;
}

export interface SuggestionsView {
  readonly items: readonly SuggestionView[];
  /** Others of the kinds above: who has many thin descriptions knows after five. */
  readonly more: number;
  /** Suggestions that were applied in this session, newest first; each can be undone. */
  readonly done: readonly { readonly id: string; readonly text: string }[];
  readonly dismissed: number;
  /** Turns that were looked at, and how many are needed before anything is said about them. */
  readonly turns: { readonly seen: number; readonly needed: number };
  /** Tools that were looked at. */
  readonly tools: { readonly checked: number; readonly total: number };
}
