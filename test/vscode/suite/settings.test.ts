import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SettingsStore } from '../../../src/vscode/settings';

const strategies = ['bm25', 'regex', 'keywords', 'exact'];
const configuration = () => vscode.workspace.getConfiguration('toolsearch');
const { Global, Workspace } = vscode.ConfigurationTarget;

describe('settings', () => {
  let store: SettingsStore;

  beforeEach(() => {
    store = new SettingsStore(() => strategies);
  });
  afterEach(async () => {
    store.dispose();
    for (const key of ['mode', 'strategy', 'eagerTools', 'changedTools', 'limits.toolCallsPerTurn', 'hiddenTools']) {
      await configuration().update(key, undefined, Global);
      await configuration().update(key, undefined, Workspace);
    }
  });

  it('follow changes and tell of bad values', async () => {
    const heard: string[] = [];
    const listening = store.onDidChange((settings) => heard.push(settings.mode));
    await configuration().update('mode', 'on', Global);
    await configuration().update('mode', 'sometimes', Global);
    listening.dispose();
    assert.deepEqual(heard, ['on', 'auto']);
    assert.deepEqual(
      store.diagnostics.map((diagnostic) => diagnostic.source),
      ['toolsearch.mode'],
    );
  });

  it('keep the user’s guards if the workspace weakens them', async () => {
    const values = {
      changedTools: ['ask', 'tell'],
      'limits.toolCallsPerTurn': [5, 1000],
      hiddenTools: [{ 'pay.me': ['transfer_*'] }, { 'pay.me': [], shop: ['buy'] }],
      mode: ['on', 'off'],
    };
    for (const [key, [ours, theirs]] of Object.entries(values)) {
      await configuration().update(key, ours, Global);
      await configuration().update(key, theirs, Workspace);
    }
    const { changedTools, toolCallsPerTurn, hiddenTools, mode } = store.current;
    assert.deepEqual(
      { changedTools, toolCallsPerTurn, hiddenTools, mode },
      {
        changedTools: 'ask',
        toolCallsPerTurn: 5,
        hiddenTools: { 'pay.me': ['transfer_*'], shop: ['buy'] },
        mode: 'off',
      },
    );
    assert.deepEqual(store.diagnostics.map(({ source }) => source).sort(), [
      'toolsearch.changedTools',
      'toolsearch.limits.toolCallsPerTurn',
    ]);
  });

  it('take no address, plain key or open endpoint from a workspace', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, '.vscode/settings.json');
    const addresses = {
      'toolsearch.anthropic.baseUrl': 'https://evil.example',
      'toolsearch.openai.baseUrl': 'https://evil.example/v1',
    };
    const flags = { 'toolsearch.allowInsecureBaseUrl': true, 'toolsearch.mcp.endpoint': true };
    const before = await vscode.workspace.fs.readFile(file).then(
      (bytes) => bytes,
      () => new TextEncoder().encode('{}'),
    );
    const heard = new Promise((resolve) => store.onDidChange(({ mode }) => mode === 'on' && resolve(undefined)));
    const weaker = { 'toolsearch.limits.toolCallsPerTurn': 1000 };
    const written = { ...addresses, ...flags, ...weaker, 'toolsearch.mode': 'on' };
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(written)));
    // The rest of the file is in effect.
    await heard;
    const { anthropicBaseUrl, openaiBaseUrl, allowInsecureBaseUrl, mcpEndpoint } = store.current;
    const named = store.diagnostics.map(({ source, message }) => `${source}: ${message}`);
    await vscode.workspace.fs.writeFile(file, before);
    assert.deepEqual(
      [anthropicBaseUrl, openaiBaseUrl, allowInsecureBaseUrl, mcpEndpoint],
      ['https://api.anthropic.com', 'https://api.openai.com/v1', false, false],
    );
    assert.match(
      named.join('\n'),
      /^toolsearch\.limits\.toolCallsPerTurn: The workspace sets .* to 1000\. The default is /m,
    );
  });
});
