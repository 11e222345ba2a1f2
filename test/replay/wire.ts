import type { Json } from '../../src/core/catalog/tool';
import type { Transcript, TranscriptItem } from '../../src/core/conversation/transcript';
import type { ModelPort, ModelRequest } from '../../src/core/ports';
import type { Body, Interaction } from './recording';

/** One entry of a recorded request's conversation: a message, or an input item. */
export type Entry = { readonly [key: string]: Json };

/** The circumstances of a recorded request, without its conversation. */
export type Scene = Omit<ModelRequest, 'transcript'>;

/** The operations that replay one service's exchanges, independent of the adapter's own construction of requests. */
export interface ReplayWire {
  readonly wire: 'anthropic' | 'openai';
  /** Whether an exchange is of this service. */
  speaks(url: string): boolean;
  /** Whether a request only counts tokens. */
  counts(url: string): boolean;
  /** Creates the adapter, which `fetch` answers. */
  createPort(model: string, fetch: typeof globalThis.fetch): ModelPort;
  /** The catalog and the system prompt of a request. */
  scene(body: Body): Scene;
  /** The conversation of a request, in order. */
  entries(body: Body): readonly Entry[];
  /** The parts of an entry that are compared. */
  essenceOf(entry: Entry): Json;
  /** Whether the model wrote an entry. */
  isReply(entry: Entry): boolean;
  /** The prompts of the user and the results of tools. `calls`: names of the calls so far, by id. */
  said(entries: readonly Entry[], calls: ReadonlyMap<string, string>): readonly TranscriptItem[];
  /** A whole conversation, if its beginning isn't in the recording. */
  history(entries: readonly Entry[], body: Body): Transcript;
  /** A recorded answer in the form that the adapter expects: streamed. */
  answer(response: Interaction['response']): Response;
  /** The parts of a request that are compared with the request `other`; see the README beside the recordings. */
  essence(body: Body, other: Body): Json;
  /** The parts of a request that aren't compared, since no adapter sends them. */
  ignored(body: Body): readonly string[];
}
