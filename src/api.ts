import type * as vscode from 'vscode';
import type { ResultRenderer } from './core/hooks/resultRenderer';
import type { ToolFilter, ToolRenderer } from './core/hooks/turnTools';
import type { ArgumentValidator } from './core/hooks/validators';
import type { TurnReport } from './core/ledger/report';
import type { ExternalStrategy } from './core/search/strategies/registry';

export type { ResultRenderer } from './core/hooks/resultRenderer';
export type { ChangedTool, OfferedTool, RoundInfo, ToolFilter, ToolRenderer, TurnInfo } from './core/hooks/turnTools';
export type { ArgumentValidator, CheckedCall } from './core/hooks/validators';
export type { TurnReport } from './core/ledger/report';
export type { ExternalStrategy } from './core/search/strategies/registry';

/** The API for other extensions: `vscode.extensions.getExtension('tool-search.tool-search')?.exports`. */
export interface ToolSearchApi {
  /**
   * Adds a search strategy under `name`, which can then be chosen like a built-in one. If it throws, hangs or names
   * tools that don't exist, this is reported, and bm25 answers instead.
   * @throws {Error} if the name is empty or taken
   */
  registerStrategy(name: string, strategy: ExternalStrategy): vscode.Disposable;
  /**
   * Sets a function that words search results for the model, in place of the JSON. If it throws or hangs, this is
   * reported, and the model gets the JSON.
   * @throws {Error} if there is one already
   */
  registerResultRenderer(name: string, render: ResultRenderer): vscode.Disposable;
  /**
   * Chooses the tools before each request of a turn, of `@toolsearch` and of another agent with a model of ours. The
   * round only has the tools that the filter returns, and an agent's own tools, without which it couldn't work. Returned
   * as a {@link ChangedTool}, a tool has another description or other arguments for models; its server gets the call
   * as the model made it. A definition that the conversation has already doesn't change, which the inspector shows.
   * With several filters, each gets what the one before it returned. If a filter throws, hangs for 2 seconds or returns
   * no list, this is reported, and the round has all tools that the filter was given. A filter is therefore no security
   * boundary; confirmations are.
   * @throws {Error} if the name is empty or taken
   */
  prepareTools(name: string, filter: ToolFilter): vscode.Disposable;
  /**
   * Sets a function that words tools' descriptions for models, once for each tool; undefined keeps the server's. Search
   * ranks by the server's words. If it throws, hangs or returns no text, this is reported, and tools keep their
   * descriptions.
   * @throws {Error} if there is one already
   */
  renderTool(name: string, render: ToolRenderer): vscode.Disposable;
  /**
   * Adds a check of arguments before each call that Tool Search makes: for its chat, scripts, other agents and the
   * endpoint. It sees arguments that fit the tool's schema. If it returns a text, the tool isn't called, and the model
   * gets the first 1,000 characters of the text. If it throws or takes longer than 2 seconds, the inspector reports
   * this, and the call is made: a validator is no security boundary.
   * @throws {Error} if the name is empty or taken
   */
  registerValidator(name: string, validator: ArgumentValidator): vscode.Disposable;
  /** Fires after each turn of `@toolsearch`. */
  readonly onDidEndTurn: vscode.Event<TurnReport>;
  /** Returns the last turn of this session; undefined before the first. */
  lastReport(): TurnReport | undefined;
}
