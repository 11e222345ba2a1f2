// Replaces the module `vscode` in unit tests with the part of it that the tested code uses. host.ts has its contents.
import type * as vscode from 'vscode';
import { CancellationTokenSource, Disposable, FileSystemError, FileType, type Uri } from './basics';
import { host, tell } from './host';

export {
  CancellationError,
  CancellationTokenSource,
  ConfigurationTarget,
  Disposable,
  EventEmitter,
  FileSystemError,
  FileType,
  Location,
  MarkdownString,
  McpHttpServerDefinition,
  ProgressLocation,
  ThemeIcon,
  ThemeIcon as ThemeColor,
  Uri,
  ViewColumn,
} from './basics';
export {
  ChatRequestTurn,
  ChatResponseMarkdownPart,
  ChatResponseTurn,
  LanguageModelChatMessage,
  LanguageModelChatMessageRole,
  LanguageModelChatToolMode,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResult,
  LanguageModelToolResultPart,
} from './parts';

export const l10n = {
  t: (text: string, ...values: readonly unknown[]) =>
    text.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place)),
};

export const env = {
  language: 'en',
  clipboard: { writeText: async (text: string) => void host.clipboard.push(text) },
  openExternal: async (uri: Uri) => host.commands.push(['(browser)', uri.toString()]) > 0,
};

export const commands = {
  executeCommand: async (command: string, ...rest: unknown[]) => void host.commands.push([command, ...rest]),
  registerCommand(command: string, run: (...given: unknown[]) => unknown) {
    host.registered.set(command, run);
    return new Disposable(() => host.registered.delete(command));
  },
};

export const chat = {
  createChatParticipant(id: string, requestHandler: vscode.ChatRequestHandler) {
    const participant = {
      id,
      requestHandler,
      dispose: () => host.participants.delete(id),
    } as unknown as vscode.ChatParticipant;
    host.participants.set(id, participant);
    return participant;
  },
} satisfies Partial<typeof vscode.chat>;

export const lm = {
  get tools(): readonly vscode.LanguageModelToolInformation[] {
    return [...host.tools.keys(), ...host.listed].map((name) => ({
      name,
      description: host.description,
      inputSchema: undefined,
      // VS Code's own tags of tools of MCP servers.
      tags: name.startsWith('mcp_') ? ['mcp'] : [],
    }));
  },
  registerTool<T>(name: string, tool: vscode.LanguageModelTool<T>) {
    host.tools.set(name, tool as vscode.LanguageModelTool<unknown>);
    return new Disposable(() => host.tools.delete(name));
  },
  selectChatModels: async () => [...host.models],
  onDidChangeChatModels: (listener: () => void) => host.modelsChanged.event(listener),
  registerLanguageModelChatProvider(vendor: string, provider: vscode.LanguageModelChatProvider) {
    host.modelProviders.set(vendor, provider);
    return new Disposable(() => host.modelProviders.delete(vendor));
  },
  invokeTool: (name, options, token) => host.invokeTool(name, options, token),
  registerMcpServerDefinitionProvider(id: string, provider: vscode.McpServerDefinitionProvider) {
    host.mcpProviders.set(id, provider);
    return new Disposable(() => host.mcpProviders.delete(id));
  },
} satisfies Partial<typeof vscode.lm>;

/** Returns a setting's value. For the beginning of names, returns all values below it as one object, as VS Code does. */
function valueAt(values: { readonly [name: string]: unknown }, name: string): unknown {
  if (name in values) return values[name];
  const below = Object.keys(values).filter((key) => key.startsWith(`${name}.`));
  if (below.length === 0) return undefined;
  const nexts = new Set(below.map((key) => key.slice(name.length + 1).split('.')[0] as string));
  return Object.fromEntries([...nexts].map((next) => [next, valueAt(values, `${name}.${next}`)]));
}

/** Returns settings as VS Code does: the workspace's before the user's. */
function configuration(section?: string): Pick<vscode.WorkspaceConfiguration, 'get' | 'inspect' | 'update'> {
  const { user, workspace } = host.settings;
  const whole = (key: string) => (section === undefined ? key : `${section}.${key}`);
  return {
    get: <T>(key: string) => (workspace[whole(key)] ?? user[whole(key)]) as T,
    inspect: <T>(key: string) => ({
      key: whole(key),
      globalValue: valueAt(user, whole(key)) as T,
      workspaceValue: valueAt(workspace, whole(key)) as T,
    }),
    async update(key, value, target) {
      const values = target === 2 ? workspace : user;
      if (value === undefined) delete values[whole(key)];
      else values[whole(key)] = value;
      host.settingsChanged.fire({ affectsConfiguration: (asked) => whole(key).startsWith(asked) });
    },
  };
}

export const workspace = {
  get isTrusted() {
    return host.isTrusted;
  },
  get workspaceFolders() {
    return host.folders;
  },
  getConfiguration: configuration,
  onDidGrantWorkspaceTrust: (listener: () => unknown) => host.trusted.event(listener),
  createFileSystemWatcher: () => ({
    onDidChange: (listener: () => unknown) => host.filesChanged.event(listener),
    onDidCreate: () => new Disposable(() => {}),
    onDidDelete: () => new Disposable(() => {}),
    dispose: () => {},
  }),
  onDidChangeConfiguration: (listener: (event: vscode.ConfigurationChangeEvent) => unknown) =>
    host.settingsChanged.event(listener),
  onDidChangeWorkspaceFolders: (listener: (event: vscode.WorkspaceFoldersChangeEvent) => unknown) =>
    host.foldersChanged.event(listener),
  registerTextDocumentContentProvider(scheme: string, provider: vscode.TextDocumentContentProvider) {
    host.documents.set(scheme, provider);
    return new Disposable(() => host.documents.delete(scheme));
  },
  registerFileSystemProvider(scheme: string, provider: vscode.FileSystemProvider) {
    host.fileSystems.set(scheme, provider);
    return new Disposable(() => host.fileSystems.delete(scheme));
  },
  onDidCloseTextDocument: (listener: (document: vscode.TextDocument) => unknown) => host.documentClosed.event(listener),
  async openTextDocument(uri: Uri) {
    const text = new TextDecoder().decode(fileAt(uri));
    return { getText: (range?: unknown) => (range ? `${text} ${JSON.stringify(range)}` : text) };
  },
  getWorkspaceFolder: (uri: Uri) => host.folders?.find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
  asRelativePath: (uri: Uri) => uri.path.split('/').at(-1),
  fs: {
    async stat(uri: Uri) {
      return { type: host.fileType, size: fileAt(uri).byteLength };
    },
    readFile: async (uri: Uri) => fileAt(uri),
    writeFile: async (uri: Uri, content: Uint8Array) => void host.files.set(uri.toString(), content),
    // A folder exists as soon as it has files.
    createDirectory: async () => {},
    async readDirectory(uri: Uri): Promise<[string, FileType][]> {
      const inside = below(uri).map((file) => file.slice(uri.toString().length + 1));
      return [...new Set(inside.map((rest) => rest.split('/')[0] ?? ''))].map((name) => [
        name,
        inside.includes(name) ? FileType.File : FileType.Directory,
      ]);
    },
    async delete(uri: Uri) {
      const files = [...below(uri), ...[uri.toString()].filter((file) => host.files.has(file))];
      if (files.length === 0) throw FileSystemError.FileNotFound(uri);
      for (const file of files) host.files.delete(file);
    },
  },
};

const below = (uri: Uri): readonly string[] => [...host.files.keys()].filter((file) => file.startsWith(`${uri}/`));

function fileAt(uri: Uri): Uint8Array {
  const file = host.files.get(uri.toString());
  if (!file) throw FileSystemError.FileNotFound(uri);
  return file;
}

type Said = string | vscode.MessageItem | vscode.MessageOptions;

/** Shows a notification, whose buttons the test presses through {@link host}. */
const say =
  (kind: string) =>
  async (message: string, ...rest: readonly Said[]) => {
    host.messages.push(message);
    const buttons = rest.filter((item) => typeof item === 'string' || 'title' in item);
    const titles = buttons.map((button) => (typeof button === 'string' ? button : button.title));
    const [options] = rest.filter((item): item is vscode.MessageOptions => typeof item === 'object' && 'modal' in item);
    tell(kind, { message, ...options }, buttons);
    const pressed = host.press(message, titles, options?.detail ?? '');
    return buttons[titles.indexOf(pressed ?? '')];
  };

export class TabInputTextDiff {}

export enum FileChangeType {
  Changed = 1,
}

export enum StatusBarAlignment {
  Left = 1,
  Right = 2,
}

export const extensions = { getExtension: () => undefined };

export class RelativePattern {}

export const languages = { createDiagnosticCollection: () => ({ set: () => {}, clear: () => {}, dispose: () => {} }) };

export const window = {
  tabGroups: { all: [], close: async () => true },
  showOpenDialog: async () => host.picked && [host.picked],
  showSaveDialog: async (options?: vscode.SaveDialogOptions) => {
    tell('save', { ...options, defaultUri: options?.defaultUri?.path });
    return host.picked;
  },
  showInputBox: async (options: vscode.InputBoxOptions) => {
    tell('input', options);
    return host.type(options);
  },
  showTextDocument: async (uri: Uri) => void host.shown.push(uri.toString()),
  createQuickPick: () => host.makeQuickPick(),
  showQuickPick: async (
    items: readonly vscode.QuickPickItem[],
    options?: vscode.QuickPickOptions,
    token?: vscode.CancellationToken,
  ) => {
    tell('list', options, items);
    return host.choose(items, options?.placeHolder, token);
  },
  createStatusBarItem(id: string) {
    const hide = () => host.statusBar.delete(id);
    const item = { show: () => host.statusBar.set(id, item), hide, dispose: hide } as unknown as vscode.StatusBarItem;
    return item;
  },
  createOutputChannel() {
    const levels = ['info', 'warn', 'error', 'show', 'dispose'];
    return Object.fromEntries(levels.map((level) => [level, (said: unknown) => tell(`log ${level}`, said)]));
  },
  setStatusBarMessage: (message: string) => {
    host.messages.push(message);
    tell('status', message);
  },
  showInformationMessage: say('information'),
  showWarningMessage: say('warning'),
  showErrorMessage: say('error'),
  withProgress<T>(
    options: vscode.ProgressOptions,
    work: (progress: vscode.Progress<unknown>, token: vscode.CancellationToken) => T,
  ) {
    tell('progress', options);
    const { title } = options;
    const giveUp = new CancellationTokenSource();
    if (title) host.progress.push({ title, giveUp: () => giveUp.cancel() });
    const done = work({ report: () => {} }, giveUp.token);
    const end = () => giveUp.dispose();
    void Promise.resolve(done).then(end, end);
    return done;
  },
  registerWebviewPanelSerializer: () => new Disposable(() => {}),
  createWebviewPanel: () => host.makePanel(),
};
