import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { activateToolSearch, startServers } from './toolSearch';

/** The answers that this test records. The unit tests read them as VS Code's answers. */
const RECORDED = path.resolve(__dirname, '../test/fixtures/vscodeResults.json');
const PREFIX = 'mcp_results_';

/** All properties of a result at run time, in a form that a file can hold. */
async function answerOf(tool: string) {
  try {
    const result = await vscode.lm.invokeTool(tool, { input: {}, toolInvocationToken: undefined });
    const { content, ...more } = result as vscode.LanguageModelToolResult & { readonly [key: string]: unknown };
    return { content: content.map(shapeOf), ...more };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function shapeOf(part: unknown) {
  if (part instanceof vscode.LanguageModelTextPart) return { text: part.value };
  if (!(part instanceof vscode.LanguageModelDataPart)) return { other: JSON.stringify(part) };
  const { mimeType, data } = part;
  if (mimeType !== 'application/vnd.code.resource-link')
    return { mimeType, data: Buffer.from(data).toString('base64') };
  // The rest of the address differs in each window.
  const { uri, underlyingMimeType } = JSON.parse(new TextDecoder().decode(data));
  return { mimeType, link: { scheme: uri.scheme, file: uri.path.split('/').at(-1), underlyingMimeType } };
}

describe('what VS Code hands over of the results of MCP servers', () => {
  before(async function () {
    // All servers of the workspace start at once, also on slow machines.
    this.timeout(90_000);
    await activateToolSearch();
    await startServers(() => vscode.lm.tools.some((tool) => tool.name.startsWith(PREFIX)));
  });

  it('is what was recorded', async () => {
    const names = vscode.lm.tools.map((tool) => tool.name).filter((name) => name.startsWith(PREFIX));
    const answers: { [name: string]: unknown } = {};
    for (const name of names.sort())
      answers[name.slice(PREFIX.length)] = JSON.parse(JSON.stringify(await answerOf(name)));
    if (process.env.TOOLSEARCH_RECORD) writeFileSync(RECORDED, `${JSON.stringify(answers, null, 2)}\n`);
    assert.deepEqual(answers, JSON.parse(readFileSync(RECORDED, 'utf8')));
  });

  it('has links that VS Code reads, under its own address', async () => {
    const { content } = await vscode.lm.invokeTool(`${PREFIX}linked`, { input: {}, toolInvocationToken: undefined });
    const [part] = content;
    assert.ok(part instanceof vscode.LanguageModelDataPart);
    const uri = vscode.Uri.from(JSON.parse(new TextDecoder().decode(part.data)).uri);
    assert.equal(uri.path, '/file/dylo78gyp/notes.md');
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)), 'what stands in file:///notes.md');
  });
});
