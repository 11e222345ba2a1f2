import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../../src/core/catalog/tool';
import { resultText } from '../../../src/core/conversation/resultText';
import { type Call, toolMessage } from '../../../src/core/ports';
import { LinkedResources, withLinks } from '../../../src/tools/linkedResources';
import { callOf, makeTool } from '../core/turn/world';
import { makeFolder } from '../folder';
import { TestWorld } from './mcp/world';

const LIBRARY = path.resolve(import.meta.dirname, '../../fixtures/libraryServer.mjs');
const READER = 'library/read_linked_resource';
const OFFER = '[To read a linked resource: library_read_linked_resource({"uri": "…"})]';

let world: TestWorld;
let folder: string;
let reads: string;
let isHidden: boolean;
const library = (name: string, ...more: string[]) =>
  world.server(name, { command: process.execPath, args: [LIBRARY, '--reads', reads, ...more] });

/** A call as the runner of tools makes it. */
async function call(tool: Tool, input: { readonly [name: string]: unknown } = {}) {
  const { signal } = new AbortController();
  const base = (it: Call) => world.source.run(it.tool, it.input, { signal, onProgress: () => {} });
  const readerOf = (id: string) => (isHidden ? undefined : world.source.refresh().byId.get(id));
  const run = await withLinks(base, world.source.linked, readerOf, world.secrets.redact)({ ...callOf(tool), input });
  return { ...run, text: resultText(run) };
}

const readsOf = () => (existsSync(reads) ? readFileSync(reads, 'utf8').split('\n').slice(0, -1) : []);

describe('a resource to which a result links', () => {
  beforeEach(async () => {
    world = new TestWorld();
    folder = makeFolder();
    reads = path.join(folder, 'reads.txt');
    isHidden = false;
    await world.start(library('library'));
  });
  afterEach(() => world.source.dispose());

  it('is offered with type and size, and read through its server', async () => {
    expect(world.source.catalog.byId.has(READER)).toBe(false);
    const linking = await call(world.tool('library/report'));
    expect(linking.text).toContain('[Resource: docs://report/2026, text/markdown, Report of 2026, 31 bytes]');
    expect(linking.text).toContain(OFFER);
    expect(linking.text).not.toContain('for-the-user');
    expect(linking).not.toHaveProperty('links');
    const read = await call(world.tool(READER), { uri: 'docs://report/2026' });
    expect(read).toMatchObject({ outcome: 'ok', text: '# Report\nWe sold 4,711 chairs.' });
    expect(readsOf()).toEqual(['docs://report/2026']);
  });

  it('isn’t read by a URI that no result had', async () => {
    await call(world.tool('library/report'));
    for (const uri of ['docs://readme', 'docs://for-the-user', 'docs://report/2025', 'https://example.com/', '']) {
      expect(await call(world.tool(READER), { uri }), uri).toMatchObject({
        outcome: 'failed',
        text: expect.stringContaining('Call the tool that gives the link again'),
      });
    }
    expect(readsOf()).toEqual([]);
  });

  it('isn’t read through a server that didn’t link to it', async () => {
    await world.start(library('library'), library('other'));
    await call(world.tool('library/report'));
    world.source.linked.add('other', []);
    world.source.refresh();
    const read = await call(world.tool('other/read_linked_resource'), { uri: 'docs://report/2026' });
    expect(read.outcome).toBe('failed');
    expect(readsOf()).toEqual([]);
  });

  it('is forgotten once its server is another one', async () => {
    await call(world.tool('library/report'));
    world.definitions = [library('library', '--many', '1')];
    world.source.refresh();
    expect(world.source.linked.addressOf('library', 'docs://report/2026')).toBeUndefined();
    expect(world.source.refresh().byId.has(READER)).toBe(false);
  });

  it('isn’t offered if the user hid the tool that reads it', async () => {
    isHidden = true;
    expect((await call(world.tool('library/report'))).text).not.toContain('To read a linked resource');
  });

  it('is read by the URI that the model saw, without its secret', async () => {
    world.secrets.add('docs://report');
    await call(world.tool('library/report'));
    const redacted = world.secrets.redact('docs://report/2026');
    expect((await call(world.tool(READER), { uri: redacted })).text).toContain('4,711 chairs');
  });
});

it('A link isn’t offered through a server’s own tool of that name', async () => {
  const own = makeTool('library', 'read_linked_resource');
  const linked = new LinkedResources();
  const base = async () => ({ ...toolMessage('ok', 'a'), links: [{ uri: 'a:b', address: 'a:b' }] });
  const run = await withLinks(
    base,
    linked,
    () => own,
    (text) => text,
  )(callOf(own));
  expect(resultText(run)).toBe('a');
  expect(linked.withReaders([own])).toEqual([own]);
});

it('Linked resources are the newest 5,000 of a server', () => {
  const linked = new LinkedResources();
  const links = Array.from({ length: 5_001 }, (_, at) => ({ uri: `a:${at}`, address: `a:${at}` }));
  linked.add('library', links);
  expect(linked.addressOf('library', 'a:0')).toBeUndefined();
  expect(linked.addressOf('library', 'a:5000')).toBe('a:5000');
});
