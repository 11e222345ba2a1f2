import { beforeEach, expect, it } from 'vitest';
import { type Catalog, createCatalog, EMPTY_CATALOG } from '../../../src/core/catalog/catalog';
import type { UnnamedTool } from '../../../src/core/catalog/tool';
import { CatalogCache } from '../../../src/tools/catalogCache';
import { SeenTools } from '../../../src/tools/changes/seenTools';
import { ProviderSwitch } from '../../../src/tools/providerSwitch';
import type { CachedTools, ToolProvider } from '../../../src/tools/toolProvider';
import { makeTool } from '../core/turn/world';
import { memoryFile } from '../memoryFile';

/** A provider whose contents a test sets. */
class FakeHost implements ToolProvider {
  catalog: Catalog = EMPTY_CATALOG;
  given: readonly UnnamedTool[] = [];
  readonly diagnostics = [];
  readonly startingSince = new Map();
  cached: CachedTools = new Map();
  isFollowing = false;
  isDisposed = false;
  #listener: (catalog: Catalog) => void = () => {};
  onDidChange(listener: (catalog: Catalog) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
    };
  }
  give(server: string): void {
    this.giveCatalog(createCatalog(1, [], [{ name: server, state: 'running', problems: [] }]));
  }
  giveCatalog(catalog: Catalog): void {
    this.catalog = catalog;
    this.#listener(this.catalog);
  }
  /** Servers that the provider knows before any has been started. */
  known: string[] = [];
  useCached(cached: CachedTools): void {
    this.cached = cached;
    for (const server of this.known) this.give(server);
  }
  follow(): void {
    this.isFollowing = true;
  }
  refresh = () => this.catalog;
  whenReady = async () => this.catalog;
  startServers = async () => {};
  dispose(): void {
    this.isDisposed = true;
  }
}

/** A provider with files that keep nothing beyond the test. */
const entryOf = (source: ToolProvider, catalog = memoryFile()) => ({
  source,
  cache: new CatalogCache(catalog, () => {}),
  seen: new SeenTools(memoryFile(), () => {}),
});

let made: { [kind: string]: FakeHost };
let hosts: ProviderSwitch<'a' | 'b'>;
beforeEach(() => {
  made = {};
  hosts = new ProviderSwitch((kind) => {
    const source = new FakeHost();
    made[kind] = source;
    return entryOf(source);
  });
});

/** Lists a tool with another description. */
const listIn = (source: FakeHost) => (description: string) =>
  source.giveCatalog(createCatalog(1, [makeTool('s', 't', description)], []));

/** Uses one provider, which withholds changed tools if `asks` says so. */
function useOne(source: FakeHost, asks?: () => boolean) {
  hosts = new ProviderSwitch(() => entryOf(source), asks);
  return hosts.use('a');
}

const names = () => hosts.catalog.servers.map((server) => server.name);

it('has the catalog of the host in use; revisions only grow', async () => {
  const revisions: number[] = [];
  hosts.onDidChange((catalog) => revisions.push(catalog.revision));
  await hosts.use('a');
  made.a?.give('of a');
  expect(names()).toEqual(['of a']);
  await hosts.use('b');
  expect(names()).toEqual([]);
  made.b?.give('of b');
  expect(names()).toEqual(['of b']);
  expect(revisions).toEqual([...revisions].sort((x, y) => x - y));
  expect(new Set(revisions).size).toBe(revisions.length);
});

it('has what a host knows before it is followed', async () => {
  const source = new FakeHost();
  source.known = ['not started yet'];
  await useOne(source);
  expect(names()).toEqual(['not started yet']);
});

it('keeps what servers gave, and no more of a setting', async () => {
  const source = new FakeHost();
  const file = memoryFile();
  hosts = new ProviderSwitch(() => entryOf(source, file));
  await hosts.use('a');
  const examples = [{ args: { from: 'server' } }];
  const { modelName, ...tool } = makeTool('s', 't');
  source.given = [{ ...tool, examples }];
  source.give('s');
  await hosts.dispose();
  expect(JSON.parse(file.text ?? '').servers.s.tools).toMatchObject([{ name: 't', examples }]);
});

it('stops the host before, and hears no more of it', async () => {
  await hosts.use('a');
  await hosts.use('b');
  expect(made.a?.isDisposed).toBe(true);
  made.a?.give('of a');
  expect(names()).toEqual([]);
});

it('leaves the host alone that is asked for again', async () => {
  await hosts.use('a');
  const first = made.a;
  await hosts.use('a');
  expect(made.a).toBe(first);
  expect(first?.isFollowing).toBe(true);
});

it('uses the last one that was asked for, however quickly', async () => {
  await Promise.all([hosts.use('a'), hosts.use('b')]);
  expect(made.a?.isFollowing).toBe(false);
  expect(made.b?.isFollowing).toBe(true);
});

it('ends a provider that is made after another kind was chosen', async () => {
  let finish = () => {};
  const late = new FakeHost();
  hosts = new ProviderSwitch(async (kind) => {
    const source = kind === 'a' ? late : new FakeHost();
    if (kind === 'a')
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    source.known = [`of ${kind}`];
    return entryOf(source);
  });
  const first = hosts.use('a');
  await hosts.use('b');
  finish();
  await first;
  expect(names()).toEqual(['of b']);
  expect(late.isDisposed).toBe(true);
});

it.each(['to start', 'once it was there'])('tries again a kind that failed %s', async (when) => {
  let fails = true;
  const failAt = (now: string) => {
    if (fails && now === when) throw new Error('it is broken');
  };
  class Failing extends FakeHost {
    override useCached(): void {
      failAt('once it was there');
      this.give('there at last');
    }
  }
  const all: FakeHost[] = [];
  hosts = new ProviderSwitch(() => {
    failAt('to start');
    const source = new Failing();
    all.push(source);
    return entryOf(source);
  });
  await expect(hosts.use('a')).rejects.toThrow('it is broken');
  expect(all.map(({ isDisposed }) => isDisposed)).toEqual(when === 'to start' ? [] : [true]);
  fails = false;
  await hosts.use('a');
  expect(names()).toEqual(['there at last']);
});

it('stops though a host before it could not be stopped', async () => {
  await hosts.use('a');
  if (made.a) made.a.dispose = () => Promise.reject(new Error('it hangs')) as never;
  await hosts.use('b');
  await hosts.dispose();
  expect(made.b?.isDisposed).toBe(true);
});

it('withholds a changed tool from everybody, if wanted, until accepted', async () => {
  let asks = true;
  const source = new FakeHost();
  const list = listIn(source);
  const offered = () => hosts.refresh().tools.map(({ description }) => description);
  await useOne(source, () => asks);
  list('one');
  expect(offered()).toEqual(['one']);
  list('two');
  expect(offered()).toEqual([]);
  expect([...(hosts.catalog.withheld?.keys() ?? [])]).toEqual(['mcp_s_t']);
  expect(hosts.changed).toMatchObject([{ server: 's', name: 't' }]);
  asks = false;
  expect(offered()).toEqual(['two']);
  asks = true;
  expect(offered()).toEqual([]);
  const known = makeTool('s', 't', 'one');
  expect(hosts.refusalOf(known)?.outcome).toBe('refused');
  asks = false;
  expect(hosts.refusalOf(known)).toBeUndefined();
  asks = true;
  hosts.acceptChanged(hosts.changed);
  expect(offered()).toEqual(['two']);
  expect(hosts.changed).toEqual([]);
  expect(hosts.refusalOf(known)).toBeUndefined();
});

it('looks again before a call whether its tool has changed', async () => {
  const source = new FakeHost();
  const list = listIn(source);
  await useOne(source, () => true);
  list('one');
  const known = makeTool('s', 't', 'one');
  expect(hosts.refusalOf(known)).toBeUndefined();
  source.refresh = () => {
    list('two');
    return source.catalog;
  };
  expect(hosts.refusalOf(known)?.outcome).toBe('refused');
});
