import { expect, it } from 'vitest';
import type { ToolRun } from '../../../../src/core/ports';
import { createStructuredCheck } from '../../../../src/tools/vscode/structuredTools';

const text = (value: string): ToolRun => ({ outcome: 'ok', parts: [{ type: 'text', text: value }] });
const structured: ToolRun = { ...text('{"content":"a"}'), structured: { content: 'a' } };

it('takes lone text of a structured tool as failed, and keeps it', () => {
  const check = createStructuredCheck();
  expect(check('files/read', text('no such file'))).toEqual(text('no such file'));
  expect(check('files/read', structured)).toBe(structured);
  expect(check('files/read', text('no such file'))).toMatchObject({
    outcome: 'failed',
    parts: [{ text: expect.stringMatching(/^\[Probably an error:/) }, { text: 'no such file' }],
  });
});

it('leaves other tools, refusals and images alone', () => {
  const check = createStructuredCheck();
  check('files/read', structured);
  const image: ToolRun = { outcome: 'ok', parts: [{ type: 'image', mimeType: 'image/png', data: 'a', bytes: 1 }] };
  const refused: ToolRun = { ...text('skipped'), outcome: 'refused' };
  for (const run of [image, refused]) expect(check('files/read', run)).toBe(run);
  const other = text('plain');
  expect(check('files/list', other)).toBe(other);
});
