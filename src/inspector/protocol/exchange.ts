import type { Tokens } from '../../core/usage/types';

/** A part of a request or reply, in the order in which it was sent. */
export interface ExchangePart {
  readonly role: 'system' | 'user' | 'note' | 'assistant' | 'call' | 'result';
  /** Name of the called tool. */
  readonly name?: string;
  /** The beginning of its text. */
  readonly text: string;
  /** Characters of the whole text. */
  readonly chars: number;
}

/** A tool whose definition was in a request. */
export interface SentTool {
  readonly name: string;
  readonly tokens: Tokens;
  /** One of Tool Search's own. */
  readonly ours: boolean;
  /** Sent for the provider to search, not for the model to see. */
  readonly deferred: boolean;
}

/** One model call: its request and its reply. */
export interface ExchangeView {
  readonly turn: number;
  readonly round: number;
  readonly sent: readonly ExchangePart[];
  /** The first of them if there are too many for a message; `toolCount` counts all. */
  readonly tools: readonly SentTool[];
  readonly toolCount: number;
  /** Absent while the model answers. */
  readonly reply?: readonly ExchangePart[];
}
