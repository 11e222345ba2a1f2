import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../../../../src/tools/mcp/connection/connection';
import { KnownItems } from '../../../../../src/tools/mcp/lists/knownItems';
import { KnownTools } from '../../../../../src/tools/mcp/lists/knownTools';

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

async function known(ttlMs: number, isPublic: boolean): Promise<KnownTools> {
  const tools = new KnownTools({ name: 'a', value: {}, inputs: [], file: '', folder: '' }, undefined);
  const connection: Pick<Connection, 'listTools'> = {
    listTools: async () => ({ entries: [], problems: [], ttlMs, isPublic }),
  };
  await tools.read(connection as Connection, 1_000);
  return tools;
}

describe('a list that holds for a time', () => {
  it('is fresh until then, and stale after it', async () => {
    const tools = await known(500, false);
    expect([tools.isFresh(1_499), tools.isStale(1_499)]).toEqual([true, false]);
    expect([tools.isFresh(1_500), tools.isStale(1_500)]).toEqual([false, true]);
  });

  it('is neither if its server says no time', async () => {
    const tools = await known(0, true);
    expect([tools.isFresh(1_000), tools.isStale(9_999)]).toEqual([false, false]);
  });

  it.each([
    ['for one user alone', false],
    ['for all users', true],
  ])('%s is fresh after a new sign-in: %s', async (_, isPublic) => {
    const tools = await known(500, isPublic);
    tools.userChanges();
    expect(tools.isFresh(1_100)).toBe(isPublic);
  });
});
