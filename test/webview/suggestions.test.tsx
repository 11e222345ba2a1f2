import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { exportedState, FIXTURE_STATES, fixtureState } from './fixture';
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

  it('has words if its benefit isn’t tokens', () => {
    open();
    expect(item(/Short description: library\/search_note/).textContent).toContain('easier to find');
  });

  it('about a server only searched comes last, with cost and entry', async () => {
    const { user, posted } = open();
    const idle = item(/Unused: archive/);
    expect(screen.getAllByRole('heading', { level: 3 }).at(-1)?.closest('li')).toBe(idle);
    expect(idle.textContent).toContain(
      'None of its 14 tools was called in the last 20 turns, as far as Tool Search can see.',
    );
    expect(idle.textContent).toContain(
      'take no tokens until they are found, but they are among the 117 tools that are searched. 6 of the 85 tools',
    );
    await user.click(within(idle).getByRole('button', { name: 'Show Its Entry: Unused: archive' }));
    expect(posted).toEqual([{ type: 'suggest', act: 'apply', id: 'idle archive' }]);
  });

  it('is done with one click, dismissed with another', async () => {
    const { user, posted } = open();
    await user.click(screen.getByRole('button', { name: 'Pin Eager: Pin forge/list_pipeline_job eager' }));
    await user.click(screen.getByRole('button', { name: 'Dismiss: Set toolsearch.mode to off' }));
    expect(posted).toEqual([
      { type: 'suggest', act: 'apply', id: 'pin forge/list_pipeline_job' },
      { type: 'suggest', act: 'dismiss', id: 'mode off' },
    ]);
  });

  it('about finding leads to the playground, with its tools', async () => {
    const { user, posted } = open();
    await user.click(screen.getByRole('button', { name: 'Try in Playground: Two tools are named read_decision' }));
    expect(posted).toMatchObject([{ type: 'play', question: { mode: 'query', query: 'read decision' } }]);
    await user.click(screen.getByRole('tab', { name: /Suggestions/ }));
    await user.click(screen.getByRole('button', { name: 'Try in Playground: Short description: library/search_note' }));
    expect(screen.getByRole('combobox')).toHaveProperty('value', 'library/search_note');
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
  it('counts the user’s own settings in its tab, and the rest', () => {
    open();
    expect(screen.getByRole('tab', { name: /Suggestions/ }).textContent).toBe('Suggestions7');
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
    expect(screen.getByText('Checking the tools: 48 of 131.')).toBeTruthy();
    expect(screen.getByText('Suggestions about pins need 3 more turns.')).toBeTruthy();
  });

  it('says what it looked at if there is nothing to suggest', () => {
    open({ items: [], more: 0, done: [], dismissed: 0 });
    expect(screen.getByText('131 tools and 12 turns were checked. Nothing needs a change.')).toBeTruthy();
  });
});

describe('of an exported session', () => {
  const openExported = (change = {}) =>
    openInspector(
      { ...exportedState(), suggestions: fixtureSuggestions({ done: [], dismissed: 0, ...change }) },
      { section: 'suggestions' },
    );

  it('have their reasons and figures, and nothing that would set anything', () => {
    openExported();
    const pin = item(/Pin forge\/list_pipeline_job eager/);
    expect(pin.textContent).toContain('Models searched for this tool in 7 of the last 12 turns');
    expect(within(pin).getByText('tokens per turn').previousElementSibling?.textContent).toBe('≈\u00a0+1,114');
    expect(within(pin).queryByRole('button')).toBeNull();
    expect(screen.getByText(/^They can’t be applied here/)).toBeTruthy();
  });

  it('lead to the playground over the tools of the file', async () => {
    const { user, posted } = openExported();
    await user.click(screen.getByRole('button', { name: 'Try in Playground: Two tools are named read_decision' }));
    expect(posted).toMatchObject([{ type: 'play', question: { mode: 'query', query: 'read decision' } }]);
  });

  it('wait for no turns: there won’t be any', () => {
    openExported({ items: [], more: 0, turns: { seen: 2, needed: 3 } });
    expect(screen.getByRole('heading', { name: 'Nothing to suggest' })).toBeTruthy();
    expect(screen.getByText('Suggestions about pins need 3 turns; this session has 2.')).toBeTruthy();
  });
});
