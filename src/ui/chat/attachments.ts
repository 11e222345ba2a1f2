import * as vscode from 'vscode';

/** The maximum number of characters of one attached file in the prompt: about 10,000 tokens. */
const MAX_CHARS = 36_000;

/** VS Code attaches this if an extension offers a skill or an agent. It contains instructions for agent mode. */
const CUSTOMIZATIONS_INDEX = 'vscode.customizations.index';

/** Returns the prompt with the user's attachments (`#file`, a selection), each in a code block. */
export async function withAttachments(
  prompt: string,
  references: readonly vscode.ChatPromptReference[],
): Promise<string> {
  const attached = references.filter(({ id }) => id !== CUSTOMIZATIONS_INDEX);
  const texts = await Promise.all(attached.map(readReference));
  return [prompt, ...texts.filter((text) => text !== undefined)].join('\n\n');
}

async function readReference(reference: vscode.ChatPromptReference): Promise<string | undefined> {
  const { value } = reference;
  if (typeof value === 'string') return attachment(reference.id, value);
  const { uri, range } = value instanceof vscode.Location ? value : { uri: value, range: undefined };
  if (!(uri instanceof vscode.Uri)) return undefined;
  const name = vscode.workspace.asRelativePath(uri);
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return attachment(name, document.getText(range));
  } catch {
    return attachment(name, vscode.l10n.t('(could not be read as text)'));
  }
}

function attachment(name: string, text: string): string {
  const shown =
    text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n… (${text.length - MAX_CHARS} more characters)` : text;
  return `<attachment name=${JSON.stringify(name)}>\n${shown}\n</attachment>`;
}
