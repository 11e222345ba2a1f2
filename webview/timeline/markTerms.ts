/** A piece of a text, and whether a search matched it. */
interface TextPiece {
  readonly text: string;
  readonly matched: boolean;
}

/** Matches the words of prose, of `snake_case` and of `camelCase`. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{N}]+|\p{Lo}+/gu;

/** Splits a text at the beginning and end of each matched word. Terms may be stems: `pipeline` matches `pipelines`. */
export function markTerms(text: string, terms: readonly string[]): TextPiece[] {
  const stems = terms.map(stem).filter((term) => term.length > 0);
  const pieces: TextPiece[] = [];
  const add = (part: string, matched: boolean) => {
    const before = pieces.at(-1);
    if (before?.matched === matched) pieces[pieces.length - 1] = { text: before.text + part, matched };
    else if (part) pieces.push({ text: part, matched });
  };
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    add(text.slice(end, match.index), false);
    const word = stem(match[0]);
    add(
      match[0],
      stems.some((term) => word === term || (term.length >= 3 && word.startsWith(term))),
    );
    end = match.index + match[0].length;
  }
  add(text.slice(end), false);
  return pieces;
}

function stem(word: string): string {
  return word.toLowerCase().replace(/s$/, '');
}
