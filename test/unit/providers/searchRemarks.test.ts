import { describe, expect, it } from 'vitest';
import { modelFacts } from '../../../src/core/models/modelFacts';
import type { ModelRequest } from '../../../src/core/ports';
import { toRequest } from '../../../src/providers/anthropic/request';
import { buildRequest } from '../../../src/providers/openai/request';
import { askRelay, askTurn } from '../core/turn/drivers';
import { call, filler, makeTool, TestModel, text } from '../core/turn/world';

const SUM = { ...makeTool('math', 'sum', 'Returns the sum of two numbers'), invokeName: 'math_sum' };
const TOOLS = [SUM, ...filler('other', 40).map((tool) => ({ ...tool, invokeName: tool.modelName }))];
const INFO = { native: { strategies: ['bm25'], references: true, maxDeferred: 1_000 } };

/** The part of a request after the search's result, in which references are alone. */
const AFTER = {
  Claude: (request: ModelRequest) => {
    const capability = modelFacts('anthropic', 'claude-haiku-4-5').features;
    const content = toRequest(request, { model: 'claude', capability }).body.messages.at(-1)?.content;
    const blocks = Array.isArray(content) ? content : [];
    expect(blocks[0]).toMatchObject({
      type: 'tool_result',
      content: [{ type: 'tool_reference', tool_name: 'math_sum' }],
    });
    return blocks.slice(1);
  },
  GPT: (request: ModelRequest) => {
    const input = [buildRequest(request, { model: 'gpt' }).input].flat();
    const output = input.findIndex(
      (item) => typeof item === 'object' && 'type' in item && item.type === 'tool_search_output',
    );
    expect(input[output]).toMatchObject({ tools: [{ tools: [{ name: 'math_sum' }] }] });
    return input.slice(output + 1);
  },
};

describe.each(Object.entries(AFTER))('what a search with references has to say besides, to %s', (_, after) => {
  const searched = async (drive: typeof askTurn, queries: readonly string[]) => {
    const port = new TestModel([[call('search_tools', { queries, limit: 1 }, 's1')], [text('ok')]], { info: INFO });
    await drive({ port, tools: TOOLS, settings: { delivery: 'client' } });
    return JSON.stringify(after(port.requests[1] as ModelRequest));
  };

  it.each([
    ['@toolsearch', askTurn],
    ['another agent', askRelay],
  ])('follows the references (%s)', async (_name, drive) => {
    expect(await searched(drive, ['sum of two numbers', 'kubernetes rollout'])).toContain(
      'kubernetes rollout\\": nothing.',
    );
  });

  it('is nothing if every query found something', async () => {
    expect(await searched(askTurn, ['sum of two numbers'])).toBe('[]');
  });
});
