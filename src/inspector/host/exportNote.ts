import * as vscode from 'vscode';
import { notePage } from './page';

const OPEN = 'toolsearch.openExportedSession';

/** Shows a message in a panel without a session: the reason, and how to open one. */
export function showNote(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, heading: string, why?: string): void {
  const { webview } = panel;
  const root = vscode.Uri.joinPath(extensionUri, 'dist');
  webview.options = { enableScripts: false, enableCommandUris: [OPEN], localResourceRoots: [root] };
  webview.html = notePage({
    cspSource: webview.cspSource,
    styles: [webview.asWebviewUri(vscode.Uri.joinPath(root, 'inspector.css')).toString()],
    lang: vscode.env.language,
    title: panel.title,
    heading,
    why,
    link: { command: OPEN, label: vscode.l10n.t('Open Exported Session…') },
  });
}
