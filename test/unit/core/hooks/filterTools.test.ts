import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NamedHooks } from '../../../../src/core/hooks/namedHooks';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { PreparedTurn } from '../../../../src/core/planning/preparedTurn';
import { Session } from '../../../../src/core/turn/session';
import type { ToolFilter } from '../../../../tool-search';
import {
  call,
  choices,
  MODEL,
  makeCatalog,
  makeServices,
  makeTool,
  ScriptedModel,
  SETTINGS,
  TestRunner,
  TestSink,
  TestSource,
  text,
} from '../turn/world';

const READ = makeTool('db', 'read_rows', 'Reads rows', { annotations: { readOnlyHint: true } });
const DROP = makeTool('db', 'drop_table', 'Drops a table');
const TOOLS = [READ, DROP];
const turn = { prompt: 'do it', model: 'test/scripted' };
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const prepare = async (tools: NamedHooks<ToolFilter>, source = new TestSource(makeCatalog(TOOLS))) => {
  const prepared = new PreparedTurn(tools, source, turn);
  const next = prepared.next({ round: 1, transcript: [], catalog: source.catalog, model: MODEL }, never);
  await vi.runAllTimersAsync();
  const { warnings } = await next;
  return { source: prepared.source, warnings, tools: prepared.source.catalog.tools };
};

describe('a filter of another extension', () => {
  it('chooses what a turn knows of, and sees the turn', async () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    const seen: unknown[] = [];
    tools.add('safe', (offered, about) => {
      seen.push(about);
      return offered.filter((tool) => tool.annotations?.readOnlyHint).map((tool) => tool.id);
    });
    expect(await prepare(tools)).toMatchObject({ tools: [READ], warnings: [] });
    expect(seen).toEqual([{ ...turn, round: 1, discovered: [] }]);
  });

  it('takes no tool away that it has not seen', async () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    tools.add('safe', () => [READ.id]);
    const prepared = new PreparedTurn(tools, new TestSource(makeCatalog(TOOLS)), turn);
    const has = () => [READ.id, DROP.id, 'db/late'].map((id) => prepared.has(id));
    expect(has()).toEqual([true, true, true]);
    await prepared.next({ round: 1, transcript: [], catalog: makeCatalog(TOOLS), model: MODEL }, never);
    expect(has()).toEqual([true, false, true]);
  });

  it('takes its turn after others, and all must let a tool through', async () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    const offered: number[] = [];
    tools.add('one', () => ['db/read_rows']);
    const remove = tools.add('two', (list) => {
      offered.push(list.length);
      return [];
    });
    expect((await prepare(tools)).tools).toEqual([]);
    expect(offered).toEqual([1]);
    remove();
    expect((await prepare(tools)).tools).toEqual([READ]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken')), /“bad” failed \(broken\)/],
    ['hangs', () => new Promise<never>(() => {}), /“bad” failed \(no answer within 2 s\)/],
    ['returns no list', () => 'all' as unknown as string[], /no list of tool ids/],
  ])('that %s is reported, and the turn has its tools', async (_, filter, words) => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    tools.add('bad', filter);
    const prepared = await prepare(tools);
    expect(prepared.tools).toEqual(TOOLS.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    expect(prepared.warnings).toEqual([expect.stringMatching(words)]);
  });

  it('that names no tool is reported; its other names count', async () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    tools.add('odd', () => ['db/read_rows', 'db/none', 7 as unknown as string]);
    const prepared = await prepare(tools);
    expect(prepared.tools).toEqual([READ]);
    expect(prepared.warnings).toEqual([expect.stringContaining('db/none, 7')]);
  });

  it('can change nothing of ours; a new tool waits a turn', async () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    tools.add('meddler', (offered) => {
      for (const tool of offered as unknown as { description: string; annotations?: { readOnlyHint?: boolean } }[]) {
        tool.description = 'mine';
        if (tool.annotations) tool.annotations.readOnlyHint = false;
      }
      return offered.map((tool) => tool.id);
    });
    const source = new TestSource(makeCatalog(TOOLS));
    const prepared = await prepare(tools, source);
    expect(READ).toMatchObject({ description: 'Reads rows', annotations: { readOnlyHint: true } });
    source.catalog = makeCatalog([...TOOLS, makeTool('db', 'late')], undefined, 2);
    expect(prepared.source.catalog.tools).toHaveLength(2);
    expect(prepared.source.catalog.revision).toBe(2);
  });

  it.each([
    [{ id: 'db/read_rows', description: 7 }, 'it returned no text for db/read_rows'],
    [{ id: 'db/read_rows', inputSchema: { type: 'string' } }, 'it returned no object schema for db/read_rows'],
    [{ id: 'db/read_rows', inputSchema: [] }, 'it returned no object schema for db/read_rows'],
  ])('that changes a tool into %j is reported', async (change, words) => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    tools.add('odd', () => [change as never]);
    const prepared = await prepare(tools);
    expect(prepared.tools).toHaveLength(2);
    expect(prepared.warnings).toEqual([expect.stringContaining(words)]);
  });

  it('changes words and arguments, which the next filter sees', async () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    const inputSchema = { properties: { table: { const: 'people' } } };
    tools.add('one', () => [{ id: 'db/read_rows', description: 'Reads\u200b people', inputSchema }]);
    tools.add('two', ([read]) => {
      expect(read).toMatchObject({ description: 'Reads people', inputSchema });
      return ['db/read_rows'];
    });
    expect((await prepare(tools)).tools).toEqual([
      { ...READ, description: 'Reads people', inputSchema: { ...inputSchema, type: 'object' } },
    ]);
  });

  it('sees titles, and is named by what it changed', async () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    tools.add('titled', ([drop]) => [{ id: DROP.id, description: `${drop?.title}!` }]);
    const catalog = makeCatalog([READ, { ...DROP, title: 'Drop a table' }]);
    const prepared = new PreparedTurn(tools, new TestSource(catalog), turn);
    const { change } = await prepared.next({ round: 1, transcript: [], catalog, model: MODEL }, never);
    expect(change).toEqual({ by: ['titled'], tools: 2, kept: 1, changed: [DROP.id], late: [] });
    expect(prepared.source.catalog.tools).toMatchObject([{ description: 'Drop a table!' }]);
  });

  it('changes words alone, and arguments stay', async () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    tools.add('words', () => [{ id: 'db/read_rows', description: 'Reads people' }]);
    expect((await prepare(tools)).tools).toEqual([{ ...READ, description: 'Reads people' }]);
  });

  it('needs a name of its own', () => {
    const tools = new NamedHooks<ToolFilter>('tool filter');
    tools.add('a', () => []);
    expect(() => tools.add('a', () => [])).toThrow(/already a tool filter "a"/);
    expect(() => tools.add(' ', () => [])).toThrow(/needs a name/);
  });
});

describe('a turn whose tools are filtered', () => {
  it('can neither find nor call the others; a failed filter is reported', async () => {
    const source = new TestSource(makeCatalog(TOOLS));
    const ledger = new Ledger();
    const filters = new NamedHooks<ToolFilter>('tool filter');
    filters.add('safe', () => ['db/read_rows', 'db/none']);
    const session = new Session(
      makeServices(source, {
        ledger,
        user: choices(() => ({ ...SETTINGS, mode: 'on' })),
        filters,
      }),
    );
    const port = new ScriptedModel([
      [call('search_tools', { queries: ['drop table'] })],
      [call('db_drop_table', {})],
      [text('no such tool')],
    ]);
    const runner = new TestRunner();
    const sink = new TestSink();
    const question = { prompt: 'drop it', history: [], references: new Set<string>(), port, runner };
    expect((await session.ask(question, sink, never)).status).toBe('answered');
    expect(runner.ran).toEqual([]);
    expect(ledger.events.find((event) => event.type === 'called')).toMatchObject({ known: false, outcome: 'failed' });
    expect(JSON.stringify(port.requests)).not.toContain('Drops a table');
    expect(sink.warnings).toEqual([expect.stringContaining('db/none')]);
    expect(ledger.events.find((event) => event.type === 'warned')).toMatchObject({
      message: expect.stringContaining('db/none'),
    });
  });
});
