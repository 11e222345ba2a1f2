import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { listFiles } from '@vscode/vsce';
import { ROOT } from '../harness/paths.mjs';
import { packageExtension } from '../harness/vsix.mjs';

/** How far the README's figures may be off. */
const TOLERANCE = 0.1;

const near = (stated, bytes, what) =>
  assert.ok(
    Math.abs(stated * 1_000_000 - bytes) <= TOLERANCE * bytes,
    `The README says that ${what} has ${stated} MB; it has ${bytes} bytes.`,
  );

test('the package has the size and folders that the docs state', async () => {
  const vsix = process.env.TOOLSEARCH_VSIX ?? (await packageExtension());
  const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8');
  const [, whole] = /The package has ([\d.]+) MB/.exec(readme) ?? [];
  near(Number(whole), (await stat(vsix)).size, 'the package');
  const files = await listFiles({ cwd: ROOT, dependencies: false });
  const rows = [...readme.matchAll(/^\| `([\w/]+)\/` \| ([\d.]+) MB \|/gm)];
  for (const [, folder, stated] of rows) {
    const sizes = await Promise.all(
      files.filter((file) => file.startsWith(`${folder}/`)).map((file) => stat(path.join(ROOT, file))),
    );
    near(
      Number(stated),
      sizes.reduce((sum, { size }) => sum + size, 0),
      folder,
    );
  }
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
  assert.deepEqual(rows.map(([, folder]) => folder).sort(), [...folders].sort());
});
