import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as vscode from 'vscode';
import { readConfigText } from '../../../src/vscode/configFile';
import { makeFolder } from '../folder';

const fs: { [name: string]: unknown } = vscode.workspace.fs as never;
const before = { ...fs };
let folder: string;
/** Runs after each read. */
let afterRead = () => {};

beforeEach(() => {
  folder = makeFolder();
  afterRead = () => {};
  // Behaves as VS Code's provider for this machine.
  fs.stat = async ({ fsPath }: vscode.Uri) => {
    const found = await stat(fsPath).catch(missing);
    const type = found.isFile() ? vscode.FileType.File : found.isDirectory() ? vscode.FileType.Directory : 0;
    return { type, size: found.size, mtime: found.mtimeMs };
  };
  fs.readFile = async ({ fsPath }: vscode.Uri) => {
    const bytes = await readFile(fsPath);
    afterRead();
    return bytes;
  };
});
afterEach(() => Object.assign(fs, before));

function missing(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? Object.assign(error, { code: 'FileNotFound' }) : error;
}
const at = (name: string) => vscode.Uri.file(path.join(folder, name));

it('returns the text, also behind a link', async () => {
  writeFileSync(at('a.json').fsPath, '{}');
  symlinkSync(at('a.json').fsPath, at('link').fsPath);
  expect(await readConfigText(at('link'))).toEqual({ text: '{}' });
  expect(await readConfigText(at('none'))).toEqual({});
});

it('never reads a device, a pipe or a folder', async () => {
  symlinkSync('/dev/zero', at('device').fsPath);
  execFileSync('mkfifo', [at('pipe').fsPath]);
  for (const uri of [at('device'), at('pipe'), at('')])
    expect((await readConfigText(uri)).problem).toMatch(/isn’t a regular file/);
});

it('never reads a huge file', async () => {
  writeFileSync(at('huge').fsPath, ' '.repeat(33_000_000));
  expect((await readConfigText(at('huge'))).problem).toMatch(/more than 32 MB/);
});

it('reads a file again that is written meanwhile', async () => {
  const file = at('a').fsPath;
  writeFileSync(file, 'half');
  let writes = 1;
  afterRead = () => {
    if (writes-- > 0) writeFileSync(file, 'the whole');
  };
  expect(await readConfigText(at('a'))).toEqual({ text: 'the whole' });
  let length = 20;
  afterRead = () => writeFileSync(file, ' '.repeat(length++));
  expect((await readConfigText(at('a'))).problem).toMatch(/keeps changing/);
});
