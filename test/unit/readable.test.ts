// Checks that code is readable: no function over 80 lines, and in tests no title over twelve words and plain words.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSource } from './imports';

const MOST_LINES = 80;
const MOST_WORDS = 12;

const filesIn = (folder: string) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !/node_modules/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')));

const files = filesIn('test');

/** Tables of schemas, and a script as text. */
const TABLES = /^(const schemas =|export const PRELUDE =)/;

/** Functions that are too long. A `describe` counts as a list of tests, not as a function. */
function longFunctions(file: string): readonly string[] {
  const lines = readSource(file).split('\n');
  return lines.flatMap((line, start) => {
    if (TABLES.test(line)) return [];
    if (!/(\bfunction\b.*|=>|^\s+(async )?#?\w+\(.*\).*|^\s*\}?\).*) \{$/.test(line) || /^\s*describe\b/.test(line))
      return [];
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const length = lines.slice(start).findIndex((each) => each.startsWith(`${indent}}`)) + 1;
    return length > MOST_LINES && !holdsTests(lines.slice(start + 1, start + length))
      ? [`${file}:${start + 1}: ${length} lines`]
      : [];
  });
}

/** Whether a function only lists scenarios, as the parts of an end-to-end file do. */
function holdsTests(lines: readonly string[]): boolean {
  return lines.some((line) => /^\s*(describe|scenario|it|test)(\.\w+)?\(/.test(line));
}

function titlesIn(file: string): readonly string[] {
  const titles = readSource(file).matchAll(
    /^\s*(?:(?:it|test|scenario)(?:\.\w+)?\(|(?:\]|\w+\]?|\})\)?(?: as const)?\)\()\s*(['"`])(.+?)\1,/gm,
  );
  return [...titles].map(([, , title = '']) => title);
}

/** Returns the titles of all tests that match a condition, with their files. */
function titlesThat(match: (title: string) => boolean): readonly string[] {
  return files.flatMap((file) =>
    titlesIn(file)
      .filter(match)
      .map((title) => `${file}: ${title}`),
  );
}

it.each(['src', 'test'])('no function in %s has over 80 lines', (folder) => {
  expect(filesIn(folder).flatMap(longFunctions)).toEqual([]);
});

it('titles of tests have at most twelve words', () => {
  expect(titlesThat((title) => title.split(/\s+/).length > MOST_WORDS)).toEqual([]);
});

it('titles of tests are in plain words', () => {
  // Write: again, is, if.
  expect(titlesThat((title) => /\banew\b|\bstands?\b(?!-in)|, where\b/.test(title))).toEqual([]);
});
