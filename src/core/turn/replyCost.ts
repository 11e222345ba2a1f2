import { ModelError } from '../ports';
import type { TokenCounter } from '../usage/tokenCounter';
import type { Tokens } from '../usage/types';
import type { Reply } from './reply';

/** Whether a service refused the request before it answered. Such a request cost nothing. */
export function wasRefused({ failure, usage, text, calls }: Reply): boolean {
  const refused = failure instanceof ModelError && (failure.unanswered || failure.replan);
  return refused && usage === undefined && text === '' && calls.length === 0;
}

/** Returns the reply's output tokens as reported. If the reply was cut, they are at least the tokens that arrived. */
export function outputTokens({ usage, cut, text, calls }: Reply, counter: TokenCounter): Tokens | undefined {
  if (!cut) return usage && { value: usage.outputTokens, certainty: 'measured' };
  const heard = counter.estimate(
    text.length + calls.reduce((sum, call) => sum + (JSON.stringify(call.input)?.length ?? 0), 0),
    'history',
  );
  return { value: Math.max(usage?.outputTokens ?? 0, heard.value), certainty: 'estimated' };
}
