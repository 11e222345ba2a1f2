import type { Request } from '../src/inspector/protocol/requests';

/** VS Code's API for webviews. A page can acquire it only once. */
export interface VsCodeApi {
  postMessage(request: Request): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function vscodeApi(): VsCodeApi {
  return acquireVsCodeApi();
}
