import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe } from 'node:test';
import { ask, cancel, pressBeneath, shown, submit } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { closeEditors, openInspector, tab, untilInspectorShows } from '../harness/workbench.mjs';
import { agentMode } from './agentMode.mjs';
import { asking } from './asking.mjs';
import { commands } from './commands.mjs';
import { keys, keysRemoved, keysUsed } from './keys.mjs';
import { menus } from './menus.mjs';
import { otherAgents } from './otherAgents.mjs';
import { AUTO, answers, begin, CLAUDE, GPT, seen } from './services.mjs';
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

const blocks = (request, type) =>
  request.body.messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter((block) => block.type === type);

/** All input tokens, cached or not. Anthropic reports cached tokens separately. */
const inputTokens = ({
  input_tokens: plain,
  cache_read_input_tokens: read = 0,
  cache_creation_input_tokens: written = 0,
}) => plain + read + written;

describe('in the chat', () => {
  const scenario = useVscode({ standIn: true, agentMode: true });

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

    scenario('Claude is handed references to what Tool Search found', async (session) => {
      await begin(session, CLAUDE, { ...AUTO, 'toolsearch.delivery': 'client' });
      const { report, requests } = await question(session, 'get-sum a=2 b=40');
      assert.match(report.answer, /sum of 2 and 40 is 42/);
      assert.equal(report.delivery, 'client');
      const [result] = blocks(requests[1], 'tool_result');
      assert.ok(
        result.content.some((part) => part.type === 'tool_reference' && part.tool_name === 'everything_get_sum'),
      );
    });

    scenario('GPT searches by itself', async (session) => {
      await begin(session, GPT, { ...AUTO, 'toolsearch.delivery': 'server' });
      const { report, requests } = await question(session, 'get-sum a=2 b=40');
      assert.match(report.answer, /sum of 2 and 40 is 42/);
      assert.deepEqual([report.model, report.delivery], [GPT, 'server']);
      assert.ok(report.discovered.includes('everything/get-sum'), `${report.discovered}`);
      assert.ok(requests[0].body.tools.some((tool) => tool.type === 'tool_search'));
    });

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

    scenario('five turns have one prefix, and cost what the service reports', async (session) => {
      await begin(session, CLAUDE);
      const turns = [];
      for (const prompt of [
        'get-sum a=2 b=40',
        'echo message=one',
        'get-sum a=1 b=1',
        'zzxqv wjkpt',
        'echo message=two',
      ])
        turns.push(await question(session, prompt));
      const requests = turns.flatMap((turn) => turn.requests);
      assert.ok(requests.length >= 9, `${requests.length} requests`);
      const prefix = ({ body: { system, tools } }) =>
        JSON.stringify({ system, eager: tools.filter((tool) => !tool.defer_loading) });
      for (const request of requests) assert.equal(prefix(request), prefix(requests[0]));
      for (const { report, requests: own } of turns) {
        const reported = own.reduce((sum, { usage }) => sum + inputTokens(usage), 0);
        assert.equal(report.sentTokens, reported);
      }
      await openInspector(session);
      await tab(session.page, 'Turns').click();
      const { sent } = turns.at(-1).report.cost.usd;
      const dollars = sent.toLocaleString('en', { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
      await untilInspectorShows(session.page, new RegExp(`This turn\\s*\\${dollars}`));
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

    for (const [model, joined] of [
      ['toolsearch-anthropic/claude-opus-5-5', 'tool_addition'],
      ['toolsearch-openai/gpt-6-sol', 'additional_tools'],
    ]) {
      scenario(`a conversation only grows after an image and a pin: ${model}`, async (session) => {
        await begin(session, model);
        const image = await question(session, 'get-tiny-image');
        const sum = await question(session, 'get-sum a=2 b=40');
        await ask(session.page, '@toolsearch /pin memory/read_graph');
        const pinned = await question(session, 'get-sum a=1 b=1');
        await ask(session.page, '@toolsearch /unpin memory/read_graph');
        const last = await question(session, 'get-sum a=3 b=4');
        assert.match(sum.report.answer, /sum of 2 and 40 is 42/);
        assert.match(last.report.answer, /sum of 3 and 4 is 7/);
        const requests = [image, sum, pinned, last].flatMap((turn) => turn.requests);
        for (const [index, request] of requests.slice(1).entries())
          assert.deepEqual(seen(request).slice(0, seen(requests[index]).length), seen(requests[index]));
        const isJoined = (turn) => JSON.stringify(turn.requests.at(-1).body).includes(`"${joined}"`);
        assert.deepEqual([image, sum, pinned, last].map(isJoined), [false, false, true, true]);
        assert.match(JSON.stringify(last.requests.at(-1).body), /"type":"(input_)?image"/);
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

    scenario('key and question follow no redirect and never go out unencrypted', async (session) => {
      const heard = [];
      const listen = (handle) =>
        new Promise((resolve) => {
          const server = createServer(handle).listen(0, '127.0.0.1', () => resolve(server));
        });
      const addressOf = (server) => `http://127.0.0.1:${server.address().port}`;
      const stranger = await listen((request, response) => {
        heard.push(request.url);
        response.end();
      });
      const gateway = await listen((request, response) =>
        response.writeHead(307, { location: addressOf(stranger) + request.url }).end(),
      );
      try {
        await begin(session, CLAUDE, { ...AUTO, 'toolsearch.anthropic.baseUrl': addressOf(gateway) });
        const { text } = await ask(session.page, '@toolsearch get-sum a=2 b=40');
        assert.match(
          text,
          new RegExp(
            `${addressOf(gateway)} redirects to ${addressOf(stranger)}.*toolsearch\\.anthropic\\.baseUrl`,
            's',
          ),
        );
        assert.deepEqual(heard, []);

        await session.changeSettings({ 'toolsearch.anthropic.baseUrl': 'http://gateway.example.com' });
        await session.chooseModel(CLAUDE);
        const refused = await ask(session.page, '@toolsearch get-sum a=2 b=40');
        assert.match(
          refused.text,
          /toolsearch\.anthropic\.baseUrl must be an address with https.*toolsearch\.allowInsecureBaseUrl/s,
        );
        assert.doesNotMatch(refused.text, /is 42/, 'another model has answered');
        await pressBeneath(session.page, 'Open Settings');
        await session.page.locator('.settings-editor').getByText('Allow Insecure Base Url').first().waitFor();
        await closeEditors(session);
      } finally {
        await session.changeSettings({ 'toolsearch.anthropic.baseUrl': session.standIn.url });
        for (const server of [gateway, stranger]) server.close();
      }
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
