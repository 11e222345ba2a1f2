import { describe, expect, it } from 'vitest';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { createText } from '../../../../src/inspector/text/text';

const english = createText(INSPECTOR_STRINGS, 'en');

describe('text', () => {
  it('writes numbers in the locale’s way with a real minus sign', () => {
    expect(english.number(-1682)).toBe('\u22121,682');
    expect(createText(INSPECTOR_STRINGS, 'de').number(1682)).toBe('1.682');
  });

  it('leaves an unfilled placeholder alone, and never fills inside a value', () => {
    expect(english.t('turns.pin')).toBe('Pin {server} eager');
    expect(english.t('turns.pin', { server: '{server} $&' })).toBe('Pin {server} $& eager');
  });

  it('falls back to English numbers if the locale is unknown', () => {
    expect(createText(INSPECTOR_STRINGS, 'not a locale').number(1000)).toBe('1,000');
  });

  it('has a plural for every singular', () => {
    const keys = new Set(Object.keys(INSPECTOR_STRINGS));
    for (const key of keys) if (key.endsWith('.one')) expect(keys).toContain(key.replace(/\.one$/, '.other'));
  });
});
