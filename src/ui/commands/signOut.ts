import * as vscode from 'vscode';
import { plainPrompt } from '../../core/util/plainText';

interface KeptSignIns {
  list(): Promise<readonly { readonly server: string; readonly issuer: string; readonly key: string }[]>;
  /** Resolves with false if the tokens were deleted here but the issuer didn't revoke them. */
  signOut(key: string): Promise<boolean>;
}

/** Lets the user choose a sign-in, then deletes and revokes its tokens. */
export async function signOut(signIns: KeptSignIns): Promise<void> {
  const kept = await signIns.list();
  if (kept.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Tool Search is signed in to no MCP server.'));
    return;
  }
  const items = kept.map(({ server, issuer, key }) => ({
    label: plainPrompt(server),
    description: plainPrompt(issuer),
    key,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Sign out of an MCP server') });
  if (!picked) return;
  const isRevoked = await signIns.signOut(picked.key);
  void vscode.window.showInformationMessage(
    isRevoked
      ? vscode.l10n.t('Signed out of {0}.', picked.label)
      : vscode.l10n.t(
          'Signed out of {0} on this machine. {1} did not revoke the tokens, so they stay valid until they expire.',
          picked.label,
          picked.description,
        ),
  );
}
