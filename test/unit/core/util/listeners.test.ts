import { expect, it } from 'vitest';
import { Listeners } from '../../../../src/core/util/listeners';

it('a listener that fails keeps no other from hearing, and is reported', async () => {
  const listeners = new Listeners<number>();
  const heard: number[] = [];
  const reported = new Promise<unknown>((resolve) => {
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => {
      for (const listener of before) process.on('uncaughtException', listener);
      resolve(error);
    });
  });
  listeners.add(() => {
    throw new Error('a bug');
  });
  const stop = listeners.add((value) => heard.push(value));
  listeners.tell(1);
  expect(heard).toEqual([1]);
  expect(await reported).toMatchObject({ message: 'a bug' });
  stop();
  listeners.clear();
  listeners.tell(2);
  expect(heard).toEqual([1]);
});
