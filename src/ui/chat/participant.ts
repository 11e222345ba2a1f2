import * as vscode from 'vscode';
import { missingServers } from '../../core/catalog/catalog';
import { VSCODE_SERVER } from '../../core/catalog/tool';
import type { Transcript } from '../../core/conversation/transcript';
import { cutOffTurn, retriedItems } from '../../core/ledger/cutOff';
import type { ToolSource } from '../../core/ports';
import type { Settings } from '../../core/settings/settings';
import type { TurnOutcome } from '../../core/turn/turn';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { escapeMarkdown, escapeProse } from '../../core/util/plainText';
import { withAttachments } from './attachments';
import { keptItems, keptTurn, readHistory, turnMetadata } from './history';
import { followups, nextSteps } from './nextSteps';
import { asNote, type ChatSink, createChatSink } from './sink';
import { asksForTools, MODE_OF_COMMAND, runSlashCommand, type SlashDeps } from './slashCommands';

/** As in package.json. */
const PARTICIPANT_ID = 'toolsearch.chat';

/** The longest that a question waits for servers that are still starting. */
const READY_TIMEOUT_MS = 10_000;

/** What a chat request hands to the turn loop. */
interface ChatQuestion {
  readonly prompt: string;
  readonly history: Transcript;
  readonly references: ReadonlySet<string>;
  readonly model: vscode.LanguageModelChat;
  readonly toolInvocationToken: vscode.ChatParticipantToolToken;
  /** In place of the mode that is set. */
  readonly mode: Settings['mode'] | undefined;
}

export interface ChatDeps extends SlashDeps {
  /** No secret is sent to a model or shown, even one that the user wrote. */
  readonly secrets: Pick<KnownSecrets, 'redact' | 'redactIn' | 'inParts'>;
  readonly source: ToolSource;
  readonly iconPath: vscode.Uri;
  /** Resolves when servers that are starting are there, or time is up. */
  readonly whenReady: ToolSource['whenReady'];
  runTurn(turn: ChatQuestion, sink: ChatSink, signal: AbortSignal): Promise<TurnOutcome>;
}

/** Registers `@toolsearch`. */
export function registerParticipant(deps: ChatDeps): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, (request, context, stream, token) =>
    handle(deps, request, context, stream, token),
  );
  participant.iconPath = deps.iconPath;
  participant.followupProvider = {
    provideFollowups: (result) =>
      result.errorDetails || !keptItems(result.metadata)?.length ? [] : followups(deps, keptTurn(result.metadata)),
  };
  participant.onDidReceiveFeedback(({ result, kind }) => {
    const turn = keptTurn(result.metadata);
    if (turn !== undefined) deps.ledger.rate(turn, kind === vscode.ChatResultFeedbackKind.Helpful, Date.now());
  });
  return participant;
}

async function handle(
  deps: ChatDeps,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const abort = new AbortController();
  const subscription = token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) abort.abort();
  try {
    if (!request.command || asksForTools(request.command)) {
      await deps.whenReady({
        timeoutMs: READY_TIMEOUT_MS,
        signal: abort.signal,
        onWait: (servers) => {
          if (servers.length > 0) stream.progress(vscode.l10n.t('Waiting for {0}', escapeMarkdown(servers.join(', '))));
        },
      });
    }
    if (abort.signal.aborted) return {};
    const mode = MODE_OF_COMMAND[request.command ?? ''];
    if (request.command && !mode) {
      await runSlashCommand(deps, request.command, request.prompt.trim(), stream, abort.signal);
      return {};
    }
    if (request.prompt.trim() === '') {
      stream.markdown(mode ? emptyCommand(request.command ?? '') : emptyPrompt(deps.overview().loading.size));
      return {};
    }
    const nothing = nothingToSearch(deps.source);
    if (nothing?.inPlace && !hasOtherTools(deps, request)) {
      nothing.write(stream);
      // No turn of the conversation: no model has to know of it.
      return { metadata: turnMetadata([]) };
    }
    const result = await answer(deps, request, context, stream, abort.signal, mode);
    nothing?.write(stream);
    return result;
  } finally {
    subscription.dispose();
  }
}

async function answer(
  deps: ChatDeps,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  signal: AbortSignal,
  mode: Settings['mode'] | undefined,
): Promise<vscode.ChatResult> {
  const invokeNames = new Set(request.toolReferences.map((reference) => reference.name));
  const { redact, redactIn } = deps.secrets;
  const sink = createChatSink(stream, deps.secrets);
  const { history, retried } = readHistory(
    context.history,
    (prompt, known) => cutOffTurn(deps.ledger.events, redact(prompt), known),
    (known) => retriedItems(deps.ledger.events, redact(request.prompt), known),
  );
  const outcome = await deps
    .runTurn(
      {
        prompt: redact(await withAttachments(request.prompt, request.references)),
        history: redactIn([...history, ...retried]),
        references: new Set(
          deps.source.catalog.tools.filter((tool) => invokeNames.has(tool.invokeName)).map((tool) => tool.id),
        ),
        model: request.model,
        toolInvocationToken: request.toolInvocationToken,
        mode,
      },
      sink,
      signal,
    )
    .finally(() => sink.writeNotes());
  const failure = outcome.status === 'failed' && outcome.message !== undefined ? redact(outcome.message) : undefined;
  if (outcome.status !== 'cancelled') for (const step of nextSteps(deps, outcome.turn, failure)) stream.button(step);
  return {
    metadata: turnMetadata(redactIn([...retried, ...outcome.items]), outcome.turn),
    ...(outcome.status === 'failed'
      ? {
          errorDetails: {
            message: failure === undefined ? vscode.l10n.t('The turn failed. See the log.') : escapeProse(failure),
          },
        }
      : {}),
  };
}

/** Why there is nothing to search, for the user. */
interface Nothing {
  /** There won't be anything either until the user does something: no model has to be asked. */
  readonly inPlace: boolean;
  write(stream: vscode.ChatResponseStream): void;
}

function nothingToSearch({ catalog }: ToolSource): Nothing | undefined {
  if (catalog.tools.some((tool) => tool.origin === 'mcp')) return undefined;
  if (!vscode.workspace.isTrusted) {
    return {
      inPlace: true,
      write(stream) {
        stream.markdown(
          asNote(
            vscode.l10n.t('This workspace isn’t trusted, so its MCP servers don’t run and there is nothing to search.'),
          ),
        );
        stream.button({ command: 'workbench.trust.manage', title: vscode.l10n.t('Manage Trust') });
      },
    };
  }
  if (!catalog.servers.some((server) => server.name !== VSCODE_SERVER)) {
    const text = vscode.l10n.t('There are no MCP servers. Add one to `.vscode/mcp.json`.');
    return {
      inPlace: true,
      write(stream) {
        stream.markdown(asNote(text));
        stream.button({ command: 'workbench.mcp.addConfiguration', title: vscode.l10n.t('Add Server…') });
      },
    };
  }
  const missing = missingServers(catalog).map(
    ({ name, state, detail = '' }) => `\n> - ${escapeMarkdown(`${name} (${state})`)} ${escapeMarkdown(detail)}`,
  );
  const text = vscode.l10n.t('No MCP server has listed a tool yet: {0}', missing.join(''));
  return { inPlace: false, write: (stream) => stream.markdown(asNote(text)) };
}

/** Whether a model could do something with tools that are VS Code's own. */
function hasOtherTools(deps: ChatDeps, request: vscode.ChatRequest): boolean {
  return request.toolReferences.length > 0 || deps.overview().loading.size > 0;
}

function emptyCommand(command: string): string {
  return vscode.l10n.t('Type a question after {0}: this one alone is asked so.', `\`/${command}\``);
}

function emptyPrompt(tools: number): string {
  return vscode.l10n.t(
    'Ask something after `@toolsearch`. I search this workspace’s {0} tools for what your question needs. `/find` searches without a model, `/tools` lists them.',
    tools,
  );
}
