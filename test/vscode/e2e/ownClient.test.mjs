import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe } from 'node:test';
import { answerConfirmation, ask, isAnswered, pressBeneath, submit, untilSaid } from '../harness/chat.mjs';
import { faultyServer, keptServers, writeBelow } from '../harness/files.mjs';
import { faultyServers } from '../harness/processes.mjs';
import { temporaryFolder } from '../harness/temporary.mjs';
import { visibleText } from '../harness/text.mjs';
import { until } from '../harness/wait.mjs';
import {
  closeEditors,
  command,
  inspector,
  openInspector,
  pick,
  tab,
  untilInspectorShows,
} from '../harness/workbench.mjs';
import { inputs, inputsKept, withInputs } from './inputs.mjs';
import { otherFiles } from './otherFiles.mjs';
import { signIn } from './signIn.mjs';
import { useInAgents } from './useInAgents.mjs';
import { inOrder, OWN_HOST, useVscode } from './vscode.mjs';

/** The file in a workspace in which its servers note their calls. */
const CALLS = 'calls.txt';

// VS Code's own tools would answer without a server.
const SETTINGS = { ...OWN_HOST, 'toolsearch.scope': 'mcp', 'toolsearch.mode': 'on' };

/**
 * Servers for an `mcp.json`. Processes are counted by the folder's name in their command lines, calls by {@link
 * callsOf}. The descriptions of a server's tools contain its name: `name=other` makes a server use another name.
 */
function withCalls(...names) {
  const server = (name) => faultyServer(name, '${workspaceFolder}', '--calls', `\${workspaceFolder}/${CALLS}`);
  return { servers: Object.fromEntries(names.map((name) => [name.split('=')[0], server(name.split('=').at(-1))])) };
}

/** Writes an `mcp.json` of these parts, with a comment in it. */
function writeConfiguration(folder, ...parts) {
  const inputs = parts.flatMap((part) => part.inputs ?? []);
  const servers = Object.assign({}, ...parts.map((part) => part.servers));
  const text = `{\n  // Servers of ours.\n  "inputs": ${JSON.stringify(inputs)},\n  "servers": ${JSON.stringify(servers)},\n}\n`;
  writeBelow(folder, '.vscode/mcp.json', text);
}

/** Each call to a folder's servers, as the servers noted it: `server/tool`, in order. */
function callsOf(folder) {
  const file = path.join(folder, CALLS);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

describe('servers that the extension runs itself', () => {
  const folder = temporaryFolder('own-client');
  const home = temporaryFolder('own-home');
  after(() => Promise.all([folder.remove(), home.remove()]));
  const write = (...parts) => writeConfiguration(folder.path, ...parts);
  write(withCalls('one', 'two'));
  const scenario = inOrder(useVscode({ workspace: folder.path, home: home.path, settings: SETTINGS, trust: true }));

  scenario('run only in a trusted workspace, from the first question on', async (session) => {
    await openInspector(session);
    await untilInspectorShows(session.page, /Restricted Mode\./);
    await ask(session.page, '@toolsearch one/add {"a": 2, "b": 40}');
    await untilSaid(session.page, /This workspace isn’t trusted, so its MCP servers don’t run.*Manage Trust/s);
    assert.deepEqual(await session.reports(), [], 'a model was asked');
    assert.deepEqual(faultyServers(folder.path), []);
    await command(session.page, 'Workspaces: Manage Workspace Trust');
    await session.page
      .locator('.workspace-trust-editor a.monaco-button', { hasText: /^Trust$/ })
      .first()
      .click();
    await session.page.locator('.workspace-trust-editor.trusted').waitFor();
    await session.page.locator('.monaco-modal-editor-block .codicon-close').last().click();
    await session.page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
    const report = await session.reportOf(() => ask(session.page, '@toolsearch one/add {"a": 2, "b": 40}'));
    assert.match(report.answer, /one: 2 \+ 40 = 42/);
    assert.deepEqual(
      report.calls.map(({ tool, ok }) => [tool, ok]),
      [['one/add', true]],
    );
  });

  scenario('ask before a tool that may change something, under its real name', async (session) => {
    let shown = '';
    const report = await session.reportOf(async () => {
      await submit(session.page, '@toolsearch one/write_note {"text": "with *care*"}');
      // VS Code draws the editor with the arguments after the buttons, and the editor has special spaces.
      const question = session.page.locator('.part.auxiliarybar .chat-confirmation-widget-container');
      await until('the arguments', async () => /with.\*care\*/.test((await question.allInnerTexts()).join('\n')));
      shown = (await until('the question', () => answerConfirmation(session.page, 'Allow'))).asked;
    });
    assert.match(shown, /Arguments for the tool write_note of the MCP server one/);
    assert.match(report.answer, /noted with \*care\*/);
  });

  scenario('ask once about twelve writes, with the arguments of each', async (session) => {
    let shown = '';
    let questions = 0;
    const code =
      'return Promise.all(Array.from({ length: 12 }, (_, i) => tools.one_write_note.text({ text: "note-" + i })))';
    const report = await session.reportOf(async () => {
      await submit(session.page, `@toolsearch run: ${code}`);
      await until('the answer', async () => {
        const question = await answerConfirmation(session.page, 'Allow');
        if (question) {
          questions++;
          shown = question.asked;
        }
        return isAnswered(session.page);
      });
    });
    assert.equal(questions, 1);
    assert.match(shown, /Run this tool of an MCP server 12 times\?/);
    assert.match(shown, /Arguments for the tool write_note of the MCP server one/);
    for (let i = 0; i < 12; i++) assert.ok(shown.includes(`note-${i}`), `note-${i} isn't in the question`);
    assert.equal(report.scripts[0].calls, 12);
    assert.match(report.answer, /noted note-11/);
  });

  scenario('ask the user what they need in the middle of a call', async (session) => {
    const { page } = session;
    const box = page.locator('.quick-input-widget');
    const first = await session.reportOf(async () => {
      await submit(page, '@toolsearch one/elicit {}');
      await box.locator('input[placeholder="Who are you?"]').waitFor();
      assert.match(await visibleText(box), /MCP server one asks/);
      await pick(page, 'Answer');
      const field = box.locator('input');
      await until('the default', async () => (await field.inputValue()) === 'Ada');
      await field.fill('Grace');
      await field.press('Enter');
      await until('the next field', async () => (await field.inputValue()) === '');
      await field.fill('40');
      await field.press('Enter');
      await until('the answer', () => isAnswered(page));
    });
    assert.match(first.answer, /"action":"accept","content":\{"name":"Grace","age":40\}/);
    const second = await session.reportOf(async () => {
      await submit(page, '@toolsearch one/elicit {}');
      await box.locator('input[placeholder="Who are you?"]').waitFor();
      await page.keyboard.press('Escape');
      await until('the answer', () => isAnswered(page));
    });
    assert.match(second.answer, /"action":"cancel"/);
  });

  inputs(scenario, write);

  scenario('are found after a reload without running; a call starts one', async (session) => {
    const { page } = session;
    write(withCalls('one', 'two'), withInputs(['given']));
    await until('the servers of the file', async () =>
      /two.hang/.test((await ask(page, '@toolsearch /find hang')).text),
    );
    const before = callsOf(folder.path).length;
    const ran = () => callsOf(folder.path).slice(before);
    await submit(
      page,
      '@toolsearch run: await tools.one_write_note.text({ text: "once" }); await tools.two_hang({}); return "never"',
    );
    await until('both calls', async () => {
      await answerConfirmation(page, 'Allow');
      return ran().length === 2;
    });
    // The next window may look before the last one has ended.
    await until('the tools to be kept', () => keptServers(session.server.userData).length === 3);
    await session.forgetReady();
    await session.run('workbench.action.reloadWindow', { andEnd: true });
    await session.untilReady();
    // The old window ends its servers while the new one is already open.
    await until('the servers to be ended', () => faultyServers(folder.path).length === 0);
    const found = await ask(page, '@toolsearch /find add');
    assert.match(found.text, /two\/add|two_add/);
    assert.deepEqual(faultyServers(folder.path), [], 'a search has started a server');
    const report = await session.reportOf(() => ask(page, '@toolsearch two/add {"a": 20, "b": 3}'));
    assert.match(report.answer, /two: 20 \+ 3 = 23/);
    assert.deepEqual(faultyServers(folder.path), ['two']);
    assert.deepEqual(ran(), ['one/write_note {"text":"once"}', 'two/hang {}', 'two/add {"a":20,"b":3}']);
    await openInspector(session);
    await tab(page, 'Turns').click();
    await inspector(page).getByRole('option').nth(1).click();
    const row = inspector(page).locator('.ev.script');
    await row.waitFor();
    const shown = await visibleText(row);
    assert.match(shown, /The window was reloaded\./);
    assert.doesNotMatch(shown, /running/);
  });

  inputsKept(scenario, folder.path, write);

  scenario('withhold changed tools from models until the user accepts them', async (session) => {
    const { page } = session;
    await session.changeSettings({ 'toolsearch.changedTools': 'ask' });
    write(withCalls('one', 'two=zwei'));
    await command(page, 'Tool Search: Refresh Catalog');
    await openInspector(session);
    await untilInspectorShows(page, /tools of two changed since/);
    const before = await session.reportOf(() => ask(page, '@toolsearch two/add {"a": 1, "b": 1}'));
    assert.deepEqual(
      before.calls.filter(({ tool }) => tool.startsWith('two/')),
      [],
    );
    await closeEditors(session);
    await pressBeneath(page, 'Show changes');
    const row = inspector(page).getByRole('row', { name: /pid changed/ });
    await row.click();
    // The notice above the list has the first Accept button, which is for all servers.
    const accept = inspector(page).getByRole('button', { name: 'Accept' });
    await accept.nth(1).press('Enter');
    await accept.nth(1).waitFor({ state: 'detached' });
    const one = await session.reportOf(() => ask(page, '@toolsearch two/pid {}'));
    assert.match(one.answer, /zwei: \d/);
    await openInspector(session);
    await inspector(page).getByRole('button', { name: 'Compare' }).click();
    const sides = page.locator('.monaco-diff-editor .view-lines');
    await until('both texts', async () => /as two/.test((await sides.allInnerTexts()).join('\n').replace(/\s/g, ' ')));
    await until('what is new', async () =>
      /as zwei/.test((await sides.allInnerTexts()).join('\n').replace(/\s/g, ' ')),
    );
    await openInspector(session);
    await inspector(page).getByRole('button', { name: 'Accept' }).click();
    const after = await session.reportOf(() => ask(page, '@toolsearch two/add {"a": 1, "b": 1}'));
    assert.match(after.answer, /zwei: 1 \+ 1 = 2/);
    await session.changeSettings({ 'toolsearch.changedTools': null });
  });

  signIn(scenario, folder.path);
  useInAgents(scenario, folder.path, home.path);
  otherFiles(scenario, folder.path, home.path);
});
