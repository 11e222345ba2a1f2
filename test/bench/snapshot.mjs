// Lists the tools of real MCP servers into tools.jsonl: node test/bench/snapshot.mjs [FOLDER WITH node_modules] The
// servers are npm packages, by default those of the sample workspace. They are started over stdio, without credentials.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, '../../sample'));

const SERVERS = [
  ['everything', '@modelcontextprotocol/server-everything'],
  ['filesystem', '@modelcontextprotocol/server-filesystem', tmpdir()],
  ['memory', '@modelcontextprotocol/server-memory'],
  ['sequential-thinking', '@modelcontextprotocol/server-sequential-thinking'],
  ['github', '@modelcontextprotocol/server-github'],
  ['playwright', '@playwright/mcp'],
  ['chrome-devtools', 'chrome-devtools-mcp'],
  ['kubernetes', 'mcp-server-kubernetes'],
];

const lines = [];
for (const [server, name, ...args] of SERVERS) {
  const tools = await listTools(scriptOf(name), args);
  console.log(`${server}: ${tools.length} tools`);
  for (const { name, title, description, inputSchema } of tools)
    lines.push(JSON.stringify({ server, name, title, description, inputSchema }));
}
writeFileSync(join(here, 'tools.jsonl'), `${lines.join('\n')}\n`);

/** The script that a package's only (or first) command runs. */
function scriptOf(name) {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return createRequire(manifest).resolve(`./${typeof bin === 'string' ? bin : Object.values(bin)[0]}`);
}

async function listTools(script, args) {
  const client = new Client({ name: 'snapshot', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [script, ...args], stderr: 'ignore' }),
  );
  try {
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
}
