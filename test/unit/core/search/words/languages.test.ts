import { expect, it } from 'vitest';
import { languagesToWrite } from '../../../../../src/core/search/words/writeWords';

it('words are written in English and in the wanted languages', () => {
  expect(languagesToWrite([], 'DE')).toEqual(['en', 'de']);
  expect(languagesToWrite(['FR', 'en', 'no language', 'de'], 'it')).toEqual(['en', 'fr', 'de']);
});
