import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
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

/** Starts, damages the kept functions and starts again. Returns whether the second start used them. */
function usesThem(text: string, damage: (file: string) => void): boolean {
  // Another text than in other tests: this process has compiled those, and would not look at the file.
  writeMain(text);
  start();
  later();
  const file = path.join(storage, 'compiled', kept()[0] ?? '');
  damage(file);
  expect(start().returned[0]).toBe(text);
  const isUsed = vi.getTimerCount() === 0;
  later();
  expect(readFileSync(file).length).toBeGreaterThan(500);
  return isUsed;
}

it.each([0, 0.3, 0.5, 0.7, 0.99])('ignores compiled code that is damaged, and replaces it: %f', (where) => {
  const flip = (file: string) => {
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.length * where);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  expect(usesThem(`flipped at ${where}`, flip)).toBe(false);
});

it.each([0, 20, 32, 500])('ignores compiled code of which %d bytes are left', (bytes) => {
  expect(usesThem(`${bytes} left`, (file) => truncateSync(file, bytes))).toBe(false);
});

it('ignores the compiled code of another program of equal length', () => {
  writeMain('a program');
  start();
  later();
  const other = readFileSync(path.join(storage, 'compiled', kept()[0] ?? ''));
  expect(usesThem('b program', (file) => writeFileSync(file, other))).toBe(false);
});

it('ignores the compiled code with which a start didn’t finish', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  expect(usesThem('ended', (file) => writeFileSync(`${file}.using.${pid}`, ''))).toBe(false);
  expect(usesThem('still starting', (file) => writeFileSync(`${file}.using.${process.ppid}`, ''))).toBe(true);
});

it('keeps a mark of a start until the extension is active', () => {
  writeMain('active');
  appendFileSync(path.join(folder, 'main.cjs'), '\nif (global.fails) exports.activate = () => { throw Error(); };');
  const marks = () => kept().filter((name) => name.includes('.using.'));
  start();
  later();
  start();
  expect(marks()).toEqual([]);
  vi.stubGlobal('fails', true);
  expect(start).toThrow();
  vi.unstubAllGlobals();
  expect(marks()).toHaveLength(1);
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
