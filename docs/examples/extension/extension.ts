// An extension that uses all of Tool Search's API. test/unit/docs/exampleExtension.test.ts tries its strategy, and
// test/vscode/e2e/exampleExtension.mjs installs it beside Tool Search in VS Code.

import * as vscode from 'vscode';
import type { ExternalStrategy, ToolSearchExports, TurnReport } from './tool-search';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const toolSearch = await vscode.extensions.getExtension<ToolSearchExports>('tool-search.tool-search')?.activate();
  if (!toolSearch) return;
  const api = toolSearch.getApi(1);
  context.subscriptions.push(
    api.registerStrategy('careful', findByWords),
    api.onDidEndTurn((report) => vscode.window.setStatusBarMessage(figuresOf(report), 10_000)),
    vscode.commands.registerCommand('carefulTools.lastReport', () => {
      const report = api.lastReport();
      void vscode.window.showInformationMessage(report ? figuresOf(report) : 'No question has been asked yet.');
    }),
  );
}

/** The different words of a text. */
const wordsOf = (text: string) => [...new Set(text.toLowerCase().match(/[a-z0-9]{2,}/g))];

/** A search strategy: returns the tools that share most words with the queries; of equal ones, new ones first. */
export const findByWords: ExternalStrategy = (queries, tools, signal, search) => {
  // `tools` has only tools of `search.server`, and only read-only ones if `search.readOnly` is set.
  const wanted = new Set(wordsOf([...queries, search.turn?.prompt ?? ''].join(' ')));
  const scored = tools
    .filter(({ id }) => search.deferred.has(id) && !signal.aborted)
    .map((tool) => ({
      id: tool.id,
      score: wordsOf(`${tool.name} ${tool.description}`).filter((word) => wanted.has(word)).length,
      known: search.discovered.has(tool.id),
    }))
    .filter(({ score }) => score > 0);
  scored.sort((a, b) => b.score - a.score || Number(a.known) - Number(b.known));
  return scored.slice(0, search.limit * queries.length).map(({ id }) => id);
};

function figuresOf({ calls, netSavedTokens }: TurnReport): string {
  const invalid = calls.filter(({ outcome }) => outcome === 'invalid').length;
  return `${calls.length} calls (${invalid} invalid), ${netSavedTokens} tokens kept out.`;
}
