// One client's MCP session with the endpoint: its requests, and the calls that it makes.

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  type ContentBlock,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as McpTool,
} from '@modelcontextprotocol/sdk/types.js';
import type { AgentCall } from '../core/agents/agentTools';
import { ENDPOINT_NAME, type EndpointTools } from '../core/agents/endpointPort';
import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../core/catalog/modelNames';
import type { ToolDefinition } from '../core/catalog/tool';
import type { ResultPart } from '../core/conversation/transcript';
import type { ToolRun } from '../core/ports';
import { cut } from '../core/util/cut';

/** Longest message of a client, in bytes. Arguments of a call can contain a file. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const NAMES: readonly string[] = [SEARCH_TOOLS, DESCRIBE_TOOL, CALL_TOOL, RUN_CODE];
/** Tools that only read the catalog. */
const READING: readonly string[] = [SEARCH_TOOLS, DESCRIBE_TOOL];

/** One client's session with the endpoint, from its initialization on. */
export interface ClientSession {
  /** Answers one request, or keeps it open as a stream for as long as the client reads it. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Number of calls that haven't been answered. */
  readonly running: number;
  toolsChanged(): void;
  /** Cancels the running calls. Never rejects. */
  close(): Promise<void>;
}

interface SessionEvents {
  /** Called when the client has been initialized and has its id. */
  opened(id: string, session: ClientSession): void;
  /** Called when either side has ended the session. */
  closed(id: string): void;
  log(line: string): void;
}

/**
 * Aborts with the connection of a call. Its answer can't be fetched over another connection, so it is no longer needed.
 */
const connection = new AsyncLocalStorage<AbortSignal>();

/** Makes a session that waits for a client's initialization. */
export async function createClientSession(
  tools: EndpointTools,
  version: string,
  events: SessionEvents,
): Promise<ClientSession> {
  const id = randomUUID();
  const guidance = tools.guidance();
  const server = new Server(
    // No title, because VS Code would name the tools after it.
    { name: ENDPOINT_NAME, version },
    {
      capabilities: { tools: { listChanged: true } },
      ...(guidance === '' ? {} : { instructions: guidance }),
      // The endpoint asks the client for nothing, so no answers need validation.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  let running = 0;
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.definitions().map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    if (!isOurs(params.name)) {
      const names = tools.definitions().map(({ name }) => name);
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool ${cut(params.name, 80)}. There are: ${names.join(', ')}.`,
      );
    }
    running++;
    try {
      const client = server.getClientVersion()?.name ?? '';
      const call = { tool: params.name, input: params.arguments ?? {}, chat: `mcp ${id}`, by: { client } };
      const gone = connection.getStore();
      return toResult(await tools.answer(call, gone ? AbortSignal.any([signal, gone]) : signal));
    } finally {
      running--;
    }
  });
  server.onerror = (error) => events.log(error.message);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessioninitialized: () => events.opened(id, session),
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  const session: ClientSession = {
    handle(request, response) {
      const gone = new AbortController();
      response.once('close', () => {
        if (!response.writableFinished) gone.abort();
      });
      return connection.run(gone.signal, () => transport.handleRequest(request, response));
    },
    get running() {
      return running;
    },
    // A client without an open stream gets this with the next answer.
    toolsChanged: () => void server.sendToolListChanged().catch(() => {}),
    close: () => server.close().catch(() => {}),
  };
  server.onclose = () => events.closed(id);
  await server.connect(transport);
  return session;
}

function isOurs(name: string): name is AgentCall['tool'] {
  return NAMES.includes(name);
}

function listed({ name, description, inputSchema }: ToolDefinition): McpTool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: READING.includes(name)
      ? { readOnlyHint: true, openWorldHint: false }
      : { readOnlyHint: false, openWorldHint: true },
  };
}

function toResult({ outcome, parts }: ToolRun): CallToolResult {
  return { content: parts.map(toContent), ...(outcome === 'ok' ? {} : { isError: true }) };
}

function toContent(part: ResultPart): ContentBlock {
  switch (part.type) {
    case 'text':
      return part;
    case 'image':
      return { type: 'image', mimeType: part.mimeType, data: part.data };
    case 'document':
      return { type: 'resource', resource: { uri: 'toolsearch:document', mimeType: part.mimeType, blob: part.data } };
    default:
      return { type: 'text', text: `[Left out: ${part.mimeType}, ${part.bytes.toLocaleString('en')} bytes]` };
  }
}
