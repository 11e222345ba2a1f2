import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownSecrets, pieces, REDACTED } from '../../../../src/core/util/knownSecrets';
import { Needles } from '../../../../src/core/util/needles';
import { holds } from '../../property';

const known = (...secrets: readonly string[]) => new KnownSecrets().with(secrets);

it('needles are found everywhere, and what overlaps is one place', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
  const needle = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 7 });
  holds([text, fc.array(needle, { minLength: 1, maxLength: 5 })], { numRuns: 2000 }, (hay, needles) => {
    const covered = [...hay].map(() => false);
    for (const each of needles)
      for (let at = hay.indexOf(each); at >= 0; at = hay.indexOf(each, at + 1))
        covered.fill(true, at, at + each.length);
    const found = [...hay].map(() => false);
    let end = -1;
    for (const [from, to] of new Needles(needles).in(hay)) {
      expect(from).toBeGreaterThan(end);
      expect(to).toBeGreaterThan(from);
      end = to;
      found.fill(true, from, to);
    }
    expect(found).toEqual(covered);
  });
});

describe('what is known to be secret', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 6, maxLength: 30 }).filter((text) => text.trim().length >= 6);

  it('is found as it is, and in JSON, addresses and base64', () => {
    holds([secret, fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 })], (key, before, after) => {
      const { redact } = known(key);
      const trimmed = key.trim();
      const text = `${before}${trimmed}${after}`;
      const written = [
        trimmed,
        JSON.stringify(trimmed).slice(1, -1),
        JSON.stringify(JSON.stringify({ args: trimmed })),
        new URLSearchParams({ q: trimmed }).toString(),
        encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(trimmed))),
      ];
      for (const form of written) expect(redact(form)).toContain(REDACTED);
      for (const form of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(text, 'utf8').toString(form);
        const hidden = redact(encoded);
        // At the ends, digits remain that encode both the secret and the text next to it.
        expect(hidden).toContain(REDACTED);
        expect(Buffer.from(hidden.replaceAll(REDACTED, ''), form).toString('utf8')).not.toContain(trimmed);
      }
    });
  });

  it('is removed from every text of a value; others stay', () => {
    const { redactIn } = known('hunter2-hunter2');
    const value = { a: ['x hunter2-hunter2 y', 1, null], 'hunter2-hunter2': { b: true } };
    expect(redactIn(value)).toEqual({ a: ['x [secret] y', 1, null], '[secret]': { b: true } });
    const plain = { a: ['x', 1, null], b: { c: true } };
    expect(redactIn(plain)).toBe(plain);
  });

  it('that is short is hidden when alone; ordinary words are none', () => {
    const { redact, redactIn } = known('word', 'true', '   a   ', '', '1x3', '1234', 'p4ß!', 'long-secret-1234');
    expect(redact('a word is true: 1x3')).toBe('a word is true: 1x3');
    expect(redact('1234, pin=1234; 12345 x1234 1234\nlong-secret-1234 (p4ß!)')).toBe(
      '[secret], pin=[secret]; 12345 x1234 [secret]\n[secret] ([secret])',
    );
    expect(redactIn({ count: 1234, pin: '1234' })).toEqual({ count: 1234, pin: '[secret]' });
  });

  it('that is one word is hidden when alone, never in names', () => {
    const { redact, redactIn } = known('postgres', 'correcthorsebatterystaple');
    expect(redact('postgres:postgresql postgres, my_postgres')).toBe('[secret]:postgresql [secret], my_postgres');
    expect(redact(Buffer.from('me:postgres').toString('base64'))).toContain(REDACTED);
    expect(redact('xcorrecthorsebatterystaplex')).toBe('x[secret]x');
    expect(redactIn({ postgres: 'postgres', correcthorsebatterystaple: 1 })).toEqual({
      postgres: '[secret]',
      '[secret]': 1,
    });
  });

  it('that is a word of a server’s name is none', () => {
    const secrets = known('postgres', 'sunshine', 'my-postgres-1');
    const { size } = secrets;
    secrets.addName('My Postgres (docker)');
    expect(secrets.size).toBeGreaterThan(size);
    const more = secrets.with(['docker']);
    for (const { redact } of [secrets, more])
      expect(redact('postgres/query docker sunshine my-postgres-1')).toBe('postgres/query docker [secret] [secret]');
    expect([...more.inJson('"postgres sunshine"')]).toHaveLength(1);
  });

  it.each([
    [
      'as other languages write JSON',
      'pä<s>&/w"1',
      ['p\\u00e4<s>&/w\\"1', 'pä\\u003cs\\u003e\\u0026/w\\"1', 'pä<s>&\\/w\\"1', 'p\\u00e4<s>&\\/w\\"1'],
    ],
    ['as HTML', 'p<s>&"w"1', ['p&lt;s&gt;&amp;&quot;w&quot;1']],
    ['in small and in capital letters', 'Sk-Ab12Cd', ['sk-ab12cd', 'SK-AB12CD']],
    ['as an address with small digits', 'a/b=c+d1', ['a%2fb%3dc%2bd1']],
    ['line by line', '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END KEY-----', ['MIIEvQIBADANBgkqhkiG']],
  ])('is found %s', (_, secret, forms) => {
    for (const form of forms) {
      expect(known(secret).redact(`x ${form} y`)).toBe(`x ${REDACTED} y`);
      const json = JSON.stringify({ said: `x ${form} y` });
      const hidden = [...pieces(json, known(secret).inJson(json))].join('');
      expect(JSON.parse(hidden)).toEqual({ said: `x ${REDACTED} y` });
    }
  });

  it('of whole pages is found whole, in JSON, and by line', () => {
    const lines = Array.from({ length: 150 }, (_, line) => `${'Ab/'.repeat(20)}${line}`);
    const secrets = known(lines.join('\n'));
    expect(secrets.redact(`x ${lines.join('\n')} y`)).toBe(`x ${REDACTED} y`);
    expect(secrets.redact(JSON.stringify({ args: JSON.stringify(lines.join('\n')) }))).toBe(
      `{"args":"\\"${REDACTED}\\""}`,
    );
    expect(secrets.redact(`x ${lines[123]} y`)).toBe(`x ${REDACTED} y`);
  });

  it('is found in a text in parts, however it is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' '), maxLength: 60 });
    const secret = fc.string({ unit: fc.constantFrom('a', 'b', '1'), minLength: 4, maxLength: 8 });
    holds(
      [fc.array(secret, { minLength: 1, maxLength: 3 }), fc.array(text, { maxLength: 8 })],
      { numRuns: 2000, examples: [[['b1bb'], ['b1bbb1', 'bb']]] },
      (keys, parts) => {
        const secrets = known(...keys);
        const stream = secrets.inParts();
        const told = parts.map((part) => stream.add(part)).join('') + stream.end();
        // A short secret at the end of a part is hidden even if the next part continues the word.
        expect(secrets.redact(told)).toBe(told);
        if (keys.every((key) => key.length >= 6 && !/^[ab]+$/.test(key)))
          expect(told).toBe(secrets.redact(parts.join('')));
      },
    );
    const stream = known('sk-123456').inParts();
    const added = ['Here ', 'is sk', '-12', '3456', '! And sk', 'y'].map(stream.add);
    expect(added).toEqual(['Here ', 'is ', '', '', '[secret]! And ', 'sky']);
    expect([stream.add(' sk-12'), stream.end(), stream.add('3456'), stream.end()]).toEqual([' ', 'sk-12', '3456', '']);
  });

  it('leaves JSON what it is: numbers that look like a secret stay', () => {
    const secrets = known('1234', '123456', 'a"b1');
    const json = JSON.stringify({
      ms: 123456,
      n: [1234],
      said: 'it is 123456',
      pin: '1\n1234',
      '1234': 'x a"b1 "1234"',
    });
    expect(JSON.parse([...pieces(json, secrets.inJson(json))].join(''))).toEqual({
      ms: 123456,
      n: [1234],
      said: 'it is [secret]',
      pin: '1\n[secret]',
      '[secret]': 'x [secret] "[secret]"',
    });
  });

  it('is hidden once in JSON if two overlap', () => {
    const secrets = known('1-34', '34-long-secret', '12-1');
    const json = '{"said":"x 12-1-34-long-secret y"}';
    expect([...pieces(json, secrets.inJson(json))].join('')).toBe('{"said":"x [secret] y"}');
  });

  it('of values that are nested too deeply is hidden with them', () => {
    const { redactIn } = known('hunter2-hunter2');
    let deep: unknown = 'harmless';
    for (let level = 0; level < 20_000; level++) deep = [deep];
    expect(JSON.stringify(redactIn({ a: 1, deep }))).toContain('[[[["[secret]"]]]]');
  });

  it('is hidden from the moment on in which it is known', () => {
    const secrets = new KnownSecrets();
    expect(secrets.redact('first-secret second-secret')).toBe('first-secret second-secret');
    secrets.add('first-secret');
    expect(secrets.redact('first-secret second-secret')).toBe('[secret] second-secret');
    secrets.add(' second-secret\n');
    expect(secrets.redact('first-secret second-secret')).toBe('[secret] [secret]');
  });
});
