import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Sandbox } from '../../../src/sandbox/sandbox';
import { makeFolder } from '../folder';

it('a thread that outgrows its heap ends its script, not all scripts', async () => {
  const folder = makeFolder();
  const files = { worker: path.join(folder, 'worker.js'), engine: path.join(folder, 'engine.wasm') };
  writeFileSync(files.worker, 'const all = []; for (;;) all.push(new Array(1e5).fill(1));');
  writeFileSync(files.engine, Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  const sandbox = new Sandbox(files, () => {});
  const limits = { computeMs: 10_000, calls: 1 };
  const end = await sandbox.run('1', limits, () => Promise.reject(new Error('none')), new AbortController().signal);
  expect(end).toMatchObject({ kind: 'stopped', reason: 'memory' });
  expect(sandbox.unavailable).toBeUndefined();
});
