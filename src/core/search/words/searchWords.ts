import type { Tool } from '../../catalog/tool';
import { LANGUAGES } from '../text/language';
import { STOP_WORDS } from '../text/lexicon';
import { wordsOf } from '../text/words';

// The search words of tools: their forms in the index and the rules on which of them count.

/** Words with which people ask for a tool, by language. They are in the index only, never in a request to a model. */
export type SearchWords = { readonly [language: string]: readonly string[] };

/** Returns a tool's search words; undefined if it has none. */
export type WordsOf = (tool: Tool) => SearchWords | undefined;

/** The maximum number of distinct words of one language that count for a tool. With more, it could match everything. */
const MAX_WORDS = 24;
/** The maximum number of languages that count for a tool. */
const MAX_LANGUAGES = 4;

/** A search word that this share of the tools has doesn't show which is meant. Applies from `SHARED_MIN` tools on. */
const SHARED = 1 / 4;
const SHARED_MIN = 20;

/** Separates a language from a word. Words don't contain it. */
const MARK = '\0';

/**
 * Returns the form of a word in the index. English search words have the same form as words of definitions. Words of
 * other languages have separate forms, so that the German `die` or `art` never matches an English request.
 */
export function wordIn(language: string, word: string): string {
  return language === 'en' ? word : `${language}${MARK}${LANGUAGES.get(language)?.stem(word) ?? word}`;
}

/** Returns the language of a form; empty for English. */
export function languageOf(form: string): string {
  return form.slice(0, Math.max(0, form.indexOf(MARK)));
}

/** Returns the word of a form without its language, for people. */
export function plainWord(form: string): string {
  return form.slice(form.indexOf(MARK) + 1);
}

/** Returns the forms of a tool's search words, each once. Function words are left out. */
export function formsOf(words: SearchWords): readonly string[] {
  const forms: string[] = [];
  for (const [language, phrases] of Object.entries(words).slice(0, MAX_LANGUAGES)) {
    const own = new Set<string>();
    const skipped = language === 'en' ? STOP_WORDS : LANGUAGES.get(language)?.functionWords;
    for (const phrase of phrases) {
      for (const word of wordsOf(phrase)) {
        if (own.size === MAX_WORDS) break;
        const isLetter = word.length === 1 && word < '\u0100';
        if (!skipped?.has(word) && !isLetter) own.add(wordIn(language, word));
      }
    }
    forms.push(...own);
  }
  return forms;
}

/** Returns the forms that count for each tool: its own, except those that at least a quarter of the tools share. */
export function countingForms(tools: readonly Tool[], wordsOf: WordsOf): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  const counts = new Map<string, number>();
  for (const tool of tools) {
    const words = wordsOf(tool);
    if (!words) continue;
    const forms = formsOf(words);
    all.set(tool.id, forms);
    for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const most = tools.length < SHARED_MIN ? Number.POSITIVE_INFINITY : tools.length * SHARED;
  return new Map([...all].map(([id, forms]) => [id, forms.filter((form) => (counts.get(form) as number) < most)]));
}

/** Returns the languages of these forms, other than English. */
export function languagesOf(forms: Iterable<readonly string[]>): ReadonlySet<string> {
  const languages = new Set([...forms].flat().map(languageOf));
  languages.delete('');
  return languages;
}
