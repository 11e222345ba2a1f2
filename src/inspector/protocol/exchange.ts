import type { Tokens } from '../../core/usage/types';

/** A part of a request or reply. Parts are in the order of sending. */
export interface ExchangePart {
  readonly role: 'system' | 'user' | 'note' | 'assistant' | 'call' | 'result';
  readonly name?: string;
  /** The beginning of the part's text. */
  readonly text: string;
  /** The number of characters of the whole text. */
  readonly chars: number;
}

/** A tool whose definition was in a request. */
export interface SentTool {
  readonly name: string;
  readonly tokens: Tokens;
  /** Whether the tool is one of Tool Search's own. */
  readonly ours: boolean;
  /** Whether the definition was sent only for the provider's search, not to the model. */
  readonly deferred: boolean;
}

/** A round's request to a model, and its reply. */
export interface ExchangeView {
  readonly turn: number;
  readonly round: number;
  readonly sent: readonly ExchangePart[];
  /** The first tools if there are too many for a message. `toolCount` is the number of all. */
  readonly tools: readonly SentTool[];
  readonly toolCount: number;
  /** The model's reply; undefined while the model is answering. */
  readonly reply?: readonly ExchangePart[];
}
