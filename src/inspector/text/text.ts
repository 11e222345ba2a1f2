import type { Tokens } from '../../core/usage/types';
import { formatMessage, type MessageArgs } from '../../core/util/formatMessage';
import type { INSPECTOR_STRINGS } from './strings';

/** A key of the inspector's texts; the English texts are in strings.ts. */
export type StringKey = keyof typeof INSPECTOR_STRINGS;
export type Strings = { readonly [key in StringKey]: string };

type StemOf<Key> = Key extends `${infer Stem}.other` ? Stem : never;
type PluralKey = StemOf<StringKey>;

/**
 * Texts and numbers in the user's language. Host and webview use the same implementation, so that they show the same
 * numbers.
 */
export interface Text {
  /** The language as a BCP 47 tag. */
  readonly locale: string;
  /** Returns the text with its `{names}` and plurals filled in. Numbers are formatted. */
  t(key: StringKey, args?: MessageArgs): string;
  /**
   * Like {@link t}, but chooses the form for the number `{n}`. If a language has more than two forms, its translation
   * of `.other` is a plural in ICU's syntax: `{n, plural, few {…} many {…} other {…}}`.
   */
  n(stem: PluralKey, n: number, args?: MessageArgs): string;
  /** Formats a number with the language's separators and the minus sign U+2212. */
  number(value: number, decimals?: number): string;
  /** Formats tokens, with `≈` if they are estimated. */
  tokens(tokens: Tokens): string;
  percent(share: number, decimals?: number): string;
  /** Formats US dollars with three significant digits. */
  usd(value: number): string;
  /** Formats milliseconds: `0.42 ms` or `1.86 s`. */
  duration(ms: number): string;
}

/** Creates a {@link Text}. If `Intl` doesn't know the locale, numbers are formatted in English. */
export function createText(strings: Strings, locale: string): Text {
  const locales = knownLocale(locale);
  const plain = new Intl.NumberFormat(locales, { maximumFractionDigits: 0 });
  const exact = new Intl.NumberFormat(locales, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const dollars = new Intl.NumberFormat(locales, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
  const plural = new Intl.PluralRules(locales);
  const minus = (text: string) => text.replace('-', '\u2212');
  const number = (value: number, decimals = 0) =>
    minus((decimals === 0 ? plain : decimals === 2 ? exact : fraction(locales, decimals)).format(value));
  const t = (key: StringKey, args: MessageArgs = {}) => formatMessage(strings[key], args, { plural, number });
  return {
    locale,
    t,
    n: (stem, n, args) => t(`${stem}.${plural.select(n) === 'one' ? 'one' : 'other'}` as StringKey, { ...args, n }),
    number,
    tokens: ({ value, certainty }) => (certainty === 'estimated' ? `≈\u00a0${number(value)}` : number(value)),
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
