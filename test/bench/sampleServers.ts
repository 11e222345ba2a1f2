import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { assignModelNames } from '../../src/core/catalog/modelNames';
import { type Tool, toolId } from '../../src/core/catalog/tool';
import { toRun } from '../../src/tools/mcp/connection/callResult';
import { TestRunner } from '../unit/core/turn/world';
import { ENTITY_NAMES } from './codeTasks';

/** Starts the sample's servers that the tasks need, over a folder of their own. */
export async function startServers(sample: string, folder: string) {
  const modules = path.join(sample, 'node_modules/@modelcontextprotocol');
  const entries = {
    everything: { args: [`${modules}/server-everything/dist/index.js`], env: {} },
    filesystem: { args: [`${modules}/server-filesystem/dist/index.js`, folder], env: {} },
    memory: {
      args: [`${modules}/server-memory/dist/index.js`],
      env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') },
    },
    github: { args: [`${modules}/server-github/dist/index.js`], env: {} },
  };
  const clients = new Map<string, Client>();
  const listed: Omit<Tool, 'modelName'>[] = [];
  for (const [server, { args, env }] of Object.entries(entries)) {
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args,
        env: { ...process.env, ...env } as Record<string, string>,
        stderr: 'ignore',
      }),
    );
    clients.set(server, client);
    for (const { name, description = '', inputSchema, annotations } of (await client.listTools()).tools)
      listed.push({
        id: toolId(server, name),
        server,
        name,
        invokeName: name,
        description,
        inputSchema,
        origin: 'mcp',
        ...(annotations ? { annotations } : {}),
      });
  }
  const { names } = assignModelNames(listed);
  const runner = new TestRunner(async (tool, input) => {
    const client = clients.get(tool.server);
    if (!client) throw new Error(`No server ${tool.server}.`);
    const run = toRun(await client.callTool({ name: tool.name, arguments: { ...input } }));
    // As in VS Code, structured content replaces the text.
    return run.structured === undefined
      ? run
      : { ...run, parts: [{ type: 'text', text: JSON.stringify(run.structured) }] };
  });
  return {
    tools: listed.map((tool): Tool => ({ ...tool, modelName: names.get(tool.id) ?? tool.name })),
    runner,
    /** Empties the memory server, so that all ways begin alike. */
    forget: () =>
      clients.get('memory')?.callTool({ name: 'delete_entities', arguments: { entityNames: ENTITY_NAMES } }),
    close: () => Promise.all([...clients.values()].map((client) => client.close())),
  };
}
