import type { ModelPort } from '../core/ports';
import { onAbort } from '../core/util/signals';

/** A port of a service that counts whole requests. */
export type CountingPort = Required<Omit<ModelPort, 'countToolPrompt'>> & Pick<ModelPort, 'countToolPrompt'>;

/**
 * Returns a port that passes a new signal to each request. The new signal aborts with the caller's. The SDKs never
 * remove their listeners from a signal. On the caller's signal, the listeners would keep each request in memory until
 * the turn ends; on a signal from `AbortSignal.any`, for ever (Node 20).
 */
export function withOwnSignals(port: CountingPort): ModelPort {
  const follow = async <Result>(signal: AbortSignal, work: (own: AbortSignal) => Promise<Result>): Promise<Result> => {
    const own = new AbortController();
    const stop = onAbort(signal, () => own.abort(signal.reason));
    try {
      return await work(own.signal);
    } finally {
      stop();
    }
  };
  const { countToolPrompt } = port;
  return {
    ...(countToolPrompt && { countToolPrompt: (signal) => follow(signal, (own) => countToolPrompt.call(port, own)) }),
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
    countDefinitions: (tools, signal) => follow(signal, (own) => port.countDefinitions(tools, own)),
    countRequest: (request, signal) => follow(signal, (own) => port.countRequest(request, own)),
  };
}
