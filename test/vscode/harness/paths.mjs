import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The folder to which test runs write screenshots, logs and results. */
export const RESULTS = path.join(ROOT, 'test-results');

/** The user's cache folder, for downloads that take long. Clones of the repository share it. */
export function cacheFolder() {
  const name = 'tool-search-vscode';
  if (process.env.XDG_CACHE_HOME) return path.join(process.env.XDG_CACHE_HOME, name);
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches', name);
  if (process.platform === 'win32')
    return path.join(process.env.LOCALAPPDATA ?? path.join(os.homedir(), 'AppData', 'Local'), name);
  return path.join(os.homedir(), '.cache', name);
}

/**
 * Replaces a temporary folder with a long path by /tmp: Unix sockets are created in it, and their paths must stay under
 * 104 bytes.
 */
export function shortTemporaryFolder() {
  const folder = os.tmpdir();
  return process.platform !== 'win32' && folder.length > 30 ? '/tmp' : folder;
}
