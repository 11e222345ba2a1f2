import { FIXTURE_STATES, fixtureDetail, fixtureState } from './fixture';
import { hostileState } from './hostileFixture';
import { previewPlayground } from './preview-playground';

const playground = previewPlayground();

/** What `preview.mjs` reads out of the bundled page: a state by name, details by id, and a playground that really searches. */
Object.assign(globalThis, {
  preview: {
    state: (name: string) => (name === 'hostile' ? hostileState() : (FIXTURE_STATES[name]?.() ?? fixtureState())),
    detail: fixtureDetail,
    play: playground.ask.bind(playground),
  },
});
