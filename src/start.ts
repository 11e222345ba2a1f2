// The file that VS Code loads. It runs the extension itself, if possible with functions that V8 compiled at an earlier
// start. Otherwise compiling takes as long as the rest of the start.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import type * as vscode from 'vscode';
import { backgroundTimer } from './core/util/signals';

type Extension = typeof import('./extension');

const FILE = path.join(__dirname, 'main.cjs');
/**
 * The delay before the compiled functions are written, in milliseconds. By then, all functions that a start needs are
 * compiled, and VS Code has finished its own start.
 */
const COMPILED_MS = 10_000;
const HASH_BYTES = 32;
/** Between the name of a file and the id of a process that starts with it, in the name of an empty file. */
const USING = '.using.';

let extension: Extension | undefined;

export function activate(context: vscode.ExtensionContext): ReturnType<Extension['activate']> {
  const loaded = load(path.join(context.globalStorageUri.fsPath, 'compiled'));
  extension = loaded.extension;
  const api = extension.activate(context);
  loaded.started();
  return api;
}

export function deactivate(): Promise<void> | undefined {
  return extension?.deactivate();
}

/**
 * Runs the extension's file. `folder` stores its compiled functions; without them, the start is only slower. `started`
 * says that they have done no harm.
 */
function load(folder: string): { readonly extension: Extension; readonly started: () => void } {
  const text = readFileSync(FILE, 'utf8');
  const kept = path.join(folder, `${process.versions.v8}-${digest(text).toString('hex')}`);
  const using = `${kept}${USING}${process.pid}`;
  const cachedData = compiled(folder, kept, using);
  const source = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
  const script = new Script(source, { filename: FILE, ...(cachedData && { cachedData }) });
  const module = { exports: {} as Extension };
  script.runInThisContext()(module.exports, require, module, FILE, __dirname);
  // V8 rejects functions that another version or for another processor compiled.
  if (script.cachedDataRejected !== false) keep(script, folder, kept);
  const started = () => {
    if (cachedData) rmSync(using, { force: true });
  };
  return { extension: module.exports, started };
}

/**
 * Returns the kept functions. V8 checks only the length of their source, and a damaged file can end the process, so the
 * file begins with a hash of its name and the rest. A file with which a start didn't finish isn't used again.
 */
function compiled(folder: string, kept: string, using: string): Buffer | undefined {
  try {
    const name = path.basename(kept);
    const broken = readdirSync(folder).filter((other) => other.startsWith(name + USING) && !isRunning(other));
    for (const other of broken) rmSync(path.join(folder, other));
    if (broken.length > 0) rmSync(kept, { force: true });
    const file = readFileSync(kept);
    const data = file.subarray(HASH_BYTES);
    if (!digest(name, data).equals(file.subarray(0, HASH_BYTES))) return undefined;
    writeFileSync(using, '');
    return data;
  } catch {
    return undefined;
  }
}

/** Whether the process that a mark names still runs. */
function isRunning(mark: string): boolean {
  try {
    return process.kill(Number(mark.slice(mark.lastIndexOf(USING) + USING.length)), 0);
  } catch {
    return false;
  }
}

function digest(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * Writes the compiled functions after a delay, and deletes the files of other versions. The folder may be removed
 * meanwhile.
 */
function keep(script: Script, folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return;
  }
  backgroundTimer(() => {
    try {
      const next = `${file}.${process.pid}`;
      const data = script.createCachedData();
      writeFileSync(next, Buffer.concat([digest(path.basename(file), data), data]));
      renameSync(next, file);
      for (const old of readdirSync(folder)) if (old !== path.basename(file)) rmSync(path.join(folder, old));
    } catch {
      // The next start tries again.
    }
  }, COMPILED_MS);
}
