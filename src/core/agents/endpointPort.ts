import type { ToolDefinition } from '../catalog/tool';
import type { ToolRun } from '../ports';
import type { AgentCall } from './agentTools';

/** The name of the MCP endpoint. VS Code makes the names of its tools from it, which identifies them. */
export const ENDPOINT_NAME = 'toolsearch-ide';

/** A client of the MCP endpoint. */
export interface OutsideClient {
  /** The name that it gives itself. */
  readonly name: string;
  /** Names its MCP session: what the user allows ends with that. */
  readonly session: string;
  /** Whether all programs that give themselves this name share the session. */
  readonly onlyByName: boolean;
}

/** The tools that clients of the MCP endpoint reach. */
export interface EndpointTools {
  definitions(): readonly ToolDefinition[];
  /** Guidance for a client's model before it has called anything. */
  guidance(): string;
  /** Never rejects. */
  answer(call: AgentCall, signal: AbortSignal): Promise<ToolRun>;
}

export interface EndpointOptions {
  readonly tools: EndpointTools;
  /** Who doesn't send it is refused. */
  readonly token: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Of the extension. */
  readonly version: string;
  /** Hears what goes wrong, and who comes. */
  readonly log: (line: string) => void;
}

/** An MCP server that listens on this machine. */
export interface Endpoint {
  readonly port: number;
  readonly url: string;
  /** Tells the clients that are connected. */
  toolsChanged(): void;
  /** Refuses everybody from here on, and gives up the calls that run. Never rejects. */
  close(): Promise<void>;
}

/** Rejects if it can't listen, with the `code` `EADDRINUSE` if another program has the port. */
export type OpenEndpoint = (options: EndpointOptions) => Promise<Endpoint>;
