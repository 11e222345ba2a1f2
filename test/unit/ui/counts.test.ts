/** Compares the number of tools and their tokens in every place that shows them. */
import { afterEach, describe, expect, it } from 'vitest';
import { Ledger } from '../../../src/core/ledger/ledger';
import { NO_PINS, type Pins } from '../../../src/core/settings/pins';
import type { Settings } from '../../../src/core/settings/settings';
import { Session } from '../../../src/core/turn/session';
import { toolsInRequest } from '../../../src/core/usage/inRequest';
import { turnSpans } from '../../../src/inspector/sessionFile/turnSpans';
import { viewState } from '../../../src/inspector/view/viewState';
import { createAnthropicPort } from '../../../src/providers/anthropic/anthropicPort';
import { Capabilities } from '../../../src/providers/capabilities';
import { runSlashCommand } from '../../../src/ui/chat/slashCommands';
import { viewInputs } from '../../data/viewInputs';
import { KEYS, type StandIn, startStandIn } from '../../standin/server.mjs';
import {
  choices,
  makeCatalog,
  makeServices,
  makeTool,
  ok,
  SETTINGS,
  schema,
  searchOver,
  TestRunner,
  TestSink,
  TestSource,
} from '../core/turn/world';
import { TestStream } from './chat/stream';

const never = new AbortController().signal;
const TOOLS = [
  makeTool('math', 'get-sum', 'Returns the sum of two numbers', {
    invokeName: 'math_get-sum',
    inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
  }),
  ...['one', 'two', 'three'].map((name) => makeTool('talk', name, `Says ${name}`)),
  ...Array.from({ length: 40 }, (_, index) => makeTool('other', `zz${index}`, `Filler ${index}`)),
];
const CATALOG = makeCatalog(
  TOOLS,
  ['math', 'talk', 'other'].map((name) => ({ name, state: 'running' as const, problems: [] })),
);
let standIn: StandIn;
afterEach(() => standIn.close());

/** Asks one question that finds and calls a tool. Returns the figures of every place afterwards. */
async function asked(change: Partial<Settings>, pins: Pins = NO_PINS) {
  standIn = await startStandIn({});
  const settings: Settings = { ...SETTINGS, mode: 'on', codeMode: 'off', ...change };
  const ledger = new Ledger();
  const source = new TestSource(CATALOG);
  const session = new Session(
    makeServices(source, {
      ledger,
      user: choices(
        () => settings,
        () => pins,
      ),
    }),
  );
  const model = 'claude-sonnet-4-6';
  const port = createAnthropicPort({
    ...{ model, name: model, apiKey: KEYS.anthropic, baseUrl: standIn.url },
    capabilities: new Capabilities(),
  });
  const runner = new TestRunner(() => ok('3'));
  const question = { prompt: 'get-sum a=1 b=2', history: [], references: new Set<string>(), port, runner };
  await session.ask(question, new TestSink(), never);
  const overview = session.overview();
  const say = async (command: string) => {
    const stream = new TestStream();
    const deps = {
      ...{ source, search: searchOver(source), ledger, settings: () => settings, strategies: () => ['bm25'] },
      ...{ overview: () => overview, writeSetting: async () => {}, pin: async () => {} },
    };
    await runSlashCommand(deps, { command, argument: '' }, stream.asVscode, never);
    return stream.parts.join('\n');
  };
  const { standing: loading, delivery } = overview;
  const { events } = ledger;
  const view = viewState(viewInputs({ events, catalog: CATALOG, loading, delivery, tokensOf: session.tokensOf }));
  return { overview, view, events, say, report: session.lastReport };
}

/** The number of servers' tools whose definitions are in the last request's body. */
function inLastRequest(): number {
  const { body } = standIn.requests.filter(({ path }) => path === '/v1/messages').at(-1) ?? {};
  const referenced = [...JSON.stringify(body.messages).matchAll(/"tool_name":"([^"]+)"/g)].map(([, name]) => name);
  const known = new Set<unknown>(TOOLS.map(({ modelName }) => modelName));
  const loaded = body.tools.filter((tool: { name: string; defer_loading?: boolean }) => !tool.defer_loading);
  const names = [...loaded.map(({ name }: { name: string }) => name), ...referenced].filter((name) => known.has(name));
  return new Set(names).size;
}

/** Sums the figures of one way of loading in a text, such as `2 deferred`. */
function said(text: string, loading: string): number {
  return [...text.matchAll(new RegExp(`(\\d+) ${loading}`, 'g'))].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('the number of tools', () => {
  it.each(['server', 'client', 'local', 'bridge'] as const)('is the same everywhere with %s', async (delivery) => {
    const { overview, view, events, say, report } = await asked({ delivery });
    const { counts } = overview;
    const truth = inLastRequest();
    const statusBar = toolsInRequest(counts, overview.delivery.name);
    const rounds = turnSpans(events, { contents: false, newId: () => 'id' }).filter(({ name }) => /^chat/.test(name));
    const attribute = rounds.at(-1)?.attributes.find(({ key }) => key === 'toolsearch.tools.in_request');
    expect(overview.delivery.name).toBe(delivery);
    expect(truth).toBe(delivery === 'bridge' ? 0 : 1);
    expect([statusBar.inRequest, view.header.inRequest, report?.inRequest]).toEqual([truth, truth, truth]);
    expect(JSON.stringify(attribute?.value)).toContain(String(truth));
    expect([statusBar.total, view.totals.tools, report?.tools]).toEqual([44, 44, 44]);
    for (const loading of ['eager', 'discovered', 'deferred'] as const) {
      expect(view.header.counts[loading]).toBe(counts[loading]);
      expect([said(await say('tools'), loading), said(await say('stats'), loading)]).toEqual([
        counts[loading],
        counts[loading],
      ]);
    }
  });

  it('and their tokens are those of the groups together', async () => {
    const { view } = await asked({});
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    expect(sum(view.servers.map(({ tools }) => tools))).toBe(view.totals.tools);
    expect(sum(view.servers.map(({ tokens }) => tokens.value))).toBe(sum(view.tools.map(({ tokens }) => tokens.value)));
  });

  it('leaves out a hidden tool in every place', async () => {
    const { overview, view, say, report } = await asked({}, { tools: { 'talk/one': 'off' }, servers: {} });
    const { eager, discovered, deferred } = overview.counts;
    expect([eager + discovered + deferred, view.totals.tools, report?.tools]).toEqual([43, 43, 43]);
    expect(view.tools.filter(({ loading }) => loading === 'omitted').map(({ id }) => id)).toEqual(['talk/one']);
    expect(view.servers.find(({ name }) => name === 'talk')?.tools).toBe(2);
    expect(said(await say('tools'), 'deferred')).toBe(deferred);
  });
});
