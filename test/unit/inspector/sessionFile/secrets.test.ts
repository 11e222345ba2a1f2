import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../../../src/inspector/sessionFile/secrets';

const redactSecrets = createRedactor([]);

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
      fc.property(fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 }), fc.string(), (key, before) => {
        const file = createRedactor([key])(JSON.stringify({ said: `${before} ${key}`, args: JSON.stringify({ it: key }) }));
        const { said, args } = JSON.parse(file);
        expect(said).not.toContain(` ${key}`);
        expect(JSON.parse(args).it).toBe(REDACTED);
      }),
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
});
