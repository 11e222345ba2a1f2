/**
 * The text without any of these signs at its end. A pattern such as `[.]+$` would take the square of a long run's length
 * where something follows it: it tries the run anew from each of its signs.
 */
export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The text without any of these signs at either end. */
export function trimOf(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start++;
  return trimEndOf(text.slice(start), signs);
}
