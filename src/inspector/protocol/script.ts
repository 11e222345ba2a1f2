/** What the playground's scripts cross between host and webview; part of protocol.ts. */

import { MAX_CODE } from '../../core/code/sandboxPort';

/** What is longer isn't run. Characters. */
export const MAX_SCRIPT_CODE = MAX_CODE;

export type ScriptToHost =
  /** Runs a script over the live catalog, by the user's hand; what comes of it is a turn of its own. One that still runs is ended. */
  { readonly type: 'runScript'; readonly code: string } | { readonly type: 'stopScript' };

/** What came of a script that the user ran. */
export interface ScriptRunView {
  readonly outcome: 'ok' | 'failed' | 'refused' | 'cancelled';
  /** What a model would have been answered. */
  readonly output: string;
  /** The line of its code where it failed, from 1. */
  readonly line?: number;
  readonly calls: number;
  readonly failed: number;
  /** In the order in which they were first called. */
  readonly servers: readonly string[];
  readonly ms: number;
}

/** `request` tells which run it was. */
export type ScriptToWebview = { readonly type: 'ranScript'; readonly request: number; readonly run: ScriptRunView };
