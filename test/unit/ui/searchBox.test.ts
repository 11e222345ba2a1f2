import { expect, it } from 'vitest';
import { searchBox } from '../../../src/ui/commands/searchBox';
import { quickBox } from './quickBox';

/** Opens a search box over these labels. */
function open(labels: readonly string[]) {
  const box = quickBox();
  const chosen = searchBox('Find', (text) => {
    const items = labels.filter((label) => label.includes(text)).map((label) => ({ label }));
    return { items, title: `${items.length} tools` };
  });
  return { ...box, chosen };
}

it('shows also what VS Code’s own filter would hide', () => {
  const { box, type } = open(['get_issue', 'list_issue', 'get_job']);
  type('issue');
  expect(box).toMatchObject({
    ...{ isOpen: true, placeholder: 'Find', title: '2 tools', sortByLabel: false },
    items: ['get_issue', 'list_issue'].map((label) => ({ label, alwaysShow: true })),
  });
});

it('keeps the box open if nothing is selected', async () => {
  const { box, chosen, accept } = open(['get_issue']);
  accept([]);
  expect(box.isOpen).toBe(true);
  accept(box.items);
  expect(await chosen).toMatchObject({ label: 'get_issue' });
  expect([box.isOpen, box.disposed]).toEqual([false, 1]);
});

it('chooses nothing if the user closes the box', async () => {
  const { box, chosen } = open(['get_issue']);
  box.hide();
  expect(await chosen).toBeUndefined();
});
