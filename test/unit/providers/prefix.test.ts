import { describe, expect, it } from 'vitest';
import { modelFacts } from '../../../src/core/models/modelFacts';
import type { ModelEvent, ModelRequest } from '../../../src/core/ports';
import { toRequest } from '../../../src/providers/anthropic/request';
import { buildRequest } from '../../../src/providers/openai/request';
import { askRelay, askTurn } from '../core/turn/drivers';
import { call, filler, makeCatalog, makeTool, ScriptedModel, text } from '../core/turn/world';

/**
 * Each service's request as it is cached: everything that the model sees, in its reading order. Deferred tools are not
 * part of it.
 */
const WIRES = {
  anthropic: (request: ModelRequest) => {
    const capability = modelFacts('anthropic', 'claude-haiku-4-5').features;
    const { system, tools = [], messages } = toRequest(request, { model: 'claude', capability }).body;
    const read = [
      ...tools.filter((tool) => !('defer_loading' in tool && tool.defer_loading)),
      system,
      ...messages.flatMap(({ role, content }) => [role, ...[content].flat()]),
    ];
    return read.map((part) => JSON.stringify(part, (key, value) => (key === 'cache_control' ? undefined : value)));
  },
  openai: (request: ModelRequest) => {
    const {
      instructions,
      tools = [],
      input,
    } = buildRequest(request, { model: 'gpt', reasoning: false, isLoose: () => false });
    const seen = tools.map((tool) =>
      tool.type === 'namespace'
        ? { ...tool, tools: tool.tools.filter((inner) => !('defer_loading' in inner && inner.defer_loading)) }
        : tool,
    );
    return [...seen, instructions, ...[input].flat()].map((part) => JSON.stringify(part));
  },
};

const SUM = { ...makeTool('math', 'sum', 'Returns the sum of two numbers'), invokeName: 'math_sum' };
const TOOLS = [SUM, ...filler('other', 40).map((tool) => ({ ...tool, invokeName: tool.modelName }))];
const found: ModelEvent = {
  type: 'search',
  search: { callId: 'srv', queries: ['sum'], strategy: 'bm25', found: ['math_sum'] },
};
const search = call('search_tools', { queries: ['sum of numbers'] }, 's1');
const SEARCH = { server: [found], client: [search], local: [search], bridge: [search] } as const;

/** The last request before a server had one more tool, and the first after that. */
async function around(
  drive: typeof askTurn,
  delivery: keyof typeof SEARCH,
  describesServers = false,
): Promise<readonly [ModelRequest, ModelRequest]> {
  const script = delivery === 'server' ? [[found, text('Found it.')]] : [[...SEARCH[delivery]], [text('Found it.')]];
  const info = { native: { strategies: ['bm25'], references: true, maxDeferred: 1_000, describesServers } };
  const port = new ScriptedModel([...script, [text('I see.')]], { info });
  const more = [...TOOLS, { ...makeTool('math', 'abs', 'Absolute value'), invokeName: 'math_abs' }];
  await drive({
    port,
    tools: TOOLS,
    settings: { delivery },
    askAgainAfter: (source) => (source.catalog = makeCatalog(more, undefined, 2)),
  });
  const [before, after] = port.requests.slice(-2);
  if (!before || !after) throw new Error('not asked twice');
  return [before, after];
}

describe.each([
  ['@toolsearch', askTurn],
  ['another agent', askRelay],
])('one tool more in a server’s list, with %s', (_, drive) => {
  it.each(['server', 'client', 'local', 'bridge'] as const)(
    'leaves Claude’s prefix as it is, to the byte (%s)',
    async (delivery) => {
      const [before, after] = (await around(drive, delivery)).map(WIRES.anthropic);
      expect(after?.slice(0, before?.length)).toEqual(before);
      expect(after?.join('')).toContain('Tools have come');
    },
  );

  it.each(['server', 'client', 'local', 'bridge'] as const)(
    'leaves GPT’s prefix as it is, to the byte (%s)',
    async (delivery) => {
      const [before, after] = (await around(drive, delivery, true)).map(WIRES.openai);
      expect(after?.slice(0, before?.length)).toEqual(before);
      expect(after?.join('')).toContain('Tools have come');
    },
  );
});
