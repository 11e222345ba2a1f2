import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
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

/**
 * Packages an extension of the tests (a folder) as a `.vsix`, once for each version of its files. TypeScript is
 * compiled.
 */
export async function packageCompanion(folder = 'test/vscode/companion') {
  const hash = createHash('sha256');
  const files = (await readdir(path.join(ROOT, folder))).sort();
  for (const file of files) hash.update(file).update(await readFile(path.join(ROOT, folder, file)));
  const entry = await cached(`${path.basename(folder)}-${hash.digest('hex').slice(0, 12)}`, async (temporary) => {
    const built = path.join(temporary, 'extension');
    await cp(path.join(ROOT, folder), built, { recursive: true, filter: (file) => !file.endsWith('.ts') });
    if (files.includes('extension.ts')) {
      const { build } = await import('esbuild');
      const entry = path.join(ROOT, folder, 'extension.ts');
      await build({ entryPoints: [entry], outdir: built, format: 'cjs', platform: 'node', target: 'node22' });
    }
    await pack(built, path.join(temporary, 'companion.vsix'));
  });
  return path.join(entry, 'companion.vsix');
}

/**
 * Runs vsce with the options in the `vsce` field of package.json. vsce prints warnings, and throws an error. It takes
 * half a second to load, which most test files save.
 */
async function pack(cwd, packagePath) {
  const { createVSIX } = await import('@vscode/vsce');
  const { log, info } = console;
  console.log = console.info = () => {};
  try {
    await createVSIX({ cwd, packagePath, dependencies: false, skipLicense: cwd !== ROOT });
  } finally {
    Object.assign(console, { log, info });
  }
}
