// What the extension costs a window: the size of its bundle, and how long its activation holds up the extension host, by
// VS Code's own clock (Developer: Show Running Extensions). The test companion beside it does next to nothing when it is
// activated: its time is what the machine takes for any extension.
import { statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../vscode/harness/paths.mjs';
import { startSession } from '../vscode/harness/session.mjs';
import { temporaryFolder } from '../vscode/harness/temporary.mjs';
import { askTenChats, settingsOfHost, writeTwentyServers } from '../vscode/harness/tenChats.mjs';
import { packageExtension } from '../vscode/harness/vsix.mjs';
import { command } from '../vscode/harness/workbench.mjs';

/** Starts of a real VS Code. The browser that shows it takes the same cores, so the least disturbed start counts. */
const STARTS = 5;

const SETTINGS = { 'toolsearch.searchOnlyModel': true, 'chat.defaultModel': 'search-only' };
/** High enough for the whole list of extensions, which is virtual. */
const BROWSER = { width: 1200, height: 2400 };

/** Prints the figures as a table. */
export async function measureProduct() {
  const vsix = await packageExtension();
  const own = [];
  const empty = [];
  for (let start = 0; start < STARTS; start++) {
    const session = await startSession({ vsix, workspace: path.join(ROOT, 'sample'), settings: SETTINGS, browser: BROWSER });
    try {
      await session.untilReady();
      await command(session.page, 'Developer: Show Running Extensions');
      own.push(await activationTime(session.page, 'Tool Search'));
      empty.push(await activationTime(session.page, 'Tool Search Test Companion'));
    } finally {
      await session.close();
    }
  }
  const bundle = ['extension.cjs', 're2js.cjs'].reduce((sum, file) => sum + statSync(path.join(ROOT, 'dist', file)).size, 0);
  console.log(`Host bundle                        ${(bundle / 1000).toFixed(0)} kB`);
  console.log(`Activation in a real VS Code       ${Math.min(...own)} ms (of ${own.join(', ')})`);
  console.log(`Activation of an empty extension   ${Math.min(...empty)} ms (of ${empty.join(', ')})\n`);
  await measureResponsiveness(vsix);
}

/** Ten chats at once over twenty real servers: how long the extension host's thread worked without a pause. */
async function measureResponsiveness(vsix) {
  console.log('20 servers, 10 chats; milliseconds   block  beside starts  delay');
  for (const host of ['vscode', 'extension']) {
    const folder = temporaryFolder('ten-chats');
    writeTwentyServers(folder.path);
    const session = await startSession({ vsix, workspace: folder.path, settings: { ...SETTINGS, ...settingsOfHost(host) } });
    try {
      await session.untilReady();
      const { figures } = await askTenChats(session);
      for (const [phase, { block, blockBesideStarts, delay }] of Object.entries(figures)) {
        const columns = [block, blockBesideStarts, delay].map((ms, column) => String(ms).padStart([5, 13, 5][column]));
        console.log(`${`${host}: ${phase}`.padEnd(35)} ${columns.join('  ')}`);
      }
    } finally {
      await session.close();
      await folder.remove();
    }
  }
  console.log('');
}

async function activationTime(page, name) {
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', { has: page.getByText(name, { exact: true }) });
  const text = await row.locator('.activation-time').textContent();
  return Number(/(\d+)\s*ms/.exec(text ?? '')?.[1]);
}
