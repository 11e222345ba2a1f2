/**
 * Returns the form by which a word of a language is indexed. German words lose their endings of case and number (J.
 * Savoy, "Light stemming approaches for the French, Portuguese, German and Hungarian languages", 2006: the minimal
 * stemmer). Words of other languages stay as they are; the vocabulary removes the plural's s.
 */
export function stemIn(language: string, word: string): string {
  return language === 'de' ? germanStem(word) : word;
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u', ß: 'ss' };

function germanStem(word: string): string {
  const plain = word.replace(/[äöüß]/g, (letter) => UMLAUTS[letter] as string);
  const { length } = plain;
  if (length < 5) return plain;
  if (length > 6 && plain.endsWith('nen')) return plain.slice(0, -3);
  if (length > 5 && /(?:en|se|es|er)$/.test(plain)) return plain.slice(0, -2);
  return /[ners]$/.test(plain) ? plain.slice(0, -1) : plain;
}
