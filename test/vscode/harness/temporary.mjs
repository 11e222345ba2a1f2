import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { shortTemporaryFolder } from './paths.mjs';

/** Removal is retried because processes may still write into the folder while they end. */
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** Makes a temporary folder. It is removed by `remove()`, at the latest when this process ends. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(path.join(shortTemporaryFolder(), `tool-search-${name}-`));
  const removeNow = () => rmSync(folder, REMOVE);
  process.once('exit', removeNow);
  return {
    path: folder,
    async remove() {
      process.off('exit', removeNow);
      await rm(folder, REMOVE);
    },
  };
}
