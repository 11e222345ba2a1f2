import type { Capabilities } from './capabilities';

/** The data with which one model of a service is called. */
export interface ModelAccess {
  /** The model's id at the service. */
  readonly model: string;
  /** The model's name for people. */
  readonly name: string;
  /** The key. It must never appear in a message, even if a gateway repeats it. */
  readonly apiKey: string;
  /** The service's base address: Anthropic's without `/v1`, OpenAI's with `/v1`. */
  readonly baseUrl: string;
  readonly capabilities: Capabilities;
  /** Replaces the network in tests and recorded sessions. */
  readonly fetch?: typeof fetch;
}
