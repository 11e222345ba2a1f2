// Scenarios of an agent that passes every tool to Tool Search's models.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { openInspector, untilInspectorShows } from '../harness/workbench.mjs';
import { answers, begin, CLAUDE } from './services.mjs';

const SUM = 'mcp_everything_re_get-sum';

/** Asks the agent that passes every tool. Returns the text in the chat and the question's requests. */
async function question(session, prompt) {
  const before = answers(session).length;
  const { text } = await ask(session.page, `@everytool ${prompt}`);
  return { text, requests: answers(session).slice(before) };
}

const names = (tools) => tools.map((tool) => tool.name);
const searchesOf = ({ body }) =>
  JSON.stringify(body.messages ?? body.input).match(/"(server_tool_use|tool_search_call)"/g)?.length ?? 0;

/** Scenarios that share a VS Code with others and need keys. */
export const otherAgents = (scenario) =>
  describe('an agent that passes every tool to a model of ours', () => {
    const finds = scenario('Claude finds a deferred tool; the agent runs it by name', async (session) => {
      // Once @toolsearch has been asked, the servers are running.
      await ask(session.page, '@toolsearch get-sum a=1 b=1');
      await begin(session, CLAUDE, { 'toolsearch.delivery': 'server' });
      const { text, requests } = await question(session, 'get-sum a=2 b=40');
      assert.match(text, new RegExp(`sum of 2 and 40 is 42.*Called ${SUM}\\.`, 's'));
      const { tools } = requests[0].body;
      assert.ok(names(tools.filter((tool) => tool.defer_loading)).includes(SUM));
      assert.ok(tools.filter((tool) => tool.defer_loading).length > 80);
      assert.ok(!names(tools).some((name) => name.startsWith('toolsearch_')), 'our tools are a second way to search');
    });

    const goesOn = scenario('found tools and the prefix stay without anything played back', async (session) => {
      await finds(session);
      const { text, requests } = await question(session, 'get-sum a=20 b=3');
      assert.match(text, /\b23\b/);
      assert.equal(searchesOf(requests.at(-1)), 1);
      const all = answers(session).slice(-4);
      const eager = ({ body }) => JSON.stringify([body.system, body.tools.filter((tool) => !tool.defer_loading)]);
      for (const request of all) assert.equal(eager(request), eager(all[0]));
    });

    scenario('the inspector shows what the agent searched, called and saved', async (session) => {
      await goesOn(session);
      await openInspector(session);
      await untilInspectorShows(session.page, /get-sum a=20 b=3/);
      const { text } = await ask(session.page, '@toolsearch /stats');
      assert.match(text, /Net saved/);
    });

    scenario('a demanded call has every tool in its request', async (session) => {
      await begin(session, CLAUDE);
      const { text, requests } = await question(session, '/must get-sum a=2 b=42');
      assert.match(text, /Called mcp_/);
      assert.equal(requests[0].body.tool_choice.type, 'any');
      assert.ok(!requests[0].body.tools.some((tool) => tool.defer_loading));
    });

    scenario('counting words asks the service for nothing but the long text', async (session) => {
      await begin(session, CLAUDE);
      const before = session.standIn.requests.length;
      const { text } = await question(session, '/count one two three four five six seven eight nine ten');
      assert.match(text, /Counted 10 words: true, and a long text: true/);
      const counts = session.standIn.requests.slice(before).filter(({ path }) => path.includes('count'));
      assert.ok(counts.length <= 2, `${counts.length} counts`);
    });

    scenario('errors are VS Code’s own if one fits', async (session) => {
      await begin(session, CLAUDE);
      for (const [fault, code] of [
        ['401', 'NoPermissions'],
        ['429', 'Blocked'],
      ]) {
        const { text } = await question(session, `get-sum a=1 b=1 [[fault:${fault}]]`);
        assert.match(text, new RegExp(`Failed as ${code}`), fault);
      }
    });
  });
