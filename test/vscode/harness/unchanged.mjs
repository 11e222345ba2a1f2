import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from './paths.mjs';

/** A folder that runs don't empty. */
const KEPT = path.join(ROOT, '.vscode-test');

/**
 * Makes the file `name` again only if one of `inputs` (files and folders of the repository) has changed since. Returns
 * the file's path. `make(file)` writes the file.
 */
export async function unlessUnchanged(name, inputs, make) {
  const file = path.join(KEPT, name);
  const mark = `${file}.inputs`;
  const hash = await hashOf(inputs);
  if (existsSync(file) && (await readFile(mark, 'utf8').catch(() => '')) === hash) return file;
  await mkdir(KEPT, { recursive: true });
  await make(file);
  await writeFile(mark, hash);
  return file;
}

async function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of await filesOf(path.join(ROOT, input))) {
      hash.update(path.relative(ROOT, file)).update('\0');
      hash.update(await readFile(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

async function filesOf(place) {
  const found = await stat(place).catch(() => undefined);
  if (!found) return [];
  if (!found.isDirectory()) return [place];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
