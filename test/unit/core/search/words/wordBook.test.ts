import { describe, expect, it } from 'vitest';
import { definitionHash, WordBook } from '../../../../../src/core/search/words/wordBook';
import { readWordsFile, writeWordsFile } from '../../../../../src/core/search/words/wordsFile';
import { readWords, wordsPrompt, writingFigures } from '../../../../../src/core/search/words/writeWords';
import { makeTool } from '../makeTool';

const ISSUE = makeTool('tracker', 'create_issue', 'Create a new issue in a GitHub repository');

describe('shipped words', () => {
  const book = new WordBook();
  book.ship('{"tools": {"create_issue": {"about": "issue github repository", "en": "bug, ticket"}}}');

  it('belong to tools with the name and most of the definition', () => {
    expect(book.of(ISSUE)).toEqual({ en: ['bug', 'ticket'] });
    expect(book.of({ ...ISSUE, description: 'Opens an issue in the repository' })).toEqual({ en: ['bug', 'ticket'] });
    expect(book.of(makeTool('library', 'create_issue', 'Prints the next number of a magazine'))).toBeUndefined();
  });

  it('are read only when a tool of the file is there', () => {
    const lazy = new WordBook();
    const errors: unknown[] = [];
    lazy.ship('{"tools": {"create_issue": {"en": "bug"}, }', (error) => errors.push(error));
    expect([lazy.of(makeTool('tracker', 'close_issue', 'Closes an issue')), errors.length]).toEqual([undefined, 0]);
    expect([lazy.of(ISSUE), errors.length]).toEqual([undefined, 1]);
  });
});

describe('words of several origins', () => {
  it('add up, with the team’s first, and follow a changed definition', () => {
    const book = new WordBook();
    book.ship('{"tools": {"create_issue": {"about": "issue", "en": ["bug"]}}}');
    book.team = new Map([[ISSUE.id, { en: ['defect'], de: ['Mangel'] }]]);
    book.written = new Map([[definitionHash(ISSUE), { de: ['Fehler'] }]]);
    book.changed();
    expect(book.of(ISSUE)).toEqual({ en: ['defect', 'bug'], de: ['Mangel', 'Fehler'] });
    expect(book.originsOf(ISSUE)).toEqual(['team', 'written', 'shipped']);
    expect(book.of({ ...ISSUE, description: 'Another issue' })).toEqual({ en: ['defect', 'bug'], de: ['Mangel'] });
  });
});

describe('a file with words', () => {
  it('is bounded, whatever it holds', () => {
    const tools = {
      a: { en: Array.from({ length: 1000 }, (_, i) => `w${i}`), de: 'x'.repeat(100_000), __proto__x: ['no'] },
      b: { en: ['tab\there', 7, '', 'y'.repeat(61)], constructor: 'ok' },
      c: { about: 3, en: { not: 'a list' } },
    };
    const read = readWordsFile(JSON.stringify({ tools }));
    expect(read.get('a')?.words.en).toHaveLength(24);
    expect(Object.keys(read.get('a')?.words ?? {})).toEqual(['en']);
    expect(read.get('b')?.words).toEqual({ en: ['tab here'] });
    expect(read.get('c')).toEqual({ words: {}, about: [] });
  });

  it('loses only the tools without words', () => {
    expect([...readWordsFile('{"tools": {"a": "b", "c": {"en": "d"}}}').keys()]).toEqual(['c']);
  });

  it('is refused with a reason if it is none', () => {
    for (const text of ['[]', '{"tools": []}', '{"tools": "a"}'])
      expect(() => readWordsFile(text)).toThrow(/it needs "tools"/);
  });

  it('reads what it writes', () => {
    const words = { 'a/b': { en: ['one', 'two words'], de: ['drei'] } };
    const read = [...readWordsFile(writeWordsFile(words))].map(([id, { words: own }]) => [id, own]);
    expect(Object.fromEntries(read)).toEqual(words);
  });
});

describe('words that a model writes', () => {
  it('are asked for with bounded definitions', () => {
    const prompt = wordsPrompt([{ ...ISSUE, description: `${'x'.repeat(400)}HIDDEN` }], ['en', 'de']);
    expect(prompt).toContain('"id":"tracker/create_issue"');
    expect(prompt).toContain('"de": "word, two words, …"');
    expect(prompt).not.toContain('HIDDEN');
    expect(writingFigures([ISSUE, ISSUE], ['en', 'de'])).toEqual({
      input: expect.any(Number),
      output: 180,
      requests: 1,
    });
  });

  it('are read strictly: other tools, languages and lines are left out', () => {
    const answer = [
      'Here you are:',
      '{"n": 1, "en": "bug, ticket", "de": ["Fehler"], "fr": "bogue"}',
      '{"n": 9, "en": "stray"}',
      '{"n": 2, "en": ""}',
      '{"n": 2, "en": broken',
    ].join('\n');
    expect([...readWords(answer, 2, ['en', 'de'])]).toEqual([[0, { en: ['bug', 'ticket'], de: ['Fehler'] }]]);
  });
});
