import { expect, it } from 'vitest';
import { searchBox } from '../../../src/ui/commands/searchBox';
import { quickBox } from './quickBox';

it('a search box stays open until an item is selected', async () => {
  const { box, type, accept } = quickBox();
  const chosen = searchBox('Find', (text) => {
    const items = ['get_issue', 'list_issue', 'get_job'].filter((label) => label.includes(text));
    return { items: items.map((label) => ({ label })), title: `${items.length} tools` };
  });
  type('issue');
  // VS Code's own filter would hide some.
  expect(box).toMatchObject({
    ...{ isOpen: true, placeholder: 'Find', title: '2 tools', sortByLabel: false },
    items: ['get_issue', 'list_issue'].map((label) => ({ label, alwaysShow: true })),
  });
  accept([]);
  expect(box.isOpen).toBe(true);
  accept(box.items);
  expect(await chosen).toMatchObject({ label: 'get_issue' });
  expect([box.isOpen, box.disposed]).toEqual([false, 1]);
});
