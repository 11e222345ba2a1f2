/**
 * All that crosses between the extension host and the inspector's webview, which knows this file, patch.ts, text.ts and those
 * that end in Protocol.ts alone. The host answers `ready` with the beginning of a {@link ViewState} and completes it by patches;
 * after each change it sends patches. What single sections ask and are answered stands in files of their own (`…Protocol.ts`).
 */
import type { ExportToHost } from './export';
import type { PatchMessage } from './patch';
import type { PlaygroundToHost, PlaygroundToWebview } from './playground';
import type { Route } from './route';
import type { ScriptToHost, ScriptToWebview } from './script';
import type { SuggestionToHost } from './suggestions';
import type { HostCommand, Pin, PinSpot, ToolDetail, ViewState } from './view';

export type { Route } from './route';

/** What the webview sends: what it asks, under a number that the answer repeats, whether it worked or not. */
export interface Request {
  /** Grows by one with each request of a page. */
  readonly request: number;
  readonly message: ToHost;
}

export type ToHost =
  | { readonly type: 'ready' }
  /** `server`: the one that the command is for alone, by its name; `tool`: of its tools one alone, by its id. */
  | { readonly type: 'run'; readonly command: HostCommand; readonly server?: string; readonly tool?: string }
  | { readonly type: 'pin'; readonly target: PinSpot; readonly pin: Pin }
  | { readonly type: 'getTool'; readonly id: string }
  /** Asks for the events of a turn, now and whenever they change; null is the newest, whichever that is. */
  | { readonly type: 'watch'; readonly turn: number | null }
  | { readonly type: 'copy'; readonly text: string }
  | PlaygroundToHost
  | ScriptToHost
  | SuggestionToHost
  | ExportToHost;

/** Everything anew. */
export interface StateMessage {
  readonly type: 'state';
  readonly state: ViewState;
}

export type ToWebview =
  | StateMessage
  | PatchMessage
  | { readonly type: 'tool'; readonly request: number; readonly detail: ToolDetail }
  /** The user wants to be there. */
  | { readonly type: 'goTo'; readonly place: Route }
  /** What failed is shown in the webview, never swallowed. `request` is absent where nobody asked. */
  | { readonly type: 'failed'; readonly request?: number; readonly message: string }
  | PlaygroundToWebview
  | ScriptToWebview;
