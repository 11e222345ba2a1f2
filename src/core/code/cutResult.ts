import { RUN_CODE } from '../catalog/modelNames';
import { resultText } from '../conversation/resultText';
import type { ResultPart } from '../conversation/transcript';
import { MAX_RESULT_CHARS } from '../usage/arithmetic';

/**
 * Keeps the first part of a long result and says how much is missing, so that one result can't fill the model's
 * context. Parts that aren't text are kept as they are: they have bounds of their own.
 * @param keep keeps the whole for a later script and names it. Without it the model reads that it should ask for less
 * @param prefix the start of our tools' names, if an agent has them under longer names
 */
export function cutResult(
  parts: readonly ResultPart[],
  {
    maxChars = MAX_RESULT_CHARS,
    keep,
    prefix = '',
  }: {
    readonly maxChars?: number;
    readonly keep?: (text: string) => string | undefined;
    readonly prefix?: string;
  } = {},
): readonly ResultPart[] {
  const total = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  if (total <= maxChars) return parts;
  const kept: ResultPart[] = [];
  let left = maxChars;
  for (const part of parts) {
    if (part.type !== 'text') {
      kept.push(part);
    } else if (left > 0) {
      const text = part.text.length > left ? part.text.slice(0, wholeCharacters(part.text, left)) : part.text;
      kept.push({ type: 'text', text });
      left -= part.text.length;
    }
  }
  const id = keep?.(resultText({ parts: parts.filter((part) => part.type === 'text') }));
  const rest =
    id === undefined
      ? 'Ask the tool for less, a page or a part, to see the rest.'
      : `All of it is kept as "${id}": ${prefix}${RUN_CODE} can read it with results.get("${id}").`;
  const note = `[Cut: these are the first ${maxChars.toLocaleString('en')} of ${total.toLocaleString('en')} characters. ${rest}]`;
  return [...kept, { type: 'text', text: note }];
}

/** `at`, or one less if that would split a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}
