// Runs tools through VS Code and reads their results.

import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import type { Json, Tool } from '../../core/catalog/tool';
import { CANCELLED_BEFORE, CANCELLED_MEANWHILE, type ToolRun, type ToolRunner, toolMessage } from '../../core/ports';
import { messageOf } from '../../core/util/messageOf';
import { pause } from '../../core/util/signals';
import { withToken } from '../../vscode/cancellation';
import { outcomeOf, withoutErrorCode } from '../outcome';
import { type GivenPart, readResult } from '../readResult';

/** How much later than a call its request may be cancelled, in milliseconds. */
const CANCEL_MS = 50;
/** How long a call waits for its server to start, and how often it checks. In milliseconds. */
const START_LIMIT_MS = 10_000;
const POLL_MS = 200;

/**
 * MIME type with which VS Code marks a link to a resource of an MCP server. Its data is `{uri, underlyingMimeType}`.
 */
const RESOURCE_LINK = 'application/vnd.code.resource-link';
/** URI scheme of VS Code for resources that it reads from their servers, and its word for an empty authority. */
const SERVER_RESOURCE = 'mcp-resource';
const NO_AUTHORITY = 'dylo78gyp';
/** URI scheme under which VS Code keeps resources that a result embeds. */
const EMBEDDED_RESOURCE = 'vscode-chat-response-resource';

/**
 * Runs tools in VS Code, which asks the user if needed and shows progress.
 * @param token the chat request's token, with which the question and the progress appear in the chat; without it, VS
 * Code opens a dialog
 * @param refusalOf returns why a tool must not be called; called once the tool is listed
 */
export function createVscodeRunner(
  token: vscode.ChatParticipantToolToken | undefined,
  refusalOf: (tool: Tool) => ToolRun | undefined = () => undefined,
): ToolRunner {
  return {
    async run(tool, input, signal) {
      try {
        if (signal.aborted) return CANCELLED_BEFORE;
        if (tool.item) return await readLinked(String(input.uri));
        if (!(await isListed(tool.invokeName, signal)))
          return toolMessage('failed', `${tool.modelName} can't be called: its server “${tool.server}” isn't running.`);
        const refusal = refusalOf(tool);
        if (refusal) return refusal;
        const result = await withToken(signal, (cancellation) =>
          vscode.lm.invokeTool(tool.invokeName, { input, toolInvocationToken: token }, cancellation),
        );
        return await toRun(result, tool);
      } catch (error) {
        // The signal may abort a moment after the error: VS Code cancels the call and the request at once.
        if (isCancellation(error)) await pause(CANCEL_MS);
        if (signal.aborted) return CANCELLED_MEANWHILE;
        // In a chat, a refusal comes as text, so a cancellation that isn't ours means that the server died. In a
        // dialog, a No looks the same.
        if (isCancellation(error) && token)
          return toolMessage('failed', `${tool.modelName} was cut off: its server stopped during the call.`);
        if (isCancellation(error))
          return toolMessage('refused', 'The user declined the call, or its server stopped during it.');
        return toolMessage('failed', `${tool.modelName} failed: ${withoutErrorCode(messageOf(error))}`);
      }
    },
  };
}

/** Whether VS Code may ask the user before it runs the tool. VS Code doesn't report when the user has answered. */
export function mayAskUser(tool: Tool): boolean {
  const approvesAll = vscode.workspace.getConfiguration('chat.tools.global').get('autoApprove') === true;
  return !approvesAll && tool.annotations?.readOnlyHint !== true;
}

/** Whether VS Code lists the tool. Waits for a tool from the last session's cache while its server starts. */
async function isListed(name: string, signal: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + START_LIMIT_MS;
  const listed = () => vscode.lm.tools.some((tool) => tool.name === name);
  while (!listed() && Date.now() < deadline && !signal.aborted) await pause(POLL_MS, signal);
  return listed();
}

/** Fields that results have at run time but not in the typings of VS Code. */
interface UntypedResult {
  /** Set for tools of VS Code and of extensions. For those of MCP servers, VS Code drops `isError`. */
  readonly hasError?: unknown;
}

async function toRun(result: vscode.LanguageModelToolResult & UntypedResult, tool: Tool): Promise<ToolRun> {
  const parts = await Promise.all(result.content.map(given));
  const [first] = parts;
  const words = parts.length === 1 && first?.kind === 'text' ? outcomeOf(first.text, tool.name) : 'ok';
  const structured = structuredOf(result);
  return readResult({
    outcome: result.hasError === true ? 'failed' : words,
    parts,
    ...(structured === undefined ? {} : { structured }),
  });
}

/**
 * Returns an MCP result's `structuredContent`. VS Code puts it in place of all texts, as compact JSON at the end. A
 * server's own text of that form means the same.
 */
function structuredOf({ content }: vscode.LanguageModelToolResult): Json | undefined {
  const texts = content.filter(
    (part): part is vscode.LanguageModelTextPart => part instanceof vscode.LanguageModelTextPart,
  );
  const [only] = texts;
  if (!only?.value.startsWith('{') || texts.length > 1 || only !== content.at(-1)) return undefined;
  try {
    const value: Json = JSON.parse(only.value);
    return JSON.stringify(value) === only.value ? value : undefined;
  } catch {
    return undefined;
  }
}

async function given(part: unknown): Promise<GivenPart> {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelPromptTsxPart) return { kind: 'text', text: textsOf(part.value).join('') };
  if (!(part instanceof vscode.LanguageModelDataPart))
    return { kind: 'data', mimeType: 'application/octet-stream', data: new Uint8Array() };
  return part.mimeType === RESOURCE_LINK
    ? linked(part.data)
    : { kind: 'data', mimeType: part.mimeType, data: part.data };
}

/** Reads a resource through VS Code, which asks its server. It gives no type: text is what is valid UTF-8. */
async function readLinked(address: string): Promise<ToolRun> {
  const data = await vscode.workspace.fs.readFile(vscode.Uri.parse(address));
  const isText = !data.includes(0) && isUtf8(data);
  return readResult({ outcome: 'ok', parts: [{ kind: 'data', mimeType: isText ? 'text/plain' : '', data }] });
}

/** VS Code's `McpResourceURI`: the path is the scheme, the authority or a word for none, and the path of the server. */
function serverUri({ path, query, fragment }: vscode.Uri): string {
  const [, scheme = '', authority = '', ...rest] = path.split('/');
  const host = authority === NO_AUTHORITY ? '' : authority;
  return `${scheme}://${host}/${rest.join('/')}${query && `?${query}`}${fragment && `#${fragment}`}`;
}

/** Reads a resource that the result embeds, and names one to which it only links, so that the model can ask for it. */
async function linked(data: Uint8Array): Promise<GivenPart> {
  const text = new TextDecoder().decode(data);
  try {
    const link = JSON.parse(text) as { uri: string | vscode.Uri; underlyingMimeType?: string };
    const uri = typeof link.uri === 'string' ? vscode.Uri.parse(link.uri) : vscode.Uri.from(link.uri);
    const type = link.underlyingMimeType;
    if (uri.scheme === EMBEDDED_RESOURCE)
      return { kind: 'data', mimeType: type ?? 'text/plain', data: await vscode.workspace.fs.readFile(uri) };
    const about = type ? [type] : [];
    if (uri.scheme !== SERVER_RESOURCE) return { kind: 'link', uri: uri.toString(true), about };
    return { kind: 'link', uri: serverUri(uri), about, address: uri.toString() };
  } catch {
    return { kind: 'link', uri: text, about: [] };
  }
}

/** Returns the texts of a rendered prompt in order. Its nodes have `text` and `children`. */
function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(textsOf);
  const { text, ...rest } = node as { text?: unknown };
  return [...(typeof text === 'string' ? [text] : []), ...Object.values(rest).flatMap(textsOf)];
}

function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled');
}
