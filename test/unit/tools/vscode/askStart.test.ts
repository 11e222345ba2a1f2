import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { DefinedServer } from '../../../../src/tools/mcp/config/definition';
import { FirstStarts } from '../../../../src/tools/vscode/askStart';

const window: { [name: string]: unknown } = vscode.window;
const { showWarningMessage, showQuickPick } = window;

/** The user's answers, question by question, and the questions shown. */
let answers: string[];
let shown: string[];
const state = new Map<string, unknown>();
const memento = {
  keys: () => [],
  get: (key: string, fallback: unknown) => state.get(key) ?? fallback,
  update: async (key: string, value: unknown) => void state.set(key, value),
} as unknown as vscode.Memento;

beforeEach(() => {
  answers = [];
  shown = [];
  state.clear();
  window.showWarningMessage = vi.fn(async (question: string, { detail = '' }: vscode.MessageOptions) => {
    shown.push(`${question}\n${detail}`);
    return answers.shift();
  });
  window.showQuickPick = vi.fn(async (items: readonly vscode.QuickPickItem[]) =>
    items.filter(({ label }) => label.startsWith(answers[0] ?? '-')),
  );
});
afterEach(() => {
  Object.assign(window, { showWarningMessage, showQuickPick });
});

const { signal } = new AbortController();
const server = (name: string, value: DefinedServer['value'], file = 'file:///a'): DefinedServer => ({
  ...{ name, value, inputs: [], file, label: '~/.codex/config.toml', asksFirst: true },
});

describe('FirstStarts', () => {
  it('shows the command line and asks once', async () => {
    answers = ['Start'];
    const one = server('db', { command: 'npx', args: ['-y', 'a b'], env: { TOKEN: 's3cret' } });
    expect(await new FirstStarts(memento).allow(one, signal)).toBe(true);
    expect(shown).toEqual([
      'Start the MCP server “db”? It has never run here.\ndb (~/.codex/config.toml)\nnpx -y "a b"\nwith TOKEN',
    ]);
    expect(await new FirstStarts(memento).allow(one, signal)).toBe(true);
    expect(shown).toHaveLength(1);
  });

  it('asks again once another program, environment or file would start it', async () => {
    const starts = new FirstStarts(memento);
    answers = ['Start'];
    await starts.allow(server('db', { command: 'npx', args: ['a'] }), signal);
    for (const other of [
      server('db', { command: 'npx', args: ['b'] }),
      server('db', { command: 'npx', args: ['a'], env: { NODE_OPTIONS: '--require x' } }),
      server('db', { command: 'npx', args: ['a'] }, 'file:///b'),
    ])
      expect(await starts.allow(other, signal)).toBe(false);
    expect(shown).toHaveLength(4);
  });

  it('asks once about servers that start together, and lets the user choose', async () => {
    const starts = new FirstStarts(memento);
    answers = ['Choose…', 'b'];
    const all = ['a', 'b', 'c'].map((name) => starts.allow(server(name, { command: name }), signal));
    expect(await Promise.all(all)).toEqual([false, true, false]);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(/Start these 3 MCP servers/);
  });

  it('doesn’t ask about a server that was stopped meanwhile', async () => {
    const aborted = new AbortController();
    const allowed = new FirstStarts(memento).allow(server('a', { command: 'a' }), aborted.signal);
    aborted.abort();
    expect(await allowed).toBe(false);
    expect(shown).toEqual([]);
  });
});
