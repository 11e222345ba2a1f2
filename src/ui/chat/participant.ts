import * as vscode from 'vscode';
import { missingServers } from '../../core/catalog/catalog';
import { VSCODE_SERVER } from '../../core/catalog/tool';
import { cutOffTurn, retriedItems } from '../../core/ledger/cutOffTurns';
import type { Overview } from '../../core/planning/loadingOverview';
import type { ToolSource } from '../../core/ports';
import type { TurnOutcome, TurnQuestion } from '../../core/turn/turn';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { escapeMarkdown, escapeProse } from '../../core/util/plainText';
import { withSignal } from '../../vscode/cancellation';
import { chatOf } from '../agents/languageModelTools';
import { withAttachments } from './attachments';
import { AnswerLines, followups, repairSteps } from './belowAnswer';
import { asNote, type ChatSink, createChatSink } from './chatSink';
import { keptItems, keptTurn, readHistory, turnMetadata } from './history';
import { ASKING_OF_COMMAND, type Asking, isQuestion } from './questionCommands';
import type { SlashDeps } from './slashCommands';
import { stateWord } from './stateWords';

/** The participant's id in package.json. */
const PARTICIPANT_ID = 'toolsearch.chat';

/** The maximum time that a question, or a search by another agent, waits for servers that start, in milliseconds. */
export const READY_TIMEOUT_MS = 10_000;

type ChatQuestion = Pick<vscode.ChatRequest, 'model' | 'toolInvocationToken'> &
  Omit<TurnQuestion, 'port' | 'runner' | 'code'>;

export interface ChatDeps {
  readonly slash: SlashDeps;
  /** Removes secrets, which are never sent to a model or shown, even if the user wrote them. */
  readonly secrets: Pick<KnownSecrets, 'redact' | 'redactIn' | 'inParts'>;
  readonly iconPath: vscode.Uri;
  /** Resolves when the servers have started or the time is up. */
  readonly whenReady: ToolSource['whenReady'];
  runTurn(turn: ChatQuestion, sink: ChatSink, signal: AbortSignal): Promise<TurnOutcome>;
}

/** Registers the chat participant `@toolsearch`. */
export function registerParticipant(deps: ChatDeps): vscode.Disposable {
  const lines = new AnswerLines(deps.slash);
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, (request, context, stream, token) =>
    withSignal(token, (signal) => handle(deps, { request, context, stream, lines }, signal)),
  );
  participant.iconPath = deps.iconPath;
  participant.followupProvider = {
    provideFollowups: (result) =>
      result.errorDetails || !keptItems(result.metadata)?.length
        ? []
        : followups(deps.slash, keptTurn(result.metadata)),
  };
  return participant;
}

interface ChatExchange {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly lines: AnswerLines;
}

async function handle(deps: ChatDeps, exchange: ChatExchange, signal: AbortSignal): Promise<vscode.ChatResult> {
  const { request, stream } = exchange;
  await deps.whenReady({
    timeoutMs: READY_TIMEOUT_MS,
    signal,
    onWait: (servers) => {
      if (servers.length > 0) stream.progress(vscode.l10n.t('Waiting for {0}', escapeMarkdown(servers.join(', '))));
    },
  });
  if (signal.aborted) return {};
  if (request.command && !isQuestion(request.command)) {
    // Bundled as a separate file: see esbuild.mjs.
    const { runSlashCommand } = await import('./slashCommands');
    const typed = { command: request.command, argument: request.prompt.trim() };
    await runSlashCommand(deps.slash, typed, stream, signal);
    return {};
  }
  const asking = request.command ? ASKING_OF_COMMAND[request.command] : undefined;
  const { source, overview } = deps.slash;
  if (request.prompt.trim() === '') {
    stream.markdown(asking ? emptyCommand(request.command ?? '') : emptyPrompt(overview().loading.size));
    return {};
  }
  const nothing = nothingToSearch(source, overview());
  const hasOtherTools = request.toolReferences.length > 0 || overview().loading.size > 0;
  if (nothing?.needsUser && !hasOtherTools && !asking?.withoutTools) {
    tell(nothing, stream);
    // A command isn't part of the conversation, since no model needs to know about it.
    return { metadata: turnMetadata([]) };
  }
  const result = await answer(deps, exchange, asking, signal);
  // If there are no servers, only the first question of a chat shows that. Later ones are answered without tools.
  if (nothing && (!nothing.needsUser || exchange.context.history.length === 0)) tell(nothing, stream);
  return result;
}

async function answer(
  { slash: { ledger, source }, secrets, runTurn }: ChatDeps,
  { request, context, stream, lines }: ChatExchange,
  asking: Asking | undefined,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  const invokeNames = new Set(request.toolReferences.map((reference) => reference.name));
  const { redact, redactIn } = secrets;
  const sink = createChatSink(stream, secrets);
  const chat = chatOf(request.toolInvocationToken);
  const { history, retried } = readHistory(
    context.history,
    (prompt, known) => cutOffTurn(ledger.events, { prompt: redact(prompt), chat, known }),
    (known) => retriedItems(ledger.events, { prompt: redact(request.prompt), chat, known }),
  );
  const outcome = await runTurn(
    {
      prompt: redact(await withAttachments(request.prompt, request.references)),
      history: redactIn([...history, ...retried]),
      chat,
      references: new Set(
        source.catalog.tools.filter((tool) => invokeNames.has(tool.invokeName)).map((tool) => tool.id),
      ),
      model: request.model,
      toolInvocationToken: request.toolInvocationToken,
      ...asking,
    },
    sink,
    signal,
  ).finally(() => sink.writeNotes());
  const failure = outcome.status === 'failed' && outcome.message !== undefined ? redact(outcome.message) : undefined;
  if (outcome.status !== 'cancelled') {
    const { figuresOfTurns, unitOf } = await import('../../core/ledger/turnFigures');
    const turns = figuresOfTurns(ledger.events);
    const figures = turns.find(({ started }) => started.turn === outcome.turn);
    const under = lines.of(outcome.turn, figures, unitOf(turns));
    if (under) stream.markdown(under);
    // Buttons come last, since VS Code folds everything before further text.
    for (const step of repairSteps(failure ?? '')) stream.button(step);
  }
  return {
    metadata: turnMetadata(redactIn([...retried, ...outcome.items]), outcome.turn),
    ...(outcome.status === 'failed'
      ? {
          errorDetails: {
            message:
              failure === undefined
                ? vscode.l10n.t('The turn failed. The reason is in the log (Tool Search: Show Log).')
                : escapeProse(failure),
          },
        }
      : {}),
  };
}

/** Why there are no tools to search, as Markdown for the user, and a button that helps. */
interface Nothing {
  /** Whether only the user can change that. No model is asked then. */
  readonly needsUser: boolean;
  readonly text: string;
  readonly button?: vscode.Command;
}

function tell({ text, button }: Nothing, stream: vscode.ChatResponseStream): void {
  stream.markdown(asNote(text));
  if (button) stream.button(button);
}

function nothingToSearch({ catalog }: ToolSource, { setNote }: Overview): Nothing | undefined {
  if (setNote !== undefined)
    return {
      needsUser: false,
      text: escapeProse(setNote),
      button: { command: 'toolsearch.selectSet', title: vscode.l10n.t('Select Set') },
    };
  if (catalog.tools.some((tool) => tool.origin === 'mcp')) return undefined;
  if (!vscode.workspace.isTrusted)
    return {
      needsUser: true,
      text: vscode.l10n.t('This workspace isn’t trusted, so its MCP servers don’t run.'),
      button: { command: 'workbench.trust.manage', title: vscode.l10n.t('Manage Trust') },
    };
  if (!catalog.servers.some((server) => server.name !== VSCODE_SERVER))
    return {
      needsUser: true,
      text: vscode.l10n.t('There are no MCP servers. Add one to `.vscode/mcp.json`.'),
      button: { command: 'workbench.mcp.addConfiguration', title: vscode.l10n.t('Add Server…') },
    };
  const missing = missingServers(catalog).map(
    ({ name, state, detail = '' }) =>
      `\n> - ${escapeMarkdown(`${name} (${stateWord(state)})`)} ${escapeMarkdown(detail)}`,
  );
  return { needsUser: false, text: vscode.l10n.t('No MCP server has listed a tool yet: {0}', missing.join('')) };
}

function emptyCommand(command: string): string {
  return vscode.l10n.t('Type a question after {0}. The command applies to this question only.', `\`/${command}\``);
}

function emptyPrompt(tools: number): string {
  return vscode.l10n.t(
    'Ask something after `@toolsearch`. The model searches the {0} tools of this workspace for the ones that your question needs. `/find` searches without a model, `/tools` lists the tools.',
    tools,
  );
}
