import { act, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ToWebview } from '../../src/inspector/protocol/messages';
import type { ToHost } from '../../src/inspector/protocol/requests';
import type { ViewState } from '../../src/inspector/protocol/view';
import { App } from '../../webview/App';
import { createStore } from '../../webview/store';
import { fixtureState } from './fixture';

/** Opens the inspector as VS Code does, with a page state that an earlier page saved. */
export function openInspector(state: ViewState = fixtureState(), saved?: unknown) {
  const posted: ToHost[] = [];
  const requests: number[] = [];
  let remembered: unknown = saved;
  const store = createStore({
    postMessage: ({ request, message }) => {
      requests.push(request);
      posted.push(message);
    },
    getState: () => remembered,
    setState: (next) => {
      remembered = next;
    },
  });
  store.receive({ type: 'state', state });
  const view = render(<App store={store} />);
  return {
    ...view,
    user: userEvent.setup(),
    /** Messages of the webview, oldest first. */
    posted,
    /** The numbers of these requests. */
    requests,
    remembered: () => remembered,
    receive: (message: ToWebview) => act(() => store.receive(message)),
  };
}
