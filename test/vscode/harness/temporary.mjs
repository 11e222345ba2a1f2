import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { shortTemporaryFolder } from './paths.mjs';

/** Processes that still write into a folder while they end make its removal fail at first. */
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** Makes a temporary folder. It goes with `remove()`, or at the latest with this process. */
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
