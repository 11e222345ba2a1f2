import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fixtureDetail } from './fixture';
import { hostileState } from './hostileFixture';
import { openInspector } from './open';
import { violations } from './violations';

it.each(['turns', 'tools'])('names and texts from anywhere are text in %s, never markup', (section) => {
  const { container } = openInspector(hostileState(), { section, turn: 1 });
  expect(container.textContent).toContain('<img src=x');
  expect(container.querySelector('img')).toBeNull();
});

it('names and texts from anywhere are text in a tool’s details', () => {
  const id = '<img src=x onerror=alert(1)>/x';
  const { container, receive } = openInspector(hostileState(), {
    section: 'tools',
    filter: '@<img',
    openTools: [id],
  });
  receive({ type: 'tool', request: 1, detail: { ...fixtureDetail(id), description: '<b onclick=alert(1)>big</b>' } });
  expect(screen.getByText('<b onclick=alert(1)>big</b>')).toBeTruthy();
  expect(container.querySelector('img, [onclick]')).toBeNull();
});

it('200 servers have all of their rows counted, with a filter too', async () => {
  const { user } = openInspector(hostileState(), { section: 'tools' });
  const grid = screen.getByRole('treegrid');
  expect(grid.getAttribute('aria-rowcount')).toBe(String(2 + 201 + 995));
  await user.type(screen.getByRole('textbox', { name: 'Filter tools' }), '@server-19');
  const indexes = within(grid)
    .getAllByRole('row')
    .map((row) => Number(row.getAttribute('aria-rowindex')));
  expect(grid.getAttribute('aria-rowcount')).toBe(String(2 + 7 * 6));
  expect(indexes).toEqual(indexes.map((_, index) => index + 1));
});

it('axe finds nothing if everything is strange', async () => {
  openInspector(hostileState(), { turn: 1 });
  expect(await violations()).toEqual([]);
});
