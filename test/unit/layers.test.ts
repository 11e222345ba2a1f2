// Checks the structure of src: layers of rooms, imports between folders, no cycle between the parts of any folder, and
// the size of dependencies.
import { expect, it } from 'vitest';
import { type Import, importsOf, readSource, sourceFiles } from './imports';

/** The rooms of core, the lowest layer first. Rooms of one layer don't import each other. */
const CORE = [
  ['util'],
  ['catalog'],
  ['settings', 'conversation'],
  ['ports.ts'],
  ['models'],
  ['usage'],
  ['search', 'ledger'],
  ['code'],
  ['planning'],
  ['turn'],
  ['agents'],
  ['suggestions'],
];
/** The rooms of the inspector, by the same rule. */
const INSPECTOR = [['text'], ['protocol'], ['view', 'playground', 'suggestions'], ['sessionFile'], ['host']];
/** The rooms of our own MCP client, by the same rule. */
const MCP = [['config'], ['agentFiles', 'transport', 'signIn'], ['connection'], ['lists'], ['servers']];
/** Folder → the other folders that it may import. Only `compose` may import all of them. */
const FOLDERS: { readonly [folder: string]: readonly string[] } = {
  core: [],
  providers: ['core', 'vscode'],
  tools: ['core', 'vscode'],
  sandbox: ['core'],
  endpoint: ['core'],
  vscode: ['core'],
  ui: ['core', 'vscode'],
  inspector: ['core', 'vscode'],
  compose: ['core', 'providers', 'tools', 'sandbox', 'endpoint', 'vscode', 'ui', 'inspector'],
  'extension.ts': ['core', 'compose'],
};
/** The only folders outside `ui` and `compose` that may import VS Code's API. */
const KNOWS_VSCODE =
  /^src\/(vscode|ui|compose|providers\/vscodeLm|tools\/vscode|inspector\/host)\/|^src\/(start|extension)\.ts$/;
/** The parts of src that the webview may import. */
const FOR_WEBVIEW = /^src\/inspector\/(protocol|text)\//;

const IMPORTS = [...importsOf('src'), ...importsOf('webview')];
const inside = (prefix: string) =>
  IMPORTS.filter(({ from, to }) => from.startsWith(prefix) && to.startsWith(prefix)).map(({ from, to }) => ({
    from: roomOf(from.slice(prefix.length)),
    to: roomOf(to.slice(prefix.length)),
    text: `${from} → ${to}`,
  }));
const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : file.replace(/(\.ts)?$/, '.ts'));
const texts = (imports: readonly Import[]) => imports.map(({ from, to }) => `${from} → ${to}`);

it('reads the imports of src and webview', () => expect(IMPORTS.length).toBeGreaterThan(1_000));

it.each([
  ['src/core/', CORE],
  ['src/inspector/', INSPECTOR],
  ['src/tools/mcp/', MCP],
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

it('only core/util sets timers', () => {
  const timer = /\bset(Timeout|Interval)\(/;
  const files = sourceFiles('src').filter((file) => timer.test(readSource(file)));
  expect(files.filter((file) => !file.startsWith('src/core/util/'))).toEqual([]);
  expect(files).toContain('src/core/util/timers.ts');
});

it('core and inspector import no Node module, SDK or React', () => {
  const pure = (from: string) => from.startsWith('src/core/') || /^src\/inspector\/(?!host\/)/.test(from);
  const impure = /^(node:|react|@modelcontextprotocol\/|openai|@anthropic-ai\/)/;
  expect(texts(IMPORTS.filter(({ from, to }) => pure(from) && impure.test(to)))).toEqual([]);
});

it('the webview imports only the protocol and the texts of src', () => {
  const ofWebview = IMPORTS.filter(({ from }) => from.startsWith('webview/'));
  const wrong = ofWebview.filter(({ to }) => /^(src\/|vscode$|node:)/.test(to) && !FOR_WEBVIEW.test(to));
  expect(texts(wrong)).toEqual([]);
});

/**
 * The parts of each folder, with the other parts of the folder that each imports. A part is a file, or a folder with
 * all its contents.
 */
function partsByFolder(): Map<string, Map<string, Set<string>>> {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of IMPORTS.filter((each) => /^(src|webview)\//.test(each.to))) {
    const [a, b] = [from.replace(/\.tsx?$/, '').split('/'), to.split('/')];
    const depth = a.findIndex((name, index) => name !== b[index]);
    if (depth < 1) continue;
    const [folder, part, imported] = [a.slice(0, depth).join('/'), a[depth] ?? '', b[depth] ?? ''];
    const parts = folders.get(folder) ?? new Map<string, Set<string>>();
    folders.set(folder, parts.set(part, (parts.get(part) ?? new Set()).add(imported)));
  }
  return folders;
}

/** A cycle of imports from a part back to itself; undefined if there is none. */
function circleThrough(part: string, imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const seen = new Set<string>();
  const walk = (at: string, way: readonly string[]): readonly string[] | undefined => {
    for (const next of imports.get(at) ?? []) {
      if (next === part) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...way, next]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(part, [part]);
}

it('parts of a folder import each other in one direction', () => {
  const circles = [...partsByFolder()].flatMap(([folder, parts]) =>
    [...parts.keys()].flatMap((part) => {
      const circle = circleThrough(part, parts);
      return circle ? [`${folder}: ${circle.join(' → ')}`] : [];
    }),
  );
  expect(circles).toEqual([]);
});

/** The maximum number of fields of an interface of dependencies, inherited ones included. */
const MOST_FIELDS = 8;

/** The fields of each interface of src and webview, by name. */
const FIELDS = new Map(
  [...sourceFiles('src'), ...sourceFiles('webview')].flatMap((file) =>
    [...readSource(file).matchAll(/^(?:export )?interface (\w+)(?: extends (.+?))? \{\n((?: .*\n|\n)*)\}/gm)].map(
      ([, name = '', parent, body = '']) => [
        name,
        {
          file,
          parent,
          own: [...body.matchAll(/^ {2}(?:readonly )?(?:get )?(\w+)\??[:(<]/gm)].map(([, field = '']) => field),
        },
      ],
    ),
  ),
);

/** Returns an interface's fields, including those that it inherits as they are or by `Pick` or `Omit`. */
function fieldsOf(name: string): readonly string[] {
  const { parent = '', own = [] } = FIELDS.get(name) ?? {};
  const [, picked, of = ''] = /^(?:(Pick|Omit)<)?(\w+)/.exec(parent) ?? [];
  const named = new Set([...parent.matchAll(/'(\w+)'/g)].map(([, field = '']) => field));
  const inherited = of === '' ? [] : fieldsOf(of);
  return [...own, ...(picked ? inherited.filter((field) => named.has(field) === (picked === 'Pick')) : inherited)];
}

it('dependencies have at most eight fields', () => {
  const names = [...FIELDS.keys()].filter((name) => /(Deps|Services|Context)$/.test(name));
  const wrong = names.filter((name) => fieldsOf(name).length > MOST_FIELDS);
  expect(names.length).toBeGreaterThan(30);
  expect(wrong.map((name) => `${FIELDS.get(name)?.file}: ${name} has ${fieldsOf(name).length} fields`)).toEqual([]);
});
