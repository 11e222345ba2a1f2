import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findByWords } from '../../../docs/examples/extension/extension';
import { makeTool } from '../core/turn/world';
import { makeFolder } from '../folder';

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
  expect(api.length).toBeGreaterThanOrEqual(3);
  expect(api.filter((name) => !used.has(name))).toEqual([]);
});

it('the example’s strategy finds a tool by its words', async () => {
  const SUM = makeTool('math', 'get-sum', 'Returns the sum');
  const never = new AbortController().signal;
  const browser = makeTool('playwright', 'click', 'Clicks');
  const search = { limit: 1, readOnly: false, deferred: new Set([SUM.id, browser.id]), discovered: new Set<string>() };
  expect(await findByWords(['click'], [SUM, browser], never, search)).toEqual([browser.id]);
});

it('the example builds in a folder of its own', () => {
  const folder = makeFolder();
  cpSync(path.join(ROOT, 'docs/examples/extension'), folder, { recursive: true });
  expect(readFileSync(path.join(folder, 'tool-search.d.ts'), 'utf8')).toBe(read('tool-search.d.ts'));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(readFileSync(path.join(folder, 'extension.js'), 'utf8')).toContain('getApi(1)');
}, 60_000);
