import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { until } from '../harness/wait.mjs';
import { inspectorText, openInspector, tab } from '../harness/workbench.mjs';
import { AUTO, answers, begin, CLAUDE, GPT } from './services.mjs';

/** List prices in US dollars and costs relative to an uncached token, written here independently of the product. */
const PRICES = { [CLAUDE]: { usd: 3, read: 0.1, write: 1.25 }, [GPT]: { usd: 2.5, read: 0.1, write: 1 } };
const PROMPTS = ['get-sum a=2 b=40', 'echo message=one', 'get-sum a=1 b=1'];

/** Asks the same questions, and returns the reports and the usage that the service reported for each turn. */
async function converse(session, model, settings) {
  await begin(session, model, { ...AUTO, ...settings });
  const turns = [];
  for (const prompt of PROMPTS) {
    const before = answers(session).length;
    const report = await session.reportOf(() => ask(session.page, `@toolsearch ${prompt}`));
    const inputs = answers(session)
      .slice(before)
      .map(({ usage }) => inputOf(usage, PRICES[model]));
    turns.push({
      report,
      inputs,
      tokens: sum(inputs.map(({ tokens }) => tokens)),
      cost: sum(inputs.map(({ cost }) => cost)),
    });
  }
  return turns;
}

/** The input tokens. Claude reports cached tokens separately, GPT as a part of the whole. */
function inputOf(usage, { read, write }) {
  const details = usage.input_tokens_details;
  const cached = details?.cached_tokens ?? usage.cache_read_input_tokens ?? 0;
  const written = details?.cache_write_tokens ?? usage.cache_creation_input_tokens ?? 0;
  const tokens = details ? usage.input_tokens : usage.input_tokens + cached + written;
  return { tokens, cost: tokens - cached - written + cached * read + written * write };
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function isNear(value, truth, what) {
  assert.ok(Math.abs(value - truth) <= 0.02 * truth, `${what}: ${value}, really ${truth}`);
}

/** Scenarios that share a VS Code with others, none of which may ask these models: their beginnings would be cached. */
export const figures = (scenario) =>
  describe('savings', () => {
    for (const model of [CLAUDE, GPT])
      scenario(`are what the same conversation really takes with every definition: ${model}`, async (session) => {
        const { page } = session;
        // The first question starts the servers, and VS Code lists the tools of one server after the other.
        await ask(page, '@toolsearch get-sum a=2 b=40');
        const deferred = await converse(session, model, { 'toolsearch.mode': 'on' });
        await openInspector(session);
        await tab(page, 'Turns').click();
        const price = PRICES[model].usd / 1_000_000;
        const paid = deferred.at(-1).cost * price;
        let shown;
        // The page shows the turn before until it has been sent the newest one.
        await until(`the last turn, which cost $${paid}`, async () => {
          shown = /This turn\s*(?:≈\s*)?\$([\d.]+)\s*With all \d+ tools\s*(?:≈\s*)?\$([\d.]+)/.exec(
            await inspectorText(page),
          );
          return shown && Math.abs(Number(shown[1]) - paid) <= 0.02 * paid;
        });
        const eager = await converse(session, model, { 'toolsearch.mode': 'off' });
        for (const [index, { report, tokens, cost }] of deferred.entries()) {
          assert.equal(report.sentTokens, tokens);
          isNear(report.cost.sent, cost, 'cost of what was sent');
          isNear(report.baselineTokens, eager[index].tokens, 'baseline');
          isNear(report.cost.baseline, eager[index].cost, 'cost of the baseline');
          assert.equal(sum(Object.values(report.sentParts)), report.sentTokens);
          assert.equal(sum(Object.values(report.baselineParts)), report.baselineTokens);
          assert.equal(sum(Object.values(report.cost.sentParts)), report.cost.sent);
        }
        isNear(Number(shown[2]), eager.at(-1).cost * price, 'dollars of its baseline');
        for (const { report } of eager) assert.equal(report.netSavedTokens, 0);
      });

    scenario('of a chat lose no cache to another model, /eager and /notools', async (session) => {
      const { page } = session;
      // Some definitions in each request make it long enough to be cached. No other chat has sent all but the hidden ones.
      const settings = {
        ...AUTO,
        'toolsearch.mode': 'on',
        'toolsearch.eagerTools': { everything: ['*'] },
        'toolsearch.hiddenTools': { memory: ['*'] },
      };
      await begin(session, CLAUDE, settings);
      const question = async (prompt, model) => {
        if (model) await session.chooseModel(model);
        const before = answers(session).length;
        const report = await session.reportOf(() => ask(page, `@toolsearch ${prompt}`));
        const usages = answers(session)
          .slice(before)
          .map(({ usage }) => usage);
        return {
          read: usages[0].cache_read_input_tokens,
          held: usages.at(-1).cache_read_input_tokens + usages.at(-1).cache_creation_input_tokens,
          causes: report.cacheMisses.map(({ cause }) => cause),
        };
      };
      const first = await question('get-sum a=1 b=2');
      assert.ok(first.held > 0);
      assert.deepEqual((await question('get-sum a=2 b=3', GPT)).causes, ['model']);
      const back = await question('get-sum a=3 b=4', CLAUDE);
      assert.deepEqual([back.read, back.causes], [first.held, []]);
      const eager = await question('/eager get-sum a=4 b=5');
      assert.deepEqual(eager.causes, ['deferral']);
      const after = await question('get-sum a=5 b=6');
      assert.deepEqual([after.read, after.causes], [back.held, []]);
      const without = await question('/notools get-sum a=6 b=7');
      assert.deepEqual([without.read, without.causes], [after.held, []]);
      await session.changeSettings({ 'toolsearch.eagerTools': {}, 'toolsearch.hiddenTools': {} });
    });
  });
