// Scenarios of the MCP endpoint and its clients.
import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ask } from '../harness/chat.mjs';
import { visibleText } from '../harness/text.mjs';
import { until } from '../harness/wait.mjs';
import { clipboard, command, inspector, openInspector, tab, untilInspectorShows } from '../harness/workbench.mjs';

const DIALOG = '.monaco-dialog-box';
const ALLOW_ONCE = 'Allow Once';
const ALLOW_SESSION = 'Allow for This Client in This Session';

/** Presses a button of VS Code's dialog, and returns the dialog's question. */
async function answer(page, button) {
  const dialog = page.locator(DIALOG);
  await dialog.waitFor();
  const text = await visibleText(dialog);
  await dialog.locator('.monaco-button', { hasText: button }).first().click();
  return text;
}

/** Opens the endpoint, and returns the entry for a client that the user can copy. */
async function copyEntry(session) {
  const { page } = session;
  await session.changeSettings({ 'toolsearch.mcp.endpoint': true });
  // The first question has the servers started.
  await ask(page, '@toolsearch /tools');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await command(page, 'Tool Search: Copy MCP Server Entry');
  return until('the entry to be in the clipboard', async () => {
    const text = await clipboard(page);
    return text.includes('mcpServers') && JSON.parse(text).mcpServers['tool-search'];
  });
}

/** Connects a client with a copied entry. */
async function connectWith(entry, name) {
  const client = new Client({ name, version: '0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(entry.url), { requestInit: { headers: entry.headers } }),
  );
  return client;
}

/** Scenarios that share a VS Code with others. */
export const mcpEndpoint = (scenario) =>
  describe('a client outside VS Code, with the entry that was copied', () => {
    let entry;
    let mcp;
    after(() => mcp?.close());

    const call = async (client, name, number, options) => {
      const params = { name: 'call_tool', arguments: { name, arguments: { number } } };
      const { content, isError = false } = await client.callTool(params, undefined, options);
      return { text: content.map(({ text }) => text).join('\n'), isError };
    };

    scenario('searches the tools of the window', async (session) => {
      entry = await copyEntry(session);
      mcp = await connectWith(entry, 'an outsider');
      const { tools } = await mcp.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['search_tools', 'call_tool', 'run_code'],
      );
      const { content } = await mcp.callTool({
        name: 'search_tools',
        arguments: { queries: ['archive a voucher at the helpline'] },
      });
      assert.match(content[0].text, /^helpline_archive_voucher\(/m);
      assert.match(mcp.getInstructions(), /^360 tools of /);
    });

    scenario('is asked about, although VS Code remembers consent from a chat', async ({ page }) => {
      const archive = '@agent archive a voucher at the helpline {"number": "V-5"}';
      await ask(page, archive);
      assert.equal((await ask(page, archive)).confirmations, 0);
      const refused = call(mcp, 'helpline_archive_voucher', 'V-6');
      assert.match(await answer(page, 'Skip'), /an.outsider run the tool archive_voucher .*"number": "V-6"/s);
      assert.deepEqual(await refused, { text: 'The user skipped the call.', isError: true });
    });

    scenario('calls a tool unasked after consent for the session', async ({ page }) => {
      const first = call(mcp, 'accounting_get_invoice', 'I-9');
      const asked = await answer(page, ALLOW_SESSION);
      assert.match(asked, /an.outsider run the tool get_invoice of the server accounting\?/);
      assert.match(asked, /"number": "I-9"/);
      assert.match((await first).text, /accounting did get_invoice I-9/);
      assert.match((await call(mcp, 'accounting_get_invoice', 'I-10')).text, /accounting did get_invoice I-10/);
      assert.equal(await page.locator(DIALOG).count(), 0);
    });

    scenario('runs a tool that changes something only with consent', async ({ page }) => {
      const allowed = call(mcp, 'helpline_archive_refund', 'V-7');
      const notification = page.locator('.notification-toast', {
        hasText: 'an outsider calls helpline_archive_refund',
      });
      await notification.waitFor();
      assert.match(await visibleText(notification), /an outsider calls helpline_archive_refund with {"number":"V-7"}/);
      assert.match(await answer(page, ALLOW_ONCE), /archive_refund/);
      // VS Code runs this server, so VS Code itself asks the user.
      assert.match(await answer(page, 'Yes'), /archive_refund/);
      assert.match((await allowed).text, /helpline did archive_refund V-7/);
      const refused = call(mcp, 'helpline_archive_refund', 'V-8');
      await answer(page, 'Skip');
      assert.deepEqual(await refused, { text: 'The user skipped the call.', isError: true });
    });

    scenario('is in the inspector by the name that it gives itself', async (session) => {
      const { page } = session;
      await openInspector(session);
      await tab(page, 'Turns').click();
      // The user skipped two of its calls. The newest turn may be that of another agent.
      await inspector(page)
        .getByText(/^\s*2 failed/)
        .first()
        .click();
      await inspector(page).locator('summary', { hasText: 'Reasons' }).click();
      await untilInspectorShows(page, /outsider/);
    });

    scenario('finds none of its own tools, though VS Code lists them', async (session) => {
      await until('VS Code to start our server', async () => {
        await ask(session.page, '@toolsearch /tools');
        return (await session.tools()).some((name) => /^mcp_.*_search_tools$/.test(name));
      });
      const { content } = await mcp.callTool({
        name: 'search_tools',
        arguments: { queries: ['search tools', 'select:search_tools'] },
      });
      assert.doesNotMatch(content[0].text, /search_tools\(/);
    });

    scenario('is refused once the endpoint is turned off', async (session) => {
      await session.changeSettings({ 'toolsearch.mcp.endpoint': false });
      await until('the endpoint to be closed', () =>
        fetch(entry.url).then(
          () => false,
          () => true,
        ),
      );
      await assert.rejects(call(mcp, 'accounting_get_invoice', 'I-9'));
    });
  });
