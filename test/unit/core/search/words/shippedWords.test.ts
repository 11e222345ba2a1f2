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

const files = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

// `npm run words` also checks each new file.
describe.each(files)('words/$name', ({ text }) => {
  const entries = [...readWordsFile(text)];
  const raw = JSON.parse(text) as { server?: unknown; tools: Record<string, Record<string, unknown>> };

  it('names the package of its server', () => {
    expect(raw.server).toMatch(/\S/);
  });

  it('shows the names of its tools before it is read', () => {
    expect([...namesIn(text)]).toEqual(expect.arrayContaining(entries.map(([name]) => name)));
  });

  it.each(entries)('%s can be told from other tools, in English and German', (name, { words, about }) => {
    expect(about.length, '"about": telling words of its definition').toBeGreaterThan(0);
    for (const language of ['en', 'de']) {
      expect(words[language]?.length, `phrases in ${language}`).toBeGreaterThanOrEqual(3);
      const written = raw.tools[name]?.[language];
      const phrases = typeof written === 'string' ? written.split(',').length : (written as unknown[]).length;
      expect(words[language], 'each phrase counts: none twice, too long or beyond 24').toHaveLength(phrases);
      expect(formsOf({ [language]: words[language] ?? [] }).length).toBeGreaterThan(2);
      const idle = words[language]?.filter((phrase) => isIdle(language, phrase));
      expect(idle, `"${language}": phrases that fit nearly every tool, or have only function words`).toEqual([]);
    }
  });
});

function isIdle(language: string, phrase: string): boolean {
  return GENERIC[language]?.includes(phrase.toLowerCase()) || formsOf({ [language]: [phrase] }).length === 0;
}

it('words/ takes no more than the package has room for', () => {
  expect(files.reduce((sum, { text }) => sum + deflateRawSync(text).length, 0)).toBeLessThan(MOST);
});
