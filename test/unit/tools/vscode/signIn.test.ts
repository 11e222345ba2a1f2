import { expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { askSignIn } from '../../../../src/tools/vscode/signIn';

it('counts the scopes that are too many to show', async () => {
  const window: { [name: string]: unknown } = vscode.window;
  const { showInformationMessage } = window;
  const shown: (string | undefined)[] = [];
  window.showInformationMessage = vi.fn(
    async (_: string, { detail }: vscode.MessageOptions) => void shown.push(detail),
  );
  const page = new URL('https://login.example/authorize');
  const ask = (scopes: readonly string[]) =>
    askSignIn('db', { issuer: 'https://login.example', page, scopes }, new AbortController().signal);
  await ask(['read', 'admin']);
  await ask([...Array.from({ length: 300 }, () => 'read'), 'admin']);
  window.showInformationMessage = showInformationMessage;
  expect(shown[0]).toContain('The server asks for: read, admin.');
  expect(shown[1]).toContain('… and 805 more characters.');
});
