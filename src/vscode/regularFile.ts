import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads a text file. Devices and pipes are never read: they may have no end, and would fill memory or block others.
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
