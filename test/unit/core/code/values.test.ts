import { expect, it } from 'vitest';
import { errorOf, partsForModel, scriptValue } from '../../../../src/core/code/values';

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, mimeType: 'image/png', bytes: 3, data: 'AAAA' };

it('a text that its server wrapped and repeated reaches the model once', () => {
  const structured = { content: 'hi' };
  const sent = (...parts: readonly (ReturnType<typeof text> | typeof image)[]) =>
    partsForModel({ outcome: 'ok', parts, structured });
  for (const repeated of ['hi', '{"content":"hi"}', '{ "content": "hi" }'])
    expect(sent(text('hi'), text(repeated))).toEqual([text('hi')]);
  expect(sent(text('hi'), text('bye'))).toEqual([text('hi'), text('bye')]);
  expect(sent(text('hi'), image)).toEqual([text('hi'), image]);
});

it('an image is no JSON for a script', () => {
  expect(scriptValue({ outcome: 'ok', parts: [text('[1]')] }).kind).toBe('either');
  expect(scriptValue({ outcome: 'ok', parts: [image] }).kind).toBe('text');
});

it('an error that a script gets is bounded', () => {
  const error = errorOf({ outcome: 'failed', parts: [text('x'.repeat(10_000))] }, 'a_b');
  expect(error).toMatchObject({ kind: 'error', message: `${'x'.repeat(4_000)}…`, outcome: 'failed' });
});
