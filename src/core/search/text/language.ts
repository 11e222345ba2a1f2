import { GERMAN } from './german';

/** The words and rules of a language other than English. */
export type Language = typeof GERMAN;

/** The languages that the search knows. Words of other languages are indexed unchanged, apart from a plural s. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map([['de', GERMAN]]);
