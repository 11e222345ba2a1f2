import { expect, it } from 'vitest';
import { splitTranscript } from '../../../../src/core/usage/accounting';

it('our notes count as searching, not as history', () => {
  const note = { kind: 'user', text: 'Tools have changed.', note: true } as const;
  expect(splitTranscript([{ kind: 'user', text: 'Hi.' }, note])).toEqual({
    history: 'Hi.',
    searches: 'Tools have changed.',
  });
});
