const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const { registerAgent } = require('./agent.js');
const { registerEverytool } = require('./everytool.js');

const POLL_MS = 100;

/**
 * Runs beside Tool Search in a test and writes facts that only the extension host knows into the folder COMPANION_OUT:
 * `ready.json` once Tool Search is active and a model can be asked (again after each reload), a line of `reports.jsonl`
 * for each turn that ended, and `reply-N.json` for each `request-PID-N.json` with its process's id. So the product needs
 * no switch for tests.
 */
exports.activate = async (context) => {
  const folder = process.env.COMPANION_OUT;
  if (!folder) return;
  context.subscriptions.push(registerAgent(), registerEverytool());
  const timer = setInterval(() => answerRequests(folder), POLL_MS);
  context.subscriptions.push({ dispose: () => clearInterval(timer) });
  const extension = vscode.extensions.getExtension('tool-search.tool-search');
  if (!extension)
    return write(folder, 'ready.json', { error: 'The extension tool-search.tool-search is not installed.' });
  try {
    const api = (await extension.activate()).getApi(1);
    api.onDidEndTurn((report) => fs.appendFileSync(path.join(folder, 'reports.jsonl'), `${JSON.stringify(report)}\n`));
    const models = await someModels();
    const folders = vscode.workspace.workspaceFolders ?? [];
    write(folder, 'ready.json', { models: models.map(nameOf), folders: folders.length, pid: process.pid });
  } catch (error) {
    write(folder, 'ready.json', { error: String(error?.stack ?? error) });
  }
};

/** VS Code answers a participant's request only after the models have been resolved. */
async function someModels() {
  for (;;) {
    const models = await vscode.lm.selectChatModels();
    if (models.length > 0) return models;
    await new Promise((resolve) => {
      const listener = vscode.lm.onDidChangeChatModels(() => {
        listener.dispose();
        resolve(undefined);
      });
    });
  }
}

/**
 * Answers the requests in a folder. A request is `{command}`: a command to run; `{settings}`: user settings to change,
 * `null` to remove one; `{setting}`: a setting to read; `{model}`: the model that the chat uses from now on;
 * `{models}`: lists the models; `{tools}`: the names of all tools; `{chats}`: questions, each for a chat of its own; or
 * `{suite}`: a bundle whose `run` is called.
 * The folder is polled because VS Code's own file watching misses some files.
 */
function answerRequests(folder) {
  for (const file of fs.readdirSync(folder)) {
    const [, host, number] = /^request-(\d+)-(\d+)\.json$/.exec(file) ?? [];
    if (host !== String(process.pid)) continue;
    const request = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
    fs.rmSync(path.join(folder, file));
    answer(request).then(
      (reply) => write(folder, `reply-${number}.json`, reply ?? {}),
      (error) => write(folder, `reply-${number}.json`, { error: String(error?.message ?? error) }),
    );
  }
}

async function answer({ command, settings, setting, model, models, tools, chats, suite }) {
  if (command) return void (await vscode.commands.executeCommand(command));
  if (settings) return changeSettings(settings);
  if (setting) return { value: vscode.workspace.getConfiguration().get(setting) };
  if (model) return chooseModel(model);
  if (models) return { models: (await vscode.lm.selectChatModels()).map(nameOf) };
  if (tools) return { tools: vscode.lm.tools.map(({ name }) => name) };
  if (chats) return askInEditors(chats);
  if (suite) return require(suite).run();
  throw new Error('The companion knows no such request.');
}

function nameOf(model) {
  return `${model.vendor}/${model.id}`;
}

async function chooseModel(name) {
  const model = (await vscode.lm.selectChatModels()).find((candidate) => nameOf(candidate) === name);
  if (!model) throw new Error(`There is no model ${name}.`);
  const { vendor, id, family } = model;
  await vscode.commands.executeCommand('workbench.action.chat.changeModel', { vendor, id, family });
}

/** Opens a chat editor for each question and asks it there, without waiting for answers. */
async function askInEditors(questions) {
  for (const query of questions) {
    await vscode.commands.executeCommand('workbench.action.openChat');
    await vscode.commands.executeCommand('workbench.action.chat.open', { query });
  }
}

async function changeSettings(settings) {
  const configuration = vscode.workspace.getConfiguration();
  for (const [key, value] of Object.entries(settings)) {
    await configuration.update(key, value ?? undefined, vscode.ConfigurationTarget.Global);
  }
}

/** Writes by a rename, so that a reader never sees half a file. */
function write(folder, file, content) {
  fs.writeFileSync(path.join(folder, `${file}.tmp`), JSON.stringify(content));
  fs.renameSync(path.join(folder, `${file}.tmp`), path.join(folder, file));
}
