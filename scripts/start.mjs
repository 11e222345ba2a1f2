// `npm start`: runs the extension in a real VS Code. It needs only Node and npm.
import { existsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { ROOT } from '../test/vscode/harness/paths.mjs';
import { main, onInterrupt, say, UserError } from '../test/vscode/harness/say.mjs';
import { isFree, startServer } from '../test/vscode/harness/server.mjs';
import { MANIFEST, parseOptions, parsePort, parseSettings } from './options.mjs';

const HELP = `Opens a real VS Code with Tool Search installed, on a workspace of real MCP servers.

  npm start                          prints an address to open in a browser
  npm start -- --ask "get-sum a=2 b=40"   asks @toolsearch without a window, prints the answer and what it cost

Options
  --port N             serve at this port (default: 3300, or a free one)
  --workspace DIR      open this folder instead of sample/
  --setting key=value  a user setting; the value is JSON or a string; may be repeated
  --model vendor/id    the model that new chats begin with (default: toolsearch/search-only, which needs no key)
  --vsix FILE          install this package instead of building one
  --desktop            use a desktop VS Code, downloaded once, instead of a browser
  --ask "prompt"       ask headless; ends with 0 only if it was answered
  --json               with --ask: the last line of the output is the turn's report as one JSON object, with what a person
                       would see of the answer (said), whether it was answered or not
  --screenshot FILE    with --ask: where to save the picture of chat and inspector
  --help               this text
`;

const OPTIONS = {
  port: { type: 'string' },
  workspace: { type: 'string' },
  setting: { type: 'string', multiple: true },
  model: { type: 'string' },
  vsix: { type: 'string' },
  desktop: { type: 'boolean' },
  ask: { type: 'string' },
  json: { type: 'boolean' },
  screenshot: { type: 'string' },
  help: { type: 'boolean' },
};

const DEFAULT_PORT = 3300;
const SAMPLE = path.join(ROOT, 'sample');
const SEARCH_ONLY = 'toolsearch/search-only';
/** Vendors of the models that a VS Code without other extensions has. */
const VENDORS = MANIFEST.contributes.languageModelChatProviders.map(({ vendor }) => vendor);
/** The environment variable with each vendor's key: a VS Code without a window has no other keys. */
const KEY_OF_VENDOR = { 'toolsearch-anthropic': 'ANTHROPIC_API_KEY', 'toolsearch-openai': 'OPENAI_API_KEY' };

await main(async () => {
  const options = parseOptions(OPTIONS);
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  checkCombination(options);
  const port = parsePort(options.port);
  const model = options.model ?? SEARCH_ONLY;
  if (!options.desktop) checkModel(model);
  const settings = { ...modelSettings(model), ...parseSettings(options.setting) };
  const workspace = path.resolve(options.workspace ?? SAMPLE);
  if (!existsSync(workspace) || !statSync(workspace).isDirectory())
    throw new UserError(`--workspace: there is no folder ${workspace}.`);

  await ensureDependencies(ROOT, 'the packages of Tool Search');
  if (port && !(await isFree(port)))
    throw new UserError(`Port ${port} is in use: choose another with --port, or leave it out.`);
  if (workspace === SAMPLE) await ensureDependencies(SAMPLE, "the sample's MCP servers");
  const vsix = options.vsix
    ? existing(options.vsix)
    : await (await import('../test/vscode/harness/vsix.mjs')).packageExtension();
  // Servers of the user's own workspace see the user's own home. Servers of the sample don't, so that they leave
  // nothing in it.
  const home = options.workspace ? os.homedir() : undefined;
  const session = { vsix, workspace, settings, home, model };

  if (options.desktop) await (await import('./desktop.mjs')).openDesktop(session);
  else if (options.ask !== undefined) await (await import('./ask.mjs')).askHeadless({ ...session, ...options });
  else await serve({ ...session, port });
});

function checkCombination(options) {
  const asks = options.ask !== undefined;
  if (asks && options.ask.trim() === '') throw new UserError('--ask needs a prompt, as in --ask "get-sum a=2 b=40".');
  if (asks && options.desktop) throw new UserError('--ask works without a window, so not together with --desktop.');
  if (options.desktop && options.port) throw new UserError('--desktop opens no address, so not together with --port.');
  if (asks && options.port) throw new UserError('--ask takes a port of its own, so not together with --port.');
  const key = KEY_OF_VENDOR[options.model?.split('/')[0]];
  if (asks && key && !process.env[key])
    throw new UserError(`--model ${options.model} needs a key: set ${key} in the environment.`);
  for (const name of ['json', 'screenshot']) if (options[name] && !asks) throw new UserError(`--${name} needs --ask.`);
}

/** Rejects a model that can't exist at once, instead of waiting for it. */
function checkModel(model) {
  const [vendor] = model.split('/');
  if (VENDORS.includes(vendor) && (vendor !== 'toolsearch' || model === SEARCH_ONLY)) return;
  const ids = VENDORS.map((each) => (each === 'toolsearch' ? SEARCH_ONLY : `${each}/…`)).join(', ');
  throw new UserError(`There is no model ${model} here. There is ${ids}. --desktop can use others.`);
}

/** The settings that choose a new chat's model, and that turn on the model without AI if it is the one. */
function modelSettings(model) {
  const [vendor, ...id] = model.split('/');
  if (!vendor || id.length === 0)
    throw new UserError(`--model needs vendor/id, as in --model ${SEARCH_ONLY}; it got '${model}'.`);
  return { 'toolsearch.searchOnlyModel': model === SEARCH_ONLY ? 'on' : 'off', 'chat.defaultModel': id.join('/') };
}

function existing(file) {
  if (!existsSync(file)) throw new UserError(`--vsix: there is no file ${file}.`);
  return path.resolve(file);
}

async function serve({ vsix, workspace, settings, home, port }) {
  const { ensureVscode } = await import('../test/vscode/harness/vscode.mjs');
  const vscode = await ensureVscode();
  const chosen = port ?? ((await isFree(DEFAULT_PORT)) ? DEFAULT_PORT : undefined);
  const server = await startServer({ vscode, vsix: [vsix], workspace, settings, home, port: chosen });
  say(
    `\nVS Code is ready, with Tool Search and the MCP servers of ${path.relative(process.cwd(), workspace) || '.'}:\n`,
  );
  process.stdout.write(`  ${server.address(workspace)}\n`);
  say(`\nAsk in its chat: @toolsearch get-sum a=2 b=40\nCtrl+C stops it.`);

  const stopped = new Promise((resolve) => onInterrupt(() => resolve(true)));
  const wanted = await Promise.race([stopped, server.ended.then(() => false)]);
  const log = wanted ? '' : await server.log();
  await server.stop();
  if (!wanted) throw new UserError(`VS Code has ended. Its log ends with:\n${log.slice(-2_000)}`);
  say('\nStopped.');
}
