// A window from its start to its end: what the user sees, what VS Code is told, and what is left. Write the file again
// with `npm run unit -- test/unit/compose/window.test.ts -u`, and read what changed.
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { activate, deactivate } from '../../../src/extension';
import { buildSandboxFiles } from '../../data/sandboxFiles';
import { makeFolder } from '../folder';
import { FakePanel } from '../inspector/host/fakePanel';
import { type Case, type Cases, play } from '../questions/play';
import { Memento, Uri } from '../shim/basics';
import { host, resetHost, tell } from '../shim/host';
import { LanguageModelTextPart, LanguageModelToolCallPart } from '../shim/parts';
import { TestStream } from '../ui/chat/stream';

const token = new vscode.CancellationTokenSource().token;
const panel = new FakePanel();
const states = { workspaceState: new Memento(), globalState: new Memento() };
let folder: string;
let subscriptions: { dispose(): unknown }[];
let api: ReturnType<ReturnType<typeof activate>['getApi']>;
/** The model calls a tool, then tells its result. */
const model = {
  ...{ vendor: 'other', id: 'm', name: 'Model', family: 'm', version: '1', maxInputTokens: 100_000 },
  countTokens: async () => 1,
  sendRequest: async (messages: readonly object[]) => ({
    stream: (async function* () {
      if (JSON.stringify(messages).includes('Hello')) yield new LanguageModelTextPart('It says Hello.');
      else yield new LanguageModelToolCallPart('c', 'files_read', { a: 2 });
    })(),
  }),
};

afterEach(() => {
  vi.unstubAllEnvs();
  resetHost();
});

const run =
  (name: string, ...given: unknown[]) =>
  () =>
    host.registered.get(`toolsearch.${name}`)?.(...given);
const chat = (prompt: string, command?: string) => async () => {
  const stream = new TestStream();
  const asked = { prompt, command, references: [], toolReferences: [], model } as unknown as vscode.ChatRequest;
  const participant = host.participants.get('toolsearch.chat');
  return [stream.parts, await participant?.requestHandler(asked, { history: [] }, stream.asVscode, token)];
};
const agent = (name: string, input: object) => async () => {
  const tool = host.tools.get(`toolsearch_${name}`);
  const said = await tool?.prepareInvocation?.({ input }, token);
  return [said, (await tool?.invoke({ input } as never, token))?.content];
};
const set = (key: string, value: unknown) => () => {
  host.settings.user[`toolsearch.${key}`] = value;
  host.settingsChanged.fire({ affectsConfiguration: () => true });
};
const serve = (servers: readonly string[], tools: readonly string[], description: string) => () => {
  const defined = Object.fromEntries(servers.map((command) => [command, { command }]));
  host.files.set('file:///w/.vscode/mcp.json', Buffer.from(JSON.stringify({ servers: defined })));
  Object.assign(host, { listed: tools.map((name) => `mcp_${name}`), description });
  return run('startServers', 'files')();
};
const until = (begin: () => unknown, isOver: () => unknown) => async () => {
  begin();
  await vi.waitFor(() => expect(isOver()).toBeTruthy(), 60_000);
};
/** A request of the inspector's page, and how to see that it is over. */
const page = (message: object, isOver: () => unknown) => until(() => panel.ask(message), isOver);
const isSent = (kind: string) => () => panel.sent.some(({ type }) => type === kind);
const isDone =
  (...parts: string[]) =>
  () =>
    parts.every((part) => JSON.stringify(host.commands.at(-1)).includes(part));
const shows = (text: string) => () => host.statusBar.get('toolsearch.status')?.text.includes(text);

const CASES: Cases = {
  'a search of an agent': [agent('search_tools', { queries: ['write'] })],
  'a question': [chat('read a file')],
  'what it saved': [chat('', 'stats')],
  'a call of an agent': [agent('call_tool', { name: 'files_read', arguments: { a: 1 } })],
  'a script of an agent': [agent('run_code', { code: 'return (await tools.files_read({ a: 3 })) + "!"' })],
  'no inputs': [run('forgetInputs')],
  'no sign-in': [run('signOut')],
  'a key': [run('manageKeys'), 'Anthropic', 'Set', 'secret-key-1'],
  'a question with the key': [chat('secret-key-1')],
  'no export': [run('exportSession')],
  'no removal': [run('removeStoredData')],
  'the log': [run('showLog')],
  'a strategy that is missing': [set('strategy', 'mine')],
  'a pattern of nothing': [set('hiddenTools', { files: ['gone'] })],
  sets: [set('sets', { Web: ['git/*'] })],
  'a set chosen': [run('selectSet'), '$(blank) Web'],
  'the set is gone': [set('sets', {})],
  'no set': [run('selectSet'), '$(blank) All'],
  'a start': [run('startServers', 'git')],
  'a tool more': [serve(['files', 'git'], ['files_read', 'files_write', 'git_push'], 'Does it.')],
  'a server more': [serve(['files', 'git', 'web'], ['files_read', 'git_push', 'web_get'], 'Does it.')],
  'all read again': [run('refreshCatalog')],
  'a pin': [run('tool.pinEager', { tool: 'files/read' })],
  'the inspector': [run('openInspector', { section: 'tools' })],
  'its page': [page({ type: 'ready' }, isSent('state'))],
  'a try': [page({ type: 'tryTool', id: 'files/read', input: { a: 4 } }, isSent('tried'))],
  'a pin of a server': [page({ type: 'pin', target: { kind: 'server', id: 'web' }, pin: 'off' }, shows(' 2 tools'))],
  'a pin of all': [page({ type: 'pin', target: { kind: 'all', id: '' }, pin: 'eager' }, shows(' 2 tools'))],
  'withheld from now on': [set('changedTools', 'ask')],
  'a change': [serve(['files', 'git', 'web'], ['files_read', 'git_push'], 'Does more.')],
  compared: [page({ type: 'run', command: 'compareChanged', server: 'files' }, isDone('vscode.diff'))],
  'a further change': [serve(['files', 'git', 'web'], ['files_read', 'git_push'], 'Does all.')],
  accepted: [page({ type: 'run', command: 'acceptChanged', server: 'files' }, isDone('vscode.diff'))],
  'accepted as shown': [page({ type: 'run', command: 'acceptChanged', server: 'files' }, shows(' 1 tool'))],
  'two tools': [serve(['files', 'git', 'web'], ['files_read', 'files_write', 'git_push'], 'Does all.')],
  'both changed': [serve(['files', 'git', 'web'], ['files_read', 'files_write', 'git_push'], 'Does more.')],
  'one of both accepted': [
    page({ type: 'run', command: 'acceptChanged', server: 'files', tool: 'files/read' }, shows(' 1 tool')),
  ],
  'a change that VS Code never tells': [
    async () => {
      await serve(['files', 'git', 'web', 'late'], ['files_read', 'git_push'], 'Does more.')();
      return chat('', 'tools')();
    },
  ],
  'our own client': [until(set('mcp.host', 'extension'), isDone('hasServers', 'true'))],
  'VS Code’s client': [until(set('mcp.host', 'vscode'), isDone('hasServers', 'true'))],
  'a strategy': [() => void api.registerStrategy('mine', () => [])],
  'the last report': [() => api.lastReport()?.status],
  'an entry': [run('copyMcpEntry'), 'Turn It On and Copy'],
  'no entry': [until(set('mcp.endpoint', false), () => host.told?.at(-1)?.includes('is closed'))],
  'all tools in scope': [set('scope', 'all')],
  'no room for core tools': [set('auto.maxTools', 0)],
  'a core tool': [() => Object.assign(host, { listed: [...host.listed, 'changes'] }) && set('mode', 'on')()],
};

/** What lasts: the settings, the pins, and the status bar. */
const state = () => {
  const items = ['toolsearch.status', 'toolsearch.set'].map((id) => [id, host.statusBar.get(id)]);
  return [host.settings.user, states.workspaceState.get('pins'), ...items];
};

/** The same case, which also ends with what it changed. */
const withChanges = ([name, [run, ...answers]]: [string, Case]): [string, Case] => {
  const changing = async () => {
    const before = state().map((each) => JSON.stringify(each));
    panel.sent.length = 0;
    const result = await run();
    const sent = panel.sent.filter(({ type }) => type === 'tried');
    return [result, ...sent, ...state().filter((each, at) => JSON.stringify(each) !== before[at])];
  };
  return [name, [changing, ...answers]];
};

async function open() {
  subscriptions = [];
  const context = {
    ...{ subscriptions, secrets: host.secrets, ...states },
    ...{ storageUri: Uri.file(`${folder}/one`), globalStorageUri: Uri.file(`${folder}/all`) },
    ...{ extensionUri: Uri.file(folder), extensionPath: path.resolve('.') },
    extension: { id: 'publisher.name', packageJSON: { version: '1.2.3' } },
  };
  // What is read first depends on the disk.
  const { told } = host;
  host.told = undefined;
  api = activate(context as unknown as vscode.ExtensionContext).getApi(1);
  api.onDidEndTurn((report) => tell('ended', report));
  await chat('')();
  host.told = told;
  return Object.fromEntries(host.commands.splice(0).map(([, key, value]) => [key, value]));
}

async function close() {
  await deactivate();
  for (const each of subscriptions.reverse()) each.dispose();
  const { tools, registered, participants, mcpProviders, modelProviders, documents, statusBar } = host;
  const { settingsChanged, trusted, filesChanged, documentClosed, modelsChanged } = host;
  const left = [tools, registered, participants, mcpProviders, modelProviders, documents, statusBar];
  const listened = [settingsChanged, trusted, filesChanged, documentClosed, modelsChanged];
  const kept = [states.workspaceState.keys(), states.globalState.keys(), await host.secrets.keys()];
  return [
    left.map(({ size }) => size),
    listened.map(({ size }) => size),
    kept,
    (await readdir(`${folder}/one`)).sort(),
  ];
}

it('a window starts, works and ends as its file says', async () => {
  resetHost();
  for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']) vi.stubEnv(name, '');
  const invokeTool = async (name: string, { input }: { readonly input: unknown }) => {
    tell('calls', [name, input]);
    return { content: [new LanguageModelTextPart('Hello')] };
  };
  const folders = [{ name: 'w', uri: vscode.Uri.file('/w'), index: 0 }];
  Object.assign(host, { folders, invokeTool, makePanel: () => panel });
  serve(['files', 'git'], ['files_read', 'files_write'], 'Does something with a file.')();
  const settings = { 'toolsearch.mode': 'on', 'toolsearch.anthropic.baseUrl': 'http://127.0.0.1:1' };
  Object.assign(host.settings.user, settings, { 'chat.mcp.autostart': 'never' });
  folder = makeFolder();
  // Features that are gone have stored these.
  await states.workspaceState.update('openedExports', ['file:///a.json']);
  await states.globalState.update('searchWordsModel', 'v/m');
  await host.secrets.store('agentFiles.changes', '{}');
  for (const name of ['searchWords.json', 'compiled']) await mkdir(`${folder}/one/${name}`, { recursive: true });
  const { worker, engine } = await buildSandboxFiles(`${folder}/dist`);
  await copyFile(engine, path.join(path.dirname(worker), 'quickjs.wasm'));
  const later: Cases = { 'opened again': [open], 'what it saved, later': [chat('', 'stats')], 'closed again': [close] };
  const cases = { opened: [open], ...CASES, closed: [close], ...later } as const;
  const text = await play(Object.fromEntries(Object.entries(cases).map(withChanges)));
  const same = text.replace(/127.0.0.1:\d+/g, '(address)').replace(/Bearer [\w-]+/g, 'Bearer (token)');
  await expect(same.replace(/("ms":|mcpEndpoint\.)\w+/g, '$1…')).toMatchFileSnapshot('window.txt');
});
