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
const read = (...tools: ListedTool[]) => readTools(tools, [configured]);

describe('readTools', () => {
  it('leaves out our own tools and any tool_search', () => {
    const { tools } = read(
      listed('tool_search', { tags: [] }),
      listed('toolsearch_call_tool', { tags: [] }),
      listed('mcp_srv_echo'),
    );
    expect(tools.map((tool) => tool.invokeName)).toEqual(['mcp_srv_echo']);
  });

  it('leaves out what an endpoint of ours serves, in any window', () => {
    const own = ['mcp_toolsearch-id_search_tools', 'mcp_toolsearch-id2_call_tool', 'mcp_toolsearch-id_run_code'].map(
      (name) => listed(name),
    );
    const others = ['mcp_toolsearch-id_search_issues', 'mcp_srv_search_tools'].map((name) => listed(name));
    expect(read(...own, ...others).tools.map((tool) => tool.invokeName)).toEqual([
      'mcp_srv_search_tools',
      'mcp_toolsearch-id_search_issues',
    ]);
  });

  it('takes a tool without description and schema, and says what it lacks', () => {
    const { tools, problems } = read(listed('bare', { description: undefined, inputSchema: undefined }));
    expect(tools[0]).toMatchObject({
      id: 'srv/bare',
      description: '',
      inputSchema: { type: 'object', properties: {} },
    });
    expect(problems.get('srv')).toEqual(['bare has no input schema. It is offered without arguments.']);
  });

  it('says that VS Code cut a name, and what that loses', () => {
    const name = `mcp_srv_${'long_'.repeat(20)}`.slice(0, 64);
    expect(read(listed(name), listed('mcp_srv_short')).problems.get('srv')).toEqual([
      expect.stringMatching(/has cut a tool’s name to 64 characters: .* lists only one of them/),
    ]);
    const own = { server: 'srv', name: 'n' };
    expect(read(listed(name, { own })).problems.size).toBe(0);
  });

  it('repairs schemas that no provider takes', () => {
    const { tools, problems } = read(
      listed('array', { inputSchema: { type: 'array' } }),
      listed('list', { inputSchema: [] }),
      listed('untyped', { inputSchema: { properties: { a: {} } } }),
    );
    expect(tools.map((tool) => tool.inputSchema)).toEqual([
      { type: 'object', properties: {} },
      { type: 'object', properties: {} },
      { type: 'object', properties: { a: {} } },
    ]);
    expect(problems.get('srv')).toHaveLength(2);
  });

  it('bounds what is endless, and takes out what nobody sees', () => {
    let inputSchema: object = { type: 'string' };
    for (let depth = 0; depth < 10_000; depth++) inputSchema = { type: 'object', properties: { inner: inputSchema } };
    const { tools, problems } = read(
      listed('deep', { inputSchema, description: `hidden\u{e0069}\u202e \u001b[31m${'x'.repeat(50_000)}` }),
      listed('mcp_srv_a', { fullReferenceName: `srv/${'a'.repeat(100_000)}` }),
      listed('mcp_srv_b', { fullReferenceName: `srv/${'a'.repeat(100_001)}` }),
    );
    expect(tools[0]?.description).toBe(`hidden ${'x'.repeat(19_993)}…`);
    expect(JSON.stringify(tools[0]?.inputSchema).length).toBeLessThan(5_000);
    expect(problems.get('srv')).toEqual([
      'The input schema of deep is too large. Its deepest and last parts are left out.',
    ]);
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(3);
    expect(Math.max(...tools.map((tool) => tool.name.length))).toBeLessThan(140);
  });

  it('bounds the names of servers that no file has', () => {
    const long = 'x'.repeat(1_000_000);
    const { tools, problems } = read(
      listed('mcp_a', { fullReferenceName: `${long}a/echo`, inputSchema: undefined }),
      listed('mcp_b', { fullReferenceName: `${long}b/echo` }),
      listed('mcp_c', { fullReferenceName: `${'y'.repeat(200)}/echo` }),
      listed('own', { tags: [], fullReferenceName: `vscode/${long}` }),
    );
    expect(tools.map(({ server }) => server)).toEqual([
      expect.stringMatching(/^x{128}_[0-9a-f]{8}$/),
      expect.stringMatching(/^x{128}_[0-9a-f]{8}$/),
      'y'.repeat(200),
      'vscode',
    ]);
    expect(new Set(tools.map(({ id }) => id)).size).toBe(4);
    const same = read(listed(long), listed(long), listed(`${long}b`, { fullReferenceName: `srv/${long}` }));
    expect(same.problems.get('srv')).toHaveLength(2);
    expect(JSON.stringify([...same.problems]).length).toBeLessThan(1_000);
    expect(JSON.stringify([tools, [...problems]]).length).toBeLessThan(3_000);
  });

  it('says nothing of a tool of VS Code without arguments', () => {
    expect(read(listed('x', { tags: [], inputSchema: undefined })).problems.size).toBe(0);
  });

  it('keeps two same-named tools that VS Code can tell apart', () => {
    const a = listed('mcp_srv_echo', { fullReferenceName: 'srv/echo' });
    const b = listed('mcp_srv2_echo', { fullReferenceName: 'srv/echo' });
    const forward = read(a, b);
    expect(forward.tools.map((tool) => tool.id)).toEqual([
      'srv/echo',
      expect.stringMatching(/^srv\/echo_[0-9a-f]{8}$/),
    ]);
    expect(forward.problems.get('srv')).toHaveLength(1);
    expect(read(b, a)).toEqual(forward);
  });

  it('keeps one of two that VS Code can’t tell apart', () => {
    const { tools, problems } = read(
      listed('mcp_srv_cut', { fullReferenceName: 'srv/cut_a' }),
      listed('mcp_srv_cut', { fullReferenceName: 'srv/cut_b' }),
    );
    expect(tools).toHaveLength(1);
    expect(problems.get('srv')?.[0]).toContain('mcp_srv_cut');
  });

  it("hands on the tool's and the server's wish to be always loaded", () => {
    expect(readTools([listed('a')], [{ ...configured, alwaysLoad: true }]).tools[0]?.alwaysLoad).toBe(true);
    expect(read(listed('a', { alwaysLoad: true }), listed('b')).tools.map((tool) => tool.alwaysLoad)).toEqual([
      true,
      undefined,
    ]);
  });

  it("hands on a tool's wish to be deferred, unless mcp.json disagrees", () => {
    const later = listed('a', { alwaysLoad: false });
    expect(read(later).tools[0]?.alwaysLoad).toBe(false);
    expect(readTools([later], [{ ...configured, alwaysLoad: true }]).tools[0]?.alwaysLoad).toBe(true);
    const wish = [{ 'anthropic/alwaysLoad': false }, { alwaysLoad: false }, { defer_loading: true }, { alwaysLoad: 1 }];
    expect(wish.map((meta) => loadingHint(meta).alwaysLoad)).toEqual([false, false, false, undefined]);
  });

  it('keeps a tool with a user interface unless it objects', () => {
    const metas = [
      { ui: { resourceUri: 'ui://map/view' } },
      { 'ui/resourceUri': 'ui://map/view' },
      { ui: { resourceUri: 'ui://map/view' }, defer_loading: true },
      { ui: { resourceUri: 'https://example.com' } },
      { ui: 'ui://map/view' },
    ];
    expect(metas.map((meta) => loadingHint(meta).alwaysLoad)).toEqual([true, true, false, undefined, undefined]);
  });
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
