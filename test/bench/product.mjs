// What the extension costs a window: the size of its bundle, and how long its activation holds up the extension host, by
// VS Code's own clock (Developer: Show Running Extensions). The test companion beside it does next to nothing when it is
// activated: its time is what the machine takes for any extension.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { runHostTests } from '../../scripts/hostTests.mjs';
import { RESULTS, ROOT } from '../vscode/harness/paths.mjs';
import { startSession } from '../vscode/harness/session.mjs';
import { packageExtension } from '../vscode/harness/vsix.mjs';
import { command } from '../vscode/harness/workbench.mjs';

/** Starts of a real VS Code. The browser that shows it takes the same cores, so the least disturbed start counts. */
const STARTS = 5;

const SETTINGS = { 'toolsearch.searchOnlyModel': true };
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
  await measureResponsiveness();
}

/** Ten turns at once over twenty real servers: how long the extension host answered nobody else. */
async function measureResponsiveness() {
  const tests = await runHostTests({ grep: 'ten turns at once' });
  const failed = tests.find(({ status }) => status !== 'passed');
  if (failed || tests.length === 0) throw new Error(`The scenario failed. ${failed?.message ?? ''}`);
  console.log('20 servers, 10 turns; milliseconds   block  beside starts  delay');
  const phases = JSON.parse(readFileSync(path.join(RESULTS, 'responsiveness.json'), 'utf8'));
  for (const { host, phase, longestBlockMs, longestBlockBesideStartsMs, longestDelayMs } of phases) {
    const figures = [longestBlockMs, longestBlockBesideStartsMs, longestDelayMs];
    const [block, beside, delay] = figures.map((ms, column) => String(ms).padStart([5, 13, 5][column]));
    console.log(`${`${host}: ${phase}`.padEnd(35)} ${block}  ${beside}  ${delay}`);
  }
  console.log('');
}

async function activationTime(page, name) {
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', { has: page.getByText(name, { exact: true }) });
  const text = await row.locator('.activation-time').textContent();
  return Number(/(\d+)\s*ms/.exec(text ?? '')?.[1]);
}
