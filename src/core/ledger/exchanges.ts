// The requests and replies of this window as models received and sent them, in memory only: no file contains them.

import { withoutMedia } from '../conversation/keptHistory';
import type { ToolCall } from '../conversation/transcript';
import type { ModelRequest, ProviderSearch, Usage } from '../ports';
import { setLatest } from '../util/setLatest';

/** The maximum number of exchanges kept, the newest. Requests of a conversation share parts, so each adds little. */
const MAX_KEPT = 100;

/** A model's reply as it was received. */
interface ExchangeReply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly searches: readonly ProviderSearch[];
  readonly usage?: Usage;
  /** The reason why the reply ended early, as text. The error itself would keep the turn and its signal in memory. */
  readonly failure?: string | undefined;
}

/** One model call of a turn. `reply` is absent while the model answers. */
export interface Exchange {
  readonly turn: number;
  readonly round: number;
  readonly request: ModelRequest;
  /** The names of our own tools in the request. */
  readonly ours: readonly string[];
  reply?: ExchangeReply;
}

/** The newest exchanges by turn and round. */
export class Exchanges {
  readonly #kept = new Map<string, Exchange>();

  /** Keeps a request without data of images and documents. The next request of a refused one's round replaces it. */
  keep({ request, ...rest }: Exchange): Exchange {
    const key = `${rest.turn} ${rest.round}`;
    const exchange = { ...rest, request: { ...request, transcript: withoutMedia(request.transcript) } };
    setLatest(this.#kept, key, exchange, MAX_KEPT);
    return exchange;
  }

  /** Returns an exchange; undefined if it is no longer kept or was made before the window was opened. */
  of(turn: number, round: number): Exchange | undefined {
    return this.#kept.get(`${turn} ${round}`);
  }
}
