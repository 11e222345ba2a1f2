import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies } from './vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from './vscode/harness/paths.mjs';

/** Bundles a TypeScript file of the repository for Node. Returns the bundle's path. */
export async function bundleTypeScript(file) {
  await ensureDependencies(ROOT, 'the packages of Tool Search');
  const { build } = await import('esbuild');
  // Inside the repository, so that the packages that stay outside the bundle are found.
  const folder = path.join(RESULTS, 'commands');
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, `${path.basename(file, '.ts')}-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(ROOT, file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // The soak runs what imports VS Code's API too.
    alias: { vscode: path.join(ROOT, 'test/unit/shim/vscode.ts') },
    // src loads some modules only when they are needed, with `require`.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}

/** Imports a TypeScript file of the repository: the commands that measure and replay start from their sources. */
export async function importTypeScript(file) {
  const bundle = await bundleTypeScript(file);
  try {
    return await import(pathToFileURL(bundle).href);
  } finally {
    rmSync(bundle, { force: true });
  }
}
