import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSource, sourceFiles } from './imports';

const TEXTS = ['ARCHITECTURE.md', ...readdirSync(join(ROOT, 'docs/decisions')).map((file) => `docs/decisions/${file}`)];

it('ARCHITECTURE.md and the decisions name only files that exist', () => {
  const files = ['src', 'webview', 'test/unit'].flatMap((folder) => sourceFiles(folder)).map((file) => `/${file}`);
  const named = TEXTS.flatMap((text) =>
    [...readFileSync(join(ROOT, text), 'utf8').matchAll(/`([a-zA-Z/]+\.tsx?)`/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

it('the glossary names only types and functions that exist', () => {
  const glossary = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('## Picture')[0] ?? '';
  const code = sourceFiles('src').map(readSource).join('\n');
  const named = [...glossary.matchAll(/`([A-Z]\w+|[a-z]+[A-Z]\w*)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});

it('extension.ts only wires what the composers build', () => {
  expect(readSource('src/extension.ts').split('\n').length).toBeLessThan(100);
});
