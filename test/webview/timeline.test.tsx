import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../webview/timeline/highlight';
import { markTerms } from '../../webview/timeline/markTerms';

describe('matched terms', () => {
  const marked = (text: string, ...terms: string[]) =>
    markTerms(text, terms)
      .map((piece) => (piece.matched ? `[${piece.text}]` : piece.text))
      .join('');

  it('are whole words of snake_case, camelCase and prose', () => {
    expect(marked('list_pipeline_jobs', 'pipeline', 'job')).toBe('list_[pipeline]_[jobs]');
    expect(marked('listPullRequests', 'pull')).toBe('list[Pull]Requests');
    expect(marked('all the JSON files', 'json')).toBe('all the [JSON] files');
    expect(marked('jobless', 'less')).toBe('jobless');
  });

  it('match by their stems, and not at all if there are none', () => {
    expect(marked('retrieving', 'retriev')).toBe('[retrieving]');
    expect(marked('a_b', '')).toBe('a_b');
    expect(marked('', 'x')).toBe('');
  });
});

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
