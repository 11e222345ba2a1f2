import * as vscode from 'vscode';

/** Returns how a tool is loaded, or the state of a server, in the user's language. */
export function stateWord(state: string): string {
  const words: { readonly [state: string]: string } = {
    eager: vscode.l10n.t('eager'),
    discovered: vscode.l10n.t('discovered'),
    deferred: vscode.l10n.t('deferred'),
    changed: vscode.l10n.t('changed'),
    running: vscode.l10n.t('running'),
    starting: vscode.l10n.t('starting'),
    stopped: vscode.l10n.t('stopped'),
    failed: vscode.l10n.t('failed'),
    untrusted: vscode.l10n.t('not trusted'),
  };
  return words[state] ?? state;
}
