import type { Capabilities } from './capabilities';

/** The access to one model of a service. */
export interface ModelAccess {
  /** The model's id at the service. */
  readonly model: string;
  /** The model's name for people. */
  readonly name: string;
  /** The key. It must never appear in a message, even if a gateway repeats it. */
  readonly apiKey: string;
  /** The address: Anthropic's without `/v1`, OpenAI's with it. */
  readonly baseUrl: string;
  readonly capabilities: Capabilities;
  /** Replaces the network in tests and replays. */
  readonly fetch?: typeof fetch;
}
