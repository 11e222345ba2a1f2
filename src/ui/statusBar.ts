import * as vscode from 'vscode';
import { oneLine } from '../core/util/plainText';

/** What the status bar item tells. */
interface StatusBarState {
  /** Tools whose definitions are in the next request: eager and discovered ones. */
  readonly inContext: number;
  readonly total: number;
  /** Names. */
  readonly startingServers: readonly string[];
  readonly failedServers: readonly string[];
  /** How many settings or files have something wrong. */
  readonly diagnostics: number;
  readonly trusted: boolean;
}

/** The item `18 of 214 tools`; a click opens the inspector. */
export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('toolsearch.status', vscode.StatusBarAlignment.Right, 100);

  constructor() {
    this.#item.name = vscode.l10n.t('Tool Search');
    this.#item.command = 'toolsearch.openInspector';
  }

  update(state: StatusBarState): void {
    const lines = describe(state);
    const warns = state.failedServers.length > 0 || state.diagnostics > 0;
    this.#item.text = `${warns ? '$(warning)' : '$(search)'} ${vscode.l10n.t('{0} of {1} tools', state.inContext, state.total)}`;
    this.#item.backgroundColor = warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.tooltip = lines.join('\n');
    this.#item.accessibilityInformation = {
      label: [vscode.l10n.t('Tool Search'), ...lines].join('. '),
      role: 'button',
    };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function describe(state: StatusBarState): string[] {
  const kept = state.total - state.inContext;
  const lines = [
    state.total === 0
      ? vscode.l10n.t('There are no tools')
      : vscode.l10n.t(
          '{0} of {1} tools are in the context, {2} are found by search',
          state.inContext,
          state.total,
          kept,
        ),
  ];
  if (!state.trusted) lines.push(vscode.l10n.t("The workspace isn't trusted, so its servers don't run"));
  if (state.startingServers.length > 0)
    lines.push(vscode.l10n.t('Starting: {0}', state.startingServers.map(oneLine).join(', ')));
  if (state.failedServers.length > 0)
    lines.push(vscode.l10n.t('Failed: {0}', state.failedServers.map(oneLine).join(', ')));
  if (state.diagnostics > 0) lines.push(vscode.l10n.t('Problems in settings or mcp.json: {0}', state.diagnostics));
  return lines;
}
