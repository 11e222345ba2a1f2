import type * as vscode from 'vscode';
import { EventEmitter, FileType, SecretStorage } from './basics';

type Values = { [key: string]: unknown };

/** The contents of the simulated VS Code. A test sets what the code finds there, and reads what the code did. */
class Host {
  isTrusted = true;
  /** The type of all files. 0 is a device or a pipe. */
  fileType = FileType.File;
  folders: readonly { readonly name: string; readonly uri: vscode.Uri; readonly index: number }[] | undefined;
  /** Settings by their whole key, as the user and the workspace have set them. */
  readonly settings: { readonly user: Values; readonly workspace: Values } = { user: {}, workspace: {} };
  readonly settingsChanged = new EventEmitter<vscode.ConfigurationChangeEvent>();
  readonly foldersChanged = new EventEmitter<vscode.WorkspaceFoldersChangeEvent>();
  readonly trusted = new EventEmitter<void>();
  readonly filesChanged = new EventEmitter<void>();
  /** The offered language models. */
  models: readonly vscode.LanguageModelChat[] = [];
  readonly modelsChanged = new EventEmitter<void>();
  /** The providers of language models, by vendor. */
  readonly modelProviders = new Map<string, vscode.LanguageModelChatProvider>();
  /** Files by their address. */
  readonly files = new Map<string, Uint8Array>();
  /** The registered tools for language models, by name. */
  readonly tools = new Map<string, vscode.LanguageModelTool<unknown>>();
  /** Names of further tools in `vscode.lm.tools`. */
  listed: readonly string[] = [];
  /** The description of each tool in `vscode.lm.tools`. */
  description = '';
  /** Answers `vscode.lm.invokeTool`. By default, runs the registered tool as if the user had allowed it. */
  invokeTool: typeof vscode.lm.invokeTool = async (name, options, token) => {
    const tool = this.tools.get(name);
    const result = await tool?.invoke(
      options as vscode.LanguageModelToolInvocationOptions<unknown>,
      token as vscode.CancellationToken,
    );
    if (!result) throw new Error(`There is no tool ${name}.`);
    return result;
  };
  /** The registered chat participants, by id. */
  readonly participants = new Map<string, vscode.ChatParticipant>();
  /** The providers of documents' texts, by scheme. */
  readonly documents = new Map<string, vscode.TextDocumentContentProvider>();
  /** The registered file systems, by scheme. */
  readonly fileSystems = new Map<string, vscode.FileSystemProvider>();
  readonly documentClosed = new EventEmitter<vscode.TextDocument>();
  /** The providers of MCP servers, by id. */
  readonly mcpProviders = new Map<string, vscode.McpServerDefinitionProvider>();
  /** The progress notifications that were shown, with their cancel button. */
  readonly progress: { readonly title: string; readonly giveUp: () => void }[] = [];
  readonly secrets = new SecretStorage();
  readonly commands: (readonly [command: string, ...rest: unknown[]])[] = [];
  /** What the registered commands run, by name. */
  readonly registered = new Map<string, (...given: unknown[]) => unknown>();
  readonly clipboard: string[] = [];
  /** The items of the status bar, by id. */
  readonly statusBar = new Map<string, vscode.StatusBarItem>();
  readonly messages: string[] = [];
  /** What the user is shown: a line for each dialog, message and item, from when a test sets it. */
  told: string[] | undefined;
  /** Presses a button of a notification; by default none is pressed. */
  press: (message: string, buttons: readonly string[], detail: string) => string | undefined = () => undefined;
  /** The answer to the next dialog that opens or saves a file. */
  picked: vscode.Uri | undefined;
  /** Chooses from a list. */
  choose: (
    items: readonly vscode.QuickPickItem[],
    title?: string,
    token?: vscode.CancellationToken,
  ) => vscode.QuickPickItem | undefined | Promise<vscode.QuickPickItem | undefined> = ([first]) => first;
  makeQuickPick: () => vscode.QuickPick<vscode.QuickPickItem> = () => {
    throw new Error('No quick pick was expected.');
  };
  /** Types into an input box. */
  type: (options: vscode.InputBoxOptions) => string | undefined = () => undefined;
  /** Documents that were opened, by their address. */
  readonly shown: string[] = [];
  makePanel: () => vscode.WebviewPanel = () => {
    throw new Error('No panel was expected.');
  };
}

export let host = new Host();

/** The fields of an item or a button that VS Code shows. */
const ITEM = ['label', 'description', 'detail', 'picked', 'title', 'isCloseAffordance'];

/** Notes what the user is shown. */
export function tell(kind: string, head: unknown, items: readonly unknown[] = []): void {
  const lines = items.map((item) => `  ${JSON.stringify(item, typeof item === 'string' ? null : ITEM)}`);
  host.told?.push(` ${kind} ${JSON.stringify(head)}`, ...lines);
}

/** Resets the simulated VS Code, for `beforeEach`. */
export function resetHost(): void {
  host = new Host();
}
