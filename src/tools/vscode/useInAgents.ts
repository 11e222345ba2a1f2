// “Use Tool Search in…”: writes our endpoint into another agent's file, and removes it. Each change is first shown as a
// diff. Bundled separately and loaded by its command.

import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { plainPrompt } from '../../core/util/plainText';
import { entryOf, withEntry, withoutEntry } from '../mcp/agentFiles/agentEdits';
import { AGENT_FILES } from '../mcp/agentFiles/agentFileTable';
import { readAgentFile } from '../mcp/agentFiles/readAgentFiles';
import { runsTheSame } from '../mcp/config/definedServers';
import type { DefinedServer } from '../mcp/config/definition';
import { changeAgentFile, type FoundAgent, readText } from './changeAgentFile';
import { inHome } from './inHome';

/** The time in which a window answers at its address. */
const PROBE_MS = 1_000;

interface EndpointAddress {
  readonly url: string;
  readonly authorization: string;
}

export interface UseInAgentsDeps {
  /** Returns the endpoint's address; undefined if the endpoint is off. */
  readonly address: () => EndpointAddress | undefined;
  /** Returns the endpoint's address, and offers to turn the endpoint on; undefined if the user declines. */
  readonly endpoint: () => Promise<EndpointAddress | undefined>;
  readonly servers: () => readonly DefinedServer[];
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
  const rows = await Promise.all(agents.map((agent) => rowsOf(deps, agent)));
  const title = vscode.l10n.t('Use Tool Search in…');
  const picked = await vscode.window.showQuickPick(rows.flat(), { title, ignoreFocusOut: true });
  await picked?.run();
}

interface AgentRow extends vscode.QuickPickItem {
  readonly run: () => Promise<void>;
}

/** Returns an agent's rows: one uses this window or removes our entry, one removes an entry for another window. */
async function rowsOf(deps: UseInAgentsDeps, agent: FoundAgent): Promise<readonly AgentRow[]> {
  const { isHere, detail } = await useOf(agent, deps.address());
  const undo = () => removeEntry(agent);
  const description = inHome(agent.file);
  const first = { label: agent.row.title, description, detail, run: isHere ? undo : () => use(deps, agent) };
  if (isHere || !detail) return [first];
  return [first, { label: vscode.l10n.t('Remove Tool Search from {0}', agent.row.title), description, run: undo }];
}

async function removeEntry(agent: FoundAgent): Promise<void> {
  const before = (await readText(agent.file)) ?? '';
  const note = vscode.l10n.t('This removes what Tool Search wrote to the file.');
  await changeAgentFile(agent, { before, after: withoutEntry(agent.row, before) }, note);
}

/** Returns whether an agent uses this window, and what to say of that. Without our entry, nothing is said. */
async function useOf(
  { row, file }: FoundAgent,
  here: EndpointAddress | undefined,
): Promise<{ readonly isHere: boolean; readonly detail?: string }> {
  const found = entryOf(row, (await readText(file).catch(() => undefined)) ?? '');
  if (!found) return { isHere: false };
  const { url, entry } = found;
  if (url === here?.url && JSON.stringify(entry).includes(here.authorization))
    return { isHere: true, detail: vscode.l10n.t('Uses this window. Choose this agent to undo the change.') };
  const probe = () => fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) }).catch(() => undefined);
  // An endpoint refuses a request without its token.
  const isOther = url !== here?.url && (await probe())?.status === 401;
  const detail = isOther
    ? vscode.l10n.t('Uses another window. Choose this agent to use this window.')
    : vscode.l10n.t('Uses an old address, or that of a closed window. Choose this agent to use this window.');
  return { isHere: false, detail };
}

async function use(deps: UseInAgentsDeps, agent: FoundAgent): Promise<void> {
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
    'The entry contains a token, with which any program can search and call this window’s tools. Only you can read the file afterwards.',
  );
  if (after !== before && !(await changeAgentFile(agent, { before, after }, token))) return;
  const twice = serversOfBoth(deps, agent, after);
  const done = vscode.l10n.t(
    '{0} can use Tool Search while this window is open. Start {0} again, so that it reads its file.',
    row.title,
  );
  const hint = vscode.l10n.t(
    'Tool Search finds these servers of {0} too. To keep their tools out of its requests, switch them off there: {1}.',
    row.title,
    twice.map(plainPrompt).join(', '),
  );
  const text = twice.length > 0 ? `${done} ${hint}` : done;
  const undoIt = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(text, undoIt)) === undoIt) await removeEntry(agent);
}

/** Returns the names of the agent's servers that this window also has. */
function serversOfBoth(deps: UseInAgentsDeps, { row, file }: FoundAgent, text: string): readonly string[] {
  const own = vscode.Uri.file(file).toString();
  const others = deps.servers().filter((server) => server.file !== own);
  return [...readAgentFile({ row }, text, []).definitions]
    .filter(([name, value]) => others.some((server) => server.name === name || runsTheSame(server, { value })))
    .map(([name]) => name);
}

function findAgents(): readonly FoundAgent[] {
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

/** Returns the Git repository of a file, which may not exist yet; undefined if there is none. */
async function repositoryOf(file: string): Promise<string | undefined> {
  const isHere = existsSync(file);
  const parent = path.dirname(file);
  if (!isHere && parent !== file) return repositoryOf(parent);
  let folder = await realpath(file);
  while (!existsSync(path.join(folder, '.git'))) {
    if (folder === path.dirname(folder)) return undefined;
    folder = path.dirname(folder);
  }
  return folder;
}
