// Asks the user for the `${input:…}` values of an `mcp.json`.

import * as vscode from 'vscode';
import { cut } from '../../core/util/cut';
import { plainLabel, plainName, plainPrompt } from '../../core/util/plainText';
import type { Recipient } from '../mcp/config/definition';
import type { InputDefinition } from '../mcp/config/inputs';

/** The maximum number of characters of a command line that are shown. */
const MAX_RUNS = 200;

/** Asks for an input. Its description is untrusted, and VS Code would show parts as links that can run commands. */
export async function askForInput(input: InputDefinition, server: string): Promise<string | undefined> {
  const title = titleOf(server);
  const prompt = plainPrompt(input.description);
  if (input.type === 'pickString') {
    const items = input.options.map(({ label, value }) => ({
      label: plainLabel(label),
      value,
      picked: value === input.fallback,
    }));
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder: prompt, ignoreFocusOut: true });
    return picked?.value;
  }
  const { password, fallback: value } = input;
  return vscode.window.showInputBox({ title, prompt, password, ignoreFocusOut: true, value });
}

/** Asks whether a server gets an answer that the user gave before, for another server or before its entry changed. */
export async function askToShare(
  input: InputDefinition,
  { name, runs }: Recipient,
  others: readonly string[],
): Promise<boolean> {
  const what = plainPrompt(input.description);
  const rest = others.filter((other) => other !== name);
  const placeHolder = others.includes(name)
    ? vscode.l10n.t(
        'The server asks for “{0}”. You answered this before its command or address in mcp.json changed.',
        what,
      )
    : rest.length > 0
      ? vscode.l10n.t(
          'The server asks for “{0}”. You answered this before, for {1}.',
          what,
          rest.map((other) => plainName(other)).join(', '),
        )
      : vscode.l10n.t('The server asks for “{0}”. You answered this before.', what);
  // Shows the recipient's command or address, since any server can have the same name.
  const give = { label: vscode.l10n.t('Give the server the same answer'), detail: cut(plainPrompt(runs), MAX_RUNS) };
  const items = [give, { label: vscode.l10n.t('Don’t give the server this answer') }];
  const options = { title: titleOf(name), placeHolder, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options)) === give;
}

function titleOf(server: string): string {
  return vscode.l10n.t('MCP server {0}', plainName(server));
}
