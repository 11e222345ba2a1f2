import { expect, it } from 'vitest';
import { useSandbox } from './builtSandbox';

const made = useSandbox();

it('a script sleeps for a minute in all', async () => {
  const code = `
    for (let i = 0; i < 6; i++) void sleep(10000);
    try { await sleep(1); return 'slept'; } catch (error) { return error.message; }`;
  const end = await made.sandbox.run(
    code,
    { computeMs: 10_000, calls: 5 },
    async () => ({ kind: 'json', text: 'null' }),
    new AbortController().signal,
  );
  expect(end).toMatchObject({ kind: 'returned', value: { text: expect.stringContaining('60 in all') } });
});
