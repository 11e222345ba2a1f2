import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../harness/paths.mjs';
import { packageExtension } from '../harness/vsix.mjs';

const MAX_BYTES = 1_400_000;
/** The tolerated relative difference between the size in docs/privacy.md and the real one. */
const TOLERANCE = 0.1;

const textOf = (file) => readFile(path.join(ROOT, file), 'utf8');
const vsix = () => process.env.TOOLSEARCH_VSIX ?? packageExtension();

/** The files of the extension in the package, as the directory at the end of the zip lists them. */
async function listed() {
  const zip = await readFile(await vsix());
  const end = zip.lastIndexOf('PK\x05\x06');
  const names = new Set();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    names.add(zip.toString('utf8', at + 46, at + 46 + name).replace(/^extension\//, ''));
    at += 46 + name + extra + comment;
  }
  return names;
}

test('the package is small, and as large as the docs say', async () => {
  const { size } = await stat(await vsix());
  assert.ok(size <= MAX_BYTES, `The package has ${size} bytes.`);
  for (const [, stated] of (await textOf('docs/privacy.md')).matchAll(/package (?:has|of) ([\d.]+) MB/g))
    assert.ok(Math.abs(Number(stated) * 1_000_000 - size) <= TOLERANCE * size, `${stated} MB, but ${size} bytes`);
});

test('the extension’s page has no broken picture and no dead link', async () => {
  const files = await listed();
  assert.ok(files.has('readme.md') && files.has('dist/ThirdPartyNotices.txt'));
  const { repository } = JSON.parse(await textOf('package.json'));
  if (repository) return;
  const targets = [...(await textOf('dist/readme.md')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  assert.deepEqual(
    targets.filter((target) => !/^(#|https:)/.test(target)),
    [],
  );
});

test('pictures and pages of the walkthrough are in the package', async () => {
  const files = await listed();
  const { walkthroughs } = JSON.parse(await textOf('package.json')).contributes;
  const media = walkthroughs.flatMap(({ steps }) => steps.map((step) => Object.values(step.media)[0]));
  assert.deepEqual(
    media.filter((file) => !files.has(file)),
    [],
  );
});
