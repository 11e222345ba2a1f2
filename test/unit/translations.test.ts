import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { INSPECTOR_STRINGS } from '../../src/inspector/text/strings';

const ROOT = join(import.meta.dirname, '../..');
const CALL = /\bl10n\.t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;
const ANY_CALL = /\bl10n\.t\(/g;

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== join('inspector', 'strings.ts'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, 'src', file), 'utf8') }));

describe('the words of the product', () => {
  it('are all in the bundle for translators (`-u` writes it)', async () => {
    const called = sources.flatMap(({ text }) =>
      [...text.matchAll(CALL)].map(([, literal]) => runInNewContext(literal ?? '') as string),
    );
    const all = [...new Set([...called, ...Object.values(INSPECTOR_STRINGS)])].sort();
    const bundle = Object.fromEntries(all.map((text) => [text, text]));
    await expect(`${JSON.stringify(bundle, undefined, 2)}\n`).toMatchFileSnapshot(join(ROOT, 'l10n/bundle.l10n.json'));
  });

  it('are literals in the code, except those of the inspector', () => {
    const computed = sources.flatMap(({ file, text }) => {
      const missing = [...text.matchAll(ANY_CALL)].length - [...text.matchAll(CALL)].length;
      return missing > 0 ? [`${file}: ${missing}`] : [];
    });
    expect(computed).toEqual([`${join('inspector', 'host', 'inspectorSource.ts')}: 1`]);
  });
});

/** A text where users read it: a reason, a problem, a warning, how a server failed. */
const SHOWN =
  /(?:\b(?:why|reason|reasonLong|detail|message|problem)(?:: | = )|\b(?:warn|report|stop|ended|ServerFailure|show\w+Message)\()\s*(?:[^'"`\n;(]*\? )?(['"`])((?:(?!\1)[^\n])+)\1/g;

/** Folders whose texts models, scripts and clients read. */
const FOR_MODELS = /^(core\/(catalog|code|conversation|search|turn)|endpoint|sandbox)\//;

/** Other texts that users don't read, by their beginning. */
const NOT_SHOWN = [
  // Logged.
  ...['${id} takes long', 'Data of an earlier version', '${file} is left out'],
  // For models. The message of a failed call continues a sentence.
  ...['${tool.modelName} did not answer', 'its server changed it while', 'The user cancelled the question.'],
  ...['failed: ', 'was cut off: ', 'can’t be called any more: '],
  // Protocol.
  "The server's answer isn't valid MCP.",
  // Rejections that nobody shows.
  'It is asked for ',
];

it('every text that is shown can be translated', () => {
  const bypassing = sources
    .filter(
      ({ file }) => !FOR_MODELS.test(file.replaceAll('\\', '/')) && file !== join('inspector', 'protocol', 'view.ts'),
    )
    .flatMap(({ file, text }) => [...text.matchAll(SHOWN)].map(([, , words = '']) => ({ file, words })))
    .filter(
      ({ words }) =>
        /\w{2} \w/.test(words.replace(/\$\{[^}]*\}/g, '')) &&
        !words.includes('l10n.t(') &&
        !NOT_SHOWN.some((start) => words.startsWith(start)),
    );
  expect(bypassing).toEqual([]);
});

/** Words that make a sentence hard to read, with their replacements. */
const REFUSED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bstand(s|ing)? (in|on|at|below|beside|before)\b/i, 'is, appears'],
  [/\btold\b/i, 'shown, sent, reported'],
  [/(^|[.;,] )where (it|there|a|the|no|none|nothing|they|one)\b/i, 'if, when'],
  [/\b(or|and) else\b/i, 'otherwise'],
];

describe('plain English', () => {
  it.each(['l10n/bundle.l10n.json', 'package.nls.json'])('is in %s', (file) => {
    const texts = Object.values(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))) as string[];
    const found = texts.flatMap((text) =>
      REFUSED.filter(([word]) => word.test(text.replace(/\{\w+\}/g, ''))).map(
        ([, instead]) => `“${text}” Write: ${instead}.`,
      ),
    );
    expect(found).toEqual([]);
  });

  it('is German with German quotation marks in the German texts', () => {
    const texts = Object.values(JSON.parse(readFileSync(join(ROOT, 'l10n/bundle.l10n.de.json'), 'utf8'))) as string[];
    // An English opening quotation mark is the German closing one.
    const wrong = texts.filter(
      (text) => (text.match(/„/g) ?? []).length !== (text.match(/“/g) ?? []).length || text.includes('”'),
    );
    expect(wrong).toEqual([]);
  });
});

/** The names of a text's placeholders, each once. */
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name]) => name))].sort();

/** The number of texts that may be the same in English and in another language. */
const ALIKE = 3;

const LANGUAGES = readdirSync(join(ROOT, 'l10n')).flatMap((file) => /^bundle\.l10n\.(.+)\.json$/.exec(file)?.[1] ?? []);

describe.each(LANGUAGES)('the words of the product in %s', (language) => {
  const FILES = [
    [`l10n/bundle.l10n.json`, `l10n/bundle.l10n.${language}.json`],
    [`package.nls.json`, `package.nls.${language}.json`],
  ] as const;
  const read = (file: string): { readonly [key: string]: string } => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

  it.each(FILES)(
    'are in the order of %s, without unused ones (`npm run unit -- test/unit/translations.test.ts -u` sorts them)',
    async (from, file) => {
      const translated = read(file);
      const kept = Object.keys(read(from)).flatMap((key) => (key in translated ? [[key, translated[key]]] : []));
      await expect(`${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`).toMatchFileSnapshot(join(ROOT, file));
    },
  );

  it.each(FILES)('are all those of %s', (from, file) => {
    const translated = read(file);
    expect(
      Object.keys(read(from)).filter((key) => !translated[key]?.trim()),
      `${file} lacks the translation of these; write them into it, in any place, and \`npm run unit -- test/unit/translations.test.ts -u\` puts them in order.`,
    ).toEqual([]);
  });

  it.each(FILES)('aren’t those of %s', (from, file) => {
    const translated = read(file);
    const words = (text: string) => text.replace(/\{[^}]*\}/g, '').match(/\p{L}{2,}/gu) ?? [];
    const copied = Object.entries(read(from)).filter(
      ([key, text]) => text === translated[key] && words(text).length > 2,
    );
    // Some texts are names and words of a query, in every language.
    expect(copied.slice(ALIKE), `${file} has English texts`).toEqual([]);
  });

  it('of the manifest are made from today’s English', async () => {
    const file = join(ROOT, `test/data/translated/package.nls.${language}.json`);
    const made = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly [key: string]: string }) : {};
    const english = read('package.nls.json');
    const stale = Object.keys(made).filter((key) => key in english && made[key] !== english[key]);
    expect(stale, `Correct these in package.nls.${language}.json, and remove their lines in ${file}.`).toEqual([]);
    await expect(`${JSON.stringify(english, undefined, 2)}\n`).toMatchFileSnapshot(file);
  });

  it.each(FILES)('have the placeholders, commands and links of %s', (from, file) => {
    const translated = read(file);
    const essence = (text: string) =>
      [...placeholders(text), ...(text.match(/\(command:[^)]*\)|`[#\w.]+`|#toolsearch\.[\w.]+#/g) ?? [])].sort();
    for (const [key, text] of Object.entries(read(from))) {
      const words = translated[key];
      if (words !== undefined) expect({ key, has: essence(words) }).toEqual({ key, has: essence(text) });
    }
  });
});
