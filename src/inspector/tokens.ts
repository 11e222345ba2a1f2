import type { Tokens } from '../core/ledger';

export const NO_TOKENS: Tokens = { value: 0, certainty: 'measured' };

/** The sum; one estimated part makes it an estimate. */
export function sumTokens(parts: readonly Tokens[]): Tokens {
  return parts.reduce(plus, NO_TOKENS);
}

/** `a − b`, possibly negative; an estimate where either is one. */
export function minusTokens(a: Tokens, b: Tokens): Tokens {
  return plus(a, { value: -b.value, certainty: b.certainty });
}

function plus(a: Tokens, b: Tokens): Tokens {
  const estimated = a.certainty === 'estimated' || b.certainty === 'estimated';
  return { value: a.value + b.value, certainty: estimated ? 'estimated' : 'measured' };
}
