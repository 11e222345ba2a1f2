import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { Sandbox } from '../../../src/sandbox/sandbox';

/** A sandbox over the thread's script as the package has it, built once for a test file. */
export function useSandbox(): { readonly sandbox: Sandbox; readonly log: string[]; readonly worker: string; readonly engine: string } {
  const log: string[] = [];
  const made = { log } as { sandbox: Sandbox; log: string[]; worker: string; engine: string };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
    made.worker = path.join(folder, 'codeWorker.cjs');
    made.engine = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
    await build({
      entryPoints: ['src/sandbox/worker.ts'],
      outfile: made.worker,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
    made.sandbox = new Sandbox(made, (message) => log.push(message));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return made;
}
