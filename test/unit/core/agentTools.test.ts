import { describe, expect, it } from 'vitest';
import { createAgentTools } from '../../../src/core/agentTools';
import { makeCatalog, makeTool, SETTINGS, schema, searchOver, TestRunner, TestSource } from './world';

const ECHO = makeTool('math', 'echo', 'Echoes back its input', { inputSchema: schema({ message: { type: 'string' } }) });
const never = new AbortController().signal;

function setUp() {
  const source = new TestSource(makeCatalog([ECHO, makeTool('math', 'add', 'Adds numbers')]));
  return createAgentTools({ source, search: searchOver(source), settings: () => SETTINGS });
}

describe('the tools for any agent', () => {
  it('find tools with their schemas, and name what runs them as the agent knows it', async () => {
    const answer = await setUp().search({ queries: ['echo'] }, never);
    expect(answer.message).toContain('toolsearch_call_tool');
    expect(answer.tools).toMatchObject([{ name: 'math_echo', input_schema: { properties: { message: {} } } }]);
  });

  it('describe and run what was found', async () => {
    const tools = setUp();
    expect(tools.describe({ names: ['math_echo', 'nope'] })).toMatchObject({ tools: [{ name: 'math_echo' }], unknown: ['nope'] });
    const runner = new TestRunner();
    await tools.call({ name: 'math_echo', arguments: { message: 'x' } }, runner, never);
    expect(runner.ran).toEqual([{ id: 'math/echo', input: { message: 'x' } }]);
  });

  it('say what is wrong with what an agent sends', async () => {
    const tools = setUp();
    await expect(tools.search({}, never)).rejects.toThrow(/needs "queries"/);
    expect(() => tools.describe({})).toThrow(/needs "names"/);
    expect((await tools.call({ name: 'nope' }, new TestRunner(), never)).parts).toMatchObject([
      { text: expect.stringMatching(/no tool named 'nope'/) },
    ]);
    expect((await tools.call({ name: 'math_echo', arguments: 5 }, new TestRunner(), never)).parts).toMatchObject([
      { text: expect.stringMatching(/JSON object/) },
    ]);
  });
});
