/**
 * Returns the text without any of these characters at its end. A pattern such as `[.]+$` would take quadratic time for
 * a long run that isn't at the end, because it starts again at each character of the run.
 */
export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Returns the text without any of these characters at either end. */
export function trimOf(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start++;
  return trimEndOf(text.slice(start), signs);
}
