// Bundles one of the measuring commands (TypeScript) on the fly and runs it: node test/bench/run.mjs eval|bench [options]
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const command = process.argv[2];
if (command !== 'eval' && command !== 'bench') {
  console.error('Usage: node test/bench/run.mjs eval|bench [--tools FILE] [--queries FILE] [--json]');
  process.exit(2);
}

const here = fileURLToPath(new URL('.', import.meta.url));
// Inside the repository, so that the packages that stay outside the bundle are found.
const folder = fileURLToPath(new URL('../../test-results/bench/', import.meta.url));
mkdirSync(folder, { recursive: true });
const outfile = `${folder}${command}-${process.pid}.mjs`;
try {
  await build({
    entryPoints: [`${here}${command}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@sqlite.org/sqlite-wasm'],
    logLevel: 'error',
  });
  const args = process.argv.slice(3);
  if (command === 'bench' && args[0] === 'inspector') {
    await (await import('./inspector.mjs')).measureInspector();
    process.exit();
  }
  const { main } = await import(pathToFileURL(outfile).href);
  // With a catalog of one's own, or for a program, only the search counts.
  if (command === 'bench' && args.length === 0) await (await import('./product.mjs')).measureProduct();
  await main(args, here);
} catch (error) {
  console.error(error?.expected ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(outfile, { force: true });
}
