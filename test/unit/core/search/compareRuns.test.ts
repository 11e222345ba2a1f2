import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeOf, FIRST, type Mark, type Marks, objections } from '../../../bench/compare';
import { evaluateFolders } from '../../../bench/folders';
import { makeFolder } from '../../folder';

const marks = (share: number, n: number): Mark[] =>
  Array.from({ length: n }, (_, i) => [i < share * n ? 1 : 0, i < share * n ? 1 : 0, 5]);
const sets = (shares: readonly number[]): Marks =>
  Object.fromEntries(shares.map((share, i) => [`dev/s${i}:request`, marks(share, 200)]));

describe('a change of the ranking', () => {
  it('that helps everywhere is taken, and so is none', () => {
    expect(objections(sets([0.5, 0.5, 0.5]), sets([0.6, 0.6, 0.6]))).toEqual([]);
    expect(objections(sets([0.5, 0.5, 0.5]), sets([0.5, 0.5, 0.5]))).toEqual([]);
  });

  it.each([
    ['one set much', [0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.48], 'dev/s6 falls by 2.0.'],
    ['several sets a little', [0.9, 0.9, 0.9, 0.9, 0.495, 0.495, 0.495], '3 of 7 sets fall.'],
  ])('that makes %s worse is left, however good the mean', (_, after, why) =>
    expect(objections(sets(Array(7).fill(0.5)), sets(after))).toEqual([`R@1: ${why}`, `R@5: ${why}`]),
  );

  it('is compared query by query: different halves aren’t surely equal', () => {
    const before: Marks = { 'dev/a:request': marks(0.5, 100) };
    const after: Marks = { 'dev/a:request': [...marks(0.5, 100)].reverse() };
    const { by, low, high } = changeOf(before, after, ['dev/a:request'], FIRST);
    expect(by).toBe(0);
    expect(low).toBeLessThan(-0.1);
    expect(high).toBeGreaterThan(0.1);
    expect(changeOf(before, before, ['dev/a:request'], FIRST)).toEqual({ by: 0, low: 0, high: 0 });
  });
});

describe('eval over folders', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('stores a run, and compares the next with it, each catalog', async () => {
    const root = makeFolder();
    const folder = (name: string, tools: readonly object[], queries?: readonly object[]) => {
      mkdirSync(join(root, name), { recursive: true });
      const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
      writeFileSync(join(root, name, 'tools.jsonl'), lines(tools));
      if (queries) writeFileSync(join(root, name, 'queries.jsonl'), lines(queries));
    };
    folder('one/mail', [{ server: 'mail', name: 'send_mail' }], [{ query: 'send a mail', gold: ['mail/send_mail'] }]);
    folder('one/more', [{ server: 'post', name: 'send_letter', description: 'By mail' }]);
    folder(
      'two/web',
      [{ server: 'web', name: 'fetch_page' }],
      [{ query: 'nothing of the kind', gold: ['web/fetch_page'] }],
    );
    const file = join(root, 'run.json');
    const said: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string = '') => void said.push(line));
    const dirs = [join(root, 'one'), join(root, 'two')];
    await evaluateFolders(dirs, { strategy: 'bm25', 'no-words': false, save: file });
    await evaluateFolders(dirs, { strategy: 'bm25', 'no-words': false, baseline: file });
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { readonly apart: Marks; readonly together: Marks };
    expect(stored.apart).toEqual({ 'one/mail:all': [[1, 1, 1]], 'two/web:all': [[0, 0, 0]] });
    expect(stored.together['one/mail:all']).toEqual([[1, 1, 2]]);
    expect(said.join('\n')).toMatch(
      /All in one catalog of 3 tools[\s\S]*pooled: macro +2 +50\.0 +50\.0 +1\.00 +±0\.0 +\[±0\.0, ±0\.0\]/,
    );
    expect(said.slice(-2)).toEqual(['Each catalog by itself: take it.', 'All in one catalog: take it.']);
    folder(
      'one/mail',
      [{ server: 'mail', name: 'send_mail' }],
      [
        { query: 'a', gold: ['mail/send_mail'] },
        { query: 'b', gold: ['mail/send_mail'] },
      ],
    );
    await expect(evaluateFolders(dirs, { strategy: 'bm25', 'no-words': false, baseline: file })).rejects.toThrow(
      /other queries of one\/mail:all/,
    );
  });
});
