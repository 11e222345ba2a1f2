import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, chooseAgent } from '../harness/chat.mjs';
import { begin, CLAUDE } from './services.mjs';

/**
 * Scenarios that share a VS Code with others. They need a key and started servers, and run after those without an
 * agent.
 */
export const agentMode = (scenario) =>
  describe('the agent of Tool Search, chosen from the picker', () => {
    scenario('has our instructions and tools, searches, calls and answers', async (session) => {
      const { page, standIn } = session;
      await begin(session, CLAUDE);
      await chooseAgent(page, 'Tool Search');
      const before = standIn.requests.length;
      const { text } = await ask(page, 'get-sum a=2 b=40');
      assert.match(text, /sum of 2 and 40 is 42/);
      const requests = standIn.requests.slice(before).filter(({ path }) => path.endsWith('/messages'));
      const [first] = requests;
      assert.match(JSON.stringify(first.body), /Search before you say that something can't be done/);
      const names = first.body.tools.map(({ name }) => name);
      for (const name of ['search_tools', 'call_tool', 'run_code'])
        assert.ok(names.includes(`toolsearch_${name}`), `${names}`);
      const called = requests
        .flatMap(({ body }) => body.messages)
        .flatMap(({ content }) => (Array.isArray(content) ? content : []))
        .flatMap(({ type, name }) => (type === 'tool_use' ? [name] : []));
      assert.deepEqual([...new Set(called)], ['toolsearch_search_tools', 'toolsearch_call_tool']);
    });
  });
