import type { ModelPort } from '../core/ports';
import { onAbort } from '../core/util/signals';

/**
 * Returns the port with a separate signal for each request, which follows the caller's. An SDK never removes its
 * listener from a signal. On the caller's signal, every request would stay in memory as long as the turn; on one from
 * `AbortSignal.any`, Node 20 would keep it for ever.
 */
export function withOwnSignals(port: ModelPort): ModelPort {
  const follow = async <Result>(signal: AbortSignal, work: (own: AbortSignal) => Promise<Result>): Promise<Result> => {
    const own = new AbortController();
    const stop = onAbort(signal, () => own.abort(signal.reason));
    try {
      return await work(own.signal);
    } finally {
      stop();
    }
  };
  const { countDefinitions, countRequest } = port;
  return {
    get info() {
      return port.info;
    },
    async *send(request, signal) {
      const own = new AbortController();
      const stop = onAbort(signal, () => own.abort(signal.reason));
      try {
        yield* port.send(request, own.signal);
      } finally {
        stop();
      }
    },
    countTokens: (text, signal) => follow(signal, (own) => port.countTokens(text, own)),
    ...(countDefinitions
      ? { countDefinitions: (tools, signal) => follow(signal, (own) => countDefinitions.call(port, tools, own)) }
      : {}),
    ...(countRequest
      ? { countRequest: (request, signal) => follow(signal, (own) => countRequest.call(port, request, own)) }
      : {}),
  };
}
