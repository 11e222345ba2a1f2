/** Returns the first `max` characters, with an ellipsis if something was cut. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : copied(`${text.slice(0, max - 1)}…`);
}

/** Returns a copy. The engine's part of a long text would keep the whole text in memory. */
export function copied(text: string): string {
  return structuredClone(text);
}
