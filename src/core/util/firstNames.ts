/** Lists the first of some names, and says how many more there are. */
export function firstNames(names: readonly string[], max: number): string {
  const more = names.length > max ? ` and ${names.length - max} more` : '';
  return names.slice(0, max).join(', ') + more;
}
