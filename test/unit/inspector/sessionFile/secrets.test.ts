import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownSecrets, REDACTED } from '../../../../src/core/text/knownSecrets';
import { createRedactor } from '../../../../src/inspector/sessionFile/secrets';

/** All of a redactor's work at once. */
function redactor(secrets: readonly string[]): (json: string) => string {
  const redact = createRedactor(new KnownSecrets().with(secrets));
  return (json) => {
    const work = redact(json);
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
    }
  };
}

const redactSecrets = redactor([]);

/** What secrets look like, as plainly as it can be said: patterns some of which take the square of a hostile text's length. */
const PLAIN = [
  /\b()(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b()(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,})/g,
  /\b()(?:npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}|ya29\.[A-Za-z0-9_-]{20,})/g,
  /\b()eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b((?:bearer|basic)\s+)[A-Za-z0-9+/=._~-]{8,}/gi,
  /(:\/\/[^\s/@:"\\]{1,100}:)[^\s/@"\\]{1,200}(?=@)/g,
  /((?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential)s?\\*"?\s*[:=]\s*\\*"?)(?!bearer\b|basic\b)[^\s"\\,;&}\]]{8,}/gi,
];
const plainly = (text: string) => PLAIN.reduce((before, pattern) => before.replace(pattern, `$1${REDACTED}`), text);

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const random = (length: number) => fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length });
const secret = fc.oneof(
  random(40).map((rest) => `sk-ant-api03-${rest}`),
  random(40).map((rest) => `sk-proj-${rest}`),
  random(36).map((rest) => `ghp_${rest}`),
  random(22).map((rest) => `github_pat_${rest}`),
  random(20).map((rest) => `glpat-${rest}`),
  random(30).map((rest) => `xoxb-${rest}`),
  fc.tuple(random(20), random(30), random(20)).map((parts) => `eyJ${parts.join('.')}`),
);
const password = random(12);

describe('secrets', () => {
  it('are taken out of any text, wherever they stand', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (key, before, after) => {
        expect(redactSecrets(`${before} ${key} ${after}`)).not.toContain(key);
      }),
    );
  });

  it('are taken out where their name says that they are one', () => {
    fc.assert(
      fc.property(password, (value) => {
        for (const text of [
          `password=${value}`,
          `API_KEY: ${value}`,
          `--token=${value}`,
          `Authorization: Bearer ${value}`,
          `https://user:${value}@example.com/path`,
          JSON.stringify({ clientSecret: value }),
          JSON.stringify({ args: JSON.stringify({ access_token: value }) }),
          JSON.stringify({ args: JSON.stringify({ headers: JSON.stringify({ 'x-api-key': value }) }) }),
        ]) {
          expect(redactSecrets(text)).not.toContain(value);
          expect(redactSecrets(text)).toContain(REDACTED);
        }
      }),
    );
  });

  it('are taken out wherever they are known, even in JSON within JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 }).filter((text) => text === text.trim()),
        fc.string(),
        (key, before) => {
          const file = redactor([key])(JSON.stringify({ said: `${before} ${key}`, args: JSON.stringify({ it: key }) }));
          const { said, args } = JSON.parse(file);
          expect(said).not.toContain(` ${key}`);
          expect(JSON.parse(args).it).toBe(REDACTED);
        },
      ),
    );
  });

  it('leave JSON behind', () => {
    fc.assert(
      fc.property(fc.jsonValue(), secret, password, (value, key, word) => {
        const text = JSON.stringify({ value, key, nested: JSON.stringify({ password: word, said: `the token: ${word}` }) });
        expect(() => JSON.parse(redactSecrets(text))).not.toThrow();
      }),
    );
  });

  it('are not seen in what is none', () => {
    for (const text of [
      '{"tokens":{"value":12345678,"certainty":"measured"}}',
      'maxTokens: number of tokens',
      'Lists the secrets of a vault.',
      'a task-management-tool-for-teams',
      '{"type":"string","description":"The access token to use for it"}',
    ]) {
      expect(redactSecrets(text)).toBe(text);
    }
  });

  it('are found wherever plain patterns find one, and nowhere else', () => {
    // Pieces of secrets, in any order: nearly everything that they make is nearly a secret.
    const pieces = [
      ...['eyJ', 'eyJaaaaaaaa', '-eyJbbbbbbbbb', '.', '..', '_', '-', 'eyJcccccccc.dddddddd.'],
      ...['-----', '-----BEGIN ', '-----END ', 'RSA ', 'PRIVATE KEY', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', 'END '],
      ...['sk-', 'pk_', 'ghp_', 'github_pat_', 'glpat-', 'xoxb-', 'npm_', 'hf_', 'AIza', 'AKIA', 'ya29.', 'A'.repeat(16), 'a1'.repeat(10)],
      ...['bearer', 'Basic ', ' ', '\t', '://', 'user', ':', '@', '/', 'token', 'tokens', 'api_key', 'password', '=', '"', '\\', ',', ']'],
      ...['word', 'pässword', 'x'.repeat(9), 'é'],
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((parts) => parts.join(''));
    let found = 0;
    fc.assert(
      fc.property(text, (each) => {
        const redacted = redactSecrets(each);
        const plain = plainly(each);
        // An assertion takes longer than the work itself.
        if (redacted !== plain) expect(redacted).toBe(plain);
        if (redacted !== each) found++;
      }),
      { numRuns: 100_000 },
    );
    expect(found).toBeGreaterThan(10_000);
  });

  it.each([
    ['headers of web tokens', '-eyJaaaaaaaaa'],
    ['web tokens', 'eyJaaaaaaaaa.'],
    ['beginnings of private keys', '-----BEGIN PRIVATE KEY-----'],
    ['private keys', '-----BEGIN PRIVATE KEY-----END PRIVATE KEY-----'],
    ['beginnings of keys', 'sk-a '],
    ['names of secrets', 'token:'],
    ['names of secrets with escapes', `token${'\\'.repeat(500)}`],
    ['words before a secret', `bearer${' '.repeat(500)}`],
    ['addresses', '://aaaaaaaa:'],
  ])('are looked for in 2 MB of %s in no more than their length, and not in one go', (_, piece) => {
    // Where a pattern took the square, this test would take minutes, and end at its time limit.
    const work = createRedactor(new KnownSecrets().with(['a known secret']))(piece.repeat(2_000_000 / piece.length));
    let breaths = 0;
    while (!work.next().done) breaths++;
    expect(breaths).toBeGreaterThan(5);
  });
});
