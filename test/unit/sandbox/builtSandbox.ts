import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { Sandbox } from '../../../src/sandbox/sandbox';
import { buildSandboxFiles } from '../../data/sandboxFiles';

/** A sandbox over the worker's script as it is packaged, built once for a test file. */
export function useSandbox(): {
  readonly sandbox: Sandbox;
  readonly log: string[];
  readonly worker: string;
  readonly engine: string;
} {
  const log: string[] = [];
  const made = { log } as { sandbox: Sandbox; log: string[]; worker: string; engine: string };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
    Object.assign(made, await buildSandboxFiles(folder));
    made.sandbox = new Sandbox(made, (message) => log.push(message));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return made;
}
