/**
 * Messages from the extension host to the webview. The host answers `ready` with the beginning of a {@link ViewState},
 * and sends the rest and all changes as patches. The webview's requests are in requests.ts.
 */
import type { ExchangeView } from './exchange';
import type { PatchMessage } from './patch';
import type { PlayAnswer } from './playground';
import type { Route } from './route';
import type { ToolDetail, TriedView, ViewState } from './view';

/** The beginning of the view, for a page without data. */
export interface StateMessage {
  readonly type: 'state';
  readonly state: ViewState;
}

/** An answer to a request. `played` may be sent several times for one request, each time with all data. */
export type Answer =
  | { readonly type: 'tool'; readonly detail: ToolDetail }
  | { readonly type: 'played'; readonly answer: PlayAnswer }
  | { readonly type: 'exchange'; readonly exchange: ExchangeView }
  | { readonly type: 'tried'; readonly id: string; readonly run: TriedView };

export type ToWebview =
  | StateMessage
  | PatchMessage
  /** `request` is the number of the request. */
  | (Answer & { readonly request: number })
  /** Opens a place in the inspector that the user chose elsewhere. */
  | { readonly type: 'goTo'; readonly place: Route }
  /** A failure to show. `request` is undefined if it doesn't belong to a request. */
  | { readonly type: 'failed'; readonly request?: number; readonly message: string };
