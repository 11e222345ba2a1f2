import * as vscode from 'vscode';

/**
 * Shows a box whose items follow the typed text, in their own order. Resolves with the chosen item; undefined if the
 * user closes the box.
 * @param show returns the items for a text, and the box's title
 */
export function searchBox<Item extends vscode.QuickPickItem>(
  placeholder: string,
  show: (text: string) => { readonly items: readonly Item[]; readonly title?: string },
): Promise<Item | undefined> {
  const box = vscode.window.createQuickPick<Item>();
  box.placeholder = placeholder;
  // Otherwise VS Code moves items up if their labels contain the text. The typings don't have this property.
  (box as { sortByLabel?: boolean }).sortByLabel = false;
  const follow = () => {
    const { items, title } = show(box.value);
    box.title = title;
    // VS Code's own filter would hide items, since it doesn't know about typos and ranking.
    box.items = items.map((item) => ({ ...item, alwaysShow: true }));
  };
  follow();
  return new Promise((resolve) => {
    box.onDidChangeValue(follow);
    box.onDidAccept(() => {
      const [chosen] = box.selectedItems;
      // If the list changed between the click and its arrival, nothing is selected, and the box stays open.
      if (!chosen) return;
      resolve(chosen);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
