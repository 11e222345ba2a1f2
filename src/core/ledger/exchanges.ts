/** The requests and replies of this window as they were exchanged with models. In memory only: no file holds them. */
import { withoutMedia } from '../conversation/keptHistory';
import type { ToolCall } from '../conversation/transcript';
import type { ModelRequest, ProviderSearch, Usage } from '../ports';

/** Number of exchanges that are kept, newest first. Requests of a conversation share their parts, so each adds little. */
const MAX_KEPT = 100;

/** A model's reply as it was heard. */
interface ExchangeReply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly searches: readonly ProviderSearch[];
  readonly usage?: Usage;
  /** Why it ended early. Not the error itself: its stack holds on to the turn and its signal. */
  readonly failure?: string | undefined;
}

/** One model call of a turn. `reply` is absent while the model answers. */
export interface Exchange {
  readonly turn: number;
  readonly round: number;
  readonly request: ModelRequest;
  /** Names of our own tools among the request's. */
  readonly ours: readonly string[];
  reply?: ExchangeReply;
}

/** The newest exchanges by turn and round. */
export class Exchanges {
  readonly #kept = new Map<string, Exchange>();

  /** Keeps a request, without the data of images and documents; a refused one is replaced by the next of its round. */
  keep({ request, ...rest }: Exchange): Exchange {
    const key = `${rest.turn} ${rest.round}`;
    const exchange = { ...rest, request: { ...request, transcript: withoutMedia(request.transcript) } };
    this.#kept.delete(key);
    this.#kept.set(key, exchange);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return exchange;
  }

  /** Undefined if it is no longer kept, or from before the window was opened. */
  of(turn: number, round: number): Exchange | undefined {
    return this.#kept.get(`${turn} ${round}`);
  }
}
