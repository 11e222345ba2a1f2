import * as vscode from 'vscode';

/** Offers what is known of the tools' cost and use to a chat that asks for it: `/audit-tools` does. */
export function registerAuditTool(audit: () => Promise<string>): vscode.Disposable {
  return vscode.lm.registerTool('toolsearch_audit_tools', {
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Adding up what the tools cost') }),
    invoke: async () => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await audit())]),
  });
}
