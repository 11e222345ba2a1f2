/** The length up to which a value is one line. */
const WIDTH = 300;
/** The number of lost lines from which only their number is told. */
const MANY_LOST = 8;

/** Returns a value's JSON, in which each part that is short enough is one line, beside others if they are fields. */
export function rows(value: unknown, name = '', width = WIDTH): string[] {
  const flat = `${name}${JSON.stringify(value)}`;
  if (flat.length <= width || typeof value !== 'object' || value === null) return [flat];
  const isList = Array.isArray(value);
  const lines: string[] = [];
  let isOpen = false;
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const inner = rows(each, isList ? '' : `${JSON.stringify(key)}:`, width);
    const last = lines.at(-1);
    const fits = !isList && isOpen && inner.length === 1 && `${last}${inner[0]}`.length <= width;
    if (fits) lines[lines.length - 1] = `${last}, ${inner[0]}`;
    else lines.push(...inner);
    isOpen = inner.length === 1;
  }
  return [`${name}${isList ? '[' : '{'}`, ...lines.map((line) => ` ${line}`), isList ? ']' : '}'];
}

/** Returns the lines that only one of two texts has, each with a sign; of many lost ones, only their number. */
export function changes(before: readonly string[], after: readonly string[]): string[] {
  const lost = before.filter((line) => !after.includes(line)).map((line) => `- ${line.trim()}`);
  const told = lost.length > MANY_LOST ? [`- ${lost.length} lines`] : lost;
  return [...told, ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line.trim()}`)];
}
