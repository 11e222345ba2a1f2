import german from '../../l10n/bundle.l10n.de.json';
import { INSPECTOR_STRINGS } from '../../src/inspector/text/strings';
import { speak } from '../data/viewInputs';
import { FIXTURE_STATES, fixtureDetail, fixtureState } from './fixture';
import { hostileState } from './hostileFixture';
import { previewPlayground } from './preview-playground';

const words: { readonly [english: string]: string } = german;
const GERMAN = Object.fromEntries(
  Object.entries(INSPECTOR_STRINGS).map(([key, text]) => [key, words[text] ?? text]),
) as typeof INSPECTOR_STRINGS;

const playground = previewPlayground();

/**
 * The objects that `preview.mjs` reads from the bundled page: a state by name, details by id, and a playground with a
 * real search.
 */
Object.assign(globalThis, {
  preview: {
    state(name: string, language: string) {
      if (language === 'de') speak({ locale: 'de', strings: GERMAN });
      return name === 'hostile' ? hostileState() : (FIXTURE_STATES[name]?.() ?? fixtureState());
    },
    detail: fixtureDetail,
    play: playground.ask.bind(playground),
  },
});
