import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import * as vscodeShim from 'vscode';
import type { Tool } from '../../../src/core/catalog/tool';
import type { SearchWords } from '../../../src/core/search/words/searchWords';
import { SearchWordStore } from '../../../src/vscode/searchWordStore';
import { makeTool } from '../core/search/makeTool';
import { Uri } from '../shim/basics';
import { host, resetHost } from '../shim/host';

// The store of search words, with files that may be hostile.

const TEAM_FILE = '.vscode/tool-words.json';
const FOLDER = Uri.file('/team');
const FILE = Uri.joinPath(FOLDER, TEAM_FILE).toString();
const tools = (count: number): Tool[] =>
  Array.from({ length: count }, (_, i) => makeTool('shop', `tool_${i}`, `Does thing ${i}`));

let warnings: string[];

async function makeStore(): Promise<SearchWordStore> {
  const warn = (message: string) => void warnings.push(message);
  const store = new SearchWordStore({ folder: '/nowhere', apply: () => {}, warn });
  await store.load();
  return store;
}

const wordsFile = (words: { readonly [id: string]: SearchWords }) => JSON.stringify({ tools: words });
const writeFile = (text: string) => host.files.set(FILE, new TextEncoder().encode(text));

beforeEach(() => {
  resetHost();
  warnings = [];
  host.folders = [{ name: 'team', uri: FOLDER as unknown as vscode.Uri, index: 0 }];
});

describe('the team’s file', () => {
  const [tool] = tools(1) as [Tool];
  const own = wordsFile({ [tool.id]: { en: ['team word'] }, 'no/such': { en: ['gone'] } });

  it('counts in a trusted workspace, and once trust is given', async () => {
    writeFile(own);
    host.isTrusted = false;
    const store = await makeStore();
    expect(store.book.of(tool)).toBeUndefined();
    host.isTrusted = true;
    host.trusted.fire();
    await expect.poll(() => store.book.of(tool)).toEqual({ en: ['team word'] });
    expect(store.book.of(makeTool('no', 'other'))).toBeUndefined();
  });

  it('follows its changes', async () => {
    writeFile(own);
    const store = await makeStore();
    expect(store.book.of(tool)).toEqual({ en: ['team word'] });
    host.files.delete(FILE);
    host.filesChanged.fire();
    await expect.poll(() => store.book.of(tool)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('is left out with a reason if it is broken or huge', async () => {
    for (const [text, reason] of [
      ['{"tools": ', /JSON/],
      ['[]', /it needs "tools"/],
      [`{"tools": {}}${' '.repeat(8_000_000)}`, /more than 8 MB/],
    ] as const) {
      writeFile(text);
      expect((await makeStore()).book.of(tool)).toBeUndefined();
      expect(warnings.at(-1)).toMatch(reason);
    }
    expect(warnings).toHaveLength(3);
  });

  it('keeps its valid parts beside wrong types and double keys', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    writeFile(
      `{"tools": {"a/b": 5, "c/d": null, "e/f": ["x"], "g/h": ${deep}, "i/j": {"en": ${deep}}, "__proto__": {"en": ["x"]},
       "${tool.id}": {"en": ["old"]}, "${tool.id}": {"en": ["team word", 7, {"a": 1}], "DE!": ["x"], "fr": "un, deux"}}}`,
    );
    const store = await makeStore();
    expect(store.book.of(tool)).toEqual({ en: ['team word'], fr: ['un', 'deux'] });
    expect(warnings).toEqual([]);
  });

  it('has no hidden characters', async () => {
    writeFile(wordsFile({ [tool.id]: { en: ['\u202eevil\u2066 \u200bword', '\u001b[31mred', 'a\nb'] } }));
    expect((await makeStore()).book.of(tool)?.en).toEqual(['evil word', expect.not.stringContaining('\u001b'), 'a b']);
  });

  it('is never read if it is a device or a pipe', async () => {
    writeFile(own);
    host.fileType = 0 as typeof host.fileType;
    expect((await makeStore()).book.of(tool)).toBeUndefined();
    expect(warnings).toEqual([`${TEAM_FILE} is left out: It can’t be read because it isn’t a regular file.`]);
  });

  it('has its newest words if an older read ends last', async () => {
    writeFile(own);
    const store = await makeStore();
    const { readFile } = vscodeShim.workspace.fs;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.spyOn(vscodeShim.workspace.fs, 'readFile').mockImplementationOnce(async (uri) => {
      const old = await readFile(uri);
      await held;
      return old;
    });
    host.filesChanged.fire();
    await expect.poll(() => vi.mocked(vscodeShim.workspace.fs.readFile).mock.calls.length).toBe(1);
    writeFile(wordsFile({ [tool.id]: { en: ['newer'] } }));
    host.filesChanged.fire();
    await expect.poll(() => store.book.of(tool)).toEqual({ en: ['newer'] });
    release();
    await new Promise(setImmediate);
    expect(store.book.of(tool)).toEqual({ en: ['newer'] });
  });
});
