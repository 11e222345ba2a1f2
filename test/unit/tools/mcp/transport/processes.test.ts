import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startOneByOne } from '../../../../../src/tools/mcp/transport/startOneByOne';
import { isAlive } from '../../../../vscode/harness/processes.mjs';
import { FAULTY, until } from '../world';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tool-search-guard-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that starts a server which never ends by itself, and prints the server's process id. */
function hostProgram(): string {
  const outfile = path.join(folder, 'host.cjs');
  const contents = `
    import { spawn } from 'node:child_process';
    import { ProcessGuard } from './processes';
    const server = spawn(process.execPath, [${JSON.stringify(FAULTY)}, 'stubborn', '--stay'], { stdio: 'pipe', detached: true });
    server.stderr.once('data', () => {
      new ProcessGuard().watch(server.pid);
      process.stdout.write(server.pid + '\\n');
    });
  `;
  const stdin = {
    contents,
    resolveDir: path.resolve(import.meta.dirname, '../../../../../src/tools/mcp/transport'),
    loader: 'ts' as const,
  };
  buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs' });
  return outfile;
}

describe.skipIf(process.platform === 'win32')('ProcessGuard', () => {
  it('ends servers when their host is killed, even stubborn ones', async () => {
    const host = spawn(process.execPath, [hostProgram()], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: host.stdout }), 'line');
    const server = Number(line);
    expect(isAlive(server)).toBe(true);
    host.kill('SIGKILL');
    await until('the server to be ended', () => !isAlive(server));
  });
});

it('runs steps in order, also after one that fails or hangs', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const done: number[] = [];
  const step = (number: number) => () => done.push(number);
  const failing = startOneByOne(() => Promise.reject(new Error('no')));
  const first = startOneByOne(step(1));
  startOneByOne(() => new Promise(() => {}));
  const second = startOneByOne(step(2));
  const failed = expect(failing).rejects.toThrow('no');
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
  await Promise.all([first, second]);
  expect(done).toEqual([1, 2]);
});
