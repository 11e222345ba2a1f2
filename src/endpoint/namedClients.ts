import { randomUUID } from 'node:crypto';
import type { AgentCall } from '../core/agents/agentTools';
import type { ClientInfo } from './mcpServer';

/** A client that has called nothing for this long is a new one to the user. In milliseconds. */
const IDLE_MS = 30 * 60_000;
/** Of more clients than these, the one that was idle longest is forgotten. */
const MAX_CLIENTS = 100;

/**
 * The clients of the revision of 2026. They have no sessions, so all calls under one name and version belong together
 * until there is a long pause.
 */
export class NamedClients {
  /** By name and version; the client with the latest call is last. */
  readonly #clients = new Map<string, { readonly chat: string; at: number }>();

  find({ name, version }: ClientInfo): Pick<AgentCall, 'chat' | 'by'> {
    const key = JSON.stringify([name, version]);
    const known = this.#clients.get(key);
    const now = Date.now();
    const client = known && now - known.at < IDLE_MS ? known : { chat: `mcp ${randomUUID()}`, at: now };
    client.at = now;
    this.#clients.delete(key);
    this.#clients.set(key, client);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > MAX_CLIENTS && oldest !== undefined) this.#clients.delete(oldest);
    return { chat: client.chat, by: { client: name, onlyByName: true } };
  }
}
