import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** Where test runs leave screenshots, logs and results. */
export const RESULTS = path.join(ROOT, 'test-results');

/** The user's cache folder, for what is costly to install. Clones of the repository share it. */
export function cacheFolder() {
  const name = 'tool-search-vscode';
  if (process.env.XDG_CACHE_HOME) return path.join(process.env.XDG_CACHE_HOME, name);
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches', name);
  if (process.platform === 'win32')
    return path.join(process.env.LOCALAPPDATA ?? path.join(os.homedir(), 'AppData', 'Local'), name);
  return path.join(os.homedir(), '.cache', name);
}

/**
 * Unix sockets are made in the temporary folder and their paths must stay under 104 bytes: a long one is replaced by
 * /tmp.
 */
export function shortTemporaryFolder() {
  const folder = os.tmpdir();
  return process.platform !== 'win32' && folder.length > 30 ? '/tmp' : folder;
}
