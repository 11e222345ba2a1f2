import type { ViewState } from '../../src/inspector/protocol/view';
import { useReadOnly } from '../hooks';
import type { Store } from '../store';
import { OpenExported } from './OpenExported';
import { SaveSession } from './SaveSession';

/** The section that saves the session as a file and opens saved sessions. */
export function Export({ state, store }: { readonly state: ViewState; readonly store: Store }) {
  const readOnly = useReadOnly();
  return (
    <div className="export">
      {!readOnly && <SaveSession state={state} post={store.post} />}
      <OpenExported post={store.post} fail={store.fail} />
    </div>
  );
}
