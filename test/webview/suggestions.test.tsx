import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fixtureState } from './fixture';
import { openInspector } from './open';
import { fixtureSuggestions } from './suggestionsFixture';

const open = (change = {}) => openInspector(fixtureState({ suggestions: fixtureSuggestions(change) }));
const section = () => within(screen.getByRole('region', { name: 'Suggestions' }));
const openAll = async (change = {}) => {
  const opened = open(change);
  await opened.user.click(section().getByRole('button', { expanded: false }));
  return opened;
};
const item = (title: RegExp) => screen.getByRole('heading', { name: title, level: 4 }).closest('li') as HTMLElement;

describe('a suggestion', () => {
  it('counts in dollars if the screen does, at the session’s mean price', async () => {
    const state = fixtureState({ suggestions: fixtureSuggestions() });
    const sent = { value: 1_000, certainty: 'measured' as const };
    const session = { sent, baseline: sent, usd: { sent: 0.002, baseline: 0.01 }, compared: 1 };
    const { user } = openInspector({ ...state, header: { ...state.header, unit: 'usd', session } });
    await user.click(section().getByRole('button', { expanded: false }));
    const pin = item(/Pin forge\/list_pipeline_job eager/);
    expect(within(pin).getByText('saves ≈ $0.00223 per turn')).toBeTruthy();
    expect(within(pin).getAllByRole('row', { hidden: true }).at(-1)?.textContent).toBe('Saved+ $0.00223');
  });

  it('is used by keyboard alone, and stays in the section', async () => {
    const { user, posted } = await openAll();
    while (document.activeElement?.getAttribute('aria-label') !== 'Pin Deferred: Defer weather') await user.tab();
    await user.keyboard('{Enter}');
    expect(posted).toEqual([{ type: 'suggest', act: 'apply', id: 'server weather' }]);
    expect(document.activeElement?.className).toBe('sugs all');
  });
});

describe('the section', () => {
  it('brings dismissed ones back', async () => {
    const { user, posted } = await openAll({ items: [], done: [] });
    await user.click(screen.getByRole('button', { name: 'Show Again' }));
    expect(posted).toEqual([{ type: 'suggest', act: 'restore', id: '' }]);
  });

  it('is absent if there is nothing to suggest', () => {
    open({ items: [], more: 0, done: [], dismissed: 0 });
    expect(screen.queryByRole('region', { name: 'Suggestions' })).toBeNull();
  });
});
