import type { ToolDefinition } from '../catalog/tool';
import type { ToolRun } from '../ports';
import type { AgentCall } from './agentTools';

/** What the MCP endpoint calls itself when it is greeted. VS Code makes the names of its tools of that, by which they are known again. */
export const ENDPOINT_NAME = 'toolsearch-ide';

/** A client of the MCP endpoint. */
export interface OutsideClient {
  /** The name that it gives itself. */
  readonly name: string;
  /** Names its MCP session: what the user allows ends with that. */
  readonly session: string;
}

/** What clients of the MCP endpoint reach. */
export interface EndpointTools {
  definitions(): readonly ToolDefinition[];
  /** What a client's model should know before it has called anything. */
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

/** Rejects where it can't listen, with a `code` of `EADDRINUSE` where another program has the port. */
export type OpenEndpoint = (options: EndpointOptions) => Promise<Endpoint>;
