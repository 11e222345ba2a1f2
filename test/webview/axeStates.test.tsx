import { expect, it } from 'vitest';
import { FIXTURE_STATES } from './fixture';
import { openInspector } from './open';
import { violations } from './violations';

// A file of its own, apart from the sections: axe takes longest of all, so two workers share it.
it.each(Object.keys(FIXTURE_STATES).filter((name) => name !== 'many'))(
  'axe finds nothing in the state “%s”',
  async (name) => {
    openInspector(FIXTURE_STATES[name]?.(), { section: 'tools' });
    expect(await violations()).toEqual([]);
  },
);
