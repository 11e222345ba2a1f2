import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { playCases } from './property';

afterEach(() => vi.unstubAllEnvs());

it('a case that fails in a fuzz run is played first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kept-'));
  const file = join(folder, 'failed.json');
  const played: number[] = [];
  const small = fc.property(fc.nat(1_000_000), (number) => {
    played.push(number);
    expect(number).toBeLessThan(500_000);
  });
  vi.stubEnv('FUZZ', '1');
  expect(() => playCases(small, { numRuns: 200 }, file)).toThrow(/Counterexample: \[500000\]/);
  vi.stubEnv('FUZZ', undefined);
  const name = String(expect.getState().currentTestName);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    [name]: [expect.objectContaining({ seed: expect.any(Number) })],
  });
  played.length = 0;
  expect(() => playCases(small, { numRuns: 1 }, file)).toThrow(/Counterexample: \[500000\]/);
  expect(played).toEqual([500_000]);
  await rm(folder, { recursive: true });
});

it('a tenth of the cases is played, all by fuzz', async () => {
  vi.stubEnv('FUZZ', undefined);
  let played = 0;
  const counted = fc.asyncProperty(fc.nat(), async () => {
    played++;
  });
  await playCases(counted, { numRuns: 50 });
  expect(played).toBe(5);
  vi.stubEnv('FUZZ', '1');
  await playCases(counted, { numRuns: 50 });
  expect(played).toBe(55);
});
