import type { ModelPrices } from '../models/types';
import { ModelError, type Usage } from '../ports';
import { cacheable } from '../usage/promptCache';
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

/**
 * Returns the reported input of a reply. If the reply was cut while the provider searched, only its first reading is
 * reported: the provider reads the input again after each search, with what the reply has added to it.
 * @param found the definitions that the searches added, in tokens
 * @param prices the model's prices, with the rules of its cache
 */
export function inputOf(
  { usage, cut, searches }: Reply,
  found: number,
  counter: TokenCounter,
  prices: ModelPrices | undefined,
): Usage | undefined {
  if (!usage || !cut || searches.length === 0) return usage;
  const added = found + counter.estimate(JSON.stringify(searches).length, 'searches').value;
  let { inputTokens, cacheReadTokens: read, cacheWriteTokens: write = 0 } = usage;
  for (const [index] of searches.entries()) {
    const again = Math.round(usage.inputTokens + (added * (index + 1)) / searches.length);
    inputTokens += again;
    if (read === undefined || !prices) continue;
    const held = (usage.cacheReadTokens ?? 0) + write;
    read += held;
    write += Math.max(0, cacheable(again, prices) - held);
  }
  return { ...usage, inputTokens, ...(read === undefined ? {} : { cacheReadTokens: read, cacheWriteTokens: write }) };
}
