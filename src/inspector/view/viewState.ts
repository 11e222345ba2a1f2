import type { LedgerEvent } from '../../core/ledger/ledger';
import { memoize } from '../../core/util/memoize';
import type { ViewInputs } from '../protocol/inputs';
import type { ServerView, ViewState } from '../protocol/view';
import { createText, type Text } from '../text/text';
import { headerView } from './headerView';
import { noticeViews } from './notices';
import { serverViews } from './serverViews';
import { ToolFold } from './toolViews';
import { TurnFold, type Watched } from './turnFold';

/** Computes the inspector's state from a session, with all timelines. The same inputs give the same state. */
export function viewState(inputs: ViewInputs): ViewState {
  return new ViewFold().fold(inputs, 'all');
}

/** The number of events that are read in one step, which takes a few milliseconds. */
const MAX_STEP = 500;

/**
 * Computes the state of a growing session repeatedly. Each event is read once, and unchanged parts remain the same
 * objects. For another ledger, everything is computed again.
 */
export class ViewFold {
  #events: readonly LedgerEvent[] = [];
  #read = 0;
  #turns = new TurnFold();
  #tools = new ToolFold();
  readonly #text = memoize<Text>();
  readonly #servers = memoize<readonly ServerView[]>();

  /**
   * Reads a long session in steps, so that the caller can yield to the event loop. The yielded values have no meaning.
   * After this, {@link fold} is fast.
   */
  *prepare(inputs: ViewInputs, watched: Watched): Generator<undefined> {
    while (this.#follow(inputs, MAX_STEP)) yield undefined;
    const text = this.#textOf(inputs);
    yield undefined;
    yield* this.#turns.prepare(inputs, text);
    this.#turns.views(inputs, text, watched);
    yield undefined;
    this.#tools.views(inputs);
    yield undefined;
  }

  fold(inputs: ViewInputs, watched: Watched): ViewState {
    this.#follow(inputs, Number.POSITIVE_INFINITY);
    const text = this.#textOf(inputs);
    const turns = this.#turns.views(inputs, text, watched);
    const tools = this.#tools.views(inputs);
    // A server that is starting shows the elapsed time, so the view depends on the clock.
    const clock = inputs.startingSince.size > 0 ? [inputs.now] : [];
    const servers = this.#servers([tools, inputs.catalog, inputs.pins, ...clock], () => serverViews(inputs, tools));
    const offered = tools.filter((tool) => tool.loading !== 'omitted').length;
    return {
      revision: inputs.catalog.revision,
      header: headerView(inputs, this.#turns.figures(), text),
      notices: noticeViews(inputs, text),
      turns,
      tools,
      servers,
      totals: { turns: turns.length, tools: offered },
      suggestions: inputs.suggestions,
      noServers: servers.every((server) => server.editor),
      untrusted: !inputs.trusted,
      strings: inputs.strings,
      locale: inputs.locale,
    };
  }

  /** Reads the next events of the ledger. Returns whether there are more. */
  #follow({ events }: ViewInputs, most: number): boolean {
    if (events !== this.#events) {
      this.#events = events;
      this.#read = 0;
      this.#turns = new TurnFold();
      this.#tools = new ToolFold();
    }
    const end = Math.min(events.length, this.#read + most);
    for (; this.#read < end; this.#read++) {
      const event = events[this.#read] as LedgerEvent;
      this.#turns.read(event);
      this.#tools.read(event);
    }
    return end < events.length;
  }

  #textOf({ strings, locale }: ViewInputs): Text {
    return this.#text([strings, locale], () => createText(strings, locale));
  }
}
