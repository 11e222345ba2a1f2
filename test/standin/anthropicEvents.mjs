import { deltas } from './sse.mjs';

/** Returns a message as the stream of its events. `usage` is the usage that is known at its start. */
export function anthropicEvents(message, usage, faults) {
  const events = [{ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } }];
  for (const [index, block] of message.content.entries()) {
    const { start, parts } = inParts(block);
    events.push({ type: 'content_block_start', index, content_block: start });
    for (const [place, delta] of parts.entries()) {
      if (index === 0 && place === 1) events.push({ type: 'ping' });
      events.push({ type: 'content_block_delta', index, delta });
    }
    events.push({ type: 'content_block_stop', index });
  }
  if (faults.has('unknown')) events.push({ type: 'novel_event', detail: { answer: 42 } });
  if (faults.has('error'))
    return [...events.slice(0, 3), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }];
  if (faults.has('early')) return events;
  // A gateway's first try broke off after the first block, and the stream began again.
  const first = faults.has('restart')
    ? events.slice(0, events.findIndex(({ type }) => type === 'content_block_stop') + 1)
    : [];
  return [
    ...first,
    ...events,
    { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage },
    { type: 'message_stop' },
  ];
}

function inParts(block) {
  switch (block.type) {
    case 'text':
      return { start: { ...block, text: '' }, parts: deltas(block.text).map((text) => ({ type: 'text_delta', text })) };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        parts: [
          ...deltas(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'compaction': {
      const { type, ...fields } = block;
      return {
        start: { type, content: null, encrypted_content: null },
        parts: [{ type: 'compaction_delta', ...fields }],
      };
    }
    case 'tool_use':
    case 'server_tool_use':
      return {
        start: { ...block, input: {} },
        parts: ['', ...deltas(JSON.stringify(block.input), 5)].map((json) => ({
          type: 'input_json_delta',
          partial_json: json,
        })),
      };
    default:
      return { start: block, parts: [] };
  }
}
