import { StringDecoder } from 'node:string_decoder';

/**
 * Splits a stream into lines, in time linear in its length. The returned function adds data, and returns false if the
 * current line is too long; that line is dropped.
 * @param max the maximum length of a line, in characters
 */
export function createLineReader(max: number, onLine: (line: string) => void): (chunk: Buffer) => boolean {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let length = 0;
  /** Whether the rest of a line that was too long is being skipped. */
  let isSkipping = false;
  const drop = () => {
    parts = [];
    length = 0;
  };
  const keep = (part: string) => {
    if (part === '' || isSkipping) return;
    parts.push(part);
    length += part.length;
  };
  return (chunk) => {
    const [first = '', ...rest] = decoder.write(chunk).split('\n');
    keep(first);
    for (const part of rest) {
      const line = parts.join('');
      const isWhole = !isSkipping;
      drop();
      isSkipping = false;
      if (isWhole) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      keep(part);
    }
    if (length > max) {
      drop();
      isSkipping = true;
    }
    return !isSkipping;
  };
}
