import { type Tool, toolId } from '../../../../src/core/catalog/tool';

/** A tool with string arguments, given as name → description. */
export function makeTool(server: string, name: string, description = '', args: Record<string, string> = {}): Tool {
  return {
    id: toolId(server, name),
    server,
    name,
    modelName: `${server}_${name}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64),
    invokeName: name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(args).map(([arg, text]) => [arg, { type: 'string', description: text }]),
      ),
    },
    origin: 'mcp',
  };
}
