import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RESULTS } from '../../../fixtures/results.mjs';
import { Uri } from '../../shim/basics';
import { host } from '../../shim/host';
import { LanguageModelDataPart, LanguageModelTextPart } from '../../shim/parts';

/**
 * What VS Code handed over of each result: recorded in the real one by the host suite, which checks that it still does.
 */
const RECORDED: {
  readonly [tool: string]: {
    readonly error?: string;
    readonly content?: readonly {
      readonly text?: string;
      readonly mimeType?: string;
      readonly data?: string;
      readonly link?: { readonly file: string; readonly underlyingMimeType: string };
    }[];
  };
} = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/vscodeResults.json'), 'utf8'));

/** In a chat VS Code keeps embedded resources under addresses of its own; elsewhere they are the server's. */
const EMBEDDED = 'vscode-chat-response-resource';
/** The id of the server "results" of a workspace, as VS Code writes it into addresses. */
export const AUTHORITY = Buffer.from('mcp.config.ws0.results').toString('hex');

async function invokeTool(name: string) {
  const { error, content = [] } = RECORDED[name] ?? {};
  if (error) throw new Error(error);
  return { content: content.map((part) => toPart(name, part)) };
}

function toPart(
  tool: string,
  { text, mimeType = '', data = '', link }: NonNullable<(typeof RECORDED)[string]['content']>[number],
) {
  if (text !== undefined) return new LanguageModelTextPart(text);
  if (!link) return new LanguageModelDataPart(Buffer.from(data, 'base64'), mimeType);
  const scheme = tool.startsWith('embedded') ? EMBEDDED : 'mcp-resource';
  // For a server's resource the path is its scheme, VS Code's word for no authority, and its path.
  const folder = scheme === EMBEDDED ? tool : 'file/dylo78gyp';
  const authority = scheme === EMBEDDED ? '' : AUTHORITY;
  const uri = { scheme, authority, path: `/${folder}/${link.file}` };
  const value = { uri, underlyingMimeType: link.underlyingMimeType };
  return new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(value)), mimeType);
}

/** What stands in an embedded resource, as VS Code gives it when its address is read. */
function embedded(tool: string): Uint8Array | undefined {
  const { content = [] } = RESULTS[tool] as { content?: readonly { resource?: { text?: string; blob?: string } }[] };
  const { text, blob } = content[0]?.resource ?? {};
  return text === undefined && blob === undefined
    ? undefined
    : Buffer.from(text ?? blob ?? '', text === undefined ? 'base64' : 'utf8');
}

/**
 * A VS Code that runs the server of the recorded results. It stands in the one shim: a mock of its own would stay in
 * what other files import.
 */
export function playRecordedResults(): void {
  host.listed = Object.keys(RECORDED);
  host.invokeTool = invokeTool as typeof host.invokeTool;
  for (const [tool, { content = [] }] of Object.entries(RECORDED)) {
    const file = content.find(({ link }) => link)?.link?.file;
    const data = tool.startsWith('embedded') ? embedded(tool) : undefined;
    if (file && data) host.files.set(Uri.from({ scheme: EMBEDDED, path: `/${tool}/${file}` }).toString(), data);
  }
}
