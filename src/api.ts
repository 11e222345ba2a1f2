import type * as vscode from 'vscode';
import type { TurnReport } from './core/report';
import type { ResultRenderer } from './core/resultRenderer';
import type { ExternalStrategy } from './core/search/registry';

export type { TurnReport } from './core/report';
export type { ResultRenderer } from './core/resultRenderer';
export type { ExternalStrategy } from './core/search/registry';

/** What other extensions get from `vscode.extensions.getExtension('tool-search.tool-search')?.exports`. */
export interface ToolSearchApi {
  /**
   * Adds a search strategy under `name`, which can then be chosen like a built-in one. One that throws, hangs or names
   * tools that don't exist is reported, and bm25 answers instead.
   * @throws {Error} where the name is empty or taken
   */
  registerStrategy(name: string, strategy: ExternalStrategy): vscode.Disposable;
  /**
   * Words what a search returns to the model, in place of the JSON. One that throws or hangs is reported, and the model
   * gets the JSON.
   * @throws {Error} where there is one already
   */
  registerResultRenderer(name: string, render: ResultRenderer): vscode.Disposable;
  /** Fires after each turn of `@toolsearch`. */
  readonly onDidEndTurn: vscode.Event<TurnReport>;
  /** The last turn of this session; undefined before the first. */
  lastReport(): TurnReport | undefined;
}
