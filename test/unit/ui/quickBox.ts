import type * as vscode from 'vscode';
import { EventEmitter } from '../shim/basics';
import { host } from '../shim/host';

/** The next box that is opened. `accept` is the Enter key, or a click on an item. */
export function quickBox() {
  const typed = new EventEmitter<string>();
  const accepted = new EventEmitter<void>();
  const hidden = new EventEmitter<void>();
  const box = {
    isOpen: false,
    value: '',
    title: '',
    placeholder: '',
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
    disposed: 0,
    dispose: () => {
      box.disposed++;
    },
  };
  host.makeQuickPick = () => box as unknown as vscode.QuickPick<vscode.QuickPickItem>;
  return {
    box,
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
