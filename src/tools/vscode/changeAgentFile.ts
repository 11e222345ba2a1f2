// Changes another agent's file: shows the change as a diff, asks the user, and writes the whole file.

import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { replaceFile } from '../../vscode/replaceFile';
import type { AgentFile } from '../mcp/agentFiles/agentFileTable';
import { inHome } from './inHome';

const SCHEME = 'toolsearch-agent-file';
/** An agent on this machine, and its file. */
export interface FoundAgent {
  readonly row: AgentFile & Required<Pick<AgentFile, 'entry'>>;
  readonly file: string;
}

/** A file's text before and after a change; `before` is undefined if there is no file yet. */
interface Texts {
  readonly before: string | undefined;
  readonly after: string;
}

/** Shows a change and makes it if the user agrees. Returns whether the user agreed. */
export async function changeAgentFile({ row, file }: FoundAgent, texts: Texts, note: string): Promise<boolean> {
  const isAgreed = await isConfirmed(row.title, file, texts, note);
  if (isAgreed) await write(file, texts);
  return isAgreed;
}

/**
 * Shows both texts in VS Code's diff editor and asks for consent.
 * @throws {Error} if the file is read-only: it would be replaced, which its own permissions don't forbid
 */
async function isConfirmed(agent: string, file: string, texts: Texts, note: string): Promise<boolean> {
  if (texts.before !== undefined && ((await stat(file)).mode & 0o200) === 0)
    throw new Error(vscode.l10n.t('{0} is read-only, so it isn’t changed.', inHome(file)));
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => (query === 'before' ? texts.before : texts.after) ?? '',
  });
  // The path is new each time, since VS Code caches the text of a path for a while.
  const at = `/${Date.now()}/${path.basename(file)}`;
  const [left, right] = ['before', 'after'].map((query) => vscode.Uri.from({ scheme: SCHEME, path: at, query }));
  try {
    await vscode.commands.executeCommand('vscode.diff', left, right, `${agent}: ${inHome(file)}`);
    const yes = { label: vscode.l10n.t('Write the Change'), description: inHome(file) };
    const items = [yes, { label: vscode.l10n.t('Leave the File as It Is') }];
    const answer = await vscode.window.showQuickPick(items, { title: agent, placeHolder: note, ignoreFocusOut: true });
    return answer === yes;
  } finally {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.path === at),
    );
    provider.dispose();
  }
}

/**
 * Writes the whole file or nothing, and only if the file still has the text that the user saw. Follows symbolic links.
 * Afterwards only the user can read the file, since the entry holds a token.
 */
async function write(file: string, { before, after }: Texts): Promise<void> {
  if ((await readText(file)) !== before)
    throw new Error(vscode.l10n.t('{0} changed meanwhile, so nothing was written. Try again.', inHome(file)));
  await mkdir(path.dirname(file), { recursive: true });
  const real = before === undefined ? file : await realpath(file);
  await replaceFile(real, after, { mode: 0o600, flag: 'wx' });
}

/**
 * Returns the file's text; undefined if there is no file. Throws if the bytes aren't valid text, since they would be
 * lost.
 */
export async function readText(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  if (!(await stat(file)).isFile()) throw new Error(vscode.l10n.t('{0} isn’t a regular file.', inHome(file)));
  const bytes = await readFile(file);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Error(vscode.l10n.t('{0} isn’t UTF-8 text.', inHome(file)));
  return text;
}
