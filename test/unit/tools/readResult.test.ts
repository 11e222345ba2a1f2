import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GivenPart, readResult } from '../../../src/tools/readResult';
import { holds } from '../property';

const bytes = (text: string, length = text.length) => {
  const data = new Uint8Array(length);
  data.set(Buffer.from(text, 'latin1'));
  return data;
};
const read = (part: GivenPart) => readResult({ outcome: 'ok', parts: [part] }).parts[0];
const data = (mimeType: string, begin: string, length?: number) =>
  read({ kind: 'data', mimeType, data: bytes(begin, length) });

describe('what a tool returned', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n', 'image', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image', 'image/jpeg'],
    ['GIF89a', 'image', 'image/gif'],
    ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image', 'image/webp'],
    ['%PDF-1.7', 'document', 'application/pdf'],
  ])('is media by how it begins, whatever it calls itself: %j', (begin, type, mimeType) => {
    const base64 = Buffer.from(begin, 'latin1').toString('base64');
    expect(data('image/png', begin)).toEqual({ type, mimeType, bytes: begin.length, data: base64 });
  });

  it('is named if models can’t be shown it: unreadable or large', () => {
    expect(data('image/png', 'nonsense')).toEqual({ type: 'omitted', mimeType: 'image/png', bytes: 8 });
    expect(data('image/png', '\x89PNG\r\n\x1a\n', 3_750_001)).toMatchObject({ type: 'omitted', bytes: 3_750_001 });
    expect(data('application/pdf', '%PDF-', 10_000_001)).toMatchObject({ type: 'omitted' });
    expect(data('application/zip', 'PK')).toEqual({ type: 'omitted', mimeType: 'application/zip', bytes: 2 });
  });

  it('keeps what a request can carry, and names the rest', () => {
    const pdf = (length: number): GivenPart => ({ kind: 'data', mimeType: '', data: bytes('%PDF-', length) });
    const typesOf = (parts: GivenPart[]) => readResult({ outcome: 'ok', parts }).parts.map((part) => part.type);
    expect(typesOf(Array.from({ length: 21 }, () => pdf(9)))).toEqual([
      ...Array.from({ length: 20 }, () => 'document'),
      'omitted',
    ]);
    expect(typesOf([pdf(9_000_000), pdf(7_000_000), pdf(6_000_000)])).toEqual(['document', 'omitted', 'document']);
  });

  it('is text if its type says so', () => {
    expect(data('application/vnd.api+json', '{"a":1}')).toEqual({ type: 'text', text: '{"a":1}' });
    expect(data('image/svg+xml', '<svg/>')).toEqual({ type: 'text', text: '<svg/>' });
  });

  it('is named if the server only points to it', () => {
    expect(read({ kind: 'link', uri: 'file:///a', about: ['', 'text/plain', 'a'] })).toEqual({
      type: 'text',
      text: '[Resource: file:///a, text/plain, a]',
    });
  });

  it('keeps structured content for code, and as text once', () => {
    const structured = { a: [1] };
    const told = (...texts: string[]) =>
      readResult({ outcome: 'ok', parts: texts.map((text) => ({ kind: 'text', text })), structured });
    expect(told('{"a": [1]}')).toEqual({ outcome: 'ok', parts: [{ type: 'text', text: '{"a": [1]}' }], structured });
    expect(told('one').parts).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: '{"a":[1]}' },
    ]);
    expect(told().parts).toEqual([{ type: 'text', text: '{"a":[1]}' }]);
  });

  it('is read, whatever its bytes are', () => {
    holds([fc.string(), fc.uint8Array()], (mimeType, value) => {
      const part = read({ kind: 'data', mimeType, data: value });
      expect(part?.type === 'text' || part?.bytes === value.byteLength).toBe(true);
    });
  });
});
