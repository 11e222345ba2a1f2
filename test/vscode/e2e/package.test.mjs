import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { listFiles } from '@vscode/vsce';
import { ROOT } from '../harness/paths.mjs';
import { packageExtension } from '../harness/vsix.mjs';

const MAX_BYTES = 1_500_000;
/** The tolerated relative difference between the size in docs/privacy.md and the real one. */
const TOLERANCE = 0.1;

const textOf = (file) => readFile(path.join(ROOT, file), 'utf8');
const listed = () => listFiles({ cwd: ROOT, dependencies: false, readmePath: 'dist/readme.md' });

test('the package is small, and as large as the docs say', async () => {
  const vsix = process.env.TOOLSEARCH_VSIX ?? (await packageExtension());
  const { size } = await stat(vsix);
  assert.ok(size <= MAX_BYTES, `The package has ${size} bytes.`);
  for (const [, stated] of (await textOf('docs/privacy.md')).matchAll(/package (?:has|of) ([\d.]+) MB/g))
    assert.ok(Math.abs(Number(stated) * 1_000_000 - size) <= TOLERANCE * size, `${stated} MB, but ${size} bytes`);
});

test('the extension’s page has no broken picture and no dead link', async () => {
  const files = new Set(await listed());
  assert.ok(files.has('dist/readme.md') && files.has('dist/ThirdPartyNotices.txt'));
  const { repository } = JSON.parse(await textOf('package.json'));
  if (repository) return;
  const targets = [...(await textOf('dist/readme.md')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  assert.deepEqual(
    targets.filter((target) => !/^(#|https:)/.test(target)),
    [],
  );
});

test('pictures and pages of the walkthrough are in the package', async () => {
  const files = new Set(await listed());
  const { walkthroughs } = JSON.parse(await textOf('package.json')).contributes;
  const media = walkthroughs.flatMap(({ steps }) => steps.map((step) => Object.values(step.media)[0]));
  assert.deepEqual(
    media.filter((file) => !files.has(file)),
    [],
  );
});
