import type { Capabilities } from './capabilities';

/** How one model of a service is reached. */
export interface ModelAccess {
  /** Its id at the service. */
  readonly model: string;
  /** For people. */
  readonly name: string;
  /** Never to be seen in a message, whatever a gateway repeats. */
  readonly apiKey: string;
  /** Anthropic's without `/v1`, OpenAI's with it. */
  readonly baseUrl: string;
  readonly capabilities: Capabilities;
  /** Stands in for the network in tests and replays. */
  readonly fetch?: typeof fetch;
}
