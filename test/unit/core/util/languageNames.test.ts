import { expect, it } from 'vitest';
import { languageNames } from '../../../../src/core/util/languageNames';

it('names languages as the reader does, and keeps what names none', () => {
  expect(languageNames(['en', 'de'], 'en')).toBe('English, German');
  expect(languageNames(['en', 'de'], 'de')).toBe('Englisch, Deutsch');
  expect(languageNames(['no tag', 'en'], 'en')).toBe('no tag, English');
  expect(languageNames(['en'], 'no locale')).toBe('en');
});
