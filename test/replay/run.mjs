// Bundles the replay (TypeScript) on the fly and runs it: node test/replay/run.mjs FILE… [--json]
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
// Inside the repository, so that the packages that stay outside the bundle are found.
const folder = fileURLToPath(new URL('../../test-results/replay/', import.meta.url));
mkdirSync(folder, { recursive: true });
const outfile = `${folder}replay-${process.pid}.mjs`;
try {
  await build({
    entryPoints: [`${here}replay.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  const { main } = await import(pathToFileURL(outfile).href);
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error?.expected ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(outfile, { force: true });
}
