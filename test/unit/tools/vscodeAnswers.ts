import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RESULTS } from '../../fixtures/results.mjs';

/** What VS Code handed over of each result: recorded in the real one by the host suite, which checks that it still does. */
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
} = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../fixtures/vscodeResults.json'), 'utf8'));

class Part {}
export class LanguageModelTextPart extends Part {
  constructor(readonly value: string) {
    super();
  }
}
export class LanguageModelPromptTsxPart extends Part {
  constructor(readonly value: unknown) {
    super();
  }
}
export class LanguageModelDataPart extends Part {
  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {
    super();
  }
}
export class CancellationError extends Error {}
export class CancellationTokenSource {
  readonly token = {};
  cancel() {}
  dispose() {}
}

/** In a chat VS Code keeps embedded resources under addresses of its own; elsewhere they are the server's. */
const EMBEDDED = 'vscode-chat-response-resource';
class Uri {
  constructor(
    readonly scheme: string,
    readonly path: string,
  ) {}
  static from({ scheme, path: at }: { scheme: string; path: string }) {
    return new Uri(scheme, at);
  }
  toString() {
    return `${this.scheme}://server${this.path}`;
  }
}

async function invokeTool(name: string) {
  const { error, content = [] } = RECORDED[name] ?? {};
  if (error) throw new Error(error);
  return { content: content.map((part) => toPart(name, part)) };
}

function toPart(tool: string, { text, mimeType = '', data = '', link }: NonNullable<(typeof RECORDED)[string]['content']>[number]) {
  if (text !== undefined) return new LanguageModelTextPart(text);
  if (!link) return new LanguageModelDataPart(Buffer.from(data, 'base64'), mimeType);
  const scheme = tool.startsWith('embedded') ? EMBEDDED : 'mcp-resource';
  const value = { uri: { scheme, path: `/${tool}/${link.file}` }, underlyingMimeType: link.underlyingMimeType };
  return new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(value)), mimeType);
}

async function readFile(uri: Uri): Promise<Uint8Array> {
  const tool = uri.path.split('/')[1] ?? '';
  const { content } = RESULTS[tool] as { content: readonly { resource: { text?: string; blob?: string } }[] };
  const { text, blob } = content[0]?.resource ?? {};
  return Buffer.from(text ?? blob ?? '', text === undefined ? 'base64' : 'utf8');
}

export const lm = { tools: Object.keys(RECORDED).map((name) => ({ name })), invokeTool };
export const workspace = { fs: { readFile } };
export { Uri };
