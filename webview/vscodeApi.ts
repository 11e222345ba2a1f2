import type { Request } from '../src/inspector/protocol/requests';

/** What VS Code gives a webview; it can be had once per page. */
export interface VsCodeApi {
  postMessage(request: Request): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function vscodeApi(): VsCodeApi {
  return acquireVsCodeApi();
}
