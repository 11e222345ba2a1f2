import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ask } from '../harness/chat.mjs';
import { useVscode } from './vscode.mjs';

describe('slash commands of @toolsearch', () => {
  const scenario = useVscode();

  scenario('/tools lists the servers that VS Code started, with their tools', async ({ page }) => {
    const { text } = await ask(page, '@toolsearch /tools');
    for (const server of ['chrome-devtools', 'everything', 'filesystem', 'github', 'memory', 'playwright', 'sequential-thinking']) {
      assert.match(text, new RegExp(`${server} running`), `of ${server}`);
    }
    assert.match(text, /\d+ deferred/);
  });

  scenario('/tools NAME lists the tools of one server', async ({ page }) => {
    const { text } = await ask(page, '@toolsearch /tools memory');
    assert.match(text, /memory\/create_entities/);
    assert.doesNotMatch(text, /github\//);
  });

  scenario('/find searches without asking a model', async (session) => {
    const before = (await session.reports()).length;
    const { text } = await ask(session.page, '@toolsearch /find take a screenshot');
    assert.match(text, /screenshot/);
    assert.match(text, /\d+ of \d+ tools match/);
    assert.equal((await session.reports()).length, before);
  });

  scenario('/pin puts a tool into every request, /unpin leaves it to the rules again', async (session) => {
    await ask(session.page, '@toolsearch /pin memory/read_graph');
    const pinned = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
    assert.equal(pinned.eager, 1);
    await ask(session.page, '@toolsearch /unpin memory/read_graph');
    const unpinned = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
    assert.equal(unpinned.eager, 0);
  });

  scenario('/pin says which name is unknown', async ({ page }) => {
    const { text } = await ask(page, '@toolsearch /pin no_such_tool');
    assert.match(text, /no_such_tool/);
  });

  scenario('/strategy sets how tools are searched', async (session) => {
    await ask(session.page, '@toolsearch /strategy keywords');
    const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
    assert.equal(report.strategy, 'keywords');
    await ask(session.page, '@toolsearch /strategy auto');
  });

  scenario('/mode off sends every tool', async (session) => {
    await ask(session.page, '@toolsearch /mode off');
    const report = await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
    assert.equal(report.deferred, 0);
    assert.ok(report.eager >= 90);
    await ask(session.page, '@toolsearch /mode auto');
  });

  scenario('/stats says what was saved', async (session) => {
    await session.reportOf(() => ask(session.page, '@toolsearch get-sum a=2 b=40'));
    const { text } = await ask(session.page, '@toolsearch /stats');
    const figure = (label) => Number(new RegExp(`${label}\\s+≈\\s([\\d,]+)`).exec(text)?.[1].replaceAll(',', ''));
    const turns = (await session.reports()).length;
    assert.match(text, new RegExp(`${turns} turns, \\d+ model calls\\s+Tokens \\(estimated\\)`));
    assert.ok(figure('Net saved') > 0, text);
    assert.equal(figure('With every definition') - figure('Sent'), figure('Net saved'), text);
  });
});
