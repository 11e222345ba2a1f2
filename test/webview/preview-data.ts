import { FIXTURE_STATES, fixtureDetail, fixtureState } from './fixture';

/** What `preview.mjs` reads out of the bundled page: a state by name, and details by id. */
Object.assign(globalThis, {
  preview: {
    state: (name: string) => FIXTURE_STATES[name]?.() ?? fixtureState(),
    detail: fixtureDetail,
  },
});
