import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formsOf } from '../../../../../src/core/search/words/searchWords';
import { namesIn, readWordsFile } from '../../../../../src/core/search/words/wordsFile';

const FOLDER = join(import.meta.dirname, '../../../../../words');
/** Maximum number of bytes of all files together in the package, which compresses each. */
const MOST = 150_000;

/** Words that fit nearly every tool. As a phrase of their own, they say nothing about a tool. */
const GENERIC: Readonly<Record<string, readonly string[]>> = {
  en: ['api', 'data', 'detail', 'details', 'function', 'get', 'info', 'information', 'show', 'tool', 'use'],
  de: ['abrufen', 'anzeigen', 'daten', 'detail', 'details', 'informationen', 'werkzeug'],
};

const files = readdirSync(FOLDER).map((name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const raw = JSON.parse(text) as { server?: unknown; tools: Record<string, Record<string, unknown>> };
  return { name, text, raw, entries: [...readWordsFile(text)] };
});

// `npm run words` also checks each new file.
describe('each file of words/', () => {
  it('names the package of its server', () => {
    expect(files.flatMap(({ name, raw }) => (/\S/.test(String(raw.server ?? '')) ? [] : [name]))).toEqual([]);
  });

  it('shows the names of its tools before it is read', () => {
    for (const { name, text, entries } of files)
      expect([...namesIn(text)], name).toEqual(expect.arrayContaining(entries.map(([tool]) => tool)));
  });

  it('tells each tool from others, in English and German', () => {
    const wrong = files.flatMap(({ name, raw, entries }) =>
      entries.flatMap(([tool, words]) => problemsOf(words, raw.tools[tool]).map((it) => `${name}, ${tool}: ${it}`)),
    );
    expect(wrong).toEqual([]);
  });
});

type Words = ReturnType<typeof readWordsFile> extends Iterable<readonly [string, infer Each]> ? Each : never;

/** What is wrong with a tool's words, of which `raw` are all that its file has. */
function problemsOf({ words, about }: Words, raw: Record<string, unknown> | undefined): readonly string[] {
  return [
    ...(about.length > 0 ? [] : ['"about" has no telling words of its definition']),
    ...['en', 'de'].flatMap((language) => {
      const phrases = words[language] ?? [];
      const written = raw?.[language];
      const count =
        typeof written === 'string' ? written.split(',').length : (written as unknown[] | undefined)?.length;
      const idle = phrases.filter((phrase) => isIdle(language, phrase));
      return [
        ...(phrases.length >= 3 ? [] : [`fewer than 3 phrases in ${language}`]),
        ...(phrases.length === count ? [] : [`phrases in ${language} that are there twice, too long or beyond 24`]),
        ...(formsOf({ [language]: phrases }).length > 2 ? [] : [`too few forms in ${language}`]),
        ...idle.map((phrase) => `“${phrase}” fits nearly every tool, or has only function words`),
      ];
    }),
  ];
}

function isIdle(language: string, phrase: string): boolean {
  return GENERIC[language]?.includes(phrase.toLowerCase()) || formsOf({ [language]: [phrase] }).length === 0;
}

it('words/ takes no more than the package has room for', () => {
  expect(files.reduce((sum, { text }) => sum + deflateRawSync(text).length, 0)).toBeLessThan(MOST);
});
