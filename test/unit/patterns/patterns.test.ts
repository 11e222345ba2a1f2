import { createContext, Script } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectPatterns, type Found } from './collect';
import { BOUNDED, LINEAR, MADE } from './reviewed';

const reviewed = new Set([
  ...LINEAR.map(String),
  ...Object.values(BOUNDED).flat().map(String),
  ...MADE.map(([file]) => file),
]);

let found: readonly Found[] = [];
beforeAll(() => {
  found = collectPatterns();
});

describe('the regular expressions of src and webview', () => {
  it('are each reviewed: a careless one can hang on some text', () => {
    const fresh = found
      .filter(({ written }) => !reviewed.has(written))
      .map(({ written, file }) => `${file}: ${written}`);
    expect(
      fresh,
      'Not reviewed yet. Think of the worst text that a server, a model or a file can send it: is the pattern linear? ' +
        'Then it belongs to LINEAR of test/unit/patterns/reviewed.ts, which says what that takes. If not, use core/util/trim.ts, ' +
        'plain code or core/util/re2.ts in its place, or bound the text and add it to BOUNDED with its limit.',
    ).toEqual([]);
  });

  it('are all that is in the list', () => {
    const written = new Set(found.map((each) => each.written));
    expect(
      [...reviewed].filter((each) => !written.has(each)),
      'No longer in the code: take it out of test/unit/patterns/reviewed.ts.',
    ).toEqual([]);
  });

  it('are linear if the list says so', () => {
    const slow = LINEAR.flatMap((pattern) => {
      try {
        attack(pattern, LIMIT_MS);
        return [];
      } catch (error) {
        return [`${pattern}: ${error}`];
      }
    });
    expect(slow).toEqual([]);
  });

  it.each([/[.\s]*$/, /“([^”]*)”/, /[aeiou]+[^aeiou]/])('%s is found not to be linear', (pattern) => {
    expect(() => attack(pattern, 50)).toThrow('timed out');
  });
});

/** Length of a hostile text. A linear pattern takes some milliseconds for it, a quadratic one seconds. */
const LENGTH = 50_000;
const LIMIT_MS = 1_000;

/**
 * Throws if the pattern takes longer than `timeout` milliseconds on the worst text for most patterns: one piece that it
 * matches, repeated endlessly.
 */
function attack(pattern: RegExp, timeout: number): void {
  const everywhere = pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`);
  const context = createContext({ pattern: everywhere, text: '' });
  const run = new Script('text.replace(pattern, "")');
  const words = pattern.source.match(/[A-Za-z]{2,}/g) ?? [];
  for (const piece of new Set([...words, ...pattern.source, ' ', 'a', '0', '\n', '\u00e9']))
    for (const end of ['', '\u0001']) {
      context.text = piece.repeat(LENGTH / piece.length) + end;
      run.runInContext(context, { timeout });
    }
}
