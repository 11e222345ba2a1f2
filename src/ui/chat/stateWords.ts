import * as vscode from 'vscode';
import type { ServerInfo } from '../../core/catalog/catalog';

/** Returns how a tool is loaded, in the user's language. */
export function loadingWord(loading: string): string {
  switch (loading) {
    case 'eager':
      return vscode.l10n.t('eager');
    case 'discovered':
      return vscode.l10n.t('discovered');
    case 'deferred':
      return vscode.l10n.t('deferred');
    case 'changed':
      return vscode.l10n.t('changed');
    default:
      return loading;
  }
}

/** Returns the state of a server, in the user's language. */
export function stateWord(state: ServerInfo['state']): string {
  switch (state) {
    case 'running':
      return vscode.l10n.t('running');
    case 'starting':
      return vscode.l10n.t('starting');
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'failed':
      return vscode.l10n.t('failed');
    default:
      return vscode.l10n.t('not trusted');
  }
}
