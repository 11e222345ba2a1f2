import { describe, expect, it } from 'vitest';
import type { SearchWords } from '../../../../../src/core/search/words/searchWords';
import {
  BATCH,
  languagesToWrite,
  readWords,
  toolsToWrite,
  wordsPrompt,
  writingFigures,
} from '../../../../../src/core/search/words/writeWords';
import { makeTool } from '../makeTool';

const tool = makeTool('a', 'b', 'Does it', Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`arg${i}`, ''])));

describe('the request for words', () => {
  it('has a line for each tool and a key for each language', () => {
    const prompt = wordsPrompt([tool, makeTool('c', 'd', 'x'.repeat(500))], ['en', 'de']);
    const [first, second] = prompt
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toEqual({
      n: 1,
      id: 'a/b',
      description: 'Does it',
      arguments: Array.from({ length: 20 }, (_, i) => `arg${i}`),
    });
    expect(second).toEqual({ n: 2, id: 'c/d', description: 'x'.repeat(400), arguments: [] });
    expect(prompt).toContain('{"n": 1, "en": "word, two words, …", "de": "word, two words, …"}');
    expect(prompt).toContain('each of these languages: en, de.');
  });

  it('is estimated in batches of twenty', () => {
    const tools = Array.from({ length: 2 * BATCH + 1 }, () => tool);
    const length = (count: number) => wordsPrompt(tools.slice(0, count), ['en']).length;
    expect(writingFigures(tools, ['en'])).toEqual({
      input: Math.ceil((2 * length(BATCH) + length(1)) / 4),
      output: tools.length * 45,
      requests: 3,
    });
    expect(writingFigures(tools.slice(0, BATCH), ['en', 'de'])).toMatchObject({ output: BATCH * 90, requests: 1 });
    expect(writingFigures([], ['en'])).toEqual({ input: 0, output: 0, requests: 0 });
  });
});

describe('the answer', () => {
  it.each([
    ['{"n": 1, "en": "x"}', [0]],
    ['- {"n": 2, "en": "x"} ok', [1]],
    ['{"n": 0, "en": "x"}', []],
    ['{"n": -1, "en": "x"}', []],
    ['{"n": 3, "en": "x"}', []],
    ['{"n": 1.5, "en": "x"}', []],
    ['{"n": "1", "en": "x"}', []],
    ['{"en": "x"}', []],
    ['{"n": 1, "de": "x"}', []],
    ['} {', []],
    ['{', []],
    ['}', []],
    ['[1]', []],
  ])('of %s gives words to %j', (line, places) => {
    expect([...readWords(line, 2, ['en'])]).toEqual(places.map((place) => [place, { en: ['x'] }]));
  });
});

describe('words to write', () => {
  it('are of tools that lack a language, without resources and prompts', () => {
    const words = new Map<string, SearchWords>([
      ['a/both', { en: ['x'], de: ['y'] }],
      ['a/one', { en: ['x'] }],
    ]);
    const resource = { ...makeTool('a', 'resource'), item: { kind: 'resource' } } as unknown as typeof tool;
    const tools = [makeTool('a', 'both'), makeTool('a', 'one'), makeTool('a', 'none'), resource];
    const names = (languages: readonly string[]) =>
      toolsToWrite(tools, languages, ({ id }) => words.get(id)).map(({ name }) => name);
    expect(names(['en', 'de'])).toEqual(['one', 'none']);
    expect(names(['en'])).toEqual(['none']);
  });

  it('are in four languages at most, English first', () => {
    expect(languagesToWrite(['de', 'fr', 'it', 'es'], 'pl')).toEqual(['en', 'de', 'fr', 'it']);
    expect(languagesToWrite([], 'pt-BR')).toEqual(['en', 'pt-br']);
    expect(languagesToWrite([], 'x')).toEqual(['en']);
    expect(languagesToWrite([], 'DE')).toEqual(['en', 'de']);
    expect(languagesToWrite(['FR', 'en', 'no language', 'de'], 'it')).toEqual(['en', 'fr', 'de']);
  });
});
