import * as vscode from 'vscode';
import { AGENT_PREFIX, type AgentCall } from '../../core/agents/agentTools';
import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../../core/catalog/modelNames';
import type { Tool } from '../../core/catalog/tool';
import { resultText } from '../../core/conversation/resultText';
import type { ResultPart } from '../../core/conversation/transcript';
import type { ToolRun } from '../../core/ports';
import { longHash } from '../../core/util/hash';
import { asObject } from '../../core/util/objects';
import { escapeMarkdown } from '../../core/util/plainText';
import { withSignal } from '../../vscode/cancellation';

/** Answers calls of our four tools. */
export interface AgentToolsPort {
  /** Returns the real tool in an input of `call_tool`; undefined if it names none. */
  named(input: unknown): Tool | undefined;
  /** @param token the chat that calls; VS Code asks the user there, with the real tool's name, before the tool runs */
  answer(call: AgentCall, token: vscode.ChatParticipantToolToken | undefined, signal: AbortSignal): Promise<ToolRun>;
}

/** Registers search, description, calls and scripts as tools for the other agents in VS Code. */
export function registerLanguageModelTools(tools: AgentToolsPort): vscode.Disposable {
  const register = (tool: AgentCall['tool'], messageFor: (input: unknown) => string) =>
    vscode.lm.registerTool(`${AGENT_PREFIX}${tool}`, {
      // VS Code shows the message as Markdown, and its words come from models and servers.
      prepareInvocation: ({ input }) => ({
        invocationMessage: new vscode.MarkdownString(escapeMarkdown(messageFor(input))),
      }),
      invoke: ({ input, toolInvocationToken }, token) =>
        withSignal(token, async (signal) =>
          toResult(await tools.answer({ tool, input, chat: chatOf(toolInvocationToken) }, toolInvocationToken, signal)),
        ),
    });
  return vscode.Disposable.from(
    register(SEARCH_TOOLS, (input) => vscode.l10n.t('Search tools: {0}', textsOf(input, 'queries'))),
    register(DESCRIBE_TOOL, (input) => vscode.l10n.t('Describe tools: {0}', textsOf(input, 'names'))),
    register(RUN_CODE, (input) => vscode.l10n.t('Run a script: {0}', textsOf(input, 'title'))),
    register(CALL_TOOL, (input) => vscode.l10n.t('Call {0}', tools.named(input)?.id ?? textsOf(input, 'name'))),
  );
}

/**
 * Returns a hash that identifies the chat of a call; empty if the chat isn't known. The token has no public fields, but
 * at run time it contains the chat's address. Only some fields are used, since others of a `Uri` change over time.
 */
export function chatOf(token: vscode.ChatParticipantToolToken | undefined): string {
  const address = asObject(asObject(token)?.sessionResource);
  return address ? longHash(JSON.stringify([address.scheme, address.authority, address.path, address.query])) : '';
}

/**
 * Returns a run as a result of VS Code. Failures and refusals are text too, since models don't see an exception's
 * message.
 */
export function toResult(run: ToolRun): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult(run.parts.map(toPart));
}

function toPart(part: ResultPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.type === 'image' || part.type === 'document'
    ? new vscode.LanguageModelDataPart(Buffer.from(part.data, 'base64'), part.mimeType)
    : new vscode.LanguageModelTextPart(resultText({ parts: [part] }));
}

function textsOf(input: unknown, key: string): string {
  const value = (input as { readonly [key: string]: unknown } | undefined)?.[key];
  return [value]
    .flat()
    .filter((text) => typeof text === 'string')
    .join(', ');
}
