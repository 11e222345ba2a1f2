import { RUN_CODE } from '../catalog/modelNames';
import { copied } from '../util/cut';
import { resultText } from './resultText';
import type { ResultPart } from './transcript';

/** The maximum number of characters of a result that a model gets: about 25,000 tokens. */
export const MAX_RESULT_CHARS = 100_000;

/**
 * Cuts a long result and adds a note on how much is missing, so that one result can't fill the model's context. Parts
 * that aren't text are kept, since they have limits of their own.
 * @param store stores the text for a later script and returns its name. Without one, the note advises to ask for less
 * @param prefix the start of our tools' names, if an agent has these tools under longer names
 */
export function cutResult(
  parts: readonly ResultPart[],
  {
    maxChars = MAX_RESULT_CHARS,
    store,
    prefix = '',
  }: {
    readonly maxChars?: number;
    readonly store?: (text: string) => string | undefined;
    readonly prefix?: string;
  } = {},
): readonly ResultPart[] {
  const whole = resultText({ parts: parts.filter((part) => part.type === 'text') });
  if (whole.length <= maxChars) return parts;
  const end = wholeCharacters(whole, maxChars);
  const kept: ResultPart[] = [];
  let start = 0;
  for (const part of parts) {
    if (part.type !== 'text') {
      kept.push(part);
    } else {
      if (start < end) kept.push({ type: 'text', text: copied(part.text.slice(0, end - start)) });
      start += part.text.length + 1;
    }
  }
  const id = store?.(whole);
  const rest =
    id === undefined
      ? 'Ask the tool for less, a page or a part, to see the rest.'
      : `All of it is kept as "${id}". ${prefix}${RUN_CODE} reads on: return (await results.get("${id}")).slice(${end}, ${end + maxChars})`;
  const note = `[Cut: these are the first ${end.toLocaleString('en')} of ${whole.length.toLocaleString('en')} characters. ${rest}]`;
  return [...kept, { type: 'text', text: note }];
}

/** Returns `at`, or one less if the cut would split a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}
