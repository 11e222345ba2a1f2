import * as vscode from 'vscode';

/** Registers a tool that returns the cost and use of the tools. The prompt `/audit-tools` uses it. */
export function registerAuditTool(audit: () => Promise<string>): vscode.Disposable {
  return vscode.lm.registerTool('toolsearch_audit_tools', {
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Adding up what the tools cost') }),
    invoke: async () => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await audit())]),
  });
}
