import { deltas } from './sse.mjs';

/** Returns a response as the stream of its events. */
export function openaiEvents(response, faults, id) {
  const open = { ...response, status: 'in_progress', output: [], usage: null, incomplete_details: null };
  const events = [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
    ...response.output.flatMap((item, index) => itemEvents(item, index, id)),
  ];
  if (faults.has('unknown')) events.push({ type: 'response.novel.thing', detail: { answer: 42 } });
  if (faults.has('error'))
    events.splice(3, events.length, {
      type: 'error',
      code: 'server_error',
      message: 'The server had an error.',
      param: null,
    });
  else if (faults.has('failed')) {
    const error = { code: 'server_error', message: 'The model produced an invalid response.' };
    events.splice(3, events.length, { type: 'response.failed', response: { ...open, status: 'failed', error } });
  } else if (!faults.has('early')) events.push({ type: `response.${response.status}`, response });
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

function itemEvents(item, output_index, id) {
  const at = { item_id: item.id, output_index };
  const added = (part) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...part, status: 'in_progress' },
  });
  const done = { type: 'response.output_item.done', output_index, item };
  switch (item.type) {
    case 'message':
      return [
        added({ ...item, content: [] }),
        ...item.content.flatMap((part, index) => partEvents(part, { ...at, content_index: index })),
        done,
      ];
    case 'function_call':
      return [
        added({ ...item, arguments: '' }),
        ...deltas(item.arguments, 5).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          ...at,
          delta,
          obfuscation: 'x',
        })),
        { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
        done,
      ];
    case 'tool_search_call':
      // The service sometimes sends another call id at the end than at the start.
      return [added({ ...item, arguments: {}, ...(item.call_id ? { call_id: id('call') } : {}) }), done];
    case 'program':
      // Its code and its signature are complete only at the end.
      return [
        {
          type: 'response.output_item.added',
          output_index,
          item: { ...item, code: '', fingerprint: `${item.fingerprint}_early` },
        },
        done,
      ];
    case 'program_output':
      return [added({ ...item, result: '' }), done];
    default:
      return [added(item), done];
  }
}

function partEvents(part, at) {
  const refusal = part.type === 'refusal';
  const key = refusal ? 'refusal' : 'text';
  const kind = refusal ? 'response.refusal' : 'response.output_text';
  return [
    { type: 'response.content_part.added', ...at, part: { ...part, [key]: '' } },
    ...deltas(part[key]).map((delta) => ({ type: `${kind}.delta`, ...at, delta })),
    { type: `${kind}.done`, ...at, [key]: part[key] },
    { type: 'response.content_part.done', ...at, part },
  ];
}
