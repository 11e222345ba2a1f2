import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let folder: string;
let storage: string;

beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(path.join(os.tmpdir(), 'start-'));
  storage = path.join(folder, 'storage');
  buildSync({
    entryPoints: ['src/start.ts'],
    outfile: path.join(folder, 'extension.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  writeMain('first');
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** An extension whose `activate` returns a text and a name of Node's, which it requires. */
function writeMain(text: string): void {
  const lines = [
    `exports.activate = (context) => ['${text}', context.globalStorageUri.fsPath, require('node:path').sep];`,
    `exports.deactivate = async () => 'ended ${text}';`,
  ];
  writeFileSync(path.join(folder, 'main.cjs'), lines.join('\n'));
}

/** Starts as VS Code does in a new process. */
function start() {
  const file = path.join(folder, 'extension.cjs');
  const require = createRequire(file);
  delete require.cache[file];
  const extension = require(file);
  return { returned: extension.activate({ globalStorageUri: { fsPath: storage } }), extension };
}

const kept = () => readdirSync(path.join(storage, 'compiled'));
const later = () => vi.advanceTimersByTime(60_000);

it('runs the extension and keeps its compiled functions', async () => {
  const { returned, extension } = start();
  expect(returned).toEqual(['first', storage, path.sep]);
  expect(await extension.deactivate()).toBe('ended first');
  expect(kept()).toEqual([]);
  later();
  expect(kept()).toHaveLength(1);
  expect(start().returned).toEqual(returned);
  expect(vi.getTimerCount()).toBe(0);
});

it('compiles a new version again, and removes the old one’s functions', () => {
  start();
  later();
  const [old] = kept();
  writeMain('another');
  expect(start().returned[0]).toBe('another');
  later();
  expect(kept()).toHaveLength(1);
  expect(kept()[0]).not.toBe(old);
});

it('starts with damaged functions, and replaces them', () => {
  // Another text than before: this process has compiled those, and would not look at the file.
  writeMain('damaged');
  const { size, mtimeMs } = statSync(path.join(folder, 'main.cjs'));
  mkdirSync(path.join(storage, 'compiled'), { recursive: true });
  const file = path.join(storage, 'compiled', `${process.versions.v8}-${size}-${mtimeMs}`);
  writeFileSync(file, 'damaged');
  expect(start().returned[0]).toBe('damaged');
  later();
  expect(readFileSync(file).length).toBeGreaterThan('damaged'.length);
});

it('writes nothing after the stored data was removed', () => {
  start();
  rmSync(storage, { recursive: true });
  later();
  expect(() => kept()).toThrow('ENOENT');
});

it('starts if the folder can’t be written', () => {
  writeFileSync(storage, 'a file');
  expect(start().returned[0]).toBe('first');
});
