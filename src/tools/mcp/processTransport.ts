import type { Transport } from '@modelcontextprotocol/client';
import type { ServerProcess } from '../toolProvider';

/** The maximum length of a message of a process, in characters. */
export const MAX_MESSAGE = 64 * 2 ** 20;

/** A server that is a process on this machine, started by this window or by another one. */
export interface ProcessTransport extends Transport {
  /**
   * The SDK recognizes a process by `pid` and `stderr`. A process that doesn't answer the first request is then treated
   * as an older server.
   */
  readonly pid: number | null;
  readonly stderr: null;
  /** Undefined before the server has started. */
  readonly process: ServerProcess | undefined;
  /** How the server ended, as a sentence; undefined while it runs. */
  readonly ending: string | undefined;
  /** Stops the server, or leaves it to the other windows. {@link ending} returns the reason. */
  stop(reason: string): void;
}
