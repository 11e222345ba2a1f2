// Offers our tools as a server of the MCP SDK: one for each session of an older client, or for each request of a newer
// one.

import {
  type CallToolRequest,
  type ContentBlock,
  type Implementation,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import type { AgentCall } from '../core/agents/agentTools';
import { ENDPOINT_NAME, type EndpointOptions } from '../core/agents/endpointPort';
import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../core/catalog/modelNames';
import type { ToolDefinition } from '../core/catalog/tool';
import { resultText } from '../core/conversation/resultText';
import type { ResultPart } from '../core/conversation/transcript';
import { onAbort } from '../core/util/signals';

const OWN_TOOLS = [SEARCH_TOOLS, DESCRIBE_TOOL, CALL_TOOL, RUN_CODE] as const;
/** The tools that only read the catalog. */
const READING: readonly string[] = [SEARCH_TOOLS, DESCRIBE_TOOL];

/** Creates a server. `callerOf` returns the caller for the name and version that a client reports. */
export function createMcpServer(
  { tools, version, log }: Pick<EndpointOptions, 'tools' | 'version' | 'log'>,
  callerOf: (client: Implementation) => Pick<AgentCall, 'chat' | 'by'>,
): Server {
  const guidance = tools.guidance();
  const server = new Server(
    // There is no title, since VS Code would use it in the names of the tools.
    { name: ENDPOINT_NAME, version },
    {
      capabilities: { tools: { listChanged: true } },
      ...(guidance === '' ? {} : { instructions: guidance }),
      // The endpoint sends no requests to clients, so there are no answers to validate.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const client = () => server.getClientVersion() ?? { name: '', version: '' };
  server.setRequestHandler('tools/list', () => ({ tools: tools.definitions(client().name).map(listed) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq, http }) => {
    const caller = callerOf(client());
    // The answer can't be fetched over another connection, so the call is cancelled when its connection ends.
    const over = new AbortController();
    const stops = [mcpReq.signal, http?.req?.signal].map((signal) => signal && onAbort(signal, () => over.abort()));
    try {
      const { outcome, parts } = await tools.answer({ ...asked(params), ...caller }, over.signal);
      return { content: parts.map(toContent), ...(outcome === 'ok' ? {} : { isError: true }) };
    } finally {
      for (const stop of stops) stop?.();
    }
  });
  server.onerror = (error) => log(error.message);
  return server;
}

/** Returns the call of one of our tools. A model may call a tool that it found by its own name. */
function asked({ name, arguments: args = {} }: CallToolRequest['params']): Pick<AgentCall, 'tool' | 'input'> {
  const own = OWN_TOOLS.find((tool) => tool === name);
  return own ? { tool: own, input: args } : { tool: CALL_TOOL, input: { name, arguments: args } };
}

function listed({ name, description, inputSchema }: ToolDefinition): Tool {
  const onlyReads = READING.includes(name);
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: { readOnlyHint: onlyReads, openWorldHint: !onlyReads },
  };
}

function toContent(part: ResultPart): ContentBlock {
  switch (part.type) {
    case 'image':
      return { type: 'image', mimeType: part.mimeType, data: part.data };
    case 'document':
      return { type: 'resource', resource: { uri: 'toolsearch:document', mimeType: part.mimeType, blob: part.data } };
    default:
      return { type: 'text', text: resultText({ parts: [part] }) };
  }
}
