import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { startSignInServer } from '../../fixtures/signInServer.mjs';
import { ask, cancel, isAnswered, submit } from '../harness/chat.mjs';
import { writeServers } from '../harness/files.mjs';
import { visibleText } from '../harness/text.mjs';
import { until } from '../harness/wait.mjs';
import { command, pick, untilNotified } from '../harness/workbench.mjs';

const DIALOG = '.monaco-dialog-box';
const CALL = '@toolsearch private/whoami {}';

/** Waits for VS Code's dialog, and returns its text. */
export async function question(page) {
  const dialog = page.locator(DIALOG);
  await dialog.waitFor();
  return visibleText(dialog);
}

/** Presses a button of VS Code's dialog. */
export const press = (page, button) =>
  page.locator(DIALOG).locator('.monaco-button', { hasText: button }).first().click();

/** Agrees to sign in, and returns the page that the browser opens. VS Code trusts addresses of this machine. */
async function agree(page) {
  const opened = page.context().waitForEvent('page');
  await press(page, 'Sign In');
  return opened;
}

/** Scenarios that share a VS Code with others. The extension runs the servers. */
export function signIn(scenario, workspace) {
  let server;
  after(() => server?.stop());

  describe('a server that wants a sign-in', () => {
    scenario('is called once the user has agreed and signed in', async ({ page }) => {
      server = await startSignInServer();
      writeServers(workspace, { private: { type: 'http', url: server.url } });
      await submit(page, CALL);
      const asked = await question(page);
      assert.match(asked, /The MCP server “private” asks you to sign in\./);
      assert.ok(asked.includes(`${server.issuer} issues the access tokens.`), asked);
      assert.match(asked, /The server doesn’t say which scopes/);
      assert.equal(server.state.tokens.size, 0);
      const browser = await agree(page);
      await browser.getByText('You can close this page and return to VS Code.').waitFor();
      await browser.close();
      await until('the answer', () => isAnswered(page));
      assert.match((await ask(page, CALL)).text, /You are signed in/);
    });

    scenario('names more scopes; a cancelled chat waits no longer', async ({ page }) => {
      server.state.requiredScopes = ['files:read'];
      server.state.holds = true;
      const before = server.state.called;
      await submit(page, CALL);
      assert.match(await question(page), /The server asks for: files:read\./);
      const browser = await agree(page);
      await browser.getByText('Please wait').waitFor();
      await cancel(page);
      await until('the answer', () => isAnswered(page));
      await browser.close();
      assert.equal(server.state.called, before);
      server.state.requiredScopes = [];
      server.state.holds = false;
      // The same question would count as a retry of the cancelled one, and continue with its result.
      assert.match((await ask(page, '@toolsearch private/whoami {"again": true}')).text, /You are signed in/);
    });

    scenario('is signed out of by a command, which revokes the tokens', async ({ page }) => {
      const [token] = [...server.state.tokens.keys()];
      await command(page, 'Tool Search: Sign Out of an MCP Server');
      await pick(page, 'private');
      await untilNotified(page, 'Signed out of private.');
      assert.ok(server.state.revoked.includes(token));
      await submit(page, CALL);
      await question(page);
      await press(page, 'Cancel');
      await until('the answer', () => isAnswered(page));
      assert.equal(server.state.tokens.size, 0);
    });
  });
}
