// The file that VS Code loads. It runs the extension itself, if possible with functions that V8 compiled at an earlier
// start. Otherwise compiling takes as long as the rest of the start.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

let extension: Extension | undefined;

export function activate(context: vscode.ExtensionContext): ReturnType<Extension['activate']> {
  extension = load(path.join(context.globalStorageUri.fsPath, 'compiled'));
  return extension.activate(context);
}

export function deactivate(): Promise<void> | undefined {
  return extension?.deactivate();
}

/** Runs the extension's file. `folder` stores its compiled functions; without them, the start is only slower. */
function load(folder: string): Extension {
  const { size, mtimeMs } = statSync(FILE);
  const kept = path.join(folder, `${process.versions.v8}-${size}-${mtimeMs}`);
  const cachedData = compiled(kept);
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(FILE, 'utf8')}\n})`;
  const script = new Script(source, { filename: FILE, ...(cachedData && { cachedData }) });
  const module = { exports: {} as Extension };
  script.runInThisContext()(module.exports, require, module, FILE, __dirname);
  // V8 rejects functions that another version or for another processor compiled.
  if (script.cachedDataRejected !== false) keep(script, folder, kept);
  return module.exports;
}

function compiled(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
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
      writeFileSync(next, script.createCachedData());
      renameSync(next, file);
      for (const old of readdirSync(folder)) if (old !== path.basename(file)) rmSync(path.join(folder, old));
    } catch {
      // The next start tries again.
    }
  }, COMPILED_MS);
}
