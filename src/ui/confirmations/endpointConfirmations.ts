import * as vscode from 'vscode';
import type { OutsideClient } from '../../core/agents/endpointPort';
import type { Tool } from '../../core/catalog/tool';
import { CANCELLED_BEFORE, type PendingCall, type ToolRun, toolMessage } from '../../core/ports';
import { plainName, shownJson } from '../../core/util/plainText';
import { setLatest } from '../../core/util/setLatest';
import { MAX_ARGUMENTS, noteLines } from './callNotes';
import { ConfirmationQueue, type QueuedCall } from './confirmationQueue';

/** After this many skipped calls, the user can skip all calls of the client. */
const SKIPS_UNTIL_ALL = 3;

/**
 * The maximum number of sessions that are remembered. A client can start many sessions; the oldest is dropped, and its
 * client is asked about again.
 */
const MAX_SESSIONS = 100;

/** The user's decisions about one client in one session. */
interface Decided {
  readonly queue: ConfirmationQueue;
  skips: number;
  skipsAll: boolean;
}

/**
 * Asks the user about calls of MCP endpoint clients. VS Code's own permissions ("Allow in this Session") are for its
 * chats and don't apply here. A permission is for one client, one session and one tool, until the tool changes.
 */
export class EndpointConfirmations {
  readonly #clients = new Map<string, Decided>();
  /** Tool → the sessions that may run it. A changed tool is a new object, so its permissions end. */
  readonly #allowed = new WeakMap<Tool, Set<string>>();

  /**
   * Runs the call if the user allows it. Never rejects.
   * @param asksAgain whether VS Code may ask a second time
   */
  async ask(
    call: PendingCall,
    client: OutsideClient,
    asksAgain: boolean,
    run: () => Promise<ToolRun>,
  ): Promise<ToolRun> {
    const decided = this.#clients.get(client.session) ?? this.#newClient(client, asksAgain);
    return decided.queue.add({ call, run });
  }

  #newClient(client: OutsideClient, asksAgain: boolean): Decided {
    const queue = new ConfirmationQueue((calls) => this.#question(calls, decided, client, asksAgain));
    const decided: Decided = { queue, skips: 0, skipsAll: false };
    setLatest(this.#clients, client.session, decided, MAX_SESSIONS);
    return decided;
  }

  async #question(
    calls: readonly QueuedCall[],
    decided: Decided,
    client: OutsideClient,
    asksAgain: boolean,
  ): Promise<readonly ToolRun[] | ToolRun> {
    const [first] = calls;
    if (!first) return [];
    const { tool, signal } = first.call;
    const runAll = () => Promise.all(calls.map(({ run }) => run()));
    if (decided.skipsAll) return toolMessage('refused', 'Not run: the user skips all calls of this client.');
    if (this.#allowed.get(tool)?.has(client.session)) return runAll();
    const once = vscode.l10n.t('Allow Once');
    const session = vscode.l10n.t('Allow for This Client in This Session');
    const all = vscode.l10n.t('Skip All Calls of This Client');
    const skip: vscode.MessageItem = { title: vscode.l10n.t('Skip'), isCloseAffordance: true };
    const buttons = [once, session, ...(decided.skips >= SKIPS_UNTIL_ALL ? [all] : [])].map((title) => ({ title }));
    const options = { modal: true, detail: detailOf(calls, client, asksAgain) };
    const title = titleOf(calls.length, tool, client);
    const answer = await vscode.window.showWarningMessage(title, options, ...buttons, skip);
    if (signal.aborted) return CANCELLED_BEFORE;
    if (answer?.title === session) {
      const sessions = this.#allowed.get(tool) ?? new Set<string>();
      this.#allowed.set(tool, sessions.add(client.session));
    }
    if (answer?.title === once || answer?.title === session) return runAll();
    decided.skips++;
    decided.skipsAll = answer?.title === all;
    return toolMessage('refused', 'The user skipped the call.');
  }
}

function titleOf(calls: number, tool: Tool, client: OutsideClient): string {
  const names = [plainName(client.name), plainName(tool.name), plainName(tool.server)] as const;
  return calls === 1
    ? vscode.l10n.t('Let the MCP client {0} run the tool {1} of the server {2}?', ...names)
    : vscode.l10n.t('Let the MCP client {0} run the tool {1} of the server {2} {3} times?', ...names, calls);
}

function detailOf(calls: readonly QueuedCall[], { onlyByName }: OutsideClient, asksAgain: boolean): string {
  const given = calls.map(({ call }) => shownJson(call.input, MAX_ARGUMENTS));
  const again = vscode.l10n.t('VS Code may ask once more before it runs the tool.');
  const shared = vscode.l10n.t(
    'This client doesn’t report sessions. All calls under its name count as one session, which ends after 30 minutes without a call.',
  );
  const notes = new Set(calls.flatMap(({ call }) => noteLines(call.tool, call.marks)));
  return [
    vscode.l10n.t('Arguments:'),
    ...given,
    '',
    ...notes,
    ...(onlyByName ? [shared] : []),
    ...(asksAgain ? [again] : []),
  ]
    .join('\n')
    .trim();
}
