import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type afterAll, onTestFinished } from 'vitest';

/** A new folder that is removed when the test has ended, or, with `afterAll`, when all tests of the file have. */
export function makeFolder(end: typeof onTestFinished | typeof afterAll = onTestFinished): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tool-search-test-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
