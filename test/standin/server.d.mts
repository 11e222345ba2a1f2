/** One request to the stand-in, without its key. */
export interface StandInRequest {
  readonly service: 'anthropic' | 'openai';
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a request's body, looked into by tests.
  readonly body?: any;
  readonly status: number;
  /** The refusal's message. */
  readonly error?: string;
  /** The usage that the answer reported. */
  // biome-ignore lint/suspicious/noExplicitAny: as the service words it.
  readonly usage?: any;
  /** The content of a streamed reply, as the service words it. */
  readonly said?: readonly Block[];
  /** Whether the reply broke off in its text. */
  readonly torn?: boolean;
}
/** A part of a reply. */
export interface Block {
  readonly [key: string]: unknown;
}

export interface StandIn {
  readonly url: string;
  readonly requests: readonly StandInRequest[];
  readonly faults: { tell(fault: string, times?: number): void; clear(): void };
  close(): Promise<void>;
}

export declare const KEYS: { readonly anthropic: string; readonly openai: string };

/** What the stand-in's model decides from; see script.mjs. */
export interface ModelState {
  readonly prompt: string;
  readonly callable: readonly { readonly name: string }[];
  readonly results: readonly string[];
  readonly found: readonly { readonly name: string }[] | undefined;
}
export interface ModelCall {
  readonly name: string;
  readonly input: object;
}
export type Decision =
  | { readonly say: string }
  | { readonly search: string }
  | { readonly calls: readonly ModelCall[] };
export declare function startStandIn(options?: {
  readonly port?: number;
  readonly now?: () => number;
  readonly model?: (state: ModelState) => Decision;
}): Promise<StandIn>;

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: as the service words it.
  readonly json?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as the service words it.
  readonly events?: readonly any[];
}
/** A service without its HTTP server: each call is one request. */
export interface StandInService {
  count(body: unknown, faults: ReadonlySet<string>): Reply;
  message(body: unknown, faults: ReadonlySet<string>, betas: readonly string[]): Reply;
  response(body: unknown, faults: ReadonlySet<string>): Reply;
}
