import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestWorld, until } from '../world';

let world: TestWorld;
beforeEach(async () => {
  world = new TestWorld();
  await world.start(world.faulty('curious'));
});
afterEach(() => world.source.dispose());

it('the question goes away with the call', async () => {
  let seen: AbortSignal | undefined;
  world.ask = (_, __, signal) => {
    seen = signal;
    return new Promise(() => {});
  };
  const stop = new AbortController();
  const calling = world.call('curious/elicit', {}, stop.signal);
  await until('the question', () => seen !== undefined);
  expect(seen?.aborted).toBe(false);
  stop.abort();
  expect((await calling).outcome).toBe('cancelled');
  expect(seen?.aborted).toBe(true);
});
