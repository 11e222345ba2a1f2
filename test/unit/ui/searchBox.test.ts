import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { searchBox } from '../../../src/ui/commands/searchBox';
import { EventEmitter } from '../shim/basics';
import { host } from '../shim/host';

/** Opens a search box over these labels. `accept` is the Enter key, or a click on an item. */
function open(labels: readonly string[]) {
  const typed = new EventEmitter<string>();
  const accepted = new EventEmitter<void>();
  const hidden = new EventEmitter<void>();
  const box = {
    isOpen: false,
    value: '',
    title: '',
    items: [] as readonly vscode.QuickPickItem[],
    selectedItems: [] as readonly vscode.QuickPickItem[],
    onDidChangeValue: typed.event,
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    show: () => {
      box.isOpen = true;
    },
    hide: () => {
      box.isOpen = false;
      hidden.fire();
    },
    dispose: () => {},
  };
  host.makeQuickPick = () => box as unknown as vscode.QuickPick<vscode.QuickPickItem>;
  const chosen = searchBox('Find', (text) => {
    const items = labels.filter((label) => label.includes(text)).map((label) => ({ label }));
    return { items, title: `${items.length} tools` };
  });
  return {
    box,
    chosen,
    type: (text: string) => {
      box.value = text;
      typed.fire(text);
    },
    accept: (selected: readonly vscode.QuickPickItem[]) => {
      box.selectedItems = selected;
      accepted.fire();
    },
  };
}

it('shows also what VS Code’s own filter would hide', () => {
  const { box, type } = open(['get_issue', 'list_issue', 'get_job']);
  type('issue');
  expect(box.title).toBe('2 tools');
  expect(box.items).toEqual([
    { label: 'get_issue', alwaysShow: true },
    { label: 'list_issue', alwaysShow: true },
  ]);
});

it('keeps the box open if nothing is selected', async () => {
  const { box, chosen, accept } = open(['get_issue']);
  accept([]);
  expect(box.isOpen).toBe(true);
  accept(box.items);
  expect(box.isOpen).toBe(false);
  expect(await chosen).toMatchObject({ label: 'get_issue' });
});

it('chooses nothing if the user closes the box', async () => {
  const { box, chosen } = open(['get_issue']);
  box.hide();
  expect(await chosen).toBeUndefined();
});
