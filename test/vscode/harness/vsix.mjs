import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { cached } from './cache.mjs';
import { ROOT } from './paths.mjs';
import { step } from './say.mjs';

/** Builds the extension for production and packages it as users get it. Returns the `.vsix` file's path. */
export async function packageExtension(file) {
  const { name, version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const vsix = file ?? path.join(ROOT, `${name}-${version}.vsix`);
  await step('Building and packaging the extension', () => pack(ROOT, vsix));
  return vsix;
}

/** An extension of the tests (a folder of test/vscode) as a `.vsix`, made once for each version of its files. */
export async function packageCompanion(name = 'companion') {
  const folder = path.join(ROOT, 'test/vscode', name);
  const hash = createHash('sha256');
  for (const file of (await readdir(folder)).sort()) hash.update(file).update(await readFile(path.join(folder, file)));
  const entry = await cached(`${name}-${hash.digest('hex').slice(0, 12)}`, (temporary) =>
    pack(folder, path.join(temporary, 'companion.vsix')),
  );
  return path.join(entry, 'companion.vsix');
}

/** Runs vsce with the options in the `vsce` field of package.json. It prints warnings, and throws an error. */
async function pack(cwd, packagePath) {
  const { log, info } = console;
  console.log = console.info = () => {};
  try {
    await createVSIX({ cwd, packagePath, dependencies: false, skipLicense: cwd !== ROOT });
  } finally {
    Object.assign(console, { log, info });
  }
}
