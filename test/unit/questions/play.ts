import type * as vscode from 'vscode';
import { host } from '../shim/host';

/** What the user presses, chooses by the beginning of its label, or types; undefined closes the dialog. */
type Answer = string | readonly string[] | undefined;
export type Case = readonly [run: () => unknown, ...answers: Answer[]];
export type Cases = { readonly [name: string]: Case };

/** Plays cases, and returns what the user saw and what happened. */
export async function play(cases: Cases): Promise<string> {
  const lines: string[] = [];
  for (const [name, [run, ...answers]] of Object.entries(cases)) {
    host.told = lines;
    const rest = [...answers];
    host.press = (_, buttons) => {
      const wanted = buttons.length > 0 ? rest.shift() : undefined;
      return buttons.find((button) => button === wanted);
    };
    host.choose = (items) => {
      const wanted = [rest.shift()].flat();
      const chosen = items.filter((item) => wanted.some((it) => it && `${item.label ?? item}`.startsWith(it)));
      return (Array.isArray(answers[answers.length - rest.length - 1]) ? chosen : chosen[0]) as vscode.QuickPickItem;
    };
    host.type = ({ validateInput }) => {
      for (;;) {
        const typed = rest.shift() as string | undefined;
        const problem = typed === undefined ? undefined : validateInput?.(typed);
        if (!problem) return typed;
        lines.push(`  of “${typed}” ${problem}`);
      }
    };
    lines.push(`${name}: ${answers.map((answer) => String(answer ?? 'Escape')).join(' · ')}`);
    const ended = await Promise.resolve(run()).then(
      (result) => `ends ${JSON.stringify(result) ?? ''}`,
      (error) => `fails ${error}`,
    );
    const did = host.commands.splice(0).map((command) => ` runs ${JSON.stringify(command)}`);
    lines.push(...did, ...host.clipboard.splice(0).map((text) => ` copies ${text}`), ` ${ended}`);
    if (rest.length > 0) lines.push(` not asked: ${rest}`);
  }
  // What this machine has besides isn't told.
  const told = lines.filter((line) => !/"label":"[^"]*(Copilot|Claude|Cursor|Windsurf)/.test(line)).join('\n');
  return `${told.replace(/x{20,}/g, ({ length }) => `(${length} x)`).replace(/[^"\s]*tool-search-test-\w+/g, '(folder)')}\n`;
}
