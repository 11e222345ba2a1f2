// The `mcp.json` files of the user and of the workspace's folders: their servers, and the problems in them.

import * as vscode from 'vscode';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import { type ConfiguredServer, sharedNames } from '../configuredServer';
import { definedServers, type McpFile } from '../mcp/definedServers';
import type { DefinedServer } from '../mcp/definition';
import { type McpConfig, parseMcpConfig, placeOfServer } from '../mcp/mcpServers';

/** Reads and watches the `mcp.json` files, and shows their errors in Problems. */
export class VscodeMcpConfig implements vscode.Disposable {
  readonly #files = new Map<string, McpConfig>();
  readonly #problems = vscode.languages.createDiagnosticCollection('toolsearch');
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watchers: vscode.Disposable[] = [];
  readonly #disposables: vscode.Disposable[] = [this.#problems, this.#changed];
  readonly #userFile: vscode.Uri;
  #servers: readonly ConfiguredServer[] = [];
  #definitions: readonly DefinedServer[] = [];

  readonly onDidChange = this.#changed.event;

  /**
   * @param globalStorage the extension's own folder in the user's profile; the profile's `mcp.json` is two folders
   * above
   */
  constructor(globalStorage: vscode.Uri) {
    this.#userFile = vscode.Uri.joinPath(globalStorage, '..', '..', 'mcp.json');
    this.#disposables.push(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.load()));
  }

  /**
   * The configured servers; the same array until something changes. A workspace's server comes before the user's of the
   * same name.
   */
  get servers(): readonly ConfiguredServer[] {
    return this.#servers;
  }

  /** The definitions by which the servers are run; the same array until something changes. */
  get definitions(): readonly DefinedServer[] {
    return this.#definitions;
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#files].flatMap(([file, config]) =>
      config.problems.map((problem) => ({
        severity: problem.severity,
        source: vscode.workspace.asRelativePath(vscode.Uri.parse(file)),
        message: vscode.l10n.t('Line {0}: {1}', problem.line, problem.message),
      })),
    );
  }

  /**
   * Problems with servers of several folders that share a name. If VS Code runs the servers, it lists the tools of only
   * one of them.
   */
  get nameProblems(): readonly Diagnostic[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
      folder: folder.name,
      servers: this.#files.get(mcpJson(folder).toString())?.servers.map(({ name }) => name) ?? [],
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

  /** Reads all files again, and watches them from then on. */
  async load(): Promise<void> {
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
    this.#files.clear();
    this.#problems.clear();
    const folders = vscode.workspace.workspaceFolders ?? [];
    const uris = folders.map(mcpJson);
    for (const folder of folders) this.#watch(new vscode.RelativePattern(folder, '.vscode/mcp.json'));
    this.#watch(new vscode.RelativePattern(vscode.Uri.joinPath(this.#userFile, '..'), 'mcp.json'));
    await Promise.all([...uris, this.#userFile].map((uri) => this.#read(uri)));
    this.#publish();
  }

  /**
   * Returns the ids that VS Code may use for a server. Some of them may belong to no server. Empty if no file that we
   * read names the server.
   */
  idsOf(name: string): readonly string[] {
    const source = this.#servers.find((each) => each.name === name)?.source;
    // The user's file is on this machine or, in a remote window, on the other.
    if (source === this.#userFile.toString()) return [`mcp.config.usrlocal.${name}`, `mcp.config.usrremote.${name}`];
    const folder = vscode.workspace.workspaceFolders?.find((each) => mcpJson(each).toString() === source);
    return folder ? [`mcp.config.ws${folder.index}.${name}`] : [];
  }

  /** Opens the file that names a server, at its entry; VS Code's own list of servers if no file names it. */
  async show(name: string): Promise<void> {
    const server = this.#servers.find((each) => each.name === name);
    if (!server) {
      await vscode.commands.executeCommand('workbench.mcp.listServer');
      return;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(server.source));
    const at = document.positionAt(placeOfServer(document.getText(), name));
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  }

  dispose(): void {
    for (const disposable of [...this.#watchers, ...this.#disposables]) disposable.dispose();
  }

  #watch(pattern: vscode.RelativePattern): void {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const reread = async (uri: vscode.Uri) => {
      await this.#read(uri);
      this.#publish();
    };
    this.#watchers.push(watcher, watcher.onDidChange(reread), watcher.onDidCreate(reread), watcher.onDidDelete(reread));
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const file = uri.toString();
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const config = parseMcpConfig(text, file);
      this.#files.set(file, config);
      this.#problems.set(
        uri,
        config.problems.map((problem) => toDiagnostic(problem, text)),
      );
    } catch {
      // The file doesn't exist, which is the usual case.
      this.#files.delete(file);
      this.#problems.delete(uri);
    }
  }

  #file(uri: vscode.Uri, folder?: McpFile['folder']): readonly McpFile[] {
    const file = uri.toString();
    const config = this.#files.get(file);
    return config ? [{ file, config, folder }] : [];
  }

  #publish(): void {
    const byName = new Map<string, ConfiguredServer>();
    const user = this.#userFile.toString();
    const files = [...this.#files].sort(([a], [b]) => Number(a !== user) - Number(b !== user));
    for (const [, config] of files) for (const server of config.servers) byName.set(server.name, server);
    this.#servers = [...byName.values()];
    const folders = vscode.workspace.workspaceFolders ?? [];
    const ofFolders = folders.flatMap((folder) =>
      this.#file(mcpJson(folder), { name: folder.name, path: folder.uri.fsPath }),
    );
    this.#definitions = definedServers([...ofFolders, ...this.#file(this.#userFile)], folders[0]?.uri.fsPath);
    this.#changed.fire();
  }
}

function mcpJson(folder: vscode.WorkspaceFolder): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json');
}

function toDiagnostic(problem: McpConfig['problems'][number], text: string): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(position(text, problem.offset), position(text, problem.offset + problem.length)),
    problem.message,
    problem.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = 'Tool Search';
  return diagnostic;
}

function position(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset);
  const line = before.lastIndexOf('\n') + 1;
  return new vscode.Position(before.split('\n').length - 1, before.length - line);
}
