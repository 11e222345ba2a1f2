import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutResult } from '../../../../src/core/conversation/cutResult';
import type { ResultPart } from '../../../../src/core/conversation/transcript';
import { cut } from '../../../../src/core/util/cut';
import { collectGarbage } from '../../../soak/promises';
import { holds } from '../../property';

const text = (value: string): ResultPart => ({ type: 'text', text: value });

describe('cutResult', () => {
  it('leaves a short result alone', () => {
    const parts = [text('a'), text('b')];
    expect(cutResult(parts)).toBe(parts);
  });

  it('keeps the first part of megabytes and says how much is missing', () => {
    const cut = cutResult([text('x'.repeat(3_000_000))]);
    expect(cut).toHaveLength(2);
    expect(cut[0]).toEqual(text('x'.repeat(100_000)));
    expect(cut[1]).toMatchObject({ text: expect.stringContaining('first 100,000 of 3,000,000 characters') });
  });

  it('names the place of the whole, and says how to read it', () => {
    const kept: string[] = [];
    const parts = ['abc', 'def', 'ghi'].map(text);
    expect(cutResult(parts, { maxChars: 5, store: (whole) => `r${kept.push(whole)}` })).toEqual([
      text('abc'),
      text('d'),
      text(
        '[Cut: these are the first 5 of 11 characters. All of it is kept as "r1". run_code reads on: return (await results.get("r1")).slice(5, 10)]',
      ),
    ]);
    expect(kept).toEqual(['abc\ndef\nghi']);
  });

  it('cuts over several parts and keeps the notes on binary data', () => {
    const image: ResultPart = { type: 'omitted', mimeType: 'image/png', bytes: 9 };
    expect(cutResult([text('abc'), image, text('defg'), text('hi')], { maxChars: 5 })).toMatchObject([
      text('abc'),
      image,
      text('d'),
      {},
    ]);
  });

  it('never parts a surrogate pair nor keeps too much', () => {
    holds([fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 20 })], (texts, max) => {
      const cut = cutResult(texts.map(text), { maxChars: max });
      const whole = texts.join('\n');
      const kept = (whole.length > max ? cut.slice(0, -1) : cut)
        .map((part) => (part.type === 'text' ? part.text : ''))
        .join('\n');
      expect(whole.startsWith(kept)).toBe(true);
      expect(kept.length).toBeLessThanOrEqual(max);
      expect(() => encodeURIComponent(kept)).not.toThrow();
    });
  });
});

it('keeps no more of a long text in memory than its part', () => {
  const long = () => `${Math.random()}`.repeat(100_000);
  const used = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const kept = Array.from({ length: 30 }, () => [
    cut(long(), 100),
    cutResult([{ type: 'text', text: long() }], { maxChars: 100 }),
  ]);
  expect(used() - before).toBeLessThan(20_000_000);
  expect(kept).toHaveLength(30);
});
