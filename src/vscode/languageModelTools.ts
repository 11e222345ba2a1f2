import * as vscode from 'vscode';
import type { RealCall } from '../core/agentTools';
import { escapeMarkdown, oneLine } from '../core/plainText';
import type { ToolRun } from '../core/ports';

/** How much of a call's arguments a confirmation shows, in characters. */
const SHOWN_CHARS = 4_000;

/** What stands behind the three tools. `search` and `describe` fail with a sentence for the model. */
export interface AgentToolsPort {
  search(input: unknown, signal: AbortSignal): Promise<object>;
  describe(input: unknown): object;
  /** The real call, where it is for us to have the user asked about it. */
  toConfirm(input: unknown): RealCall | undefined;
  /** @param token the calling chat's, so that VS Code asks the user there */
  call(input: unknown, token: vscode.ChatParticipantToolToken | undefined, signal: AbortSignal): Promise<ToolRun>;
}

/** Offers search, description and call to any agent in VS Code. */
export function registerLanguageModelTools(tools: AgentToolsPort): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool('toolsearch_search_tools', {
      prepareInvocation: ({ input }) => ({ invocationMessage: vscode.l10n.t('Searching tools: {0}', queriesOf(input)) }),
      invoke: ({ input }, token) => withSignal(token, async (signal) => text(JSON.stringify(await tools.search(input, signal)))),
    }),
    vscode.lm.registerTool('toolsearch_describe_tool', {
      prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Reading what tools take') }),
      invoke: async ({ input }) => text(JSON.stringify(tools.describe(input))),
    }),
    vscode.lm.registerTool('toolsearch_call_tool', {
      prepareInvocation: ({ input }) => {
        const call = tools.toConfirm(input);
        return {
          invocationMessage: vscode.l10n.t('Calling {0}', call?.tool.id ?? nameOf(input)),
          ...(call ? { confirmationMessages: confirmation(call) } : {}),
        };
      },
      invoke: ({ input, toolInvocationToken }, token) =>
        withSignal(token, async (signal) => toResult(await tools.call(input, toolInvocationToken, signal))),
    }),
  );
}

/** Name, server and arguments as they are: none of it is markup. */
function confirmation({ tool, args }: RealCall): vscode.LanguageModelToolConfirmationMessages {
  const text = JSON.stringify(args, undefined, 2);
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  const message = new vscode.MarkdownString(
    `${vscode.l10n.t('Run the tool {0} of the MCP server {1}.', `**${escapeMarkdown(tool.name)}**`, `**${escapeMarkdown(tool.server)}**`)}\n\n`,
  );
  message.appendCodeblock(shown, 'json');
  return { title: vscode.l10n.t('Run {0}?', oneLine(tool.title ?? tool.name)), message };
}

/** What failed or was refused is text too: an exception would reach the model without these words. */
function toResult(run: ToolRun): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult(
    run.parts.map(
      (part) =>
        new vscode.LanguageModelTextPart(
          part.type === 'text' ? part.text : `[Left out: ${part.mimeType}, ${part.bytes.toLocaleString('en')} bytes]`,
        ),
    ),
  );
}

function text(value: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(value)]);
}

async function withSignal<T>(token: vscode.CancellationToken, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  const listening = token.onCancellationRequested(() => abort.abort());
  try {
    return await run(abort.signal);
  } finally {
    listening.dispose();
  }
}

function queriesOf(input: unknown): string {
  const queries = (input as { queries?: unknown } | undefined)?.queries;
  return Array.isArray(queries) ? queries.map(String).join(', ') : '';
}

function nameOf(input: unknown): string {
  return String((input as { name?: unknown } | undefined)?.name ?? '');
}
