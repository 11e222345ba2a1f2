import type { LedgerEvent } from '../../core/ledger/ledger';
import { memoize } from '../../core/util/memoize';
import type { ViewInputs } from '../protocol/inputs';
import type { ServerView, TurnView, ViewState } from '../protocol/view';
import { createText, type Text } from '../text/text';
import { headerView } from './headerView';
import { noticeViews } from './notices';
import { serverViews } from './serverViews';
import { ToolFold } from './toolViews';
import { TurnFold, type Watched } from './turnFold';

/** Folds what is known into what the inspector shows, timelines included. Pure: the same inputs give the same view. */
export function viewState(inputs: ViewInputs): ViewState {
  return new ViewFold().fold(inputs, 'all');
}

/** Events that are read at once: a few milliseconds' worth. */
const MAX_STEP = 500;

/**
 * As {@link viewState}, again and again: what was read of the ledger isn't read again, and what didn't change stays the
 * same object. A ledger only grows; another one begins again.
 */
export class ViewFold {
  #events: readonly LedgerEvent[] = [];
  #read = 0;
  #turns = new TurnFold();
  #tools = new ToolFold();
  readonly #text = memoize<Text>();
  readonly #servers = memoize<readonly ServerView[]>();

  /**
   * Folds a long session for the first time step by step, so that others may have their turn in between. What it yields
   * has no meaning; `fold` has little left to do after it.
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
    // Servers that are starting show for how long.
    const clock = inputs.startingSince.size > 0 ? [inputs.now] : [];
    const servers = this.#servers([tools, inputs.catalog, inputs.pins, inputs.processes, ...clock], () =>
      serverViews(inputs, tools),
    );
    const offered = tools.filter((tool) => tool.loading !== 'omitted').length;
    return {
      revision: inputs.catalog.revision,
      header: headerView(inputs, turns, { tools, text }),
      notices: noticeViews(inputs, text),
      turns,
      tools,
      servers,
      totals: { turns: turns.length, tools: offered },
      widest: widestOf(turns),
      suggestions: inputs.suggestions,
      noServers: servers.every((server) => server.editor),
      untrusted: !inputs.trusted,
      strings: inputs.strings,
      locale: inputs.locale,
    };
  }

  /** Reads so many of the ledger's events on; whether there are more. */
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

function widestOf(turns: readonly TurnView[]): ViewState['widest'] {
  let baseline = 0;
  let over = 0;
  for (const { rounds } of turns) {
    for (const round of rounds) {
      baseline = Math.max(baseline, round.baseline.value);
      if (round.net.value < 0) over = Math.max(over, round.sent.value);
    }
  }
  return { baseline, over };
}
