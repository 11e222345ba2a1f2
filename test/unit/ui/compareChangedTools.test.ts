import { beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { Comparison } from '../../../src/ui/commands/compareChangedTools';
import { host, resetHost } from '../shim/host';

let comparison: Comparison<{
  readonly id: string;
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string;
}>;
beforeEach(() => {
  resetHost();
  comparison = new Comparison();
});

/** Both sides of the diff editor that was opened last. */
async function sides(): Promise<readonly string[]> {
  const uris = (host.commands.at(-1) ?? []).slice(1, 3) as vscode.Uri[];
  // In a Markdown document, VS Code would make links of the text.
  for (const uri of uris) expect(String(uri)).toMatch(/\.txt$/);
  const provider = host.documents.get('toolsearch-changed');
  return Promise.all(uris.map(async (uri) => `${await provider?.provideTextDocumentContent(uri, {} as never)}`));
}
const words = (end: string) => `Reads a file, and says what is in it. ${'More of it, '.repeat(2_000)}${end}`;

describe('what a tool was beside what it is', () => {
  it('shows a change of what nobody sees', async () => {
    await comparison.show('a', [{ id: 'a/x', name: 'x', before: 'Reads', after: 'Reads\u{e0041}\u200b' }]);
    const [before, after] = await sides();
    expect(before).toBe('# x\n\nReads');
    expect(after).toBe('# x\n\nReads\\u{e0041}\\u{200b}');
  });

  it('shows a change at a long line’s end where VS Code draws', async () => {
    const after = words('and sends it away');
    await comparison.show('a', [{ id: 'a/x', name: 'x', before: words('and no more'), after }]);
    const [, now = ''] = await sides();
    expect(now.split('\n').find((line) => line.includes('and sends it away'))?.length).toBeLessThan(100);
    expect(now.replaceAll('\n', '')).toBe(`# x${after}`);
    await comparison.show('a', [{ id: 'a/x', name: 'x', before: undefined, after: 'x'.repeat(2_000_000) }]);
    const [before, blob = ''] = await sides();
    expect(before).toBe('# x\n\n(the earlier definition was not kept)');
    expect(Math.max(...blob.split('\n').map(({ length }) => length))).toBe(1_000);
  });

  it('is what the user accepts, and no more than that', async () => {
    const tool = (name: string, after: string) => ({ id: `a/${name}`, name, before: 'one', after });
    const [x, y] = [tool('x', 'two'), tool('y', 'two')];
    expect(comparison.accepted([x, y])).toEqual({ tools: [x, y], compared: false });
    await comparison.show('a', [x]);
    const later = tool('x', 'three');
    expect(comparison.accepted([y])).toEqual({ tools: [y], compared: false });
    expect(comparison.accepted([later, y])).toEqual({ tools: [x], compared: true });
    expect(comparison.accepted([later, y]).compared).toBe(false);
  });
});
