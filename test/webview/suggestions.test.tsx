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
const titles = () =>
  section()
    .getAllByRole('heading', { level: 4 })
    .map((title) => title.textContent);
const item = (title: RegExp) => screen.getByRole('heading', { name: title, level: 4 }).closest('li') as HTMLElement;

describe('a suggestion', () => {
  it('says what, why and what it saves, with the arithmetic', async () => {
    await openAll();
    const pin = item(/Pin forge\/list_pipeline_job eager/);
    expect(pin.textContent).toContain('Models searched for this tool in 7 of the last 12 turns');
    expect(pin.textContent).toContain('5 model calls did nothing but search for it.');
    expect(within(pin).getByText('saves ≈ 1,114 tokens per turn')).toBeTruthy();
    expect(
      within(pin)
        .getAllByRole('row', { hidden: true })
        .map((row) => row.textContent),
    ).toEqual([
      'Searches for the tool and their results, in the rounds that contained them+ 1,526 tokens',
      'The tool’s definition, in the rounds that didn’t contain it− 412 tokens',
      'Saved+ 1,114 tokens',
    ]);
  });

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

  it('about a server that is only searched comes last', async () => {
    const { user, posted } = await openAll();
    const idle = item(/Hide archive/);
    expect(section().getAllByRole('heading', { level: 4 }).at(-1)?.closest('li')).toBe(idle);
    expect(idle.textContent).toContain(
      'None of its 14 tools was called in the last 20 turns, as far as Tool Search can see.',
    );
    expect(idle.textContent).toContain('among the 117 tools that are searched. 6 of the 85 tools');
    expect(idle.textContent).toContain('fewer tools to search');
    await user.click(within(idle).getByRole('button', { name: 'Hide: Hide archive' }));
    expect(posted).toEqual([{ type: 'suggest', act: 'apply', id: 'hide archive' }]);
  });

  it('is done with one click, dismissed with another', async () => {
    const { user, posted } = await openAll();
    await user.click(screen.getByRole('button', { name: 'Pin Eager: Pin forge/list_pipeline_job eager' }));
    await user.click(screen.getByRole('button', { name: 'Dismiss: Defer weather' }));
    expect(posted).toEqual([
      { type: 'suggest', act: 'apply', id: 'pin forge/list_pipeline_job' },
      { type: 'suggest', act: 'dismiss', id: 'server weather' },
    ]);
  });

  it('is used by keyboard alone, and stays in the section', async () => {
    const { user, posted } = await openAll();
    while (document.activeElement?.getAttribute('aria-label') !== 'Pin Deferred: Defer weather') await user.tab();
    await user.keyboard('{Enter}');
    expect(posted).toEqual([{ type: 'suggest', act: 'apply', id: 'server weather' }]);
    expect(document.activeElement?.className).toBe('sugs all');
  });
});

describe('what was done', () => {
  it('is listed, said to screen readers, and can be undone', async () => {
    const { user, posted } = open();
    expect(
      screen.getAllByText('forge/get_issue is pinned eager.').some((element) => element.tagName === 'OUTPUT'),
    ).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Undo: forge/get_issue is pinned eager.' }));
    expect(posted).toEqual([{ type: 'suggest', act: 'undo', id: '1 pin forge/get_issue' }]);
  });
});

describe('the section', () => {
  it('shows two rows with what was done last, and counts the rest', async () => {
    const { user } = open();
    expect(titles()).toEqual(['Pin forge/list_pipeline_job eager']);
    await user.click(section().getByRole('button', { name: '3 more' }));
    expect(titles()).toHaveLength(4);
    expect(section().getByText('3 more of this kind.')).toBeTruthy();
    await user.click(section().getByRole('button', { name: 'Show fewer' }));
    expect(titles()).toHaveLength(1);
  });

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
