// Runs tools through VS Code and reads their results.

import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import { declaredChange, type Json, type Tool } from '../../core/catalog/tool';
import { CANCELLED_BEFORE, CANCELLED_MEANWHILE, type Call, type ToolRun, toolMessage } from '../../core/ports';
import { messageOf } from '../../core/util/messageOf';
import { pause } from '../../core/util/timers';
import { withToken } from '../../vscode/cancellation';
import { outcomeOf, withoutErrorCode } from '../callOutcome';
import { type GivenPart, readResult } from '../readResult';
import { referenceName } from '../toolOrigin';

/** If VS Code cancels a call and its request, the request's signal aborts at most this time after the call fails. */
const CANCEL_MS = 50;
/** The maximum time that a call waits for its server to start, and the interval of the checks. */
const START_LIMIT_MS = 10_000;
const POLL_MS = 200;

/** The MIME type with which VS Code marks a link to an MCP resource. The data is `{uri, underlyingMimeType}`. */
const RESOURCE_LINK = 'application/vnd.code.resource-link';
/** VS Code's URI scheme for resources that it reads from their servers, and its placeholder for an empty authority. */
const SERVER_RESOURCE = 'mcp-resource';
const NO_AUTHORITY = 'dylo78gyp';
/** VS Code's URI scheme for resources embedded in a result. */
const EMBEDDED_RESOURCE = 'vscode-chat-response-resource';

/**
 * Calls a tool through VS Code, which asks the user if needed and shows progress. Never rejects.
 * @param token the token of the chat request, in which questions and progress appear; without it, VS Code opens a
 * dialog
 */
export async function invokeInVscode(
  { tool, input, refusal, signal }: Pick<Call, 'tool' | 'input' | 'refusal' | 'signal'>,
  token: vscode.ChatParticipantToolToken | undefined,
): Promise<ToolRun> {
  try {
    if (signal.aborted) return CANCELLED_BEFORE;
    if (tool.item) return await readLinked(String(input.uri));
    if (!(await isListed(tool.invokeName, signal)))
      return toolMessage('failed', `${tool.modelName} can't be called: its server “${tool.server}” isn't running.`);
    const refused = refusal();
    if (refused) return refused;
    const result = await withToken(signal, (cancellation) =>
      vscode.lm.invokeTool(tool.invokeName, { input, toolInvocationToken: token }, cancellation),
    );
    return await toRun(result, tool);
  } catch (error) {
    // VS Code cancels the call and the request at once, so the signal may abort shortly after the error.
    if (isCancellation(error)) await pause(CANCEL_MS);
    if (signal.aborted) return CANCELLED_MEANWHILE;
    // In a chat, a refusal by the user is a text. A cancellation that isn't ours therefore means that the server
    // died. In a dialog, it may also mean that the user refused.
    if (isCancellation(error) && token)
      return toolMessage('failed', `${tool.modelName} was cut off: its server stopped during the call.`);
    if (isCancellation(error))
      return toolMessage('refused', 'The user declined the call, or its server stopped during it.');
    return toolMessage('failed', `${tool.modelName} failed: ${withoutErrorCode(messageOf(error))}`);
  }
}

/** Whether VS Code may ask the user before it runs the tool. */
export function mayAskUser(tool: Tool): boolean {
  const approvesAll = vscode.workspace.getConfiguration('chat.tools.global').get('autoApprove') === true;
  return !approvesAll && declaredChange(tool) !== false;
}

/** Whether VS Code lists the tool. A tool from the cache isn't listed until its server has started, so this waits. */
async function isListed(name: string, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + START_LIMIT_MS;
  const listed = () => vscode.lm.tools.some((tool) => tool.name === name);
  while (!listed() && performance.now() < deadline && !signal.aborted) await pause(POLL_MS, signal);
  return listed();
}

/**
 * `hasError` isn't in VS Code's typings: whether a tool of VS Code or an extension failed. VS Code drops `isError` of
 * MCP tools.
 */
async function toRun(
  result: vscode.LanguageModelToolResult & { readonly hasError?: unknown },
  tool: Tool,
): Promise<ToolRun> {
  const parts = await Promise.all(result.content.map((part) => given(part, tool.server)));
  const [first] = parts;
  const words = parts.length === 1 && first?.kind === 'text' ? outcomeOf(first.text, tool.name) : 'ok';
  const outcome = result.hasError === true ? 'failed' : words;
  return readResult({ outcome, parts, structured: structuredOf(result) });
}

/**
 * Returns the `structuredContent` of an MCP result. VS Code replaces all texts with it, as compact JSON at the end. If
 * a server's own text has that form, it means the same.
 */
function structuredOf({ content }: vscode.LanguageModelToolResult): Json | undefined {
  const texts = content.filter((part) => part instanceof vscode.LanguageModelTextPart);
  const [only] = texts;
  if (!only?.value.startsWith('{') || texts.length > 1 || only !== content.at(-1)) return undefined;
  try {
    const value: Json = JSON.parse(only.value);
    return JSON.stringify(value) === only.value ? value : undefined;
  } catch {
    return undefined;
  }
}

async function given(part: unknown, server: string): Promise<GivenPart> {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelPromptTsxPart) return { kind: 'text', text: textsOf(part.value).join('') };
  if (!(part instanceof vscode.LanguageModelDataPart))
    return { kind: 'data', mimeType: 'application/octet-stream', data: new Uint8Array() };
  return part.mimeType === RESOURCE_LINK
    ? linked(part.data, server)
    : { kind: 'data', mimeType: part.mimeType, data: part.data };
}

/** Reads a resource through VS Code, which asks its server. VS Code reports no type: valid UTF-8 is treated as text. */
async function readLinked(address: string): Promise<ToolRun> {
  const data = await vscode.workspace.fs.readFile(vscode.Uri.parse(address));
  const isText = !data.includes(0) && isUtf8(data);
  return readResult({ outcome: 'ok', parts: [{ kind: 'data', mimeType: isText ? 'text/plain' : '', data }] });
}

/**
 * Converts VS Code's `McpResourceURI` to the server's own URI. Its authority is the server's id in hexadecimal digits.
 * Its path has the scheme, the authority (or a placeholder) and the path.
 */
function serverUri({ path, query, fragment }: vscode.Uri): string {
  const [, scheme = '', authority = '', ...rest] = path.split('/');
  const host = authority === NO_AUTHORITY ? '' : authority;
  return `${scheme}://${host}/${rest.join('/')}${query && `?${query}`}${fragment && `#${fragment}`}`;
}

/**
 * Whether VS Code reads an address from this server. Any server can write such an address for another server: VS Code
 * hands over the data of a picture with the MIME type that the server gives it.
 */
function isOf(server: string, { authority }: vscode.Uri): boolean {
  const id = Buffer.from(authority, 'hex').toString();
  return ['.', '/'].some((end) => referenceName(id).endsWith(end + referenceName(server)));
}

/** Reads a resource that the result contains. One that it only links to is named, so that the model can ask for it. */
async function linked(data: Uint8Array, server: string): Promise<GivenPart> {
  const text = new TextDecoder().decode(data);
  try {
    const link = JSON.parse(text) as { uri: string | vscode.Uri; underlyingMimeType?: string };
    const uri = typeof link.uri === 'string' ? vscode.Uri.parse(link.uri) : vscode.Uri.from(link.uri);
    const type = link.underlyingMimeType;
    if (uri.scheme === EMBEDDED_RESOURCE)
      return { kind: 'data', mimeType: type ?? 'text/plain', data: await vscode.workspace.fs.readFile(uri) };
    const about = type ? [type] : [];
    if (uri.scheme !== SERVER_RESOURCE || !isOf(server, uri)) return { kind: 'link', uri: uri.toString(true), about };
    return { kind: 'link', uri: serverUri(uri), about, address: uri.toString() };
  } catch {
    return { kind: 'link', uri: text, about: [] };
  }
}

/** Returns the texts of a rendered prompt, in order. Its nodes have `text` and `children`. */
function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(textsOf);
  const { text, ...rest } = node as { text?: unknown };
  return [...(typeof text === 'string' ? [text] : []), ...Object.values(rest).flatMap(textsOf)];
}

function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled');
}
