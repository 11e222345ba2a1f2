// Measures the extension's load on a window: the size of its bundle, and the time for which its activation blocks the
// extension host, by VS Code's own clock (Developer: Show Running Extensions) and in processor time. The test
// companion's activation does almost nothing, so its time is the minimum for any extension on the machine.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../vscode/harness/paths.mjs';
import { startSession } from '../vscode/harness/session.mjs';
import { temporaryFolder } from '../vscode/harness/temporary.mjs';
import { packageExtension } from '../vscode/harness/vsix.mjs';
import { command, reload } from '../vscode/harness/workbench.mjs';

/** Number of starts of each kind in which the activation is measured. */
const ACTIVATIONS = 11;
const EXTENSIONS = [
  {
    name: 'own',
    label: 'Tool Search',
    title: 'Tool Search',
    id: 'tool-search.tool-search',
    main: 'dist/extension.cjs',
  },
  {
    name: 'empty',
    label: 'empty',
    title: 'Tool Search Test Companion',
    id: 'tool-search-test.companion',
    main: 'extension.js',
  },
];

const SETTINGS = { 'toolsearch.searchOnlyModel': 'on', 'chat.defaultModel': 'search-only' };
/** High enough for the whole list of extensions, which is virtual. */
const BROWSER = { width: 1200, height: 2400 };

/** The size of the bundle, and activation compared with that of an empty extension in the same starts. */
export async function measureActivation() {
  const vsix = await packageExtension();
  const bundle = ['extension.cjs', 'shared.cjs'].reduce(
    (sum, file) => sum + statSync(path.join(ROOT, 'dist', file)).size,
    0,
  );
  console.log(`Host bundle                        ${(bundle / 1000).toFixed(0)} kB`);
  const folder = temporaryFolder('activation');
  const figures = path.join(folder.path, 'figures.jsonl');
  const session = await startSession({
    vsix,
    workspace: path.join(ROOT, 'sample'),
    settings: SETTINGS,
    browser: BROWSER,
  });
  try {
    await session.untilReady();
    for (const { name, id, main } of EXTENSIONS) measureEntry(path.join(installed(session, id), main), name, figures);
    const starts = [];
    for (let start = 0; start < ACTIVATIONS; start++) starts.push(await activation(session, figures));
    printActivation('start', starts);
    console.log('');
  } finally {
    await session.close();
    await folder.remove();
  }
}

function installed({ server }, id) {
  return path.join(
    server.extensions,
    readdirSync(server.extensions).find((name) => name.startsWith(id)),
  );
}

/**
 * Lets an installed extension's entry file also write how much processor time its load and its activation take. The
 * clock of VS Code includes waiting for other processes and for other extensions.
 */
function measureEntry(file, name, figures) {
  const own = `own-${path.basename(file)}`;
  renameSync(file, path.join(path.dirname(file), own));
  const lines = [
    `const used = (of) => { const { user, system } = process.threadCpuUsage(of); return (user + system) / 1000; };`,
    `const before = process.threadCpuUsage();`,
    `const extension = require('./${own}');`,
    `const load = used(before);`,
    `exports.activate = (context) => {`,
    `  const before = process.threadCpuUsage();`,
    `  const activated = extension.activate(context);`,
    `  const line = JSON.stringify({ name: '${name}', processor: load + used(before) });`,
    `  require('node:fs').appendFileSync(${JSON.stringify(figures)}, line + '\\n');`,
    `  return activated;`,
    `};`,
    `exports.deactivate = () => extension.deactivate?.();`,
  ];
  writeFileSync(file, lines.join('\n'));
}

/** The activation of each extension in a new start: `{own: {wall, processor}, empty: {wall, processor}}`. */
async function activation(session, figures) {
  rmSync(figures, { force: true });
  await reload(session);
  await session.untilReady();
  await command(session.page, 'Developer: Show Running Extensions');
  const lines = readFileSync(figures, 'utf8').trim().split('\n').map(JSON.parse);
  const all = EXTENSIONS.map(async ({ name, title }) => [
    name,
    { wall: await activationTime(session.page, title), processor: lines.find((line) => line.name === name).processor },
  ]);
  return Object.fromEntries(await Promise.all(all));
}

function printActivation(title, starts) {
  for (const { name, label } of EXTENSIONS) {
    for (const clock of ['wall', 'processor']) {
      const all = starts.map((start) => start[name][clock]).sort((a, b) => a - b);
      const ms = (value) => value.toFixed(clock === 'wall' ? 0 : 1).padStart(5);
      const row = `${title}, ${label}, ${clock}`.padEnd(45);
      const each = all.map((value) => value.toFixed(0)).join(', ');
      console.log(`${row} lowest ${ms(all[0])}  median ${ms(all[all.length >> 1])} ms (${each})`);
    }
  }
}

async function activationTime(page, name) {
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', {
    has: page.getByText(name, { exact: true }),
  });
  const text = await row.locator('.activation-time').textContent();
  return Number(/(\d+)\s*ms/.exec(text ?? '')?.[1]);
}
