import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ProcessSampler } from '../../../src/tools/processFigures';

describe('ProcessSampler', () => {
  it('measures a process group of this machine', async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 60 & sleep 60'], { detached: true, stdio: 'ignore' });
    await once(child, 'spawn');
    try {
      const servers = new Map([['one', { pid: child.pid ?? 0, since: 7 }]]);
      await expect
        .poll(
          async () => {
            const sampler = await sampled(servers);
            return sampler.read(servers).get('one')?.measured?.processes;
          },
          { timeout: 20_000 },
        )
        .toBeGreaterThan(1);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }
  });

  it('adds up a group, and keeps the map until figures change', async () => {
    let list = ' 10 100\n 10  50\n 11 7\nnonsense\n';
    let now = 0;
    let heard = 0;
    const sampler = new ProcessSampler(
      () => heard++,
      async () => list,
      () => now,
    );
    const servers = new Map([['one', { pid: 10, since: 7 }]]);
    expect(sampler.read(servers).get('one')).toEqual({ since: 7 });
    await expect.poll(() => heard).toBe(1);
    const first = sampler.read(servers);
    expect(first.get('one')).toEqual({ since: 7, measured: { processes: 2, bytes: 150 * 1024 } });
    list = '10 1\n';
    expect(sampler.read(servers)).toBe(first);
    now = 10_000;
    sampler.read(servers);
    await expect.poll(() => heard).toBe(2);
    expect(sampler.read(servers).get('one')?.measured).toEqual({ processes: 1, bytes: 1024 });
    expect(sampler.read(new Map()).size).toBe(0);
  });

  it('knows the time alone if the system lists no processes', async () => {
    const sampler = new ProcessSampler(
      () => {},
      () => Promise.reject(new Error('no ps')),
    );
    expect(sampler.read(new Map([['one', { pid: 10, since: 7 }]])).get('one')).toEqual({ since: 7 });
  });
});

/** A sampler that has measured once. */
async function sampled(servers: Parameters<ProcessSampler['read']>[0]): Promise<ProcessSampler> {
  return new Promise((resolve) => {
    const sampler: ProcessSampler = new ProcessSampler(() => resolve(sampler));
    sampler.read(servers);
  });
}
