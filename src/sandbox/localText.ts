// Writes dates and numbers for scripts as a locale and a time zone want it: their engine knows neither.

/** The maximum number of characters of a request: the names of locales and the options. */
const MAX_REQUEST = 4_000;

/** A request. The value is text, since JSON has no `NaN`. */
interface Asked {
  readonly form: 'toLocaleString' | 'toLocaleDateString' | 'toLocaleTimeString' | 'date' | 'number';
  readonly value: string;
  readonly locales?: string | string[];
  readonly options?: Intl.DateTimeFormatOptions & Intl.NumberFormatOptions;
}

/**
 * Returns a date or a number in words, or `!` and a message if the locale, the time zone or an option is unknown. As in
 * the engine, the locale is American English and the time zone UTC unless the request says otherwise.
 */
export function localText(request: string): string {
  try {
    if (request.length > MAX_REQUEST) throw new RangeError('These options are too long.');
    const { form, value, locales = 'en-US', options } = JSON.parse(request) as Asked;
    const inUtc = { timeZone: 'UTC', ...options };
    if (form === 'number') return new Intl.NumberFormat(locales, options).format(Number(value));
    if (form === 'date') return new Intl.DateTimeFormat(locales, inUtc).format(Number(value));
    return new Date(Number(value))[form](locales, inUtc);
  } catch (error) {
    return `!${error instanceof Error ? error.message : String(error)}`;
  }
}
