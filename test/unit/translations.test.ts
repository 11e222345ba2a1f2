import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { INSPECTOR_STRINGS } from '../../src/inspector/strings';

const ROOT = join(import.meta.dirname, '../..');
const CALL = /\bl10n\.t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;
const ANY_CALL = /\bl10n\.t\(/g;

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== join('inspector', 'strings.ts'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, 'src', file), 'utf8') }));

describe('the words of the product', () => {
  it('are all in the bundle that translators start from (`npm run unit -- -u` writes it anew)', async () => {
    const called = sources.flatMap(({ text }) => [...text.matchAll(CALL)].map(([, literal]) => runInNewContext(literal ?? '') as string));
    const all = [...new Set([...called, ...Object.values(INSPECTOR_STRINGS)])].sort();
    const bundle = Object.fromEntries(all.map((text) => [text, text]));
    await expect(`${JSON.stringify(bundle, undefined, 2)}\n`).toMatchFileSnapshot(join(ROOT, 'l10n/bundle.l10n.json'));
  });

  it('are literals where they are asked for, but for those of the inspector', () => {
    const computed = sources.flatMap(({ file, text }) => {
      const missing = [...text.matchAll(ANY_CALL)].length - [...text.matchAll(CALL)].length;
      return missing > 0 ? [`${file}: ${missing}`] : [];
    });
    expect(computed).toEqual([`${join('inspector', 'host', 'inspectorSource.ts')}: 1`]);
  });
});
