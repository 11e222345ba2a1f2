import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Replaces a file as a whole or not at all, since the window may close and others may be reading. Leaves no other file.
 * @param options for the new file; with the flag `wx`, no link in the place of the temporary file is followed
 */
export async function replaceFile(
  file: string,
  text: string,
  options: { readonly mode?: number; readonly flag?: 'wx' } = {},
): Promise<void> {
  const next = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(next, text, options);
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true }).catch(() => {});
    throw error;
  }
}
