import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
/** The rooms of core, the lowest floor first. Rooms on one floor don't know each other. */
const CORE = [
  ['util'],
  ['catalog'],
  ['settings', 'conversation'],
  ['ports.ts'],
  ['hooks', 'usage'],
  ['search', 'ledger'],
  ['code'],
  ['planning'],
  ['turn', 'suggestions'],
  ['agents'],
];
/** The rooms of the inspector, by the same rule. */
const INSPECTOR = [['text'], ['protocol'], ['view', 'playground', 'suggestions'], ['sessionFile'], ['host']];
/** Folder → the folders that it may import besides itself. Only `compose` knows all of them. */
const FOLDERS: { readonly [folder: string]: readonly string[] } = {
  core: [],
  providers: ['core'],
  tools: ['core', 'vscode'],
  sandbox: ['core'],
  endpoint: ['core'],
  vscode: ['core'],
  ui: ['core', 'vscode'],
  inspector: ['core', 'vscode'],
  compose: ['core', 'providers', 'tools', 'sandbox', 'endpoint', 'vscode', 'ui', 'inspector', 'api.ts'],
  'api.ts': ['core'],
  'extension.ts': ['core', 'compose', 'api.ts'],
};
/** The only folders outside `ui` and `compose` that know VS Code. */
const KNOWS_VSCODE =
  /^src\/(vscode|ui|compose|providers\/vscodeLm|tools\/vscode|inspector\/host)\/|^src\/(extension|api)\.ts$/;
/** The parts of src that the webview may import. */
const FOR_WEBVIEW = /^src\/inspector\/(protocol|text)\//;

interface Import {
  readonly from: string;
  /** A path from the root, or the name of a package. */
  readonly to: string;
}

function importsOf(folder: string): readonly Import[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const from = path.posix.join(folder, name.replaceAll(path.sep, '/'));
      const text = readFileSync(path.join(ROOT, from), 'utf8');
      return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'([^']+)'/gm)].map(([, to = '']) => ({
        from,
        to: to.startsWith('.') ? path.posix.join(path.posix.dirname(from), to) : to,
      }));
    });
}

const IMPORTS = [...importsOf('src'), ...importsOf('webview')];
const inside = (prefix: string) =>
  IMPORTS.filter(({ from, to }) => from.startsWith(prefix) && to.startsWith(prefix)).map(({ from, to }) => ({
    from: roomOf(from.slice(prefix.length)),
    to: roomOf(to.slice(prefix.length)),
    text: `${from} → ${to}`,
  }));
const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : file.replace(/(\.ts)?$/, '.ts'));
const texts = (imports: readonly Import[]) => imports.map(({ from, to }) => `${from} → ${to}`);

it('reads the imports of src and webview', () => {
  expect(IMPORTS.length).toBeGreaterThan(1_000);
});

it.each([
  ['src/core/', CORE],
  ['src/inspector/', INSPECTOR],
] as const)('rooms of %s import downwards alone', (prefix, floors) => {
  const floor = (room: string) => floors.findIndex((rooms) => (rooms as readonly string[]).includes(room));
  const wrong = inside(prefix).filter(({ from, to }) => from !== to && !(floor(to) >= 0 && floor(to) < floor(from)));
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

it('folders of src import only those that they may', () => {
  const wrong = inside('src/').filter(({ from, to }) => from !== to && !FOLDERS[from]?.includes(to));
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

it('only adapters import vscode', () => {
  const wrong = IMPORTS.filter(({ from, to }) => to === 'vscode' && !KNOWS_VSCODE.test(from));
  expect(texts(wrong)).toEqual([]);
});

it('core and the inspector import no module of Node, no SDK and no React', () => {
  const pure = (from: string) => from.startsWith('src/core/') || /^src\/inspector\/(?!host\/)/.test(from);
  const impure = /^(node:|react|@modelcontextprotocol\/|openai|@anthropic-ai\/)/;
  expect(texts(IMPORTS.filter(({ from, to }) => pure(from) && impure.test(to)))).toEqual([]);
});

it('the webview imports only the protocol and the texts of src', () => {
  const ofWebview = IMPORTS.filter(({ from }) => from.startsWith('webview/'));
  const wrong = ofWebview.filter(({ to }) => /^(src\/|vscode$|node:)/.test(to) && !FOR_WEBVIEW.test(to));
  expect(texts(wrong)).toEqual([]);
});
