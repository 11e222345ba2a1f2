import * as vscode from 'vscode';
import { AGENT_PREFIX, type AgentCall, type NamedCall } from '../../core/agents/agentTools';
import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../../core/catalog/modelNames';
import type { ResultPart } from '../../core/conversation/transcript';
import type { ToolRun } from '../../core/ports';
import { longHash } from '../../core/util/hash';
import { asObject } from '../../core/util/objects';
import { escapeMarkdown } from '../../core/util/plainText';
import { withSignal } from '../../vscode/cancellation';

/** Answers the calls of the four tools. */
export interface AgentToolsPort {
  /** The real tool that an input of `call_tool` names. */
  named(input: unknown): NamedCall | undefined;
  /** @param token the calling chat: the user is asked there, with the real tool's name, before the tool runs */
  answer(call: AgentCall, token: vscode.ChatParticipantToolToken | undefined, signal: AbortSignal): Promise<ToolRun>;
}

/** Offers search, description, calls and scripts to any agent in VS Code. */
export function registerLanguageModelTools(tools: AgentToolsPort): vscode.Disposable {
  const register = (tool: AgentCall['tool'], prepare: (input: unknown) => vscode.PreparedToolInvocation) =>
    vscode.lm.registerTool(`${AGENT_PREFIX}${tool}`, {
      prepareInvocation: ({ input }) => prepare(input),
      invoke: ({ input, toolInvocationToken }, token) =>
        withSignal(token, async (signal) =>
          toResult(await tools.answer({ tool, input, chat: chatOf(toolInvocationToken) }, toolInvocationToken, signal)),
        ),
    });
  return vscode.Disposable.from(
    register(SEARCH_TOOLS, (input) => ({
      invocationMessage: plain(vscode.l10n.t('Search tools: {0}', textsOf(input, 'queries'))),
    })),
    register(DESCRIBE_TOOL, (input) => ({
      invocationMessage: plain(vscode.l10n.t('Describe tools: {0}', textsOf(input, 'names'))),
    })),
    register(RUN_CODE, (input) => ({
      invocationMessage: plain(vscode.l10n.t('Run a script: {0}', textsOf(input, 'title'))),
    })),
    register(CALL_TOOL, (input) => ({
      invocationMessage: plain(vscode.l10n.t('Call {0}', tools.named(input)?.tool.id ?? textsOf(input, 'name'))),
    })),
  );
}

/** Escaped text: VS Code shows the message as Markdown, and its words come from a model and a server. */
function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(escapeMarkdown(text));
}

/**
 * Names the chat of a call by a hash of its address; empty if it isn't known. The token has no public fields; at run
 * time it holds that address. A `Uri` as JSON may have further fields, which come and go.
 */
export function chatOf(token: vscode.ChatParticipantToolToken | undefined): string {
  const address = asObject(asObject(token)?.sessionResource);
  return address ? longHash(JSON.stringify([address.scheme, address.authority, address.path, address.query])) : '';
}

/** Failures and refusals are text too: the message of an exception wouldn't reach the model. */
export function toResult(run: ToolRun): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult(run.parts.map(toPart));
}

function toPart(part: ResultPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  switch (part.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'omitted':
      return new vscode.LanguageModelTextPart(`[Left out: ${part.mimeType}, ${part.bytes.toLocaleString('en')} bytes]`);
    default:
      return new vscode.LanguageModelDataPart(Buffer.from(part.data, 'base64'), part.mimeType);
  }
}

function textsOf(input: unknown, key: string): string {
  const value = (input as { readonly [key: string]: unknown } | undefined)?.[key];
  return [value ?? []].flat().map(String).join(', ');
}
