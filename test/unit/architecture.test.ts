import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

it('ARCHITECTURE.md names only files that there are', () => {
  const files = ['src', 'webview', 'test/unit'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `/${join(folder, file).replaceAll('\\', '/')}`,
    ),
  );
  const named = [...read('ARCHITECTURE.md').matchAll(/`([a-zA-Z/]+\.tsx?)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

it('extension.ts only wires what the composers build', () => {
  expect(read('src/extension.ts').split('\n').length).toBeLessThan(100);
});
