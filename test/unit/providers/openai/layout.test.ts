import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../../../src/core/catalog/tool';
import { ownDefinitions } from '../../../../src/core/planning/ownTools';
import { layOut } from '../../../../src/providers/openai/layout';
import { buildRequest } from '../../../../src/providers/openai/request';
import { refuse } from '../../../standin/openaiRules.mjs';
import { filler, makeTool, SETTINGS } from '../../core/turn/world';
import { define, ECHO, request, SUM, TIME } from './definitions';

/** The tools as `kind name [functions]`, deferred ones in brackets. */
function outline(layout: ReturnType<typeof layOut>): string[] {
  const name = (tool: { name?: string; defer_loading?: boolean }) =>
    tool.defer_loading ? `(${tool.name})` : String(tool.name);
  return layout.tools.map((tool) => {
    if (tool.type === 'namespace') return `namespace ${tool.name}: ${tool.tools.map(name).join(' ')}`;
    return tool.type === 'function' ? name(tool) : tool.type;
  });
}

describe('Tools of a request to GPT', () => {
  it('are at the top if loaded, otherwise in their server’s namespace', () => {
    const layout = layOut(request({ tools: [define(ECHO), define(TIME)], deferred: [define(SUM)] }));
    expect(outline(layout)).toEqual(['tool_search', 'math_echo', 'clock_now', 'namespace math: (math_get-sum)']);
    expect(layout.tools.at(-1)).toMatchObject({ description: 'get-sum' });
    const namespaces = ['math_get-sum', 'math_echo', 'clock_now'].map((name) => layout.namespaceOf(name));
    expect(namespaces).toEqual(['math', undefined, undefined]);
  });

  it('are split into namespaces of nine at the most', () => {
    const layout = layOut(request({ deferred: filler('big', 21).map(define) }));
    expect(
      layout.tools.map((tool) => (tool.type === 'namespace' ? `${tool.name} ${tool.tools.length}` : tool.type)),
    ).toEqual(['tool_search', 'big_1 7', 'big_2 7', 'big_3 7']);
    expect(layout.namespaceOf('big_zz0')).toBe('big_1');
  });

  it('stay in the first request’s namespaces, whatever came or went', () => {
    const tools = [...filler('big', 20), ...filler('math', 9)].map(define);
    const names = (server: string) =>
      tools.filter((tool) => tool.server === server).map(({ id }) => id.slice(server.length + 1));
    const opened = { big: names('big'), math: names('math') };
    const seen = (deferred: readonly ToolDefinition[]) =>
      layOut(request({ deferred, opened })).tools.map((tool) =>
        tool.type === 'namespace' ? [tool.name, tool.description] : tool.type,
      );
    const first = seen(tools);
    const shownNames = first.map((shown) => (typeof shown === 'string' ? shown : shown[0]));
    expect(shownNames).toEqual(['tool_search', 'big_1', 'big_2', 'big_3', 'math', 'later_servers']);
    const later = layOut(request({ deferred: [...tools.slice(1), define(SUM)], opened }));
    expect(seen([...tools.slice(1), define(SUM)])).toEqual(first);
    expect(later.namespaceOf('math_get-sum')).toBe('math');
    // The namespace of a stopped server remains, a new server gets a place, and the search remains even without tools.
    expect(seen(tools.filter(({ server }) => server === 'big'))).toEqual(first);
    expect(seen([...tools, define(TIME)])).toEqual(first);
    expect(layOut(request({ deferred: [...tools, define(TIME)], opened })).namespaceOf('clock_now')).toBe(
      'later_servers',
    );
    expect(seen([])).toEqual(first);
    for (const deferred of [[], tools.slice(0, 20), [...tools, define(TIME)]])
      expect(
        refuse({ model: 'gpt-5.4', input: 'x', tools: layOut(request({ deferred, opened })).tools }),
      ).toBeUndefined();
  });

  it('fit into a request, however many there are', () => {
    const tools = Array.from({ length: 60 }, (_, server) =>
      filler(`server${server}`, server === 0 ? 4_000 : 100),
    ).flat();
    const layout = layOut(request({ deferred: tools.map(define) }));
    expect(refuse({ model: 'gpt-5.4', input: 'x', tools: layout.tools })).toBeUndefined();
    expect(tools.every((tool) => layout.has(tool.modelName))).toBe(true);
  });

  it('of no server are alone, called in a namespace of their name', () => {
    const alone: ToolDefinition = { ...define(SUM), server: '' };
    const layout = layOut(request({ deferred: [alone] }));
    expect(outline(layout)).toEqual(['tool_search', '(math_get-sum)']);
    expect(layout.namespaceOf('math_get-sum')).toBe('math_get-sum');
  });

  it('have our search as the service’s own, with our description', () => {
    const layout = layOut(
      request({
        ...{ delivery: 'client', deferred: [define(SUM)] },
        tools: [define(ECHO), ...ownDefinitions('client', SETTINGS)],
      }),
    );
    expect(layout.tools.find(({ type }) => type === 'tool_search')).toMatchObject({
      type: 'tool_search',
      execution: 'client',
      description: expect.stringContaining('Finds tools'),
      parameters: { type: 'object' },
    });
  });

  it('have no search if nothing is deferred', () => {
    expect(outline(layOut(request({ tools: [define(SUM)] })))).toEqual(['math_get-sum']);
  });

  it('are accepted whatever servers are called', () => {
    const odd = ['functions', 'my server', 'my_server', 'my-server!'];
    const servers = [...odd, 'x'.repeat(90), 'ünï', 'math_get-sum', '工具'];
    const tools = servers.map((server, index) => define(makeTool(server, 'tool', '', { modelName: `tool_${index}` })));
    const layout = layOut(request({ deferred: [define(SUM), ...tools] }));
    expect(refuse({ model: 'gpt-5.4', input: 'x', tools: layout.tools })).toBeUndefined();
    expect(new Set(layout.tools.map((tool) => (tool.type === 'namespace' ? tool.name : tool.type))).size).toBe(
      layout.tools.length,
    );
  });
});

describe('A demand for some tools', () => {
  const choice = (required: readonly string[], late: readonly ToolDefinition[] = []) =>
    buildRequest(
      request({
        tools: [define(ECHO), define(TIME)],
        required,
        transcript: [
          { kind: 'user', text: 'hi' },
          { kind: 'user', text: '', note: true, joined: late },
        ],
      }),
      { model: 'gpt-6-sol', features: { addsTools: 'definition' } },
    ).tool_choice;

  it('is a choice among them, and leaves the list as it is', () => {
    expect(choice(['math_echo', 'clock_now'])).toMatchObject({ mode: 'required', tools: [{}, {}] });
  });

  it('is left to the model if one of them joined the conversation', () => {
    expect(choice(['math_echo', 'math_get-sum'], [define(SUM)])).toBeUndefined();
  });
});
