import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownSecrets, pieces, REDACTED } from '../../../../src/core/text/knownSecrets';
import { Needles } from '../../../../src/core/text/needles';

const known = (...secrets: readonly string[]) => new KnownSecrets().with(secrets);

describe('needles', () => {
  it('are found wherever they stand, and what overlaps is one place', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 });
    const needle = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, fc.array(needle, { minLength: 1, maxLength: 5 }), (hay, needles) => {
        const covered = [...hay].map(() => false);
        for (const each of needles) {
          for (let at = hay.indexOf(each); at >= 0; at = hay.indexOf(each, at + 1)) covered.fill(true, at, at + each.length);
        }
        const found = [...hay].map(() => false);
        let end = -1;
        for (const [from, to] of new Needles(needles).in(hay)) {
          expect(from).toBeGreaterThan(end);
          expect(to).toBeGreaterThan(from);
          end = to;
          found.fill(true, from, to);
        }
        expect(found).toEqual(covered);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('what is known to be secret', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 6, maxLength: 30 }).filter((text) => text.trim().length >= 6);

  it('is found as it is, and as JSON, an address and base64 write it, whatever stands around it', () => {
    fc.assert(
      fc.property(secret, fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (key, before, after) => {
        const { hide } = known(key);
        const trimmed = key.trim();
        const text = `${before}${trimmed}${after}`;
        const written = [
          trimmed,
          JSON.stringify(trimmed).slice(1, -1),
          JSON.stringify(JSON.stringify({ args: trimmed })),
          new URLSearchParams({ q: trimmed }).toString(),
          encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(trimmed))),
        ];
        for (const form of written) expect(hide(form)).toContain(REDACTED);
        for (const form of ['base64', 'base64url'] as const) {
          const encoded = Buffer.from(text, 'utf8').toString(form);
          const hidden = hide(encoded);
          // What is left of it at the ends are digits that it shares with what stands around it.
          expect(hidden).toContain(REDACTED);
          expect(Buffer.from(hidden.replaceAll(REDACTED, ''), form).toString('utf8')).not.toContain(trimmed);
        }
      }),
    );
  });

  it('is taken out of every text of a value, and a value without any stays the same', () => {
    const { hideIn } = known('hunter2-hunter2');
    const value = { a: ['x hunter2-hunter2 y', 1, null], 'hunter2-hunter2': { b: true } };
    expect(hideIn(value)).toEqual({ a: ['x [secret] y', 1, null], '[secret]': { b: true } });
    const plain = { a: ['x', 1, null], b: { c: true } };
    expect(hideIn(plain)).toBe(plain);
  });

  it('that is short is hidden where it stands alone, and no short word is one: it would take ordinary words with it', () => {
    const { hide, hideIn } = known('word', 'true', '   a   ', '', '1x3', '1234', 'p4ß!', 'long-secret-1234');
    expect(hide('a word is true: 1x3')).toBe('a word is true: 1x3');
    expect(hide('1234, pin=1234; 12345 x1234 1234\nlong-secret-1234 (p4ß!)')).toBe(
      '[secret], pin=[secret]; 12345 x1234 [secret]\n[secret] ([secret])',
    );
    expect(hideIn({ count: 1234, pin: '1234' })).toEqual({ count: 1234, pin: '[secret]' });
  });

  it('leaves JSON what it is: numbers that look like a secret stay', () => {
    const secrets = known('1234', '123456', 'a"b1');
    const json = JSON.stringify({ ms: 123456, n: [1234], said: 'it is 123456', pin: '1\n1234', '1234': 'x a"b1 "1234"' });
    expect(JSON.parse([...pieces(json, secrets.inJson(json))].join(''))).toEqual({
      ms: 123456,
      n: [1234],
      said: 'it is [secret]',
      pin: '1\n[secret]',
      '[secret]': 'x [secret] "[secret]"',
    });
  });

  it('is hidden from the moment on in which it is known', () => {
    const secrets = new KnownSecrets();
    expect(secrets.hide('first-secret second-secret')).toBe('first-secret second-secret');
    secrets.add('first-secret');
    expect(secrets.hide('first-secret second-secret')).toBe('[secret] second-secret');
    secrets.add(' second-secret\n');
    expect(secrets.hide('first-secret second-secret')).toBe('[secret] [secret]');
  });
});
