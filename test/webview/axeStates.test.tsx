import { describe, expect, it } from 'vitest';
import { FIXTURE_STATES } from './fixture';
import { openInspector } from './open';
import { violations } from './violations';

// A file of its own, apart from the sections: axe takes longest of all, so two workers share it.
describe('axe finds nothing', () => {
  it.each(Object.keys(FIXTURE_STATES).filter((name) => name !== 'many'))('in the state “%s”', async (name) => {
    openInspector(FIXTURE_STATES[name]?.(), { section: 'tools' });
    expect(await violations()).toEqual([]);
  });
});
