import { expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { splitTranscript } from '../../../../src/core/usage/accounting';

it('our notes count as searching, not as history', () => {
  const note = { kind: 'user', text: 'Tools have changed.', note: true } as const;
  expect(splitTranscript([{ kind: 'user', text: 'Hi.' }, note])).toEqual({
    history: 'Hi.',
    searches: 'Tools have changed.',
  });
});

it('found definitions and joined tools count as searching', () => {
  const tool = { id: 'a/x', server: 'a', name: 'a_x', description: 'Does x', inputSchema: {} } as const;
  const search = { callId: 's', queries: ['x'], found: ['a/x'], definitions: [tool] };
  const transcript = [
    { kind: 'assistant', text: '', calls: [], searches: [search] },
    { kind: 'user', text: 'Hi.', joined: [{ ...tool, name: 'a_y' }] },
  ] as unknown as Transcript;
  expect(splitTranscript(transcript).searches).toMatch(/Does x[\s\S]*tool_addition.*a_y/);
  expect(splitTranscript(transcript, [tool]).searches).not.toContain('Does x');
});
