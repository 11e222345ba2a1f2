import { AsyncLocalStorage } from 'node:async_hooks';
import { parseJson } from '../../core/util/objects';
import { boundedResponse, withBody } from '../../core/util/responseBody';
import { Burst } from './burst';
import { mendedError } from './serverError';

/** A server's stream ended before its answer came, and can't be resumed. */
export class StreamCut extends Error {
  override readonly name = 'StreamCut';
}

/** Bytes that all event streams of a server may bring in a minute: comments and events that nobody reads count too. */
const MAX_STREAMED = { count: Number.POSITIVE_INFINITY, chars: 256 * 2 ** 20 };

/** How often the MCP SDK tries to resume a stream before it gives up without a word. */
const MAX_RESUMES = 2;

/** One request, with all that is sent for it. */
interface Exchange {
  /** Closes its connection. */
  readonly over: AbortController;
  readonly cutOff: () => void;
  posted: boolean;
  /** The server gave its stream's events ids: the SDK asks for the rest of them. */
  resumes: boolean;
  failedResumes: number;
}

/**
 * Requests over Streamable HTTP as they end. The MCP SDK leaves two of them hanging: one that was given up keeps
 * its connection for as long as the server likes, and one whose stream ends without an answer is never answered.
 * Both are seen in its `fetch`.
 */
export class HttpRequests {
  readonly #current = new AsyncLocalStorage<Exchange>();
  readonly #fetcher: typeof fetch;

  constructor(fetcher: typeof fetch) {
    const streamed = new Burst(MAX_STREAMED);
    this.#fetcher = async (input, init) => {
      const response = await fetcher(input, init);
      const isStream = response.headers.get('content-type')?.includes('text/event-stream');
      const bounded = boundedResponse(response, () => new StreamCut('It sent a message of more than 64 MB.'));
      return isStream ? limited(bounded, streamed) : bounded;
    };
  }

  /** For the SDK's transport. */
  readonly fetch: typeof fetch = async (input, init) => {
    const exchange = this.#current.getStore();
    const isPost = init?.method === 'POST';
    // Later POSTs of the same exchange are notifications and the user's answers.
    if (!exchange || (isPost && exchange.posted)) return this.#fetcher(input, init);
    exchange.posted = true;
    const signal = AbortSignal.any([exchange.over.signal, ...(init?.signal ? [init.signal] : [])]);
    const failed = (response?: Response) => {
      if (!isPost && (response?.status === 405 || ++exchange.failedResumes >= MAX_RESUMES)) exchange.cutOff();
    };
    const response = await this.#fetcher(input, { ...init, signal }).catch((error: unknown) => {
      failed();
      throw error;
    });
    if (!response.ok) failed(response);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !response.body) return response;
    if (type.includes('application/json')) return withMendedError(response);
    if (!type.includes('text/event-stream')) return response;
    exchange.failedResumes = 0;
    const ended = () => {
      // The answer may be the last event: it is handled first.
      if (!exchange.resumes) setImmediate(exchange.cutOff);
    };
    return watched(response, ended);
  };

  /** Sends a request. Closes its connection if it fails. */
  async ask<Result>(send: (onResumable: () => void) => Promise<Result>): Promise<Result> {
    const over = new AbortController();
    let cutOff = () => {};
    const lost = new Promise<never>((_, reject) => {
      cutOff = () => reject(new StreamCut('The stream ended before the answer came.'));
    });
    const exchange: Exchange = { over, cutOff, posted: false, resumes: false, failedResumes: 0 };
    const onResumable = () => {
      exchange.resumes = true;
    };
    try {
      return await Promise.race([this.#current.run(exchange, () => send(onResumable)), lost]);
    } catch (error) {
      over.abort();
      throw error;
    } finally {
      // A connection that is used again may hold on to all this.
      cutOff();
    }
  }
}

/** Errors are short: a result of megabytes isn't read twice. In characters. */
const MAX_ERROR = 2_000_000;

/** The SDK drops an answer whose error isn't in the protocol's form, words and all. */
async function withMendedError(response: Response): Promise<Response> {
  const text = await response.text();
  const mended = text.length <= MAX_ERROR && text.includes('"error"') ? mendedError(parseJson(text)) : undefined;
  return new Response(mended ? JSON.stringify(mended) : text, response);
}

/** The same response; reading it fails if all streams together bring too much. */
function limited(response: Response, streamed: Burst): Response {
  return withBody(response, (body) => async () => {
    const { value } = await body.read();
    if (value && !streamed.add(value.length)) throw new StreamCut('It streamed more than 256 MB within a minute.');
    return value;
  });
}

/** The same response; `ended` hears of the end of its body, good or bad. */
function watched(response: Response, ended: () => void): Response {
  return withBody(response, (body) => async () => {
    let value: Uint8Array | undefined;
    try {
      ({ value } = await body.read());
    } finally {
      if (!value) ended();
    }
    return value;
  });
}
