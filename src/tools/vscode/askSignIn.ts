// Asks the user to sign in to an MCP server. Bundled separately and loaded with the first server over HTTP.
import * as vscode from 'vscode';
import { once } from '../../core/util/once';
import { plainPrompt } from '../../core/util/plainText';
import type { SignInRequest } from '../mcp/signIn/serverSignIn';
import { openSignInRedirect } from '../mcp/signIn/signInRedirect';
import { SignIns } from '../mcp/signIn/signInStore';

/** Asks the user to sign in to a server, and opens its page in the browser. All texts are untrusted. */
export async function askSignIn(
  server: string,
  { issuer, page, scopes }: SignInRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const signIn = vscode.l10n.t('Sign In');
  const detail = [
    vscode.l10n.t('Your browser opens {0}.', plainPrompt(page.origin)),
    vscode.l10n.t('{0} issues the access tokens.', plainPrompt(issuer)),
    scopes.length > 0
      ? vscode.l10n.t('The server asks for: {0}.', plainPrompt(shortList(scopes)))
      : vscode.l10n.t(
          'The server doesn’t say which scopes it needs, so it may ask for everything that your account can do.',
        ),
  ].join('\n');
  const question = vscode.l10n.t('The MCP server “{0}” asks you to sign in.', plainPrompt(server));
  const answer = await vscode.window.showInformationMessage(question, { modal: true, detail }, signIn);
  return answer === signIn && !signal.aborted && vscode.env.openExternal(vscode.Uri.parse(page.href, true));
}

/** In characters. */
const MAX_SCOPES = 1_000;

/** Returns the scopes as one text. If it is too long, the number of characters that aren't shown follows. */
function shortList(scopes: readonly string[]): string {
  const all = scopes.join(', ');
  const left = all.length - MAX_SCOPES;
  return left > 0 ? vscode.l10n.t('{0}… and {1} more characters', all.slice(0, MAX_SCOPES), left) : all;
}

/** Creates the store of sign-ins, and the address to which browsers return. VS Code forwards a remote window's port. */
export function createSignIns(secrets: vscode.SecretStorage, learn: (secret: string) => void) {
  const toExternal = async (url: string) => (await vscode.env.asExternalUri(vscode.Uri.parse(url))).toString(true);
  return { kept: new SignIns(secrets, learn), redirect: once(() => openSignInRedirect(toExternal)) };
}
