import * as vscode from 'vscode';

/**
 * An MCP server over stdio that needs no package. Its tools are read-only, so that VS Code runs them without asking; what
 * `fail`, `crash` and the others do stands in their names.
 */
const SERVER = `
const tools = ['echo', 'fail', 'crash', 'hang', 'picture', 'get.dotted'].map((name) => ({
  name,
  description: 'Does ' + name,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
}));
const text = (text) => ({ content: [{ type: 'text', text }] });
const calls = {
  echo: (args) => text(process.argv[2] + ':' + args.text),
  fail: () => ({ ...text('it failed'), isError: true }),
  crash: () => process.exit(1),
  hang: () => undefined,
  picture: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] }),
  'get.dotted': () => text('dotted'),
};
const methods = {
  initialize: (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'Suite Server', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => calls[params.name](params.arguments ?? {}),
  ping: () => ({}),
};
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines.filter(Boolean)) {
    const { id, method, params } = JSON.parse(line);
    const result = methods[method]?.(params);
    if (id !== undefined && result !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  }
});
`;

/** The workspace's `mcp.json`. */
export function mcpJson(): vscode.Uri {
  return vscode.Uri.joinPath(workspace(), '.vscode', 'mcp.json');
}

/** Writes the workspace's `mcp.json` with servers of these names. */
export async function configureServers(...names: string[]): Promise<void> {
  const script = vscode.Uri.joinPath(workspace(), '.vscode', 'suite-server.cjs');
  await write(script, SERVER);
  const servers = names.map((name) => [name, { type: 'stdio', command: process.execPath, args: [script.fsPath, name] }]);
  await write(mcpJson(), JSON.stringify({ servers: Object.fromEntries(servers) }));
}

export async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/** Waits until a condition holds, 10 seconds at the most. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function workspace(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('The suite needs a workspace folder.');
  return folder.uri;
}
