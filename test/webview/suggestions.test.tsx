import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FIXTURE_STATES, fixtureState } from './fixture';
import { openInspector } from './open';
import { fixtureSuggestions } from './suggestionsFixture';

const open = (change = {}) =>
  openInspector(fixtureState({ suggestions: fixtureSuggestions(change) }), { section: 'suggestions' });
const item = (title: RegExp) => screen.getByRole('heading', { name: title, level: 3 }).closest('li') as HTMLElement;

describe('a suggestion', () => {
  it('says what, why and what it saves, with the arithmetic', () => {
    open();
    const pin = item(/Pin forge\/list_pipeline_job eager/);
    expect(pin.textContent).toContain('Models searched for this tool in 7 of the last 12 turns');
    expect(pin.textContent).toContain('5 model calls did nothing but search for it.');
    expect(within(pin).getByText('tokens per turn').previousElementSibling?.textContent).toBe('≈\u00a0+1,114');
    expect(
      within(pin)
        .getAllByRole('row', { hidden: true })
        .map((row) => row.textContent),
    ).toEqual([
      'Searches for the tool and their results, in the rounds that contained them≈\u00a0+1,526',
      'The tool’s definition, in the rounds that didn’t contain it≈\u00a0−412',
      'Saved≈\u00a0+1,114',
    ]);
  });

  it('about a server that is only searched comes last', async () => {
    const { user, posted } = open();
    const idle = item(/Hide archive/);
    expect(screen.getAllByRole('heading', { level: 3 }).at(-1)?.closest('li')).toBe(idle);
    expect(idle.textContent).toContain(
      'None of its 14 tools was called in the last 20 turns, as far as Tool Search can see.',
    );
    expect(idle.textContent).toContain('among the 117 tools that are searched. 6 of the 85 tools');
    expect(idle.textContent).toContain('fewer tools to search');
    await user.click(within(idle).getByRole('button', { name: 'Hide: Hide archive' }));
    expect(posted).toEqual([{ type: 'suggest', act: 'apply', id: 'hide archive' }]);
  });

  it('is done with one click, dismissed with another', async () => {
    const { user, posted } = open();
    await user.click(screen.getByRole('button', { name: 'Pin Eager: Pin forge/list_pipeline_job eager' }));
    await user.click(screen.getByRole('button', { name: 'Dismiss: Defer weather' }));
    expect(posted).toEqual([
      { type: 'suggest', act: 'apply', id: 'pin forge/list_pipeline_job' },
      { type: 'suggest', act: 'dismiss', id: 'server weather' },
    ]);
  });

  it('is used by keyboard alone, and stays in the section', async () => {
    const { user, posted } = open();
    screen.getByRole('tab', { name: /Suggestions/ }).focus();
    while (document.activeElement?.getAttribute('aria-label') !== 'Pin Deferred: Defer weather') await user.tab();
    await user.keyboard('{Enter}');
    expect(posted).toEqual([{ type: 'suggest', act: 'apply', id: 'server weather' }]);
    expect(document.activeElement?.className).toBe('sugs');
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
  it('counts the suggestions in its tab, and the rest', () => {
    open();
    expect(screen.getByRole('tab', { name: /Suggestions/ }).textContent).toBe('Suggestions4');
    expect(screen.getByText('3 more of this kind.')).toBeTruthy();
  });

  it('brings dismissed ones back', async () => {
    const { user, posted } = open();
    await user.click(screen.getByRole('button', { name: 'Show Again' }));
    expect(posted).toEqual([{ type: 'suggest', act: 'restore', id: '' }]);
  });

  it('says what it waits for', () => {
    openInspector(FIXTURE_STATES.noturns?.(), { section: 'suggestions' });
    expect(screen.getByRole('heading', { name: 'No suggestions yet' })).toBeTruthy();
    expect(screen.getByText('Suggestions need 3 more turns.')).toBeTruthy();
  });

  it('says what it looked at if there is nothing to suggest', () => {
    open({ items: [], more: 0, done: [], dismissed: 0 });
    expect(screen.getByText('12 turns were checked. Nothing needs a change.')).toBeTruthy();
  });
});
