import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../webview/timeline/highlight';

describe('the colours of code', () => {
  it('tell comments, strings, numbers, keywords and calls apart, and lose nothing', () => {
    const code = 'const a = await f("x\\"y", 12); // done\n/* open';
    const pieces = piecesOf(code);
    expect(pieces.map(({ text }) => text).join('')).toBe(code);
    expect(pieces.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind}:${text}`)).toEqual([
      'keyword:const',
      'keyword:await',
      'call:f',
      'string:"x\\"y"',
      'number:12',
      'comment:// done',
      'comment:/* open',
    ]);
  });

  it('take linear time, whatever the code', () => {
    for (const code of ['/*'.repeat(50_000), '"'.repeat(100_000), '`${'.repeat(40_000), '\\'.repeat(100_000)])
      expect(
        piecesOf(code)
          .map(({ text }) => text)
          .join(''),
      ).toBe(code);
  });
});
