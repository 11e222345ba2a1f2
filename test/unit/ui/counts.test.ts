/** Compares the number of tools that users see with the requests. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Transcript } from '../../../src/core/conversation/transcript';
import { Ledger } from '../../../src/core/ledger/ledger';
import { NO_PINS, type Pins } from '../../../src/core/settings/pins';
import type { Settings } from '../../../src/core/settings/settings';
import { Session } from '../../../src/core/turn/session';
import { toolsInRequest } from '../../../src/core/usage/toolsInRequest';
import { viewState } from '../../../src/inspector/view/viewState';
import { viewInputs } from '../../data/viewInputs';
import { type StandIn, startStandIn } from '../../standin/server.mjs';
import {
  chosen,
  makeCatalog,
  makeServices,
  makeTool,
  ok,
  SETTINGS,
  schema,
  TestRunner,
  TestSink,
  TestSource,
} from '../core/turn/world';
import { standInPort } from '../providers/ports';

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

const PATHS = ['/v1/messages', '/v1/responses'];

/** The models that are asked. */
const PORTS = {
  claude: () => standInPort(standIn, 'claude-sonnet-4-6', { name: 'Claude' }),
  gpt: () => standInPort(standIn, 'gpt-5.4', { name: 'GPT' }),
};

interface Asked extends Partial<Settings> {
  readonly wire?: keyof typeof PORTS;
  readonly pins?: Pins;
  /** The modes of the questions, if they aren't the setting's. `/eager` has the mode `off`. */
  readonly modes?: readonly (Settings['mode'] | undefined)[];
}

/** Asks questions that find and call a tool. Returns the figures of every place afterwards. */
async function asked({ wire = 'claude', pins = NO_PINS, modes = [undefined], ...change }: Asked) {
  standIn = await startStandIn({});
  const settings: Settings = { ...SETTINGS, mode: 'on', codeMode: 'off', ...change };
  const ledger = new Ledger();
  const source = new TestSource(CATALOG);
  const session = new Session(
    makeServices(source, {
      ledger,
      user: chosen(settings, pins),
    }),
  );
  const port = PORTS[wire]();
  const runner = new TestRunner(() => ok('3'));
  const ask = (prompt: string, history: Transcript, mode?: Settings['mode']) =>
    session.ask({ prompt, history, references: new Set(), port, runner, mode }, new TestSink(), never);
  let history: Transcript = [];
  for (const [index, mode] of modes.entries())
    history = [...history, ...(await ask(`get-sum a=${index} b=2`, history, mode)).items];
  const overview = session.overview();
  const { standing: loading, delivery } = overview;
  const { events } = ledger;
  const view = viewState(viewInputs({ events, catalog: CATALOG, loading, delivery, tokensOf: session.tokensOf }));
  return { overview, view, report: session.lastReport };
}

interface SentTool {
  readonly name: string;
  readonly defer_loading?: boolean;
  /** The functions of a namespace. */
  readonly tools?: readonly SentTool[];
}

const functionsIn = (tools: readonly SentTool[]): readonly SentTool[] =>
  tools.flatMap((tool) => (tool.tools ? functionsIn(tool.tools) : [tool]));

/** The number of servers' tools whose definitions are in the last request's body. */
function inLastRequest(): number {
  const { body } = standIn.requests.filter(({ path }) => PATHS.includes(path)).at(-1) ?? {};
  const listed = functionsIn(body.tools).filter(({ defer_loading }) => !defer_loading);
  // Claude's searches refer to tools, GPT's contain them.
  const references = [...JSON.stringify(body.messages ?? []).matchAll(/"tool_name":"([^"]+)"/g)].map(
    ([, name]) => name,
  );
  const found = (body.input ?? []).flatMap((item: { tools?: readonly SentTool[] }) => functionsIn(item.tools ?? []));
  const names = [...references, ...[...listed, ...found].map(({ name }) => name)];
  return TOOLS.filter(({ modelName }) => names.includes(modelName)).length;
}

describe('the number of tools', () => {
  const deliveries = ['server', 'client', 'local', 'bridge'] as const;
  it.each<{ name: string; given: Asked; inRequest: number; next?: number }>([
    ...(['claude', 'gpt'] as const).flatMap((wire) => [
      ...deliveries.map((delivery) => ({
        ...{ name: `${wire} with ${delivery}`, given: { wire, delivery }, inRequest: delivery === 'bridge' ? 0 : 1 },
      })),
      { name: `${wire} in /eager`, given: { wire, modes: ['off' as const] }, inRequest: 44, next: 0 },
      { name: `${wire} in /eager, later`, given: { wire, modes: [undefined, 'off' as const] }, inRequest: 44, next: 1 },
      { name: `${wire} after /eager`, given: { wire, modes: ['off' as const, undefined] }, inRequest: 1 },
      ...deliveries.map((delivery) => ({
        ...{ name: `${wire} with ${delivery} after /eager, later` },
        given: { wire, delivery, modes: [undefined, 'off' as const, undefined] },
        inRequest: delivery === 'bridge' ? 0 : 1,
      })),
      { name: `${wire} in mode off`, given: { wire, mode: 'off' as const }, inRequest: 44 },
    ]),
  ])('is that of the request: $name', async ({ given, inRequest, next = inRequest }) => {
    const { overview, report } = await asked(given);
    const truth = inLastRequest();
    const { inRequest: inNext, total } = toolsInRequest(overview.counts, overview.delivery.name);
    if (given.delivery) expect(overview.delivery.name).toBe(given.delivery);
    expect(truth).toBe(inRequest);
    // `/eager` is for one question: the status bar shows the next request, the report this one.
    expect([inNext, report?.inRequest]).toEqual([next, truth]);
    expect([total, report?.tools]).toEqual([44, 44]);
  });

  it('and their tokens are those of the groups together', async () => {
    const { view } = await asked({});
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    expect(sum(view.servers.map(({ tools }) => tools))).toBe(view.totals.tools);
    expect(sum(view.servers.map(({ tokens }) => tokens.value))).toBe(sum(view.tools.map(({ tokens }) => tokens.value)));
  });

  it('leaves out a hidden tool in every place', async () => {
    const { overview, view, report } = await asked({ pins: { tools: { 'talk/one': 'off' }, servers: {} } });
    const { eager, discovered, deferred } = overview.counts;
    expect([eager + discovered + deferred, view.totals.tools, report?.tools]).toEqual([43, 43, 43]);
    expect(view.tools.filter(({ loading }) => loading === 'omitted').map(({ id }) => id)).toEqual(['talk/one']);
    expect(view.servers.find(({ name }) => name === 'talk')?.tools).toBe(2);
  });
});
