import { Fragment } from 'react';
import { markTerms } from './markTerms';

/** A text whose matched words are highlighted. */
export function MarkedText({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) {
  let at = 0;
  return markTerms(text, terms).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.matched ? <mark key={key}>{piece.text}</mark> : <Fragment key={key}>{piece.text}</Fragment>;
  });
}
