import fc from 'fast-check';
import type { ToolDefinition } from '../../../../src/core/catalog/tool';
import type {
  AssistantItem,
  SearchRecord,
  ToolCall,
  ToolResult,
  Transcript,
  TranscriptItem,
} from '../../../../src/core/conversation/transcript';

/** Ids that a transcript may name, among them a tool that no longer exists. */
const IDS = ['math/sum', 'math/echo', 'files/read', 'gone/tool'];
const NAMES = ['search_tools', 'math_sum', 'math_echo', 'files_read', 'gone_tool', 'no such name', ''];

const anyText = fc.oneof(fc.constantFrom('', ' ', '\n', 'hello'), fc.string());
const anySearch: fc.Arbitrary<SearchRecord> = fc.record({
  queries: fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
  strategy: fc.constantFrom('bm25', 'regex', 'provider'),
  found: fc.array(fc.constantFrom(...IDS), { maxLength: 4 }),
});
// Few ids, so that they repeat, and some that no service accepts.
const anyCallId = fc.constantFrom('a', 'b', 'call_1', 'toolu_01', 'with space', '', 'x'.repeat(80));
const anyCall: fc.Arbitrary<ToolCall> = fc.record({
  callId: anyCallId,
  name: fc.constantFrom(...NAMES),
  input: fc.oneof(fc.object({ maxDepth: 1 }), fc.string(), fc.constant(undefined), fc.constant([1])),
});
const anyResult: fc.Arbitrary<ToolResult> = fc.record(
  {
    callId: anyCallId,
    outcome: fc.constantFrom('ok' as const, 'failed' as const, 'refused' as const, 'cancelled' as const),
    parts: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text: anyText }),
        fc.record({ type: fc.constant('omitted' as const), mimeType: fc.constant('audio/wav'), bytes: fc.nat() }),
        fc.record({
          type: fc.constant('image' as const),
          mimeType: fc.constantFrom('image/png', 'image/tiff'),
          bytes: fc.nat(),
          data: fc.constant('AAAA'),
        }),
      ),
      { maxLength: 3 },
    ),
    search: anySearch,
  },
  { requiredKeys: ['callId', 'outcome', 'parts'] },
);

/**
 * Any conversation, also ones that no provider would have written: cut, with calls or results missing, with repeated
 * ids, or with blocks of other providers.
 */
export function anyTranscript(opaque: fc.Arbitrary<NonNullable<AssistantItem['opaque']>>): fc.Arbitrary<Transcript> {
  const anyItem: fc.Arbitrary<TranscriptItem> = fc.oneof(
    fc.record({ kind: fc.constant('user' as const), text: anyText }),
    fc.record(
      {
        kind: fc.constant('assistant' as const),
        text: anyText,
        calls: fc.array(anyCall, { maxLength: 3 }),
        searches: fc.array(anySearch, { maxLength: 2 }),
        opaque,
      },
      { requiredKeys: ['kind', 'text', 'calls'] },
    ),
    fc.record({ kind: fc.constant('results' as const), results: fc.array(anyResult, { maxLength: 3 }) }),
  );
  return fc.array(anyItem, { maxLength: 10 });
}

const define = (server: string, name: string): ToolDefinition => ({
  id: `${server}/${name}`,
  server,
  name: `${server}_${name}`,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { x: { type: 'string' } } },
});

/** The tools that exist now for such a conversation; `gone/tool` isn't among them. */
export const TODAY = { sum: define('math', 'sum'), echo: define('math', 'echo'), read: define('files', 'read') };
