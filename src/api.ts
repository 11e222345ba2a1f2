import type * as vscode from 'vscode';
import type { ResultRenderer } from './core/hooks/resultRenderer';
import type { ToolFilter, ToolRenderer } from './core/hooks/turnTools';
import type { TurnReport } from './core/ledger/report';
import type { ExternalStrategy } from './core/search/strategies/registry';

export type { ResultRenderer } from './core/hooks/resultRenderer';
export type { OfferedTool, ToolFilter, ToolRenderer, TurnInfo } from './core/hooks/turnTools';
export type { TurnReport } from './core/ledger/report';
export type { ExternalStrategy } from './core/search/strategies/registry';

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
  /**
   * Filters the tools of each turn, of `@toolsearch` and of another agent with a model of ours: those whose ids the filter
   * returns are all that the turn can know of, but for an agent's own tools, without which it couldn't work. With several filters, all must let a tool through. One that throws, hangs for 2 seconds or returns no list is reported, and the
   * turn has the tools that it would have chosen from: no boundary for security, which is what confirmations are for.
   * @throws {Error} where the name is empty or taken
   */
  prepareTools(name: string, filter: ToolFilter): vscode.Disposable;
  /**
   * Words tools' descriptions for models, once for each tool; undefined keeps the server's. Search ranks by the server's words.
   * One that throws, hangs or returns no text is reported, and tools keep their descriptions.
   * @throws {Error} where there is one already
   */
  renderTool(name: string, render: ToolRenderer): vscode.Disposable;
  /** Fires after each turn of `@toolsearch`. */
  readonly onDidEndTurn: vscode.Event<TurnReport>;
  /** The last turn of this session; undefined before the first. */
  lastReport(): TurnReport | undefined;
}
