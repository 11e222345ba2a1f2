import { describe, expect, it } from 'vitest';
import { share } from '../../property';
import { inPieces } from '../inPieces';
import { eventsOf, portOver, requestOf } from './wire';

describe('A streamed reply', () => {
  it('is read at once, however many citations it has', async () => {
    const cited = Array.from({ length: share(200_000) }, (_, at) => ({ at }));
    const events = [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a', citations: [{ at: -1 }] } },
      ...cited.map((citation) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'citations_delta', citation },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ];
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const heard = await eventsOf(portOver([inPieces(body, [1_000_000])]).port, requestOf());
    const citations = [{ at: -1 }, ...cited];
    expect(heard.at(-1)).toMatchObject({ type: 'opaque', block: { value: [{ type: 'text', citations }] } });
  });

  it('names a file that code made, which nobody here can fetch', async () => {
    const result = {
      type: 'code_execution_result',
      stdout: 'done',
      return_code: 0,
      content: [{ type: 'code_execution_output', file_id: 'file_1' }],
    };
    const blocks = [
      { type: 'code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: result },
      { type: 'container_upload', file_id: 'file_2' },
      { type: 'server_tool_use', id: 'without_name' },
    ];
    const events = [
      { type: 'message_start', message: { content: [{ type: 'text', text: 'From code.' }] } },
      ...blocks.flatMap((content_block, index) => [
        { type: 'content_block_start', index, content_block },
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const heard = await eventsOf(portOver([inPieces(body, [1_000])]).port, requestOf());
    expect(heard[0]).toEqual({ type: 'text', text: 'From code.' });
    expect(heard).toContainEqual(
      expect.objectContaining({ type: 'codeEnded', output: 'done\n[File in the container: file_1]' }),
    );
    expect(heard).toContainEqual({ type: 'warning', message: expect.stringContaining('file_2') });
    expect(JSON.stringify(heard.at(-1))).toContain('container_upload');
  });
});
