import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { signOut } from '../../../src/ui/commands/signOut';
import { StatusBar } from '../../../src/ui/statusBar';
import { host, resetHost } from '../shim/host';

const window: { [name: string]: unknown } = vscode.window;
const items: { text: string; backgroundColor?: unknown }[] = [];

beforeEach(() => {
  resetHost();
  items.length = 0;
  window.createStatusBarItem = vi.fn(() => {
    const item = { text: '', show: () => {}, hide: () => {} };
    items.push(item);
    return item;
  });
});
afterEach(() => {
  delete window.createStatusBarItem;
});

it('no link of a server is in the message after a sign-out', async () => {
  const link = '[Update](command:workbench.action.quit)';
  const kept = [{ key: 'a', server: link, issuer: `https://x.example/${link}` }];
  for (const isRevoked of [true, false]) await signOut({ list: async () => kept, signOut: async () => isRevoked });
  expect(host.messages).toHaveLength(2);
  expect(host.messages.join()).not.toContain('](');
});

const NOTHING = {
  ...{ startingServers: [], failedServers: [], diagnostics: 0, trusted: true, set: undefined, setNote: undefined },
  ...{ inRequest: 0, byCallTool: 0, total: 0, used: 0, unsent: 0 },
};

it('no icon of a set’s name is in the status bar', () => {
  const state = { ...NOTHING, set: '$(check) All' };
  const bar = new StatusBar();
  bar.update(state);
  expect(items.map(({ text }) => text)).toContain('$(list-filter) $ (check) All');
  bar.update({ ...state, setNote: 'It is gone.' });
  expect(items).toContainEqual(expect.objectContaining({ text: '$(warning) $ (check) All', tooltip: 'It is gone.' }));
});

it('the status bar’s warning goes with its problem', () => {
  const bar = new StatusBar();
  const shown = (diagnostics: number) => {
    bar.update({ ...NOTHING, total: 2, diagnostics });
    return items.map(({ text, backgroundColor }) => [text, backgroundColor !== undefined])[0];
  };
  expect([shown(1), shown(0)]).toEqual([
    ['$(warning) 2 tools', true],
    ['$(search) 2 tools', false],
  ]);
});
