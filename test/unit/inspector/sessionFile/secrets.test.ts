import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownSecrets, REDACTED } from '../../../../src/core/util/knownSecrets';
import { createRedactor } from '../../../../src/inspector/sessionFile/secrets';
import { holds, share } from '../../property';
import texts from './secrets.json';

/** Redacts a text in one go. */
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

/** Simple patterns of secrets. Some of them take quadratic time on a hostile text. */
const PLAIN = [
  /(?:\b|(?<=\\(?:[bfnrt]|u[0-9a-f]{4})))()(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /(?:\b|(?<=\\(?:[bfnrt]|u[0-9a-f]{4})))()(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,})/g,
  /(?:\b|(?<=\\(?:[bfnrt]|u[0-9a-f]{4})))()(?:npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}|ya29\.[A-Za-z0-9_-]{20,})/g,
  /(?:\b|(?<=\\(?:[bfnrt]|u[0-9a-f]{4})))()eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)(?:(?:[^"-]|-(?!----))*-----END [A-Z ]*PRIVATE KEY-----|(?:(?:\\+[nr]|\s)+[A-Za-z0-9+/=]{16,})+)/g,
  /(?:\b|(?<=\\(?:[bfnrt]|u[0-9a-f]{4})))((?:bearer|basic)\s+)[A-Za-z0-9+/=._~-]{8,}/gi,
  /(:\/\/[^\s/@:"\\]{1,100}:)[^\s/@"\\]{1,200}(?=@)/g,
  /((?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential)s?\\*"?\s*[:=]\s*\\*"?)(?!bearer\b|basic\b)[^\s"\\,;&}\]]{8,}/gi,
];
const plainly = (text: string) => {
  const at = PLAIN.findIndex(({ source }) => source.includes('bearer|basic')) + 1;
  const apply = (before: string, pattern: RegExp) => before.replace(pattern, `$1${REDACTED}`);
  return PLAIN.slice(at).reduce(apply, plainlyNamed(PLAIN.slice(0, at).reduce(apply, text)));
};

/**
 * Replaces strings in JSON whose names announce a secret, also in nested JSON. Each quote is examined with all the text
 * before it.
 */
function plainlyNamed(text: string): string {
  const name =
    /(api[_-]?key|access[_-]?key|secret|passw(or)?d|passphrase|token|credential)s?(?<quote>\\*")\s*:\s*\k<quote>/giy;
  for (let from = 0; from < text.length; from++) {
    name.lastIndex = from;
    const found = name.exec(text);
    const depth = (found?.groups?.quote?.length ?? 3) - 1;
    if (!found || ![0, 1, 3, 7, 15, 31].includes(depth)) continue;
    const begin = from + found[0].length;
    const quotes = [...text].flatMap((char, at) => (char === '"' && at >= begin ? [at] : []));
    const runs = quotes.map((at) => (/\\*$/.exec(text.slice(begin, at))?.[0].length ?? 0) % (2 * depth + 2));
    const first = runs.findIndex((run) => run <= depth);
    const end = (quotes[first] ?? 0) - depth;
    if (runs[first] !== depth || end - begin < 6) continue;
    return text.slice(0, begin) + REDACTED + plainlyNamed(text.slice(end));
  }
  return text;
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const random = (length: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length });
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

const RANDOM = 'abcdEFGH1234ijklMNOP5678qrstUVWX90yz';
const HEX = '0123456789abcdef0123456789abcdef';
/** Each form of a key: what comes before it and stays, and the secret. */
const FORMS: readonly (readonly [before: string, key: string])[] = [
  ...['sk-', 'sk-ant-api03-', 'pk_live_', 'rk_live_', 'ghp_', 'gho_', 'github_pat_', 'glpat-', 'npm_', 'hf_'],
  ...['xoxb-', 'xapp-1-', 'AIza', 'ya29.', 'GOCSPX-', 'hvs.', 'hvb.', 'pypi-', 'figd_', 'dop_v1_', 'shpat_', 'ntn_'],
  ...['secret_', 'lin_api_', 'gsk_', 'r8_', 'xai-', 'pplx-', 'rubygems_', 'dckr_pat_', 'glsa_', 'sntrys_', 'PMAK-'],
  ...['NRAK-', 'sq0atp-', 'ATATT3xFfGF0', 'AGE-SECRET-KEY-1', 'whsec_', '123456789:AA'],
]
  .map((beginning): readonly [string, string] => ['', beginning + RANDOM])
  .concat([
    ['', 'AKIAABCDEFGHIJKLMNOP'],
    ['', 'SG.abcdEFGH1234ijklMN.abcdEFGH1234ijklMNOP5678'],
    ['', `SK${HEX}`],
    ['', `key-${HEX}`],
    ['', `dapi${HEX}`],
    ['-----BEGIN PRIVATE KEY-----', `\n${RANDOM}\n${RANDOM}`],
    ...(texts.forms as [string, string][]),
  ]);

it.each(FORMS)('of the form %j%j are removed', (before, key) => {
  const said = (text: string, deep: boolean) => {
    const redacted = redactSecrets(JSON.stringify(deep ? { text: JSON.stringify({ text }) } : { text }));
    const { text: outer } = JSON.parse(redacted);
    return deep ? JSON.parse(outer).text : outer;
  };
  for (const deep of [false, true]) {
    expect(said(`${before}${key}`, deep)).toBe(`${before}${REDACTED}`);
    expect(said(`it is\n${before}${key}\nand more`, deep)).toBe(`it is\n${before}${REDACTED}\nand more`);
  }
});

it.each([
  { 'Set-Cookie': ['sid=abc; Path=/'] },
  { Cookie: 'a=b; c=d' },
  { pwd: 'h8nter!2' },
  { headers: { 'set-cookie': 'sid=abc' } },
])('are removed from %j', (value) => {
  const redacted = redactSecrets(JSON.stringify(value));
  expect(redacted).toContain(REDACTED);
  expect(redacted).not.toMatch(/abc|a=b|h8n/);
  expect(() => JSON.parse(redacted)).not.toThrow();
});

describe('secrets', () => {
  it('are taken out of any text, at every place', () => {
    holds([secret, fc.string(), fc.string()], (key, before, after) => {
      expect(redactSecrets(`${before} ${key} ${after}`)).not.toContain(key);
    });
  });

  it('are taken out if their name says that they are one', () => {
    holds([password], (value) => {
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
    });
  });

  it('are taken out wherever they are known, even in JSON within JSON', () => {
    holds(
      [
        fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 }).filter((text) => text === text.trim()),
        fc.string(),
      ],
      (key, before) => {
        const file = redactor([key])(JSON.stringify({ said: `${before} ${key}`, args: JSON.stringify({ it: key }) }));
        const { said, args } = JSON.parse(file);
        expect(said).not.toContain(` ${key}`);
        expect(JSON.parse(args).it).toBe(REDACTED);
      },
    );
  });

  it('are taken out behind whatever JSON writes as an escape, however deep', () => {
    holds([secret, fc.constantFrom(...'\n\r\t\f\b\0\u001b"\\ '), fc.nat({ max: 3 })], (key, sign, depth) => {
      let text = JSON.stringify({ said: `key:${sign}${key}` });
      for (let i = 0; i < depth; i++) text = JSON.stringify({ text });
      expect(redactSecrets(text)).not.toContain(key);
    });
  });

  it('are removed whole if a string’s name says that it’s secret', () => {
    holds(
      [
        fc.string({ unit: fc.constantFrom(...'ab \\",;&}]\n\té\u0000'), minLength: 8, maxLength: 30 }),
        fc.constantFrom('password', 'DB_PASSWORD', 'apiKey', 'x-api-key', 'client_secret', 'accessToken'),
        fc.nat({ max: 3 }),
      ],
      (value, name, depth) => {
        let text = JSON.stringify({ before: 'b', [name]: value, after: 'a' });
        for (let i = 0; i < depth; i++) text = JSON.stringify({ text });
        let inner = JSON.parse(redactSecrets(text));
        for (let i = 0; i < depth; i++) inner = JSON.parse(inner.text);
        expect(inner).toEqual({ before: 'b', [name]: REDACTED, after: 'a' });
      },
    );
  });

  it('leave JSON behind', () => {
    holds([fc.jsonValue(), secret, password], (value, key, word) => {
      const text = JSON.stringify({
        value,
        key,
        nested: JSON.stringify({ password: word, said: `the token: ${word}` }),
      });
      expect(() => JSON.parse(redactSecrets(text))).not.toThrow();
    });
  });

  it('are not seen in what is none', () => {
    for (const text of texts.harmless) {
      expect(redactSecrets(text)).toBe(text);
    }
  });

  it('are found wherever plain patterns find one, and nowhere else', () => {
    // Pieces of secrets, in any order: nearly all combinations resemble a secret.
    const pieces = [
      ...'eyJ|eyJaaaaaaaa|-eyJbbbbbbbbb|.|..|_|-|eyJcccccccc.dddddddd.'.split('|'),
      ...'-----|-----BEGIN |-----END |RSA |PRIVATE KEY|END '.split('|'),
      ...'-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----'.split('|'),
      ...'sk-|pk_|ghp_|github_pat_|glpat-|xoxb-|npm_|hf_|AIza|AKIA|ya29.'.split('|'),
      ...'bearer|Basic | |\t|://|user|:|@|/|token|tokens|api_key|password|=|"|\\|,|]|word|pässword|é'.split('|'),
      ...['A'.repeat(16), 'a1'.repeat(10), 'x'.repeat(9)],
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((parts) => parts.join(''));
    let found = 0;
    holds([text], { numRuns: 100_000 }, (each) => {
      const redacted = redactSecrets(each);
      const plain = plainly(each);
      // Compares first, since an assertion takes longer than the work itself.
      if (redacted !== plain) expect(redacted).toBe(plain);
      if (redacted !== each) found++;
    });
    expect(found).toBeGreaterThan(share(10_000));
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
    ['strings with the names of secrets', 'token":"'],
    ['strings with the names of secrets in JSON that is never closed', 'token\\":\\"\\\\\\"'],
  ])('are looked for in 2 MB of %s, linearly and in slices', (_, piece) => {
    // With a quadratic pattern, this test would take minutes and end at its time limit.
    const work = createRedactor(new KnownSecrets().with(['a known secret']))(piece.repeat(2_000_000 / piece.length));
    let breaths = 0;
    while (!work.next().done) breaths++;
    expect(breaths).toBeGreaterThan(5);
  });
});
