import type { ToolRun } from '../ports';
import type { AgentCall, AgentTools } from './agentTools';

/** The name of the MCP endpoint. VS Code uses it in the names of the endpoint's tools, which identifies these tools. */
export const ENDPOINT_NAME = 'toolsearch-ide';

/** A client of the MCP endpoint. */
export interface OutsideClient {
  /** The name that the client gives itself. */
  readonly name: string;
  /** Identifies the client's MCP session. The user's permissions end with the session. */
  readonly session: string;
  /** Whether all programs with this name share the session. */
  readonly onlyByName: boolean;
}

export interface EndpointTools extends Pick<AgentTools, 'definitions' | 'guidance'> {
  /** Answers a call. Never rejects. */
  answer(call: AgentCall, signal: AbortSignal): Promise<ToolRun>;
}

export interface EndpointOptions {
  readonly tools: EndpointTools;
  /** The secret that each client must send. A client without it is refused. */
  readonly token: string;
  /** The port to listen on; 0 for any free one. */
  readonly port: number;
  readonly version: string;
  /** Writes errors and new clients to the log. */
  readonly log: (line: string) => void;
}

/** An MCP server that listens on this machine. */
export interface Endpoint {
  readonly port: number;
  readonly url: string;
  toolsChanged(): void;
  /** Refuses all further requests and cancels running calls. Never rejects. */
  close(): Promise<void>;
}

/** Opens the endpoint. Rejects if it can't listen, with the `code` `EADDRINUSE` if another program uses the port. */
export type OpenEndpoint = (options: EndpointOptions) => Promise<Endpoint>;
