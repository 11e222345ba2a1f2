import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../../src/tools/mcp/connection/connection';
import { KnownTools } from '../../../../../src/tools/mcp/lists/knownTools';

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
