import { LANGUAGES, type Language } from '../text/language';
import { STOP_WORDS } from '../text/lexicon';
import { wordIn } from '../words/searchWords';
import type { QueryWord } from './parseQuery';

/** The languages of a query, other than English, and the forms of its words in them. */
export class QueryLanguages {
  /** The query's languages by name. For some languages the search has only search words and no further knowledge. */
  private readonly spoken: readonly (readonly [string, Language | undefined])[];

  /**
   * @param indexed the languages of search words
   * @param isKnown whether the index has a word
   */
  constructor(
    private readonly asked: readonly QueryWord[],
    indexed: Iterable<string>,
    private readonly isKnown: (word: string) => boolean,
  ) {
    this.spoken = [...new Set([...LANGUAGES.keys(), ...indexed])]
      .map((name) => [name, LANGUAGES.get(name)] as const)
      .filter(([name, language]) => this.isIn(name, language));
  }

  /** Whether a word is a function word in these languages or in English, which carries no meaning. */
  isFunctionWord(word: string): boolean {
    return STOP_WORDS.has(word) || this.spoken.some(([, language]) => language?.functionWords.has(word));
  }

  /** Returns a word's form in each language. */
  formsOf(word: string): readonly string[] {
    return this.spoken.map(([name]) => wordIn(name, word));
  }

  /** Returns the forms of a word joined with the particles of the query: "lege … an" may mean `anlegen`. */
  withParticles(word: string): readonly string[] {
    return this.spoken.flatMap(([name, language]) => {
      const particles = this.asked.filter((other) => language?.particles.has(other.word));
      return [...new Set(particles.map((particle) => wordIn(name, particle.word + word)))];
    });
  }

  /** Returns the English translations of a word. */
  translationsOf(word: string): readonly string[] {
    return this.spoken.flatMap(([, language]) => language?.translations.get(language.stem(word)) ?? []);
  }

  /** Whether the query has more words of this language than English function words. Those of both don't count. */
  private isIn(name: string, language: Language | undefined): boolean {
    let balance = 0;
    for (const { word } of this.asked) {
      const isEnglish = STOP_WORDS.has(word);
      const isForeign =
        language?.functionWords.has(word) ||
        (!isEnglish && !this.isKnown(word) && (language?.translated.has(word) || this.isKnown(wordIn(name, word))));
      balance += Number(isForeign) - Number(isEnglish);
    }
    return balance > 0;
  }
}
