import { Fragment } from 'react';
import { markTerms } from './terms';

/** A text whose matched words are highlighted. */
export function Marked({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) {
  let at = 0;
  return markTerms(text, terms).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.matched ? <mark key={key}>{piece.text}</mark> : <Fragment key={key}>{piece.text}</Fragment>;
  });
}
