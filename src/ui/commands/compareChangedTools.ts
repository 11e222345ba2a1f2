import * as vscode from 'vscode';
import { oneLine, revealed } from '../../core/util/plainText';
import { TextDocuments } from '../../vscode/textDocuments';

/**
 * The maximum length of a line that isn't broken, in characters. VS Code shows only the first 10,000 characters of a
 * line, so a change could be invisible.
 */
const LONG_LINE = 1_000;

/** A tool's old and new definition as text. */
interface Compared {
  readonly id: string;
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Shows the old and new definitions of tools in VS Code's diff editor. They are plain text: a Markdown editor would let
 * the user follow a server's links and commands.
 */
export class Comparison<Tool extends Compared> implements vscode.Disposable {
  readonly #texts = new TextDocuments('toolsearch-changed');
  /** The version of each tool that was last shown to the user. */
  readonly #shown = new Map<string, Tool>();

  /** Shows a server's old and new definitions side by side, and remembers them as what the user saw. */
  async show(server: string, tools: readonly Tool[]): Promise<void> {
    for (const tool of tools) this.#shown.set(tool.id, tool);
    const notKept = vscode.l10n.t('(the earlier definition was not kept)');
    const put = (version: 'before' | 'after') =>
      this.#texts.put(
        `${server}/${version}.txt`,
        tools.map((tool) => `# ${tool.name}\n\n${readable(tool[version] ?? notKept)}`).join('\n\n'),
      );
    const title = vscode.l10n.t('Tools of {0}: before and now', oneLine(server));
    await vscode.commands.executeCommand('vscode.diff', put('before'), put('after'), title);
  }

  /**
   * Returns the tools to accept. If the user compared some, these are returned as they were shown, and `compared` is
   * true; otherwise all tools are returned as they are.
   */
  accepted(tools: readonly Tool[]): { readonly tools: readonly Tool[]; readonly compared: boolean } {
    const shown = tools.flatMap(({ id }) => this.#shown.get(id) ?? []);
    for (const { id } of shown) this.#shown.delete(id);
    return shown.length > 0 ? { tools: shown, compared: true } : { tools, compared: false };
  }

  dispose(): void {
    this.#texts.dispose();
  }
}

/** Returns text with hidden characters made visible, since they may be the only change. */
function readable(text: string): string {
  return text.split('\n').map(inLines).join('\n');
}

/**
 * Breaks a long line after clauses, so that a change affects few lines. A clause that is still too long is broken
 * anywhere.
 */
function inLines(line: string): string {
  if (line.length <= LONG_LINE) return revealed(line);
  const clauses = line.replace(/[,.;:!?] /g, '$&\n').split('\n');
  return clauses.map((clause) => pieces(revealed(clause)).join('\n')).join('\n');
}

function pieces(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / LONG_LINE) }, (_, i) =>
    text.slice(i * LONG_LINE, (i + 1) * LONG_LINE),
  );
}
