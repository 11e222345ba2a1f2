import { readFileSync } from 'node:fs';
import path from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../../../../src/core/catalog/tool';
import { resultText } from '../../../../../src/core/conversation/resultText';
import { CatalogCache } from '../../../../../src/tools/catalogCache';
import type { ListedItem } from '../../../../../src/tools/mcp/connection/connection';
import { readItems } from '../../../../../src/tools/mcp/lists/serverItems';
import { libraryServer } from '../../../../fixtures/libraryServer.mjs';
import { makeFolder } from '../../../folder';
import { memoryFile } from '../../../memoryFile';
import { serveInTest } from '../serve';
import { TestWorld, until } from '../world';

const LIBRARY = path.resolve(import.meta.dirname, '../../../../fixtures/libraryServer.mjs');

let world: TestWorld;
let folder: string;
beforeEach(() => {
  world = new TestWorld();
  folder = makeFolder();
});
afterEach(() => world.source.dispose());

const items = () => world.source.catalog.items ?? [];
const item = (id: string): Tool => {
  const found = items().find((it) => it.id === id);
  if (!found) throw new Error(`There is no ${id}, but ${items().map((it) => it.id)}`);
  return found;
};
const README = 'library/resource:docs:%2F%2Freadme';
const REPORTS = 'library/template:docs:%2F%2Freport%2F{year}';
const REVIEW = 'library/prompt:review';

async function follow(...more: string[]): Promise<void> {
  const args = [LIBRARY, '--reads', path.join(folder, 'reads.txt'), ...more];
  await world.start(world.server('library', { command: process.execPath, args }));
  await until('the items', () => items().length > 0);
}

async function followHttp(): Promise<void> {
  const handle = toNodeHandler(createMcpHandler(() => libraryServer()));
  const origin = await serveInTest((request, response) => void handle(request, response));
  await world.start(world.server('library', { type: 'http', url: `${origin}/mcp` }));
  await until('the items', () => items().length > 0);
}

async function read(id: string, input: { readonly [name: string]: unknown } = {}) {
  const run = await world.source.run(item(id), input, { signal: new AbortController().signal, onProgress: () => {} });
  return { ...run, text: resultText(run) };
}

describe('what a server has beside tools', () => {
  beforeEach(followHttp);

  it('is listed with its kind, and isn’t among the tools', () => {
    expect(items().map(({ id, title, description }) => [id, title, description])).toEqual([
      [README, 'Read me', 'Resource (text/markdown): How the library is used'],
      ['library/resource:docs:%2F%2Fpicture', 'picture', 'Resource (image/png): picture'],
      [REPORTS, 'reports', 'Resource template: The report of a year'],
      [REVIEW, 'Review', 'Prompt: Reviews a text'],
    ]);
    expect(world.source.catalog.tools.map(({ id }) => id)).toEqual(['library/grow', 'library/report']);
  });

  it('is read: a resource, a template of some, a prompt', async () => {
    expect(await read(README)).toMatchObject({ outcome: 'ok', text: 'what stands in docs://readme' });
    expect((await read(REPORTS, { year: '2026' })).text).toContain('4,711 chairs');
    expect((await read(REVIEW, { topic: 'this text' })).text).toBe('Review this text in a plain tone.');
    expect((await read('library/resource:docs:%2F%2Fpicture')).parts).toMatchObject([{ type: 'image', bytes: 70 }]);
  });

  it('is among the tools if the user lets models find it', () => {
    world.offersItems = true;
    world.source.refresh();
    expect(world.tool(README)).toMatchObject({ modelName: 'library_resource_docs___readme', inputSchema: {} });
    expect(world.tool(REVIEW).inputSchema).toEqual({
      type: 'object',
      properties: { topic: { type: 'string', description: 'What it is about' }, tone: { type: 'string' } },
      required: ['topic'],
    });
    world.offersItems = false;
    expect(world.source.refresh().byId.has(README)).toBe(false);
  });
});

describe('lists of resources and prompts', () => {
  it('are read to their last page, and again once they change', async () => {
    await follow('--many', '25');
    expect(items().filter(({ name }) => name.startsWith('resource:docs://many/'))).toHaveLength(25);
    await world.call('library/grow');
    await until('the items', () => items().some(({ name }) => name === 'resource:docs://grown'));
  });

  it('are known in the next session, before the server runs', async () => {
    await follow();
    const kept = memoryFile();
    const cache = new CatalogCache(
      kept,
      (message) => expect.fail(message),
      (name) => world.source.fingerprintOf(name),
    );
    cache.save(world.source.catalog.servers, world.source.given);
    await cache.flush();
    const { definitions } = world;
    await world.source.dispose();
    world = new TestWorld();
    world.definitions = definitions.map((definition) => ({ ...definition }));
    world.source.useCached(await new CatalogCache(kept, () => {}).load());
    world.source.follow();
    expect(world.info('library').state).toBe('stopped');
    expect(item(README).item).toEqual({ kind: 'resource', address: 'docs://readme' });
    expect((await read(README)).text).toBe('what stands in docs://readme');
    expect(readFileSync(path.join(folder, 'reads.txt'), 'utf8')).toBe('docs://readme\n');
  });

  it('are empty in an untrusted workspace', async () => {
    await follow();
    world.isTrusted = false;
    expect(world.source.refresh().items).toEqual([]);
  });
});

const words = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `f${at}` }));
/** Entries of lists, of which none, one and several things are said, and some that can't be used. */
const ENTRIES: readonly (readonly [
  'resource' | 'template' | 'prompt',
  address: string,
  about?: ListedItem['about'],
])[] = [
  ...(['resource', 'template', 'prompt'] as const).map((kind) => [kind, 'a:b'] as const),
  ...([
    ['resource', ''],
    ['resource', `a:${'x'.repeat(1_999)}`],
    ['resource', `docs://${'long/'.repeat(100)}`],
  ] as const),
  ['resource', 'a:b', { description: 'a\u200bb', size: 12, mimeType: 'x\ny', title: 'T', name: 'n' }],
  ['resource', 'a:b', { title: 7, name: 'n\u202e', description: '', size: -1, mimeType: 'x'.repeat(81) }],
  ...([
    ['resource', 'a:b', { size: 0, arguments: words(1) }],
    ['prompt', 'p', { arguments: 7, size: '7' }],
  ] as const),
  ['prompt', 'p', { title: 7, description: [], arguments: [{ name: 1 }, 'x', null, { name: '' }] }],
  [
    'prompt',
    'p',
    {
      arguments: [
        { name: 'a', required: true, description: 'It.\nIs.' },
        { name: 'b', required: 'yes' },
      ],
    },
  ],
  ...([
    ['prompt', 'p', { arguments: words(50) }],
    ['prompt', 'p', { arguments: words(51) }],
  ] as const),
  ...([
    ['template', 'a://{host}{+path}{?q,page:3}/{list*}/{host}'],
    ['template', 'a://{'],
    ['template', 'a:{}'],
  ] as const),
];

it('an entry of a list is read as its file says', async () => {
  const told = ENTRIES.flatMap(([kind, address, about = {}]) => {
    const entry = { kind, address, about };
    return [entry, readItems('s', [entry, entry])].map((each) => JSON.stringify(each));
  });
  const short = told
    .join('\n')
    .replace(/x{20,}|(long\/){9,}|("f\d+".*)"f\d+"/g, (text) => `(${text.length} ${text.slice(0, 9)})`);
  await expect(`${short}\n`).toMatchFileSnapshot('items.txt');
});
