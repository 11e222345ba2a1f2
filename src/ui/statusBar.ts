import * as vscode from 'vscode';
import { oneLine, plainLabel } from '../core/util/plainText';
import { counted } from '../vscode/counted';

interface StatusBarState {
  /**
   * The number of tools whose definitions are in the next request, and the number of discovered tools that aren't: see
   * toolsInRequest.
   */
  readonly inRequest: number;
  readonly byCallTool: number;
  readonly total: number;
  /** The number of tools that this window's session called. */
  readonly used: number;
  /** The number of VS Code's tools that requests don't contain and no search finds. */
  readonly unsent: number;
  readonly startingServers: readonly string[];
  readonly failedServers: readonly string[];
  /** The number of problems in settings and files. */
  readonly diagnostics: number;
  readonly trusted: boolean;
  /** The name of the chosen set of tools, empty for all tools; undefined if there is nothing to choose. */
  readonly set: string | undefined;
  /** A sentence if the chosen set isn't in the settings. */
  readonly setNote: string | undefined;
}

/**
 * The status bar item, such as `214 tools, 2 used`. A click opens the inspector. It is hidden if there are no tools,
 * servers or problems.
 */
export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('toolsearch.status', vscode.StatusBarAlignment.Right, 100);

  readonly #set = vscode.window.createStatusBarItem('toolsearch.set', vscode.StatusBarAlignment.Right, 99);

  constructor() {
    this.#set.name = vscode.l10n.t('Tool Search: Set');
    this.#set.command = 'toolsearch.selectSet';
    this.#item.name = vscode.l10n.t('Tool Search');
    this.#item.command = 'toolsearch.openInspector';
  }

  update(state: StatusBarState): void {
    const { total, startingServers, failedServers, diagnostics, set, setNote } = state;
    this.#set.text = `$(${setNote ? 'warning' : 'list-filter'}) ${plainLabel(set || vscode.l10n.t('All'))}`;
    this.#set.tooltip = setNote ?? vscode.l10n.t('Tool set: the tools that models can use in this workspace');
    if (set === undefined) this.#set.hide();
    else this.#set.show();
    if (total + startingServers.length + failedServers.length + diagnostics === 0) {
      this.#item.hide();
      return;
    }
    const lines = describe(state);
    const warns = failedServers.length > 0 || diagnostics > 0;
    this.#item.text = `${warns ? '$(warning)' : '$(search)'} ${countOf(state)}`;
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
    this.#set.dispose();
  }
}

function countOf({ total, used, startingServers }: StatusBarState): string {
  if (startingServers.length > 0)
    return counted(vscode.l10n.t('{0, plural, one {# tool so far} other {# tools so far}}'), total);
  return used > 0
    ? counted(vscode.l10n.t('{0, plural, one {# tool} other {# tools}}, {1} used'), total, used)
    : counted(vscode.l10n.t('{0, plural, one {# tool} other {# tools}}'), total);
}

function describe(state: StatusBarState): string[] {
  const { inRequest, byCallTool, total } = state;
  const lines = [
    total === 0
      ? vscode.l10n.t('There are no tools')
      : inRequest === total
        ? counted(vscode.l10n.t('{0, plural, one {The only tool is} other {All # tools are}} in the context'), total)
        : counted(
            vscode.l10n.t('In the context: {0} of {1, plural, one {# tool} other {# tools}}, searches find the rest'),
            inRequest,
            total,
          ),
  ];
  const add = (tools: number, message: string) => tools > 0 && lines.push(counted(message, tools));
  add(state.unsent, vscode.l10n.t('VS Code’s {0, plural, one {# tool is} other {# tools are}} neither sent nor found'));
  add(byCallTool, vscode.l10n.t('{0, plural, one {# of these was} other {# of these were}} found and can be called'));
  if (!state.trusted) lines.push(vscode.l10n.t('The workspace isn’t trusted, so its servers don’t run'));
  if (state.startingServers.length > 0)
    lines.push(vscode.l10n.t('Starting: {0}', state.startingServers.map(oneLine).join(', ')));
  if (state.failedServers.length > 0)
    lines.push(vscode.l10n.t('Failed: {0}', state.failedServers.map(oneLine).join(', ')));
  if (state.diagnostics > 0) lines.push(vscode.l10n.t('Problems in settings or mcp.json: {0}', state.diagnostics));
  return lines;
}
