import { act, cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import type { ToHost, ToWebview, ViewState } from '../../src/inspector/protocol';
import { App } from '../../webview/App';
import { createStore } from '../../webview/store';
import { fixtureState } from './fixture';

/** happy-dom lays nothing out: the panel is this high, and so is each row of the grid. */
const PANEL_HEIGHT = 600;
const ROW_HEIGHT = 22;

for (const property of ['clientHeight', 'offsetHeight'] as const) {
  vi.spyOn(HTMLElement.prototype, property, 'get').mockImplementation(function (this: HTMLElement) {
    return this.tagName === 'MAIN' ? PANEL_HEIGHT : ROW_HEIGHT;
  });
}
afterEach(cleanup);

/** Opens the inspector as VS Code would, with a page state that an earlier page saved. */
export function openInspector(state: ViewState = fixtureState(), saved?: unknown) {
  const posted: ToHost[] = [];
  let remembered: unknown = saved;
  const store = createStore({
    postMessage: (message) => posted.push(message),
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
    /** What the webview sent, oldest first. */
    posted,
    remembered: () => remembered,
    receive: (message: ToWebview) => act(() => store.receive(message)),
  };
}
