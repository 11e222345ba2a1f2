import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import { type ToolRun, type ToolRunner, told } from '../../core/ports';
import type { ResultPart } from '../../core/transcript/transcript';
import { outcomeOf } from '../outcome';

/** How much later than a call its request may be cancelled, in milliseconds. */
const CANCEL_MS = 50;
/** How long a call waits for its server to start, and how often it looks. In milliseconds. */
const START_LIMIT_MS = 10_000;
const POLL_MS = 200;

/** How VS Code marks a link to a resource of an MCP server; its data is `{uri, underlyingMimeType}`. */
const RESOURCE_LINK = 'application/vnd.code.resource-link';
/** Scheme of the addresses under which VS Code keeps the resources that a result carries whole. */
const EMBEDDED_RESOURCE = 'vscode-chat-response-resource';

/**
 * Runs tools in VS Code, which asks the user where it must and shows progress.
 * @param token the chat request's, so that the question and the progress stand in the chat; without it VS Code opens a dialog
 */
export function createVscodeRunner(token: vscode.ChatParticipantToolToken | undefined): ToolRunner {
  return {
    async run(tool, input, signal) {
      const cancellation = new vscode.CancellationTokenSource();
      const cancel = () => cancellation.cancel();
      signal.addEventListener('abort', cancel);
      try {
        if (signal.aborted) return told('cancelled', 'The user cancelled the call.');
        if (!(await isListed(tool.invokeName, signal)))
          return told('failed', `${tool.modelName} can't be called: its server “${tool.server}” isn't running.`);
        const result = await vscode.lm.invokeTool(tool.invokeName, { input, toolInvocationToken: token }, cancellation.token);
        return await toRun(result);
      } catch (error) {
        // The signal may come a moment after the error: VS Code cancels the call and the request at once.
        if (isCancellation(error)) await new Promise((resolve) => setTimeout(resolve, CANCEL_MS));
        if (signal.aborted) return told('cancelled', 'The user cancelled the call.');
        // In a chat a refusal comes as text, so what is cancelled there without us is a server that died. A dialog's No looks the same.
        if (isCancellation(error) && token) return told('failed', `${tool.modelName} was cut off: its server stopped during the call.`);
        if (isCancellation(error)) return told('refused', 'The user declined the call, or its server stopped during it.');
        return told('failed', `${tool.modelName} failed: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        signal.removeEventListener('abort', cancel);
        cancellation.dispose();
      }
    },
  };
}

/** Whether VS Code may ask the user before it runs the tool; when it has been answered, it doesn't tell. */
export function mayAskUser(tool: Tool): boolean {
  const approvesAll = vscode.workspace.getConfiguration('chat.tools.global').get('autoApprove') === true;
  return !approvesAll && tool.annotations?.readOnlyHint !== true;
}

/** A tool that was found in the catalog of the last session is waited for while its server starts. */
async function isListed(name: string, signal: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + START_LIMIT_MS;
  const listed = () => vscode.lm.tools.some((tool) => tool.name === name);
  while (!listed() && Date.now() < deadline && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return listed();
}

async function toRun(result: vscode.LanguageModelToolResult): Promise<ToolRun> {
  const parts = await Promise.all(result.content.map(toPart));
  const [first] = parts;
  return { outcome: parts.length === 1 && first?.type === 'text' ? outcomeOf(first.text) : 'ok', parts };
}

async function toPart(part: unknown): Promise<ResultPart> {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelPromptTsxPart) return { type: 'text', text: textsOf(part.value).join('') };
  if (!(part instanceof vscode.LanguageModelDataPart)) return { type: 'omitted', mimeType: 'application/octet-stream', bytes: 0 };
  return part.mimeType === RESOURCE_LINK ? linkedPart(part.data) : dataPart(part.mimeType, part.data);
}

/** Images that models take, and the largest, in bytes: services refuse more than 5 MB of base64. */
const IMAGE = /^image\/(png|jpeg|gif|webp)$/;
const MAX_IMAGE_BYTES = 3_750_000;

function dataPart(mimeType: string, data: Uint8Array): ResultPart {
  if (IMAGE.test(mimeType) && data.byteLength <= MAX_IMAGE_BYTES)
    return { type: 'image', mimeType, bytes: data.byteLength, data: Buffer.from(data).toString('base64') };
  return /^text\/|[/+](json|xml|yaml|javascript)\b/.test(mimeType)
    ? { type: 'text', text: new TextDecoder().decode(data) }
    : { type: 'omitted', mimeType, bytes: data.byteLength };
}

/** What stands in the result itself is read; what the server only points to is named, for the model to ask for. */
async function linkedPart(data: Uint8Array): Promise<ResultPart> {
  const text = new TextDecoder().decode(data);
  try {
    const link = JSON.parse(text) as { uri: string | vscode.Uri; underlyingMimeType?: string };
    const uri = typeof link.uri === 'string' ? vscode.Uri.parse(link.uri) : vscode.Uri.from(link.uri);
    if (uri.scheme === EMBEDDED_RESOURCE) return dataPart(link.underlyingMimeType ?? 'text/plain', await vscode.workspace.fs.readFile(uri));
    return { type: 'text', text: `[Resource: ${uri.toString(true)}${link.underlyingMimeType ? `, ${link.underlyingMimeType}` : ''}]` };
  } catch {
    return { type: 'text', text: `[Resource: ${text}]` };
  }
}

/** The texts of a rendered prompt, in order: its nodes hold `text` and `children`. */
function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(textsOf);
  const { text, ...rest } = node as { text?: unknown };
  return [...(typeof text === 'string' ? [text] : []), ...Object.values(rest).flatMap(textsOf)];
}

function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled');
}
