import { type Catalog, createCatalog } from '../catalog/catalog';
import { hashedName, RESERVED_NAMES, sanitize } from '../catalog/modelNames';
import { type JsonSchema, type Tool, toolId, VSCODE_SERVER } from '../catalog/tool';

/** A tool as another agent passes it to one of our models. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/**
 * Returns the agent's tools as a catalog. A tool that our catalog knows keeps its id, server and examples, so that
 * settings and pins apply, but has the name and definition that the agent gave it. All other tools count as VS Code's.
 */
export function agentCatalog(tools: readonly AgentTool[], known: Catalog): Catalog {
  const byInvokeName = new Map(known.tools.map((tool) => [tool.invokeName, tool]));
  const made = new Map<string, Tool>();
  for (const { name, description, inputSchema } of tools) {
    if (known.withheld?.has(name)) continue;
    const ours = byInvokeName.get(name);
    const tool: Tool = {
      ...(ours ?? { id: toolId(VSCODE_SERVER, name), server: VSCODE_SERVER, name, origin: 'vscode' as const }),
      modelName: wireName(name),
      invokeName: name,
      description,
      inputSchema,
    };
    if (!made.has(tool.id)) made.set(tool.id, tool);
  }
  return createCatalog(known.revision, [...made.values()], known.servers);
}

/** Returns the agent's own name for a tool, or another fixed one if that is reserved or a provider would refuse it. */
export function wireName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name) && !RESERVED_NAMES.has(name)) return name;
  return hashedName(name, sanitize(name));
}
