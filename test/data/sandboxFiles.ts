import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { SandboxFiles } from '../../src/sandbox/sandbox';

/** Builds the code with the mistake that `npm run mutation` tries now. */
const planted: Plugin = {
  name: 'planted',
  setup: ({ onLoad }) => {
    const { PLANTED_FILE: file, PLANTED_TEXT: contents } = process.env;
    onLoad({ filter: /./ }, (loaded) => (loaded.path === file ? { contents, loader: 'ts' } : undefined));
  },
};

/** Builds the worker thread's script into a folder, as in the package. Returns its path and that of the engine. */
export async function buildSandboxFiles(folder: string): Promise<SandboxFiles> {
  const worker = path.join(folder, 'codeWorker.cjs');
  await build({
    entryPoints: ['src/sandbox/scriptThread.ts'],
    outfile: worker,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    plugins: [planted],
    logLevel: 'error',
  });
  return { worker, engine: createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm') };
}
