import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RESULTS } from '../../../fixtures/results.mjs';
import { Uri } from '../../shim/basics';
import { host } from '../../shim/host';
import { LanguageModelDataPart, LanguageModelTextPart } from '../../shim/parts';

/**
 * The form in which VS Code returns each result. The host suite records it in the real VS Code, and checks that it is
 * still the same.
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

/** The scheme under which VS Code keeps embedded resources in a chat. Otherwise they keep the server's address. */
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
  // The path of a server's resource is its scheme, VS Code's word for a missing authority, and the resource's path.
  const folder = scheme === EMBEDDED ? tool : 'file/dylo78gyp';
  const authority = scheme === EMBEDDED ? '' : AUTHORITY;
  const uri = { scheme, authority, path: `/${folder}/${link.file}` };
  const value = { uri, underlyingMimeType: link.underlyingMimeType };
  return new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(value)), mimeType);
}

/** The contents of an embedded resource, which VS Code returns when its address is read. */
function embedded(tool: string): Uint8Array | undefined {
  const { content = [] } = RESULTS[tool] as { content?: readonly { resource?: { text?: string; blob?: string } }[] };
  const { text, blob } = content[0]?.resource ?? {};
  return text === undefined && blob === undefined
    ? undefined
    : Buffer.from(text ?? blob ?? '', text === undefined ? 'base64' : 'utf8');
}

/**
 * A VS Code that runs the server of the recorded results. It uses the common shim, since a mock of its own would remain
 * in the imports of other test files.
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
