import { expect, it } from 'vitest';
import { startOneByOne } from '../../../../../src/tools/mcp/transport/startOneByOne';

it('runs steps in order, also after one that fails or hangs', async () => {
  const done: number[] = [];
  const step = (number: number) => () => done.push(number);
  const failing = startOneByOne(() => Promise.reject(new Error('no')));
  const first = startOneByOne(step(1));
  startOneByOne(() => new Promise(() => {}), 0);
  const second = startOneByOne(step(2));
  await expect(failing).rejects.toThrow('no');
  await Promise.all([first, second]);
  expect(done).toEqual([1, 2]);
});
