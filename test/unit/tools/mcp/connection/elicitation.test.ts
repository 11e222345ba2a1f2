import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FormAnswer } from '../../../../../src/tools/mcp/connection/elicitationForm';
import { TestWorld, until } from '../world';

let world: TestWorld;
beforeEach(async () => {
  world = new TestWorld();
  await world.start(world.faulty('curious'));
});
afterEach(() => world.source.dispose());

it.each<FormAnswer>([
  { action: 'accept', content: { name: 'Bob', age: 7 } },
  { action: 'decline' },
  { action: 'cancel' },
])('a server that asks the user during a call hears: %j', async (answer) => {
  const asked: unknown[] = [];
  world.ask = async (server, form) => {
    asked.push(
      server,
      form.message,
      form.fields.map(({ name, kind, required }) => `${name} ${kind} ${required}`),
    );
    expect(world.source.isAsking(world.tool('curious/elicit'))).toBe(true);
    return answer;
  };
  const { text } = await world.call('curious/elicit');
  expect(JSON.parse(text.replace('curious: ', ''))).toEqual(answer);
  expect(asked).toEqual(['curious', 'Who are you?', ['name text true', 'age number false']]);
  expect(world.source.isAsking(world.tool('curious/elicit'))).toBe(false);
});

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
