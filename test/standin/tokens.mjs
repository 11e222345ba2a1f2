const PAIRS = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/**
 * Counts tokens deterministically: four characters of the context, not code units, are a token. The model doesn't read
 * the signature of its thinking, which here grows with each earlier thought.
 */
export function countTokens(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, withoutSignature);
  return Math.ceil((text.length - (text.match(PAIRS)?.length ?? 0)) / 4);
}

/** Tokens of the segments from `start` to before `end`. */
export function tokensOf(segments, start, end) {
  return segments.slice(start, end).reduce((sum, segment) => sum + countTokens(segment), 0);
}

function withoutSignature(key, part) {
  return key === 'signature' && this.type === 'thinking' ? undefined : part;
}
