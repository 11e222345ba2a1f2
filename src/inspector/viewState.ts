import type { LedgerEvent } from '../core/ledger';
import { headerView } from './headerView';
import { noticeViews } from './notices';
import { createText, type ViewState } from './protocol';
import { serverViews } from './serverViews';
import { toolViews } from './toolViews';
import { turnView } from './turnView';
import type { ViewInputs } from './viewInputs';

/** Folds what is known into what the inspector shows. Pure: the same inputs give the same view. */
export function viewState(inputs: ViewInputs): ViewState {
  const text = createText(inputs.strings, inputs.locale);
  const turns = [...byTurn(inputs.events)]
    .sort(([a], [b]) => b - a)
    .map(([turn, events]) => turnView(turn, events, inputs, text))
    .filter((view) => view !== undefined);
  const tools = toolViews(inputs);
  return {
    revision: inputs.catalog.revision,
    header: headerView(inputs, turns, tools),
    notices: noticeViews(inputs, text),
    turns,
    tools,
    servers: serverViews(inputs, tools),
    untrusted: !inputs.trusted,
    strings: inputs.strings,
    locale: inputs.locale,
  };
}

function byTurn(events: readonly LedgerEvent[]): Map<number, LedgerEvent[]> {
  const turns = new Map<number, LedgerEvent[]>();
  for (const event of events) {
    const known = turns.get(event.turn);
    if (known) known.push(event);
    else turns.set(event.turn, [event]);
  }
  return turns;
}
