import { expect, it } from 'vitest';
import type { ToolRun } from '../../../../src/core/ports';
import { createStructuredCheck } from '../../../../src/tools/vscode/structuredTools';

const text = (value: string): ToolRun => ({ outcome: 'ok', parts: [{ type: 'text', text: value }] });
const structured: ToolRun = { ...text('{"content":"a"}'), structured: { content: 'a' } };

it('a structured tool that returns text alone failed; its text stays', () => {
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
  const data = text('{\n  "content": "b"\n}');
  expect(check('files/read', data)).toBe(data);
});

it('takes no error for the structured data of a tool', () => {
  const check = createStructuredCheck();
  check('mail/list', { ...text('{"error":"400"}'), structured: { error: '400' } });
  const run = text('Two mails');
  expect(check('mail/list', run)).toBe(run);
});
