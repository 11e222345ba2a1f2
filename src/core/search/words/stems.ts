/**
 * Returns the form by which a word of a language is indexed. German words lose their endings of case and number (J.
 * Savoy, "Light stemming approaches for the French, Portuguese, German and Hungarian languages", 2006: the minimal
 * stemmer). Of words in -nen only those in -innen (`Kundinnen`) lose all of it, since verbs end so too (`entfernen`).
 * Words of other languages stay as they are; the vocabulary removes the plural's s.
 */
export function stemIn(language: string, word: string): string {
  return language === 'de' ? germanStem(word) : word;
}

/** Particles that German sentences separate from their verb: "lege … an" is `anlegen`. */
const PARTICLES: ReadonlySet<string> = new Set(
  'ab an auf aus bei durch ein fest frei her hin hinzu los mit nach um vor weg zu zurück zusammen'.split(' '),
);

/** Returns the particles of verbs that a request in this language has. */
export function particlesIn(language: string, words: readonly string[]): readonly string[] {
  return language === 'de' ? [...new Set(words.filter((word) => PARTICLES.has(word)))] : [];
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u', ß: 'ss' };

function germanStem(word: string): string {
  const plain = word.replace(/[äöüß]/g, (letter) => UMLAUTS[letter] as string);
  const { length } = plain;
  if (length < 5) return plain;
  if (length > 6 && plain.endsWith('innen')) return plain.slice(0, -3);
  if (length > 5 && /(?:en|se|es|er)$/.test(plain)) return plain.slice(0, -2);
  return /[ners]$/.test(plain) ? plain.slice(0, -1) : plain;
}
