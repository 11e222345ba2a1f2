import { GERMAN } from './german';

/** The knowledge of a language other than English. */
export type Language = typeof GERMAN;

/**
 * The languages that the search knows. Words of other languages are indexed as they are; the vocabulary only removes
 * the plural's s.
 */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map([['de', GERMAN]]);
