import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';

/**
 * Writes a file below a folder as a whole, and makes the folders between them. VS Code watches these files and may read
 * one that was emptied but not written yet: then it takes a workspace's folders away, and reloads the window.
 */
export function writeBelow(folder, file, text) {
  const whole = path.join(folder, file);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(`${whole}.tmp`, text);
  renameSync(`${whole}.tmp`, whole);
}

/** Writes the servers of a folder's `mcp.json`. */
export function writeServers(folder, servers) {
  writeBelow(folder, '.vscode/mcp.json', JSON.stringify({ servers }));
}

const FAULTY = path.join(ROOT, 'test/fixtures/faultyServer.mjs');

/** The faulty server with these arguments, as an `mcp.json` defines it. */
export const faultyServer = (...args) => ({ command: process.execPath, args: [FAULTY, ...args] });

/** The files below a folder that contain a text. A file that disappears meanwhile is left out. */
export const filesWith = (folder, text) => filesBelow(folder).filter((file) => read(file)?.includes(text));

/**
 * The servers whose tools the extension's own client has saved for the next window, found in the folder of VS Code's
 * data.
 */
export function keptServers(userData) {
  const files = filesBelow(userData).filter((file) => path.basename(file) === 'catalog-extension.json');
  return files.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')).servers));
}

function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
