// “Use Tool Search in…”: writes our endpoint into another agent's file, and removes it. Each change is first shown as a
// diff. Bundled separately and loaded by its command.

import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseJson } from '../../core/util/objects';
import { plainPrompt } from '../../core/util/plainText';
import { changeBetween, type TextChange, undone, withEntry, withoutServers } from '../mcp/agentEdits';
import { AGENT_FILES, type AgentFile } from '../mcp/agentFiles';
import { readAgentFile } from '../mcp/agentServers';
import { runsTheSame } from '../mcp/definedServers';
import type { DefinedServer } from '../mcp/definition';
import { inHome } from './inHome';

const SCHEME = 'toolsearch-agent-file';
/**
 * The key in secret storage of the data that undoes our changes. Removed entries may contain secrets, and ours contains
 * the token.
 */
const KEY = 'agentFiles.changes';

export interface UseInAgentsDeps {
  readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store'>;
  /** Returns the endpoint's address, and offers to turn the endpoint on; undefined if the user declines. */
  readonly endpoint: () => Promise<{ readonly url: string; readonly authorization: string } | undefined>;
  /** Returns the servers of this window. */
  readonly servers: () => readonly DefinedServer[];
}

/** The data that undoes all of our changes to one agent's file. */
interface Kept {
  readonly file: string;
  /** Whether the file was created by us. */
  readonly created: boolean;
  readonly changes: readonly TextChange[];
}

const keptSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    created: z.boolean(),
    changes: z.array(z.object({ at: z.number(), removed: z.string(), added: z.string(), after: z.string() })),
  }),
);

/** An agent on this machine. */
interface Found {
  readonly row: AgentFile & Required<Pick<AgentFile, 'entry'>>;
  readonly file: string;
}

/** Lists the agents on this machine. The user adds Tool Search to one of them, or removes it. */
export async function useInAgents(deps: UseInAgentsDeps): Promise<void> {
  const agents = findAgents();
  if (agents.length === 0) {
    const titles = AGENT_FILES.filter(({ entry }) => entry).map(({ title }) => title);
    const text = vscode.l10n.t('No agent was found on this machine. Tool Search looks for {0}.', titles.join(', '));
    void vscode.window.showInformationMessage(text);
    return;
  }
  const kept = await readKept(deps);
  const items = agents.map((agent) => ({
    agent,
    label: agent.row.title,
    description: inHome(agent.file),
    detail: kept[agent.row.agent] ? vscode.l10n.t('Uses Tool Search. Choose it to undo that.') : '',
  }));
  const title = vscode.l10n.t('Use Tool Search in…');
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (!picked) return;
  if (kept[picked.agent.row.agent]) await undo(deps, picked.agent);
  else await use(deps, picked.agent);
}

async function use(deps: UseInAgentsDeps, agent: Found): Promise<void> {
  const { row, file } = agent;
  const repository = await repositoryOf(file);
  if (repository !== undefined)
    throw new Error(
      vscode.l10n.t(
        '{0} is in the Git repository {1}, and the entry holds a token. Use “Copy MCP Server Entry”, and keep the token out of the repository.',
        inHome(file),
        repository,
      ),
    );
  const address = await deps.endpoint();
  if (!address) return;
  const before = await readText(file);
  const after = withEntry(row, before ?? '', row.entry(address.url, address.authorization));
  const token = vscode.l10n.t(
    'The entry holds a token: a program that reads this file can search and call the tools of this window while it is open.',
  );
  if (after !== before && !(await change(deps, agent, { before, after }, token))) return;
  await offerToSwitchOff(deps, agent);
  const text = vscode.l10n.t(
    '{0} can use Tool Search while this window is open. Start {0} again, so that it reads its file.',
    row.title,
  );
  const undoIt = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(text, undoIt)) === undoIt) await undo(deps, agent);
}

/** Lists the agent's servers that this window also has, and switches off those that the user selects. */
async function offerToSwitchOff(deps: UseInAgentsDeps, agent: Found): Promise<void> {
  const { row, file } = agent;
  const text = (await readText(file)) ?? '';
  const own = vscode.Uri.file(file).toString();
  const others = deps.servers().filter((server) => server.file !== own);
  const twice = [...readAgentFile({ row }, text, []).definitions].filter(([name, value]) =>
    others.some((server) => server.name === name || runsTheSame(server, { value })),
  );
  if (twice.length === 0) return;
  const items = twice.map(([name]) => ({ label: plainPrompt(name), name }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('{0} has servers that Tool Search finds too', row.title),
    placeHolder: vscode.l10n.t('Tick those to switch off in {0}', inHome(file)),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!picked || picked.length === 0) return;
  const names = picked.map(({ name }) => name);
  const note = vscode.l10n.t('{0} reaches these servers through Tool Search alone then.', row.title);
  await change(deps, agent, { before: text, after: withoutServers(row, text, names) }, note);
}

async function undo(deps: UseInAgentsDeps, { row, file }: Found): Promise<void> {
  const { [row.agent]: kept, ...others } = await readKept(deps);
  if (!kept) return;
  const before = await readText(kept.file);
  const after = before === undefined ? undefined : undone(before, kept.changes);
  if (before !== undefined && after === undefined) {
    await vscode.window.showTextDocument(vscode.Uri.file(kept.file));
    throw new Error(
      vscode.l10n.t(
        '{0} was changed since, and our entry isn’t found in it. Take “tool-search” out yourself.',
        inHome(file),
      ),
    );
  }
  if (before !== undefined && after !== undefined && before !== after) {
    const note = vscode.l10n.t('This takes out what Tool Search wrote.');
    if (!(await isConfirmed(row.title, kept.file, { before, after }, note))) return;
    if (kept.created && after === '') await rm(kept.file);
    else await write(kept.file, before, after);
  }
  await deps.secrets.store(KEY, JSON.stringify(others));
}

/** A file's text before and after a change; `before` is undefined if there is no file yet. */
interface Texts {
  readonly before: string | undefined;
  readonly after: string;
}

/** Shows a change and makes it if the user agrees. Stores the data that undoes it. Returns whether the user agreed. */
async function change(
  deps: UseInAgentsDeps,
  { row, file }: Found,
  { before, after }: Texts,
  note: string,
): Promise<boolean> {
  if (!(await isConfirmed(row.title, file, { before, after }, note))) return false;
  const all = await readKept(deps);
  const known = all[row.agent] ?? { file, created: before === undefined, changes: [] };
  const changes = [...known.changes, changeBetween(before ?? '', after)];
  // Stored before the change is made. A change that can't be undone would be worse than unused data.
  await deps.secrets.store(KEY, JSON.stringify({ ...all, [row.agent]: { ...known, changes } }));
  try {
    await write(file, before, after);
  } catch (error) {
    await deps.secrets.store(KEY, JSON.stringify(all));
    throw error;
  }
  return true;
}

/** Shows both texts in VS Code's diff editor and asks for consent. */
async function isConfirmed(agent: string, file: string, texts: Texts, note: string): Promise<boolean> {
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
 * Writes the whole file or nothing, and only if the file still has the text that the user saw. Follows symbolic links
 * and keeps permissions.
 */
async function write(file: string, before: string | undefined, after: string): Promise<void> {
  if ((await readText(file)) !== before)
    throw new Error(vscode.l10n.t('{0} changed meanwhile, so nothing was written. Try again.', inHome(file)));
  await mkdir(path.dirname(file), { recursive: true });
  const real = before === undefined ? file : await realpath(file);
  const mode = before === undefined ? 0o600 : (await stat(real)).mode;
  const next = `${real}.${process.pid}.tmp`;
  try {
    await writeFile(next, after, { mode, flag: 'wx' });
    await rename(next, real);
  } catch (error) {
    await rm(next, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Returns the file's text; undefined if there is no file. Throws if the bytes aren't valid text, since they would be
 * lost.
 */
async function readText(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  if (!(await stat(file)).isFile()) throw new Error(vscode.l10n.t('{0} is no regular file.', inHome(file)));
  const bytes = await readFile(file);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Error(vscode.l10n.t('{0} isn’t UTF-8 text.', inHome(file)));
  return text;
}

function findAgents(): readonly Found[] {
  const machine = { home: homedir(), platform: process.platform, env: process.env };
  return AGENT_FILES.flatMap((row) => {
    const { entry } = row;
    if (!entry) return [];
    const file = row.place(machine);
    const folder = path.dirname(file);
    const isHere =
      existsSync(file) ||
      (folder !== machine.home && existsSync(folder)) ||
      (row.agent === 'copilot' && vscode.extensions.getExtension('GitHub.copilot-chat') !== undefined);
    return isHere ? [{ row: { ...row, entry }, file }] : [];
  });
}

/** Returns the Git repository of a file; undefined if there is none. */
async function repositoryOf(file: string): Promise<string | undefined> {
  let folder = path.dirname(existsSync(file) ? await realpath(file) : file);
  for (;;) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

async function readKept({ secrets }: UseInAgentsDeps): Promise<{ readonly [agent: string]: Kept }> {
  const parsed = keptSchema.safeParse(parseJson((await secrets.get(KEY)) ?? ''));
  return parsed.success ? parsed.data : {};
}
