import { EMPTY_CATALOG } from '../../src/core/catalog/catalog';
import { NO_PINS } from '../../src/core/settings/pins';
import type { ViewInputs } from '../../src/inspector/protocol/inputs';
import { INSPECTOR_STRINGS } from '../../src/inspector/text/strings';
import { createText, type Text } from '../../src/inspector/text/text';

type Language = Pick<ViewInputs, 'locale' | 'strings'>;

let language: Language = { locale: 'en', strings: INSPECTOR_STRINGS };

/** Sets the language of all later texts. Not for tests that share this module. */
export function speak(chosen: Language): void {
  language = chosen;
}

/** Returns the inspector's texts in that language. */
export const spoken = (): Text => createText(language.strings, language.locale);

/** Inputs of the inspector for a session in which nothing has happened. A test changes its own part. */
export function viewInputs(change: Partial<ViewInputs> = {}): ViewInputs {
  return {
    events: [],
    catalog: EMPTY_CATALOG,
    loading: new Map(),
    tokensOf: () => ({ value: 100, certainty: 'estimated' }),
    pins: NO_PINS,
    mode: 'auto',
    maxResults: 5,
    strategy: { name: 'bm25', why: 'auto' },
    delivery: { name: 'local', why: 'auto' },
    diagnostics: [],
    trusted: true,
    startingSince: new Map(),
    now: 0,
    ...language,
    ...change,
  };
}
