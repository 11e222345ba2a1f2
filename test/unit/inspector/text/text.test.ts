import { describe, expect, it } from 'vitest';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { createText } from '../../../../src/inspector/text/text';

const english = createText(INSPECTOR_STRINGS, 'en');

describe('text', () => {
  it('writes numbers in the locale’s way with a real minus sign', () => {
    expect(english.number(-1682)).toBe('\u22121,682');
    expect(createText(INSPECTOR_STRINGS, 'de').number(1682)).toBe('1.682');
  });

  it('marks estimates', () => {
    expect(english.tokens({ value: 1200, certainty: 'estimated' })).toBe('≈\u00a01,200');
    expect(english.tokens({ value: 1200, certainty: 'measured' })).toBe('1,200');
  });

  it('picks the form that a number takes', () => {
    expect(english.n('count.tools', 1)).toBe('1 tool');
    expect(english.n('count.tools', 1200)).toBe('1,200 tools');
  });

  it('leaves an unfilled placeholder alone, and never fills inside a value', () => {
    expect(english.t('turns.pin')).toBe('Pin {server} eager');
    expect(english.t('turns.pin', { server: '{server} $&' })).toBe('Pin {server} $& eager');
  });

  it('gives short times in milliseconds and long ones in seconds', () => {
    expect(english.duration(0.42)).toBe('0.42 ms');
    expect(english.duration(31.64)).toBe('31.6 ms');
    expect(english.duration(1860)).toBe('1.86 s');
  });

  it('falls back to English numbers if the locale is unknown', () => {
    expect(createText(INSPECTOR_STRINGS, 'not a locale').number(1000)).toBe('1,000');
  });

  it('has a plural for every singular', () => {
    const keys = new Set(Object.keys(INSPECTOR_STRINGS));
    for (const key of keys) if (key.endsWith('.one')) expect(keys).toContain(key.replace(/\.one$/, '.other'));
  });
});
