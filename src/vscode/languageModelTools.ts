import * as vscode from 'vscode';
import { AGENT_PREFIX, type AgentCall, type NamedCall } from '../core/agentTools';
import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOLS } from '../core/modelNames';
import { escapeMarkdown } from '../core/plainText';
import type { ToolRun } from '../core/ports';
import type { Tool } from '../core/tool';
import { confirmCall } from './confirmCall';

/** What stands behind the three tools. */
export interface AgentToolsPort {
  /** The real tool that an input of `call_tool` names. */
  named(input: unknown): NamedCall | undefined;
  /** Whether the user must be asked about this tool here, since nobody else will. */
  needsConsent(tool: Tool): boolean;
  answer(call: AgentCall, how: AgentInvocation, signal: AbortSignal): Promise<ToolRun>;
}

export interface AgentInvocation {
  /** The calling chat's, so that VS Code asks the user there. */
  readonly token: vscode.ChatParticipantToolToken | undefined;
  /** The user was asked about just this call. */
  readonly asked: boolean;
}

/** Offers search, description and call to any agent in VS Code. */
export function registerLanguageModelTools(tools: AgentToolsPort): vscode.Disposable {
  // VS Code doesn't say whether it asked: between the question and the call a tool can come or go.
  const asked = new Set<string>();
  const register = (tool: AgentCall['tool'], prepare: (input: unknown) => vscode.PreparedToolInvocation) =>
    vscode.lm.registerTool(`${AGENT_PREFIX}${tool}`, {
      prepareInvocation: ({ input }) => prepare(input),
      invoke: ({ input, toolInvocationToken }, token) => {
        const how = { token: toolInvocationToken, asked: asked.delete(JSON.stringify(input)) };
        return withSignal(token, async (signal) =>
          toResult(await tools.answer({ tool, input, chat: chatOf(toolInvocationToken) }, how, signal)),
        );
      },
    });
  return vscode.Disposable.from(
    register(SEARCH_TOOLS, (input) => ({ invocationMessage: plain(vscode.l10n.t('Searching tools: {0}', textsOf(input, 'queries'))) })),
    register(DESCRIBE_TOOL, (input) => ({
      invocationMessage: plain(vscode.l10n.t('Reading what tools take: {0}', textsOf(input, 'names'))),
    })),
    register(CALL_TOOL, (input) => {
      const call = tools.named(input);
      const asks = call !== undefined && tools.needsConsent(call.tool);
      if (asks) asked.add(JSON.stringify(input));
      else asked.delete(JSON.stringify(input));
      return {
        invocationMessage: plain(vscode.l10n.t('Calling {0}', call?.tool.id ?? textsOf(input, 'name'))),
        ...(asks ? { confirmationMessages: confirmCall(call) } : {}),
      };
    }),
  );
}

/** VS Code reads Markdown in what it shows of a call, and what is called comes from a model and a server. */
function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(escapeMarkdown(text));
}

/** A name for the chat that a call belongs to. The token is opaque; at run time it holds the chat's address. */
function chatOf(token: vscode.ChatParticipantToolToken | undefined): string {
  const { sessionResource } = (token ?? {}) as { sessionResource?: unknown };
  return JSON.stringify(sessionResource ?? null);
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

function textsOf(input: unknown, key: string): string {
  const value = (input as { readonly [key: string]: unknown } | undefined)?.[key];
  return [value ?? []].flat().map(String).join(', ');
}
