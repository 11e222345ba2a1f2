import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { ask, chatInput, newChat } from '../harness/chat.mjs';
import { ROOT } from '../harness/paths.mjs';
import { visibleText } from '../harness/text.mjs';
import { until } from '../harness/wait.mjs';
import { command, openInspector, pick, tab, typeInQuickPick, untilInspectorShows } from '../harness/workbench.mjs';
import { OWN_HOST } from './vscode.mjs';

const READS = 'reads.txt';
const LIBRARY = path.join(ROOT, 'test/fixtures/libraryServer.mjs');

/** A server with resources and prompts, which notes what is read in a file of the folder. */
export const libraryServer = (folder) => ({
  command: process.execPath,
  args: [LIBRARY, '--reads', path.join(folder, READS)],
});

/** What was read from the server of a folder. */
function readsOf(folder) {
  const file = path.join(folder, READS);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/**
 * A scenario that shares a VS Code with others. VS Code runs the server; unit tests in test/unit/tools cover servers that
 * the extension runs.
 */
export const linkedResource = (scenario, workspace) =>
  describe('a server that VS Code runs', () => {
    scenario('links to a resource, which the model reads through it', async (session) => {
      await newChat(session.page);
      await session.changeSettings({ 'chat.mcp.autostart': null });
      await session.chooseModel('toolsearch/search-only');
      const linking = await session.reportOf(() => ask(session.page, '@toolsearch library/report {}'));
      assert.match(linking.answer, /\[Resource: docs:\/\/report\/2026, text\/markdown/);
      assert.match(linking.answer, /To read a linked resource: library_read_linked_resource/);
      const other = await session.reportOf(() =>
        ask(session.page, '@toolsearch library/read_linked_resource {"uri": "docs://readme"}'),
      );
      assert.match(other.answer, /reads only what a result of “library” linked to/);
      assert.deepEqual(readsOf(workspace), []);
      const read = await session.reportOf(() =>
        ask(session.page, '@toolsearch library/read_linked_resource {"uri": "docs://report/2026"}'),
      );
      assert.match(read.answer, /We sold 4,711 chairs/);
      assert.deepEqual(readsOf(workspace), ['docs://report/2026']);
    });
  });

/** Scenarios that share a VS Code with others. The extension runs the server. */
export const serverItems = (scenario, workspace) =>
  describe('resources and prompts of a server', () => {
    /** Chooses an entry of Find Tools, and an action for it. */
    async function choose({ page }, typed, label, action) {
      await command(page, 'Tool Search: Find Tools');
      await typeInQuickPick(page, 'Find a tool by name, server or description', typed);
      await until('the list to follow what was typed', async () => {
        const [, found, all] =
          /(\d+) of (\d+) tools/.exec(await visibleText(page.locator('.quick-input-widget'))) ?? [];
        return found !== all;
      });
      await pick(page, label);
      await pick(page, action);
    }

    scenario('a prompt that Find Tools finds fills the chat’s input', async (session) => {
      const { page } = session;
      await newChat(page);
      await session.changeSettings(OWN_HOST);
      await ask(page, '@toolsearch library/report {}');
      await choose(session, 'review', 'Prompt: Reviews a text', 'Use in the chat');
      const field = page.locator('.quick-input-widget input');
      await until('the question for the topic', async () =>
        /What it is about/.test(await visibleText(page.locator('.quick-input-widget'))),
      );
      await field.fill('my essay');
      await field.press('Enter');
      await until('the question for the tone', async () => (await field.inputValue()) === '');
      await field.press('Enter');
      const typed = async () => (await visibleText(chatInput(page).locator('.view-lines'))).replace(/\s+/g, ' ');
      await until('the prompt', async () => (await typed()) === '@toolsearch Review my essay in a plain tone.');
    });

    scenario('a resource is attached, and the model gets its text', async (session) => {
      const { page } = session;
      await choose(session, 'read me', 'How the library is used', 'Attach to the chat');
      await page.locator('.chat-attached-context-attachment', { hasText: 'readme' }).first().waitFor();
      assert.equal(readsOf(workspace).at(-1), 'docs://readme');
      await ask(page, '@toolsearch what is attached?');
      await openInspector(session);
      await tab(page, 'Turns').click();
      await untilInspectorShows(page, /what stands in docs:\/\/readme/);
    });

    scenario('models find them once the user lets them', async (session) => {
      const { page } = session;
      const tool = '@toolsearch library/resource:docs:%2F%2Fpicture {}';
      const before = await session.reportOf(() => ask(page, '@toolsearch library/report {}'));
      await session.changeSettings({ 'toolsearch.mcp.resourcesAndPrompts': true });
      const after = await session.reportOf(() => ask(page, tool));
      assert.equal(after.deferred - before.deferred, 4);
      assert.deepEqual(
        after.calls.map(({ tool: called, ok }) => [called, ok]),
        [['library/resource:docs:%2F%2Fpicture', true]],
      );
      const script = '@toolsearch run: return tools.library_resource_docs___readme.text({})';
      assert.match((await session.reportOf(() => ask(page, script))).answer, /what stands in docs:\/\/readme/);
    });
  });
