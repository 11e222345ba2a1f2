import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { StatusBar } from '../../../src/ui/statusBar';

const window: { [name: string]: unknown } = vscode.window;
const items: { text: string; backgroundColor?: unknown; shown?: boolean }[] = [];

beforeEach(() => {
  items.length = 0;
  window.createStatusBarItem = vi.fn(() => {
    const item: (typeof items)[number] & { [more: string]: unknown } = { text: '' };
    const show = (shown: boolean | undefined) => () => void Object.assign(item, { shown });
    Object.assign(item, { show: show(true), hide: show(false), dispose: show(undefined) });
    items.push(item);
    return item;
  });
});
afterEach(() => delete window.createStatusBarItem);

const NOTHING = {
  ...{ startingServers: [], failedServers: [], diagnostics: 0, trusted: true, set: undefined, setNote: undefined },
  ...{ inRequest: 0, byCallTool: 0, total: 0, used: 0, unsent: 0 },
};

it('the status bar tells what there is, and warns while needed', async () => {
  const bar = new StatusBar();
  const told: unknown[] = [];
  const states: readonly Partial<Parameters<typeof bar.update>[0]>[] = [
    ...[{ diagnostics: 1 }, {}, { set: '' }, { set: '$(check) All' }, { set: 'Web', setNote: 'It is gone.' }],
    { total: 1, inRequest: 1 },
    { total: 214, inRequest: 30, used: 2, byCallTool: 3, unsent: 4 },
    ...[{ total: 9, startingServers: ['a', 'b\n'] }, { failedServers: ['a\n', 'c'], trusted: false }, { total: 1 }],
  ];
  for (const state of states) {
    bar.update({ ...NOTHING, ...state });
    told.push(state, ...items.map(({ show: _, hide: __, dispose: ___, ...item }: { [more: string]: unknown }) => item));
  }
  await expect(`${told.map((each) => JSON.stringify(each)).join('\n')}\n`).toMatchFileSnapshot('statusBar.txt');
  bar.dispose();
  expect(items.map(({ shown }) => shown)).toEqual([undefined, undefined]);
});
