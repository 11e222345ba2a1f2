import type { Tokens } from '../../core/usage/types';
import { formatMessage, type MessageArgs } from '../../core/util/formatMessage';
import type { INSPECTOR_STRINGS } from './strings';

/** A key of the inspector's text; the English words stand in strings.ts. */
export type StringKey = keyof typeof INSPECTOR_STRINGS;
export type Strings = { readonly [key in StringKey]: string };

type StemOf<Key> = Key extends `${infer Stem}.other` ? Stem : never;
type PluralKey = StemOf<StringKey>;

/**
 * Words and numbers in the user's language. One implementation for both sides, so that a number reads the same
 * everywhere.
 */
export interface Text {
  /** BCP 47. */
  readonly locale: string;
  /** The string with its `{names}` and plurals filled in; a number is written in the locale's way. */
  t(key: StringKey, args?: MessageArgs): string;
  /**
   * As `t`, in the form that the number `{n}` takes. English has two; in a language that has more, the translation
   * of `.other` is a plural in ICU's syntax: `{n, plural, few {…} many {…} other {…}}`.
   */
  n(stem: PluralKey, n: number, args?: MessageArgs): string;
  /** With the locale's separators and a U+2212 minus. */
  number(value: number, decimals?: number): string;
  /** With `≈` if estimated. */
  tokens(tokens: Tokens): string;
  /** As `tokens`, with its sign. */
  net(tokens: Tokens): string;
  /** `1k` and the like, for axes. */
  short(value: number): string;
  percent(share: number, decimals?: number): string;
  /** US dollars, to three significant digits. */
  usd(value: number): string;
  /** From milliseconds: `0.42 ms` or `1.86 s`. */
  duration(ms: number): string;
}

/** Makes a {@link Text}; a locale that `Intl` doesn't know gives English numbers. */
export function createText(strings: Strings, locale: string): Text {
  const locales = knownLocale(locale);
  const plain = new Intl.NumberFormat(locales, { maximumFractionDigits: 0 });
  const exact = new Intl.NumberFormat(locales, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const brief = new Intl.NumberFormat(locales, { notation: 'compact', maximumFractionDigits: 1 });
  const dollars = new Intl.NumberFormat(locales, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
  const plural = new Intl.PluralRules(locales);
  const minus = (text: string) => text.replace('-', '\u2212');
  const number = (value: number, decimals = 0) =>
    minus((decimals === 0 ? plain : decimals === 2 ? exact : fraction(locales, decimals)).format(value));
  const about = (tokens: Tokens, text: string) => (tokens.certainty === 'estimated' ? `≈\u00a0${text}` : text);
  const t = (key: StringKey, args: MessageArgs = {}) => formatMessage(strings[key], args, { plural, number });
  return {
    locale,
    t,
    n: (stem, n, args) => t(`${stem}.${plural.select(n) === 'one' ? 'one' : 'other'}` as StringKey, { ...args, n }),
    number,
    tokens: (tokens) => about(tokens, number(tokens.value)),
    net: (tokens) => about(tokens, `${tokens.value > 0 ? '+' : ''}${number(tokens.value)}`),
    short: (value) => brief.format(value),
    percent: (value, decimals = 0) =>
      new Intl.NumberFormat(locales, { style: 'percent', maximumFractionDigits: decimals }).format(value),
    usd: (value) => minus(dollars.format(value)),
    duration: (ms) =>
      ms < 100 ? t('unit.ms', { n: number(ms, ms < 10 ? 2 : 1) }) : t('unit.s', { n: number(ms / 1000, 2) }),
  };
}

function fraction(locale: string, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function knownLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
