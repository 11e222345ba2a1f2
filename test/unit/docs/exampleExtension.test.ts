import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkArguments, chooseTools, findByWords } from '../../../docs/examples/extension/extension';
import type { ToolFilter } from '../../../tool-search';
import { makeTool, schema } from '../core/turn/world';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

/** The members of an interface. */
function membersOf(file: string, name: string): readonly string[] {
  const [, body] = read(file).split(new RegExp(`^export interface ${name}\\b.*\\{$`, 'm'));
  if (body === undefined) throw new Error(`${file} has no interface ${name}.`);
  const own = withoutComments(body.slice(0, body.indexOf('\n}')));
  return [...own.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, member = '']) => member);
}

it('the example uses every member of the API', () => {
  const used = new Set(withoutComments(read('docs/examples/extension/extension.ts')).match(/\w+/g));
  const api = membersOf('tool-search.d.ts', 'ToolSearchApi');
  expect(api.length).toBeGreaterThanOrEqual(5);
  const rounds = membersOf('tool-search.d.ts', 'RoundInfo');
  const calls = membersOf('tool-search.d.ts', 'CheckedCall');
  const changes = membersOf('tool-search.d.ts', 'RewordedTool');
  expect([...api, ...rounds, ...calls, ...changes].filter((name) => !used.has(name))).toEqual([]);
});

const SUM = makeTool('math', 'get-sum', 'Returns the sum', { inputSchema: schema({ a: { type: 'number' } }) });
const never = new AbortController().signal;
const round = { prompt: '', model: '', round: 1, discovered: [] };

it('the example’s hooks do as their comments say', async () => {
  const browser = makeTool('playwright', 'click', 'Clicks');
  expect(await chooseTools([SUM, browser], round, never)).toEqual([
    {
      id: SUM.id,
      description: 'Adds two numbers up to 1000.',
      inputSchema: schema({ a: { type: 'number', maximum: 1000 } }),
    },
  ]);
  expect(await chooseTools([browser], { ...round, round: 2 }, never)).toEqual([browser.id]);
  const search = { limit: 1, readOnly: false, deferred: new Set([SUM.id, browser.id]), discovered: new Set<string>() };
  expect(await findByWords(['click'], [SUM, browser], never, search)).toEqual([browser.id]);
  expect(await checkArguments({ tool: SUM, arguments: { a: 2, b: 2 } }, never)).toContain('Multiply');
});

/** The filter that the first code of docs/api.md gives to `prepareTools`. */
async function filterOfPage(): Promise<ToolFilter> {
  const [, code = ''] = read('docs/api.md').split(/^```(?:ts)?$/m);
  const hooks = new Map<string, ToolFilter>();
  const names = membersOf('tool-search.d.ts', 'ToolSearchApi');
  const keep =
    (name: string) =>
    (...given: readonly unknown[]) =>
      hooks.set(name, given.at(-1) as ToolFilter);
  const api = Object.fromEntries(names.map((name) => [name, keep(name)]));
  const vscode = { extensions: { getExtension: () => ({ activate: () => ({ getApi: () => api }) }) } };
  const run = new Function('vscode', 'context', 'inputSchema', `return (async () => {${code}})()`);
  await run(vscode, { subscriptions: [] }, schema({ sql: { type: 'string' } }));
  const filter = hooks.get('prepareTools');
  if (!filter) throw new Error('docs/api.md calls no prepareTools.');
  return filter;
}

it('the page’s filter leaves tools without annotations in the request', async () => {
  // VS Code hands out no annotations.
  const tools = [SUM, makeTool('db', 'query', 'Runs SQL'), makeTool('archive', 'old', 'Is old')];
  expect(tools.every(({ annotations }) => annotations === undefined)).toBe(true);
  const filter = await filterOfPage();
  expect(await filter(tools, round, never)).toEqual([
    SUM.id,
    { id: 'db/query', inputSchema: schema({ sql: { type: 'string' } }) },
  ]);
});

it('the example builds in a folder of its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'example-'));
  try {
    cpSync(path.join(ROOT, 'docs/examples/extension'), folder, { recursive: true });
    expect(readFileSync(path.join(folder, 'tool-search.d.ts'), 'utf8')).toBe(read('tool-search.d.ts'));
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(readFileSync(path.join(folder, 'extension.js'), 'utf8')).toContain('getApi(1)');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
