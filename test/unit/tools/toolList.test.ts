import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings';
import type { ConfiguredServer } from '../../../src/tools/configuredServer';
import { loadingHint } from '../../../src/tools/loadingHint';
import { finishTools, readTools } from '../../../src/tools/toolList';
import type { ListedTool } from '../../../src/tools/toolOrigin';

const listed = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  tags: ['mcp'],
  fullReferenceName: `srv/${name}`,
  ...more,
});
const configured: ConfiguredServer = { name: 'srv', alwaysLoad: false, source: 'file:///x' };
const eager = { ...configured, alwaysLoad: true };
const read = (...tools: ListedTool[]) => readTools(tools, [configured]);

const LONG = 'x'.repeat(1_000_000);
const CUT = `mcp_srv_${'long_'.repeat(20)}`.slice(0, 64);
const TWINS = ['mcp_srv_echo', 'mcp_srv2_echo'].map((name) => listed(name, { fullReferenceName: 'srv/echo' }));
const deep = () => {
  let schema: object = { type: 'string' };
  for (let depth = 0; depth < 10_000; depth++) schema = { type: 'object', properties: { inner: schema } };
  return schema;
};
const of = (name: string, fullReferenceName: string, more: Partial<ListedTool> = {}) =>
  listed(name, { fullReferenceName, ...more });
/** Lists of VS Code. */
const LISTS: { readonly [what: string]: readonly ListedTool[] } = {
  'our own tools, and any tool_search': [
    ...['tool_search', 'toolsearch_call_tool'].map((name) => listed(name, { tags: [] })),
    listed('mcp_srv_echo'),
  ],
  'what an endpoint of ours serves, in any window': [
    ...['-id_search_tools', '-id2_call_tool', '-id_run_code', '-id_search_issues'].map((name) =>
      listed(`mcp_toolsearch${name}`),
    ),
    listed('mcp_srv_search_tools'),
  ],
  'no description and no schema': [listed('bare', { description: undefined, inputSchema: undefined })],
  'no arguments of a tool of VS Code': [listed('x', { tags: [], inputSchema: undefined })],
  'a name that was cut': [listed(CUT), listed('mcp_srv_short')],
  'a long name of our own client': [listed(CUT, { own: { server: 'srv', name: 'n' } })],
  'schemas that no provider takes': [
    listed('array', { inputSchema: { type: 'array' } }),
    listed('list', { inputSchema: [] }),
    listed('untyped', { inputSchema: { properties: { a: {} } } }),
  ],
  'what is endless, and what nobody sees': [
    listed('deep', { inputSchema: deep(), description: `hidden\u{e0069}\u202e \u001b[31m${'x'.repeat(50_000)}` }),
    of('mcp_srv_a', `srv/${'x'.repeat(100_000)}`),
    of('mcp_srv_b', `srv/${'x'.repeat(100_001)}`),
  ],
  'names of servers that no file has': [
    of('mcp_a', `${LONG}a/echo`, { inputSchema: undefined }),
    of('mcp_b', `${LONG}b/echo`),
    of('mcp_c', `${'x'.repeat(200)}/echo`),
    of('own', `vscode/${LONG}`, { tags: [] }),
  ],
  'long names of tools': [listed(LONG), listed(LONG), of(`${LONG}b`, `srv/${LONG}`)],
  'two of a name that VS Code can tell apart': TWINS,
  'the same, listed the other way': [...TWINS].reverse(),
  'two that VS Code can’t tell apart': ['srv/cut_a', 'srv/cut_b'].map((name) => of('mcp_srv_cut', name)),
  'wishes to be loaded, or deferred': [true, false, undefined].map((alwaysLoad, at) =>
    listed(`a${at}`, alwaysLoad === undefined ? {} : { alwaysLoad }),
  ),
};
const UI = 'ui://map/view';
/** What servers say of a tool's loading. */
const HINTS: readonly { readonly [name: string]: unknown }[] = [
  ...[{ 'anthropic/alwaysLoad': false }, { alwaysLoad: false }, { defer_loading: true }, { alwaysLoad: 1 }],
  ...[{ ui: { resourceUri: UI } }, { 'ui/resourceUri': UI }, { ui: { resourceUri: UI }, defer_loading: true }],
  ...[{ ui: { resourceUri: 'https://example.com' } }, { ui: UI }],
];

it('a list of VS Code is read as its file says', async () => {
  const tell = (what: string, { tools, problems }: ReturnType<typeof read>) =>
    [what, ...tools, ...problems].map((each) => (each === what ? what : ` ${JSON.stringify(each)}`));
  const told = Object.entries(LISTS).flatMap(([what, tools]) => tell(what, read(...tools)));
  const wishes = LISTS['wishes to be loaded, or deferred'] ?? [];
  told.push(...tell('the same of a server that is loaded', readTools(wishes, [eager])));
  told.push('hints', ...HINTS.map((hint) => ` ${JSON.stringify(hint)} ${JSON.stringify(loadingHint(hint))}`));
  const short = told.join('\n').replace(/x{20,}/g, ({ length }) => `(${length} x)`);
  await expect(`${short}\n`).toMatchFileSnapshot('toolList.txt');
});

describe('finishTools', () => {
  const fits = () => 'fits' as const;

  it('keeps the object of a tool that has not changed', () => {
    const first = finishTools(read(listed('a'), listed('b')).tools, DEFAULT_SETTINGS.examples, new Map(), fits).tools;
    const previous = new Map(first.map((tool) => [tool.id, tool]));
    const second = finishTools(
      read(listed('a'), listed('b', { description: 'new' })).tools,
      DEFAULT_SETTINGS.examples,
      previous,
      fits,
    ).tools;
    expect(second[0]).toBe(first[0]);
    expect(second[1]).not.toBe(first[1]);
  });

  it('gives tools their names for models and their examples', () => {
    const { tools } = finishTools(
      read(listed('a', { inputSchema: { type: 'object', examples: [{ x: 3 }] }, examples: [{ args: { x: 2 } }] }))
        .tools,
      { ...DEFAULT_SETTINGS.examples, tools: { 'srv/a': [{ args: { x: 1 } }] } },
      new Map(),
      fits,
    );
    expect(tools[0]).toMatchObject({
      modelName: 'srv_a',
      examples: [{ args: { x: 1 } }, { args: { x: 2 } }, { args: { x: 3 } }],
    });
    expect(tools[0]?.inputSchema).toEqual({ type: 'object' });
  });
});
