import type { OfferedTool } from '../../../tool-search';
import type { Tool } from '../catalog/tool';

/** Returns the copy of a tool that other extensions get. */
export function offer({ id, server, name, title, description, inputSchema, annotations }: Tool): OfferedTool {
  return {
    id,
    server,
    name,
    ...(title === undefined ? {} : { title }),
    description,
    // Copied only when it is read, since there may be thousands of tools.
    get inputSchema() {
      return structuredClone(inputSchema);
    },
    ...(annotations ? { annotations: { ...annotations } } : {}),
  };
}
