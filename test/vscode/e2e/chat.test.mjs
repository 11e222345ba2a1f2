import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask, cancel, shown, submit } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { openInspector, tab, untilInspectorShows } from '../harness/workbench.mjs';
import { agentMode } from './agentMode.mjs';
import { asking } from './asking.mjs';
import { commands } from './commands.mjs';
import { exampleExtension } from './exampleExtension.mjs';
import { keys, keysRemoved, keysUsed } from './keys.mjs';
import { menus } from './menus.mjs';
import { otherAgents } from './otherAgents.mjs';
import { AUTO, answers, begin, CLAUDE, GPT } from './services.mjs';
import { slashCommands } from './slashCommands.mjs';
import { useVscode } from './vscode.mjs';

const SEARCH_ONLY = 'toolsearch/search-only';

/** Asks one question, and returns its requests, none of which may have been refused. */
async function question(session, prompt) {
  const before = answers(session).length;
  const report = await session.reportOf(() => ask(session.page, `@toolsearch ${prompt}`));
  const requests = answers(session).slice(before);
  for (const { error } of requests) assert.equal(error, undefined);
  return { report, requests };
}

/** All input tokens, cached or not. Anthropic reports cached tokens separately. */
const inputTokens = ({
  input_tokens: plain,
  cache_read_input_tokens: read = 0,
  cache_creation_input_tokens: written = 0,
}) => plain + read + written;

describe('in the chat', () => {
  const scenario = useVscode({ standIn: true, agentMode: true, extensions: ['docs/examples/extension'] });

  exampleExtension(scenario);
  asking(scenario);
  slashCommands(scenario);
  commands(scenario);
  menus(scenario);
  keys(scenario);

  describe('@toolsearch with Claude and GPT', () => {
    for (const strategy of ['bm25', 'regex']) {
      scenario(`Claude searches by its own ${strategy}`, async (session) => {
        await begin(session, CLAUDE, { ...AUTO, 'toolsearch.delivery': 'server', 'toolsearch.strategy': strategy });
        const { report, requests } = await question(session, 'get-sum a=2 b=40');
        assert.match(report.answer, /sum of 2 and 40 is 42/);
        assert.deepEqual(
          [report.model, report.delivery, report.strategy, report.measured],
          [CLAUDE, 'server', strategy, true],
        );
        assert.ok(report.discovered.includes('everything/get-sum'), `${report.discovered}`);
        const { tools } = requests[0].body;
        assert.equal(tools[0].name, `tool_search_tool_${strategy}`);
        assert.ok(tools.filter((tool) => tool.defer_loading).length > 80);
      });
    }

    scenario('one conversation over three wires keeps what was discovered', async (session) => {
      await begin(session, CLAUDE);
      const first = await question(session, 'get-sum a=2 b=40');
      assert.ok(first.report.discovered.includes('everything/get-sum'));

      await session.chooseModel(GPT);
      const second = await question(session, 'get-sum a=20 b=3');
      assert.match(second.report.answer, /\b23\b/);
      assert.deepEqual([second.report.model, second.report.delivery, second.report.discovered], [GPT, 'bridge', []]);

      await session.chooseModel(SEARCH_ONLY);
      const third = await question(session, 'everything/echo message=across');
      assert.ok(third.report.discovered.includes('everything/echo'), `${third.report.discovered}`);

      await session.chooseModel(CLAUDE);
      const fourth = await question(session, 'echo message=again');
      assert.match(fourth.report.answer, /again/);
      assert.deepEqual([fourth.report.model, fourth.report.discovered], [CLAUDE, []]);
      const fifth = await question(session, 'get-sum a=1 b=1');
      assert.deepEqual(fifth.report.discovered, []);
    });

    scenario('thirty calls in one reply lose nothing of the cache', async (session) => {
      await begin(session, CLAUDE, { ...AUTO, 'toolsearch.eagerTools': { everything: ['*'] } });
      const { report, requests } = await question(session, 'echo message=many times=30');
      assert.equal(report.calls.length, 30);
      const [first, second] = requests.map(({ usage }) => usage);
      const held = first.cache_read_input_tokens + first.cache_creation_input_tokens;
      assert.ok(held > 1_024, `${held} tokens`);
      assert.deepEqual([second.cache_read_input_tokens, report.cacheMisses], [held, []]);
      assert.equal(report.sentTokens, inputTokens(first) + inputTokens(second));
      await session.changeSettings({ 'toolsearch.eagerTools': null });
    });

    for (const [model, tool] of [
      ['toolsearch-anthropic/claude-sonnet-4-6', 'code_execution_20260120'],
      ['toolsearch-openai/gpt-5.6-sol', 'programmatic_tool_calling'],
    ]) {
      scenario(`code that the provider runs calls tools here: ${model}`, async (session) => {
        const CODE = {
          'toolsearch.allowedCallers': { 'everything/*': 'both' },
          'toolsearch.eagerTools': { everything: ['get-sum', 'echo'] },
        };
        await begin(session, model, { ...AUTO, ...CODE });
        const { report, requests } = await question(
          session,
          'code: get-sum a=2 b=40 & echo message=hi; get-sum a=1 b=1',
        );
        assert.match(report.answer, /sum of 2 and 40 is 42/);
        assert.match(report.answer, /sum of 1 and 1 is 2/);
        assert.ok(requests[0].body.tools.some(({ type }) => type === tool));
        assert.equal(requests.length, 3);
        assert.deepEqual(
          report.scripts.map(({ outcome, calls, failed }) => [outcome, calls, failed]),
          [['ok', 3, 0]],
        );
        assert.equal(
          report.sentTokens,
          requests.reduce((sum, { usage }) => sum + inputTokens(usage), 0),
        );
        await openInspector(session);
        await tab(session.page, 'Turns').click();
        await untilInspectorShows(session.page, /run by the provider/);
        await session.changeSettings({ 'toolsearch.allowedCallers': null, 'toolsearch.eagerTools': null });
      });
    }

    scenario('two tools named with # are a choice, and the cache holds', async (session) => {
      await begin(session, CLAUDE, { ...AUTO, 'toolsearch.delivery': 'server' });
      const sum = await question(session, '#get-sum #echo get-sum a=2 b=40');
      assert.match(sum.report.answer, /sum of 2 and 40 is 42/);
      const other = await question(session, '#get-sum #echo list_allowed_directories');
      for (const { body } of [...sum.requests, ...other.requests]) assert.equal(body.tool_choice, undefined);
      assert.match(other.report.answer, /Not run: the user named everything_echo and everything_get_sum/);
    });

    scenario('what goes wrong is said in the chat', async (session) => {
      await begin(session, CLAUDE);
      for (const [model, fault, said] of [
        [CLAUDE, '429', /rate limit.*Ask again in 1 seconds/],
        [GPT, 'html', /toolsearch\.openai\.baseUrl/],
      ]) {
        await session.chooseModel(model);
        const { text } = await ask(session.page, `@toolsearch get-sum a=2 b=40 [[fault:${fault}]]`);
        assert.match(text, said, `${model} ${fault}`);
      }
      await session.chooseModel(CLAUDE);
      const stopped = await session.reportOf(async () => {
        await submit(session.page, '@toolsearch get-sum a=2 b=40 [[fault:wait]]');
        await until('the wait that is asked for', async () =>
          /Claude asks to wait 30 s/.test(await shown(session.page)),
        );
        await cancel(session.page);
      });
      assert.equal(stopped.status, 'cancelled');
      const { report, requests } = await question(session, 'get-sum a=2 b=40');
      assert.equal(report.status, 'answered');
      // VS Code passes the question to the model as a stopped one.
      assert.match(JSON.stringify(requests[0].body.messages), /The user stopped this question before it was answered/);
    });
  });

  otherAgents(scenario);
  keysUsed(scenario);
  agentMode(scenario);
  keysRemoved(scenario);
});
