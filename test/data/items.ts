// Items of invented conversations. A test adds its own part.
import type {
  AssistantItem,
  SearchRecord,
  ToolCall,
  ToolResult,
  TranscriptItem,
  UserItem,
} from '../../src/core/conversation/transcript';

export const user = (text: string, rest: Partial<UserItem> = {}): UserItem => ({ kind: 'user', text, ...rest });

/** A message of the model. */
export const said = (
  text: string,
  calls: readonly ToolCall[] = [],
  rest: Partial<AssistantItem> = {},
): AssistantItem => ({ kind: 'assistant', text, calls, ...rest });

export const results = (...all: readonly ToolResult[]): Extract<TranscriptItem, { kind: 'results' }> => ({
  kind: 'results',
  results: all,
});

/** The result of a call: a text, or other parts. */
export const result = (callId: string, given: string | Partial<ToolResult> = {}, rest: Partial<ToolResult> = {}) => ({
  ...{ callId, outcome: 'ok' as const, parts: [] },
  ...(typeof given === 'string' ? { parts: [{ type: 'text' as const, text: given }] } : given),
  ...rest,
});

/** What is kept of a search that found these tools. */
export const searchOf = (...ids: readonly string[]): SearchRecord => ({ queries: ['x'], strategy: 'bm25', found: ids });
