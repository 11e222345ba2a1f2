// The files that define MCP servers: the `mcp.json` files of the user and of workspace folders. If Tool Search runs the
// servers, also the files of other agents.

import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import { sameJson } from '../../core/util/sameJson';
import { readConfigText } from '../../vscode/configFile';
import { type ConfiguredServer, sharedNames } from '../configuredServer';
import { configuredServers, definedServers, type McpFile } from '../mcp/config/definedServers';
import type { DefinedServer } from '../mcp/config/definition';
import type { McpConfig } from '../mcp/config/parseMcpConfig';
import { inHome } from './inHome';

/** A file that is read and watched. It may not exist. */
interface WatchedFile extends Omit<McpFile, 'file' | 'config'> {
  readonly uri: vscode.Uri;
  readonly parse: (text: string) => McpConfig | Promise<McpConfig>;
}

/** Reads and watches the files that define servers, and shows their errors in Problems. */
export class VscodeMcpConfig implements vscode.Disposable {
  /** The files by URI, the preferred ones first. A file that doesn't exist has no `config`. */
  readonly #files = new Map<string, WatchedFile & { config?: McpConfig }>();
  readonly #problems = vscode.languages.createDiagnosticCollection('toolsearch');
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watchers: vscode.Disposable[] = [];
  readonly #disposables: vscode.Disposable[] = [this.#problems, this.#changed];
  readonly #userFile: vscode.Uri;
  readonly #pluginData: string;
  readonly #agents: () => readonly string[] | undefined;
  #servers: readonly ConfiguredServer[] = [];
  #definitions: readonly DefinedServer[] = [];
  #agentsRead: readonly string[] | undefined;
  #loaded: Promise<void> = Promise.resolve();

  readonly onDidChange = this.#changed.event;

  /**
   * @param globalStorage the extension's folder in the user's profile; the profile's `mcp.json` is two folders above
   * @param agents returns the agents whose files are read too; undefined if VS Code runs the servers
   */
  constructor(globalStorage: vscode.Uri, agents: () => readonly string[] | undefined) {
    this.#userFile = vscode.Uri.joinPath(globalStorage, '..', '..', 'mcp.json');
    this.#pluginData = vscode.Uri.joinPath(globalStorage, 'plugins').fsPath;
    this.#agents = agents;
    this.#disposables.push(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.load()));
  }

  /** The servers of `mcp.json` files; the same array until something changes. */
  get servers(): readonly ConfiguredServer[] {
    return this.#servers;
  }

  /** The definitions with which our own client runs the servers; the same array until something changes. */
  get definitions(): readonly DefinedServer[] {
    return this.#definitions;
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#files.values()].flatMap(({ label, config }) =>
      (config?.problems ?? []).map(({ severity, line, message }) => ({
        severity,
        source: label,
        message: line > 0 ? vscode.l10n.t('Line {0}: {1}', line, message) : message,
      })),
    );
  }

  /**
   * Problems with servers of the same name in several folders. If VS Code runs the servers, it lists the tools of only
   * one of them.
   */
  get nameProblems(): readonly Diagnostic[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
      folder: folder.name,
      servers: [...(this.#files.get(mcpJson(folder).toString())?.config?.definitions.keys() ?? [])],
    }));
    return sharedNames(folders).map(({ server, folders }) => ({
      severity: 'warning',
      source: 'mcp.json',
      message: vscode.l10n.t(
        'The folders {0} each have a server “{1}”, so VS Code may list the tools of one of them only. Give each server its own name.',
        folders.join(', '),
        server,
      ),
    }));
  }

  /** Reads all files again and starts to watch them, after an earlier reading so that the newest folders stay. */
  load(): Promise<void> {
    const read = () => this.#readAll();
    this.#loaded = this.#loaded.then(read, read);
    return this.#loaded;
  }

  async #readAll(): Promise<void> {
    this.#agentsRead = this.#agents();
    const places = [...this.#ownPlaces(), ...(await this.#agentPlaces())];
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
    this.#files.clear();
    this.#problems.clear();
    for (const place of places) {
      this.#files.set(place.uri.toString(), place);
      this.#watch(place.uri);
    }
    await Promise.all(places.map(({ uri }) => this.#read(uri)));
    this.#publish();
  }

  /** Reads all files again if the set of other agents' files has changed. */
  async follow(): Promise<void> {
    if (!sameJson(this.#agents(), this.#agentsRead)) await this.load();
  }

  /** Reads files again. All are read for a question, since VS Code may tell a change late or never. */
  async reread(uris = [...this.#files.values()].map(({ uri }) => uri)): Promise<void> {
    const configs = () => uris.map((uri) => plain(this.#files.get(uri.toString())?.config));
    const before = configs();
    await Promise.all(uris.map((uri) => this.#read(uri)));
    // Some agents store other data in the same file and write it often.
    if (!sameJson(before, configs())) this.#publish();
  }

  /** Returns the ids that VS Code may use for a server; some may not exist. None if no known file defines it. */
  idsOf(name: string): readonly string[] {
    const source = this.#servers.find((each) => each.name === name)?.source;
    // The user's file may be on this machine or, in a remote window, on the remote one.
    if (source === this.#userFile.toString()) return [`mcp.config.usrlocal.${name}`, `mcp.config.usrremote.${name}`];
    const folder = vscode.workspace.workspaceFolders?.find((each) => mcpJson(each).toString() === source);
    return folder ? [`mcp.config.ws${folder.index}.${name}`] : [];
  }

  /** Opens the file that defines a server, at its entry. If no file does, opens VS Code's list of servers. */
  async show(name: string): Promise<void> {
    const file = this.#definitions.find((each) => each.name === name)?.file;
    const source = file ?? this.#servers.find((each) => each.name === name)?.source;
    if (source === undefined) return vscode.commands.executeCommand('workbench.mcp.listServer');
    const { placeOfServer } = await import('../mcp/config/parseMcpConfig');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(source));
    const at = document.positionAt(placeOfServer(document.getText(), name));
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  }

  dispose(): void {
    for (const disposable of [...this.#watchers, ...this.#disposables]) disposable.dispose();
  }

  /** Returns VS Code's own files. */
  #ownPlaces(): readonly WatchedFile[] {
    // Bundled as a separate file: see esbuild.mjs.
    const parse = async (text: string) => (await import('../mcp/config/parseMcpConfig')).parseMcpConfig(text);
    return [
      ...(vscode.workspace.workspaceFolders ?? []).map((folder) => {
        const uri = mcpJson(folder);
        return { uri, label: vscode.workspace.asRelativePath(uri), folder: nameAndPath(folder), parse };
      }),
      { uri: this.#userFile, label: inHome(this.#userFile.fsPath), parse },
    ];
  }

  /** Returns the files of other agents, if they are used. */
  async #agentPlaces(): Promise<readonly WatchedFile[]> {
    if (!this.#agentsRead) return [];
    // Bundled as a separate file: see esbuild.mjs.
    const { agentPlaces, pluginPlaces, readAgentFile } = await import('../mcp/agentFiles/readAgentFiles');
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const paths = folders.map(({ uri }) => uri.fsPath);
    const machine = { home: homedir(), platform: process.platform, env: process.env };
    const plugins = await pluginPlaces(machine, this.#pluginData);
    const places = [...agentPlaces(this.#agentsRead, paths, machine), ...plugins];
    return places.map((place) => {
      const folder = folders.find(({ uri }) => uri.fsPath === place.folder);
      const uri = folder ? vscode.Uri.joinPath(folder.uri, place.path) : vscode.Uri.file(place.path);
      return {
        uri,
        label: folder ? vscode.workspace.asRelativePath(uri) : inHome(place.path),
        ...(folder ? { folder: nameAndPath(folder) } : {}),
        ofAgent: true,
        parse: (text) => readAgentFile(place, text, paths),
      };
    });
  }

  #watch(uri: vscode.Uri): void {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const pattern = folder
      ? new vscode.RelativePattern(folder, path.posix.relative(folder.uri.path, uri.path))
      : new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), path.posix.basename(uri.path));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const reread = () => this.reread([uri]);
    this.#watchers.push(watcher, watcher.onDidChange(reread), watcher.onDidCreate(reread), watcher.onDidDelete(reread));
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const file = this.#files.get(uri.toString());
    if (!file) return;
    const { text, problem } = await readConfigText(uri);
    // Most of these files don't exist.
    file.config = problem ? unread(problem) : text === undefined ? undefined : await file.parse(text);
    const problems = file.config?.problems.map((each) => toDiagnostic(each, text ?? ''));
    this.#problems.set(uri, problems);
  }

  #publish(): void {
    const files = [...this.#files].flatMap(([file, { config, ...place }]) =>
      config ? [{ ...place, file, config }] : [],
    );
    this.#servers = configuredServers(files);
    this.#definitions = definedServers(files, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
    this.#changed.fire();
  }
}

function plain(config: McpConfig | undefined) {
  return config && { ...config, definitions: [...config.definitions] };
}

/** Returns the result for a file that can't be read: no servers and one problem. */
function unread(message: string): McpConfig {
  const problem = { severity: 'error', message, offset: 0, length: 1, line: 0 } as const;
  return { definitions: new Map(), inputs: [], problems: [problem] };
}

function nameAndPath({ name, uri }: vscode.WorkspaceFolder) {
  return { name, path: uri.fsPath };
}

function mcpJson(folder: vscode.WorkspaceFolder): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json');
}

function toDiagnostic(problem: McpConfig['problems'][number], text: string): vscode.Diagnostic {
  const range = new vscode.Range(position(text, problem.offset), position(text, problem.offset + problem.length));
  const severity = vscode.DiagnosticSeverity[problem.severity === 'error' ? 'Error' : 'Warning'];
  const diagnostic = new vscode.Diagnostic(range, problem.message, severity);
  diagnostic.source = 'Tool Search';
  return diagnostic;
}

function position(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset);
  const line = before.lastIndexOf('\n') + 1;
  return new vscode.Position(before.split('\n').length - 1, before.length - line);
}
