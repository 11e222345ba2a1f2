// Brings a server's resource or prompt into the chat: a prompt fills the input, a resource is attached as a file.

import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import { resultText } from '../../core/conversation/resultText';
import type { ToolRun } from '../../core/ports';
import { cut } from '../../core/util/cut';
import { plainMessage, plainName } from '../../core/util/plainText';
import { setLatest } from '../../core/util/setLatest';
import { withSignal, withToken } from '../../vscode/cancellation';
import { readForm } from '../mcp/connection/elicitationForm';

/** The URI scheme of attached files. They exist until the window is closed. */
const SCHEME = 'toolsearch-resource';
/** The maximum number of attached files. The oldest are removed. */
const MAX_FILES = 50;
/** The maximum number of characters of a prompt in the chat's input, and of an error message. */
const MAX_PROMPT = 50_000;
const MAX_FAILURE = 500;

interface UseDeps {
  readonly read: (item: Tool, input: { readonly [name: string]: unknown }, signal: AbortSignal) => Promise<ToolRun>;
  /** Keeps a registration until the extension ends. */
  readonly keep: (disposable: vscode.Disposable) => void;
}

/** Asks for the arguments, reads the resource or prompt, and opens the chat with it. The user sends it. */
export async function useItem(item: Tool, { read, keep }: UseDeps): Promise<void> {
  const input = await askInput(item);
  if (!input) return;
  const title = vscode.l10n.t('Reading {0} of {1}', plainName(item.title ?? item.name), plainName(item.server));
  const run = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => withSignal(token, (signal) => read(item, input, signal)),
  );
  if (run.outcome === 'cancelled') return;
  const words = plainMessage(cut(resultText(run), MAX_FAILURE));
  if (run.outcome !== 'ok') return void vscode.window.showWarningMessage(words);
  if (item.item?.kind === 'prompt') return openChat({ query: `@toolsearch ${cut(resultText(run), MAX_PROMPT)}` });
  const data = dataOf(run);
  if (data) return openChat({ query: '@toolsearch ', attachFiles: [files(keep).add(item, data)] });
  const problem = vscode.l10n.t('{0} has no content that can be attached: {1}', plainName(item.name), words);
  void vscode.window.showWarningMessage(problem);
}

async function askInput(item: Tool): Promise<{ readonly [name: string]: unknown } | undefined> {
  const form = readForm({ requestedSchema: item.inputSchema });
  if (!form || form.fields.length === 0) return {};
  // Bundled as a separate file: see esbuild.mjs.
  const { askFields } = await import('./askForm');
  const title = `${plainName(item.server)}: ${plainName(item.title ?? item.name)}`;
  const answer = await withToken(new AbortController().signal, (token) => askFields(title, form, token));
  return answer.action === 'accept' ? answer.content : undefined;
}

async function openChat(options: { readonly query: string; readonly attachFiles?: readonly vscode.Uri[] }) {
  await vscode.commands.executeCommand('workbench.action.chat.open', { ...options, isPartialQuery: true });
}

/** Returns a resource's text, or its only image or document. */
function dataOf({ parts }: ToolRun): Uint8Array | undefined {
  const [first] = parts;
  if (first?.type === 'image' || first?.type === 'document') return Buffer.from(first.data, 'base64');
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length > 0 ? Buffer.from(texts.join('\n')) : undefined;
}

let registered: ResourceFiles | undefined;

function files(keep: UseDeps['keep']): ResourceFiles {
  if (!registered) {
    registered = new ResourceFiles();
    keep(vscode.workspace.registerFileSystemProvider(SCHEME, registered, { isReadonly: true }));
  }
  return registered;
}

/** A read-only file system in memory, since the chat can attach only files. */
class ResourceFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  /** Adds a file with the server's and the resource's name. */
  add({ server, item, name, title }: Tool, data: Uint8Array): vscode.Uri {
    const last = (item?.address ?? name).split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? title ?? name;
    const path = [server, last].map((part) => part.replace(/[^\w.-]/g, '_') || '_').join('/');
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${path}` });
    setLatest(this.#files, uri.path, data, MAX_FILES);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return uri;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.readFile(uri).byteLength };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const data = this.#files.get(uri.path);
    if (!data) throw vscode.FileSystemError.FileNotFound(uri);
    return data;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory = refuse;
  writeFile = refuse;
  delete = refuse;
  rename = refuse;
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}
