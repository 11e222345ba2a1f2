import { describe, expect, it } from 'vitest';
import { WordBook } from '../../../../../src/core/search/words/wordBook';
import { boundedWords, MAX_FILE, namesIn, readWordsFile } from '../../../../../src/core/search/words/wordsFile';
import { makeTool } from '../makeTool';

const ISSUE = makeTool('tracker', 'create_issue', 'Create a new issue in a GitHub repository');

const fail = (error: unknown) => {
  throw error;
};

describe('shipped words', () => {
  const book = new WordBook();
  book.ship('{"tools": {"create_issue": {"about": "issue github repository", "en": "bug, ticket"}}}', fail);

  it('belong to tools with the name and most of the definition', () => {
    expect(book.of(ISSUE)).toEqual({ en: ['bug', 'ticket'] });
    expect(book.of({ ...ISSUE, description: 'Opens an issue in the repository' })).toEqual({ en: ['bug', 'ticket'] });
    expect(book.of(makeTool('library', 'create_issue', 'Prints the next number of a magazine'))).toBeUndefined();
    expect(book.of({ ...ISSUE, description: 'Opens issues in repositories' })).toBeDefined();
  });

  it('are read only when a tool of the file is there', () => {
    const lazy = new WordBook();
    const errors: unknown[] = [];
    lazy.ship('{"tools": {"create_issue": {"en": "bug"}, }', (error) => errors.push(error));
    expect([lazy.of(makeTool('tracker', 'close_issue', 'Closes an issue')), errors.length]).toEqual([undefined, 0]);
    expect([lazy.of(ISSUE), errors.length]).toEqual([undefined, 1]);
  });
});

it('words of team and product add up, once, the team’s first', () => {
  const book = new WordBook();
  book.ship('{"tools": {"create_issue": {"about": "issue", "en": ["bug", "defect"], "fr": ["bogue"]}}}', fail);
  book.team = new Map([[ISSUE.id, { en: ['defect'], de: ['Mangel'] }]]);
  expect(book.of(ISSUE)).toEqual({ en: ['defect', 'bug'], de: ['Mangel'], fr: ['bogue'] });
  expect(book.of({ ...ISSUE, name: 'other' })).toEqual({ en: ['defect'], de: ['Mangel'] });
});

describe('the book of words', () => {
  const shipped = (about: string, words: string) =>
    JSON.stringify({ tools: { create_issue: { about, en: words, de: 'Fehler' } } });

  it('takes the first file whose tool has half of the telling words', () => {
    const book = new WordBook();
    book.ship(shipped('magazine number print', 'edition'), fail);
    book.ship(shipped('issue repository magazine number', 'bug'), fail);
    book.ship(shipped('issue', 'later'), fail);
    expect(book.of(ISSUE)).toEqual({ en: ['bug'], de: ['Fehler'] });
    expect(book.of(makeTool('tracker', 'close_issue'))).toBeUndefined();
  });

  it('takes no words that are about nothing', () => {
    const book = new WordBook();
    book.ship('{"tools": {"create_issue": {"en": "bug"}}}', fail);
    expect(book.of(ISSUE)).toBeUndefined();
    book.ship(shipped('tracker', 'server'), fail);
    expect(book.of({ ...ISSUE })).toMatchObject({ en: ['server'] });
  });

  it('warns once of each file that it can’t read', () => {
    const book = new WordBook();
    let warnings = 0;
    book.ship('{"tools": {"create_issue": {"about": "issue"}, "close_issue": {}', () => warnings++);
    book.ship('{"other": {"create_issue": {}}', () => warnings++);
    for (const name of ['create_issue', 'close_issue']) expect(book.of(makeTool('tracker', name))).toBeUndefined();
    expect(warnings).toBe(2);
  });
});

describe('the bounds of words', () => {
  it.each([
    ['sixty characters', 'x'.repeat(60), ['x'.repeat(60)]],
    ['more characters', 'x'.repeat(61), []],
    ['a text with commas', 'a, b,,a , c', ['a', 'b', 'c']],
    ['a list', ['a, b', ' a, b ', 3, null, ''], ['a, b']],
    ['control characters', ['a\u0000\u0001b\u007fc\u009fd'], ['a b c d']],
    ['240 entries of a list', [...Array(239).fill(''), 'a', 'b'], ['a']],
    ['1,440 characters', `${'abcdefghi,'.repeat(143)}jklmnopqrstuv`, ['abcdefghi', 'jklmnopqrs']],
    ['24 phrases', Array.from({ length: 30 }, (_, i) => `${i}`), Array.from({ length: 24 }, (_, i) => `${i}`)],
    ['an object', { a: 1 }, []],
  ])('keep %s', (_, list, phrases) => {
    expect(boundedWords({ en: list })).toEqual(phrases.length > 0 ? { en: phrases } : {});
  });

  it.each([
    [true, ['de', 'pt-br', 'deu', 'de-12345678']],
    [false, ['d', 'germ', 'DE', 'de-', 'de-x', 'de-123456789', 'xde ']],
  ])('know what is a language: %s for %j', (is, names) => {
    const read = names.flatMap((name) => Object.keys(boundedWords({ [name]: ['a'] })));
    expect(read).toEqual(is ? names : []);
  });

  it('refuse long files, and say which tools don’t count', () => {
    expect(() => readWordsFile(' '.repeat(MAX_FILE + 1))).toThrow('it has more than 8000000 characters');
    const file = (count: number) =>
      JSON.stringify({ tools: Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, { en: 'x' }])) });
    const warnings: string[] = [];
    expect(readWordsFile(file(10_000), (warning) => warnings.push(warning)).size).toBe(10_000);
    expect(warnings).toEqual([]);
    expect(readWordsFile(file(10_001), (warning) => warnings.push(warning)).size).toBe(10_000);
    expect(warnings).toEqual(['Only the first 10000 of its 10001 tools count.']);
    expect(readWordsFile('{"tools": {}}'.padEnd(MAX_FILE)).size).toBe(0);
  });

  it('keep the telling words of a definition', () => {
    expect(readWordsFile('{"tools": {"a": {"about": "one two  one"}}}').get('a')).toEqual({
      words: {},
      about: ['one', 'two'],
    });
  });

  it('let names be seen without reading the file', () => {
    const text = `{"tools": {"a": {}, "b":{}, "c" : {}, "${'d'.repeat(200)}": {}, "${'e'.repeat(201)}": {}, "f": 1}}`;
    expect([...namesIn(text)]).toEqual(['tools', 'a', 'b', 'd'.repeat(200)]);
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
});
