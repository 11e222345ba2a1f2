import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads a text file. A device or a pipe is never read, since it may have no end: reading it would fill the memory or
 * block other files.
 * @param maxBytes the maximum size
 * @throws {Error} if the file doesn't exist, isn't a regular file, or is too large
 */
export async function readRegularFile(file: string, maxBytes = Number.POSITIVE_INFINITY): Promise<string> {
  // Without this flag, opening a pipe waits until another program writes to it. Windows has no such flag.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const about = await handle.stat();
    if (about.isDirectory()) throw new Error(`${file} is a folder.`);
    if (!about.isFile()) throw new Error(`${file} isn’t a regular file.`);
    if (about.size > maxBytes) throw new Error(`${file} has more than ${maxBytes} bytes.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
