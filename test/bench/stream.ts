import type { LedgerEvent } from '../../src/core/ledger/ledger';
import { ViewSync } from '../../src/inspector/host/viewSync';
import type { ToWebview } from '../../src/inspector/protocol/messages';
import { ViewFold } from '../../src/inspector/view/viewState';
import { addTurn, bigSession } from '../data/bigSession';
import { fixtureInputs } from '../webview/fixture';

/**
 * The messages that the host sends of a long session in the middle of a long turn: the whole view, then the patches of
 * each coming event. The panel sends at most once in 100 ms, and a turn seldom has more events than that.
 */
export function streamed(size: { readonly turns: number; readonly tools: number; readonly searches: number }): {
  readonly first: readonly ToWebview[];
  readonly steps: readonly (readonly ToWebview[])[];
} {
  const session = bigSession(size);
  const inputs = fixtureInputs(session);
  const fold = new ViewFold();
  const sync = new ViewSync();
  const messages = () => [...sync.update(fold.fold(inputs, undefined))];
  const all: LedgerEvent[] = [...session.events];
  addTurn(all, size.turns + 1, session.catalog.tools, size.searches);
  const coming = all.slice(session.events.length);
  session.events.push(...coming.splice(0, coming.length / 2));
  const first = messages();
  const steps = coming.map((event) => {
    session.events.push(event);
    return messages();
  });
  return { first, steps };
}
