import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KnownItems } from '../../../../../src/tools/mcp/lists/knownItems';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A server's items, and a connection that answers when the test says so. */
function served() {
  const answers: (() => void)[] = [];
  const list = { entries: [], problems: [], ttlMs: 0, isPublic: false };
  const listItems = vi.fn(() => new Promise((resolve) => answers.push(() => resolve(list))));
  const known = new KnownItems('library', [], { changed: () => {}, log: () => {}, now: () => 0 });
  const answer = async () => {
    answers.shift()?.();
    await known.reading;
  };
  return { known, listItems, answer, connection: { listItems } as never };
}

it('asks once for many changes', async () => {
  const { known, listItems, connection } = served();
  for (let change = 0; change < 100; change++) known.outdate(connection);
  expect(listItems).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(1);
  vi.runAllTimers();
  expect(listItems).toHaveBeenCalledOnce();
});

it('asks again for a change during the answer, when that is over', async () => {
  const { known, listItems, connection, answer } = served();
  known.read(connection);
  known.outdate(connection);
  vi.runAllTimers();
  expect(listItems).toHaveBeenCalledOnce();
  await answer();
  vi.runAllTimers();
  expect(listItems).toHaveBeenCalledTimes(2);
  await answer();
  vi.runAllTimers();
  expect(listItems).toHaveBeenCalledTimes(2);
});

it('asks no more once the server stops', () => {
  const { known, listItems, connection } = served();
  known.outdate(connection);
  known.stop();
  vi.runAllTimers();
  expect(listItems).not.toHaveBeenCalled();
});
