import { AsyncLocalStorage } from 'node:async_hooks';
import { boundedResponse, withBody } from '../../../core/util/boundedResponse';
import { parseJson } from '../../../core/util/objects';
import { createRateLimit } from './rateLimit';
import { mendedError } from './serverError';

/** An event stream that ended before the answer came and can't be resumed. */
export class StreamCut extends Error {
  override readonly name = 'StreamCut';
}

/** The limit within a minute on the bytes of all event streams of a server, with comments and ignored events. */
const MAX_STREAMED = { chars: 256 * 2 ** 20 };

/** The number of attempts after which the MCP SDK stops resuming a stream, without an error. */
const MAX_RESUMES = 2;

/** A request to a server, with all HTTP requests that belong to it. */
interface HttpExchange {
  readonly of: HttpRequests;
  /** Closes the request's connections. */
  readonly over: AbortController;
  readonly cutOff: () => void;
  posted: boolean;
  /** Whether the stream can be resumed, since its events have ids. */
  resumes: boolean;
  failedResumes: number;
}

/**
 * The exchange that a request belongs to. There is one storage for all servers: until Node 24, each storage adds a field
 * to every later promise of the process, and is never removed.
 */
const current = new AsyncLocalStorage<HttpExchange>();

/**
 * Makes sure that each request over Streamable HTTP ends. The MCP SDK has two gaps: it doesn't close the connection of
 * a cancelled request, and it never rejects a request whose stream ends without an answer. This class detects both in
 * the SDK's `fetch`.
 */
export class HttpRequests {
  readonly #fetcher: typeof fetch;

  constructor(fetcher: typeof fetch) {
    const streamed = createRateLimit(MAX_STREAMED);
    this.#fetcher = async (input, init) => {
      const response = await fetcher(input, init);
      const isStream = response.headers.get('content-type')?.includes('text/event-stream');
      const bounded = boundedResponse(response, () => new StreamCut('It sent a message of more than 64 MB.'));
      return isStream ? limited(bounded, streamed) : bounded;
    };
  }

  /** The `fetch` for the SDK's transport. */
  readonly fetch: typeof fetch = async (input, init) => {
    const exchange = current.getStore();
    const isPost = init?.method === 'POST';
    // Later POSTs of the same request send notifications and the user's answers.
    if (exchange?.of !== this || (isPost && exchange.posted)) return this.#fetcher(input, init);
    exchange.posted = true;
    const signal = AbortSignal.any([exchange.over.signal, ...(init?.signal ? [init.signal] : [])]);
    const failed = (status?: number) => {
      if (!isPost && (status === 405 || ++exchange.failedResumes >= MAX_RESUMES)) exchange.cutOff();
    };
    const response = await this.#fetcher(input, { ...init, signal }).catch((error: unknown) => {
      failed();
      throw error;
    });
    if (!response.ok) failed(response.status);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !response.body) return response;
    if (type.includes('application/json')) return withMendedError(response);
    if (!type.includes('text/event-stream')) return response;
    exchange.failedResumes = 0;
    const ended = () => {
      // The last event may be the answer, which must be handled first.
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
    const exchange: HttpExchange = { of: this, over, cutOff, posted: false, resumes: false, failedResumes: 0 };
    const onResumable = () => {
      exchange.resumes = true;
    };
    try {
      return await Promise.race([current.run(exchange, () => send(onResumable)), lost]);
    } catch (error) {
      over.abort();
      throw error;
    } finally {
      // Releases the promise, since a reused connection may keep a reference to it.
      cutOff();
    }
  }
}

/** The maximum characters of an answer in which an error is corrected. Large results shouldn't be parsed twice. */
const MAX_ERROR = 2_000_000;

/** Returns the response with its error in a valid form. The SDK drops any other error, including its message. */
async function withMendedError(response: Response): Promise<Response> {
  const text = await response.text();
  const mended = text.length <= MAX_ERROR && text.includes('"error"') ? mendedError(parseJson(text)) : undefined;
  return new Response(mended ? JSON.stringify(mended) : text, response);
}

/** Returns the response with a body that fails if all streams together exceed the limit. */
function limited(response: Response, streamed: ReturnType<typeof createRateLimit>): Response {
  return withBody(response, (body) => async () => {
    const { value } = await body.read();
    if (value && !streamed(value.length)) throw new StreamCut('It streamed more than 256 MB within a minute.');
    return value;
  });
}

/** Returns the response and calls `ended` when its body ends or fails. */
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
