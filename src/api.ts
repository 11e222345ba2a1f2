import type * as vscode from 'vscode';
import type { ResultRenderer } from './core/hooks/resultRenderer';
import type { ToolFilter, ToolRenderer } from './core/hooks/turnTools';
import type { ArgumentValidator } from './core/hooks/validators';
import type { TurnReport } from './core/ledger/report';
import type { ExternalStrategy } from './core/search/strategies/registry';

export type { ResultRenderer } from './core/hooks/resultRenderer';
export type { OfferedTool, RewordedTool, RoundInfo, ToolFilter, ToolRenderer, TurnInfo } from './core/hooks/turnTools';
export type { ArgumentValidator, CheckedCall } from './core/hooks/validators';
export type { TurnReport } from './core/ledger/report';
export type { ExternalStrategy } from './core/search/strategies/registry';

/** The API for other extensions: `vscode.extensions.getExtension('tool-search.tool-search')?.exports`. */
export interface ToolSearchApi {
  /**
   * Adds a search strategy, which can then be chosen by its name like a built-in one. If it throws, hangs or returns
   * tools that don't exist, this is reported, and bm25 is used instead.
   * @throws {Error} if the name is empty or taken
   */
  registerStrategy(name: string, strategy: ExternalStrategy): vscode.Disposable;
  /**
   * Sets a function that writes the text of search results for the model, instead of the JSON. If it throws or hangs,
   * this is reported, and the model gets the JSON.
   * @throws {Error} if there is one already
   */
  registerResultRenderer(name: string, render: ResultRenderer): vscode.Disposable;
  /**
   * Adds a filter that chooses the tools before each request of a turn: of `@toolsearch`, and of another agent with a
   * model of ours. The request has only the tools that the filter returns, and an agent's own tools, without which the
   * agent couldn't work. To change a tool's description or arguments for models, the filter returns it as a {@link
   * RewordedTool}; its server gets the call as the model made it. A definition that is already in the conversation
   * doesn't change, which the inspector shows. With several filters, each gets the tools that the previous one
   * returned. If a filter throws, hangs for 2 seconds or returns no list, this is reported, and the request has all
   * tools that the filter was given. A filter is therefore no security boundary; confirmations are.
   * @throws {Error} if the name is empty or taken
   */
  prepareTools(name: string, filter: ToolFilter): vscode.Disposable;
  /**
   * Sets a function that writes a tool's description for models. It is called once for each tool; if it returns
   * undefined, the server's description is used. The search always uses the server's words. If the function throws,
   * hangs or returns something other than text, this is reported, and tools keep their descriptions.
   * @throws {Error} if there is one already
   */
  renderTool(name: string, render: ToolRenderer): vscode.Disposable;
  /**
   * Adds a check of arguments before each call that Tool Search makes: for its chat, scripts, other agents and the
   * endpoint. The check gets arguments that fit the tool's schema. If it returns a text, the tool isn't called, and the
   * model gets the first 1,000 characters of the text. If it throws or takes longer than 2 seconds, the inspector
   * reports this, and the call is made: a validator is no security boundary.
   * @throws {Error} if the name is empty or taken
   */
  registerValidator(name: string, validator: ArgumentValidator): vscode.Disposable;
  /** Fires after each turn of `@toolsearch`. */
  readonly onDidEndTurn: vscode.Event<TurnReport>;
  /** Returns the last turn of this session; undefined before the first. */
  lastReport(): TurnReport | undefined;
}
