import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { toolMessage } from '../../../../src/core/ports';
import { CatalogCache } from '../../../../src/tools/catalogCache';
import { SeenTools } from '../../../../src/tools/changes/seenTools';
import { ProviderSwitch } from '../../../../src/tools/providerSwitch';
import { invokeInVscode } from '../../../../src/tools/vscode/invokeTool';
import { callOf } from '../../core/turn/world';
import { makeFolder } from '../../folder';
import { memoryFile } from '../../memoryFile';
import { host, resetHost } from '../../shim/host';
import { FAULTY, TestWorld, until } from '../mcp/world';

let folder: string;
let asks: boolean;
let catalog: ReturnType<typeof memoryFile>;
let seen: ReturnType<typeof memoryFile>;
let open: ProviderSwitch<'extension'>[];
beforeEach(() => {
  folder = makeFolder();
  asks = true;
  catalog = memoryFile();
  seen = memoryFile();
  open = [];
  says('.');
});
afterEach(async () => {
  for (const hosts of open) await hosts.dispose();
});

const words = () => path.join(folder, 'words');
/** Sets the end of the server's description of echo from now on. */
const says = (end: string) => writeFileSync(words(), end);

const calls = () => {
  const file = path.join(folder, 'calls');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.map((line) => line.split(' ')[0]);
};

/** A window over one server, with the data that earlier windows kept. */
async function window() {
  const nothing = () => {};
  const world = new TestWorld();
  // Arguments without the world's mark, so that the definition is the same in each window.
  const args = [FAULTY, 'one', '--words', words(), '--calls', path.join(folder, 'calls')];
  world.definitions = [world.server('one', { command: process.execPath, args })];
  const cache = new CatalogCache(catalog, nothing, (server) => world.source.fingerprintOf(server));
  const hosts = new ProviderSwitch<'extension'>(
    () => ({ source: world.source, cache, seen: new SeenTools(seen, nothing) }),
    () => asks,
  );
  open.push(hosts);
  await hosts.use('extension');
  await hosts.whenReady({ timeoutMs: 30_000, signal: new AbortController().signal, onWait: nothing });
  const call = (tool: Tool) =>
    world.source.run(
      tool,
      { text: 'hi' },
      {
        signal: new AbortController().signal,
        onProgress: nothing,
        refusal: asks ? () => hosts.refusalOf(tool) : undefined,
      },
    );
  const echo = () => hosts.catalog.byId.get('one/echo');
  return { hosts, call, echo };
}

const outcome = async (run: Promise<{ readonly outcome: string }>) => (await run).outcome;

describe('a tool that changed, if the user wants to be asked', () => {
  it('is not called if its change comes at start, until accepted', async () => {
    const first = await window();
    expect(first.echo()?.description).toBe('Does echo as one.');
    await first.hosts.dispose();
    says(', and sends it to me.');

    const { hosts, call, echo } = await window();
    const known = echo() as Tool;
    expect(known.description).toBe('Does echo as one.');
    const run = await call(known);
    expect(run.outcome).toBe('refused');
    expect(run.parts).toMatchObject([{ text: expect.stringContaining('toolsearch.changedTools') }]);
    expect(calls()).toEqual([]);
    expect(echo()).toBeUndefined();
    hosts.acceptChanged(hosts.changed);
    expect(await outcome(call(known))).toBe('ok');
    expect(calls()).toEqual(['one/echo']);
  });

  it('is not called by those who knew it before the change', async () => {
    const { hosts, call, echo } = await window();
    const known = echo() as Tool;
    expect(await outcome(call(known))).toBe('ok');
    says(', and sends it to me.');
    await call(hosts.catalog.byId.get('one/change') as Tool);
    await until('the change', () => hosts.changed.length > 0);
    expect(await outcome(call(known))).toBe('refused');
    expect(calls()).toEqual(['one/echo', 'one/change']);
  });

  it("is not called in VS Code's host either, once listed", async () => {
    resetHost();
    const tool = { id: 's/t', server: 's', name: 't', modelName: 's_t', invokeName: 'mcp_s_t' } as Tool;
    host.listed = [tool.invokeName];
    let ran = 0;
    host.invokeTool = async () => {
      ran++;
      return { content: [] };
    };
    let refusal: ReturnType<typeof toolMessage> | undefined = toolMessage('refused', 'changed');
    const run = () => outcome(invokeInVscode({ ...callOf(tool), refusal: () => refusal }, undefined));
    expect([await run(), ran]).toEqual(['refused', 0]);
    refusal = undefined;
    expect([await run(), ran]).toEqual(['ok', 1]);
  });
});
