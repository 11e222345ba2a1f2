import { randomUUID } from 'node:crypto';
import type { Implementation } from '@modelcontextprotocol/server';
import type { AgentCall } from '../core/agents/agentTools';
import { setLatest } from '../core/util/setLatest';

/** The time without calls after which a client is treated as a new one, in milliseconds. */
const IDLE_MS = 30 * 60_000;
/** The maximum number of clients that are remembered. Beyond that, the one that has been idle longest is dropped. */
const MAX_CLIENTS = 100;

/**
 * The clients of the 2026 revision, which has no sessions. Calls under the same name and version belong together until
 * there is a long pause.
 */
export class NamedClients {
  /** The clients by name and version. The one with the latest call is last. */
  readonly #clients = new Map<string, { readonly chat: string; at: number }>();

  find({ name, version }: Implementation): Pick<AgentCall, 'chat' | 'by'> {
    const key = JSON.stringify([name, version]);
    const known = this.#clients.get(key);
    const now = Date.now();
    const client = known && now - known.at < IDLE_MS ? known : { chat: `mcp ${randomUUID()}`, at: now };
    client.at = now;
    setLatest(this.#clients, key, client, MAX_CLIENTS);
    return { chat: client.chat, by: { client: name, onlyByName: true } };
  }
}
