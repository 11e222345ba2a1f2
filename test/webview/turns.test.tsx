import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../src/core/ledger/ledger';
import { cacheState, fixtureEvents, fixtureState } from './fixture';
import { openInspector } from './open';

describe('turns', () => {
  it('are newest first, each round with its sums in words', () => {
    openInspector();
    const turns = screen.getAllByRole('region', { name: /^Turn \d/ });
    expect(turns.map((turn) => turn.getAttribute('aria-label'))).toEqual(['Turn 3', 'Turn 2', 'Turn 1']);
    const name = 'Turn 3, round 1: sent 13,544 tokens instead of ≈\u00a057,942, saved ≈\u00a0+44,398';
    expect(screen.getByRole('button', { name })).toBeTruthy();
  });

  it('say that a turn cost more before its rounds, with pin', async () => {
    const { user, posted } = openInspector();
    const turn = screen.getByRole('region', { name: 'Turn 1' });
    const words = within(turn).getByText(/This turn cost/);
    expect(words.textContent).toBe('This turn cost ≈\u00a01,724 tokens more than it saved.');
    const round = within(turn).getByRole('button', { name: /round 1/ });
    expect(words.compareDocumentPosition(round) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    await user.click(within(turn).getByRole('button', { name: 'Pin diary eager' }));
    expect(posted).toEqual([{ type: 'pin', target: { kind: 'server', id: 'diary' }, pin: 'eager' }]);
  });

  it('list the parts of the round that is selected, by keyboard too', async () => {
    const { user } = openInspector();
    const button = screen.getByRole('button', { name: /^Turn 2, round 3/ });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    button.focus();
    await user.keyboard('{Enter}');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByText('8,105', { selector: 'b' })).toBeTruthy();
    await user.keyboard('{Enter}');
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });

  it('fold away', async () => {
    const { user } = openInspector();
    await user.click(screen.getByRole('button', { name: 'Turn 3', expanded: true }));
    expect(screen.queryByRole('button', { name: /^Turn 3, round/ })).toBeNull();
  });

  it('are a table on demand, with every figure of every round', async () => {
    const { user } = openInspector();
    await user.click(screen.getByRole('button', { name: 'Table' }));
    const table = screen.getByRole('table');
    expect(within(table).getAllByRole('row')).toHaveLength(1 + 7 + 3 + 4 + 3);
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((head) => head.textContent),
    ).toContain('Search');
    expect(screen.getByRole('button', { name: 'Table' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('say why they failed if no model call came of them', () => {
    const [start] = fixtureEvents();
    if (!start) throw new Error('No events.');
    const { seq, at, turn } = start;
    const end: LedgerEvent = {
      type: 'turnEnded',
      status: 'failed',
      ms: 5,
      message: 'The model is over its quota.',
      seq: seq + 1,
      at,
      turn,
    };
    openInspector(fixtureState({ events: [start, end] }));
    expect(screen.getByText('The model is over its quota.')).toBeTruthy();
    expect(screen.getByRole('img', { name: 'Failed' })).toBeTruthy();
  });

  it('lead to their timeline', async () => {
    const { user } = openInspector();
    await user.click(screen.getByRole('button', { name: 'What did we decide about the login retries?' }));
    expect(screen.getByRole('list', { name: 'Events of turn 1' })).toBeTruthy();
  });

  it('show a prompt as text, whatever is in it', () => {
    const events = fixtureEvents().map((event) =>
      event.type === 'turnStarted' ? { ...event, prompt: '<img src=x onerror=alert(1)>' } : event,
    );
    const { container } = openInspector(fixtureState({ events }));
    expect(container.querySelector('img')).toBeNull();
    expect(screen.getAllByText('<img src=x onerror=alert(1)>')).toHaveLength(3 + 1);
  });
});

it('names what isn’t known of another agent’s turn', () => {
  const estimated = (value: number) => ({ value, certainty: 'estimated' as const });
  const none = { promptAndHistory: estimated(0), eager: estimated(0), discovered: estimated(0) };
  const agentTokens = { ...none, searchOverhead: estimated(900), sent: estimated(900), baseline: estimated(20_000) };
  const events = fixtureEvents()
    .filter(({ turn, type }) => turn === 1 && ['turnStarted', 'turnEnded'].includes(type))
    .map((event) => (event.type === 'turnEnded' ? { ...event, agentTokens } : event));
  openInspector(fixtureState({ events }));
  const turn = screen.getByRole('region', { name: 'Turn 1' });
  expect(turn.textContent).toContain('≈\u00a0+19,100');
  expect(turn.textContent).toContain('The agent’s prompt, history and other tools aren’t known.');
});

describe('figures by cost', () => {
  const legend = () => screen.getByRole('list', { name: 'Legend' }).textContent;

  it('aren’t offered if nothing is known of a cache', () => {
    openInspector();
    expect(screen.queryByRole('group', { name: 'Unit' })).toBeNull();
  });

  it('replace tokens everywhere with one switch, and say their unit', async () => {
    const { user } = openInspector(cacheState());
    await user.click(screen.getByRole('button', { name: 'Tokens' }));
    expect(screen.getByRole('button', { name: /^Turn 3, round 1: sent 13,544/ })).toBeTruthy();
    expect(legend()).toContain('Read from cache');
    await user.click(screen.getByRole('button', { name: 'Cost' }));
    expect(
      screen.getByRole('button', {
        name: 'Turn 3, round 1: sent ≈\u00a09,000 tokens instead of ≈\u00a07,500, saved ≈\u00a0\u22121,500',
      }),
    ).toBeTruthy();
    expect(screen.getByText(/^Cost in fresh tokens/)).toBeTruthy();
    // Cache reads are counted in tokens, which have another scale than costs.
    expect(legend()).not.toContain('Read from cache');
    const parts = screen.getByText('More than every definition').closest('.parts');
    expect(parts?.textContent).not.toContain('Read from cache');
    expect(screen.getByText(/^Cost of .* fresh tokens instead of/)).toBeTruthy();
  });

  it('are shown first, so that no saving is above a loss', () => {
    openInspector(cacheState());
    const banner = within(screen.getByRole('banner'));
    expect(banner.getByText('20% more')).toBeTruthy();
    expect(banner.queryByText(/kept out/i)).toBeNull();
  });

  it('are in US dollars if the list price is known', () => {
    const state = cacheState({ usd: { sent: 0.03, baseline: 0.02 } });
    openInspector(state);
    const rounds = state.turns[0]?.rounds.length ?? 0;
    const sentence = `$${(0.03 * rounds).toFixed(2)} instead of $${(0.02 * rounds).toFixed(2)}`;
    expect(screen.getByRole('banner').textContent).toContain(`${sentence} for the input of turn 3 (estimated)`);
  });

  it('show the cost of each kind that was recorded', async () => {
    const parts = { promptAndHistory: 1_000, eager: 2_000, discovered: 2_500, searchOverhead: 3_500 };
    const { user } = openInspector(cacheState({ parts }));
    await user.click(screen.getByRole('button', { name: /^Turn 3, round 1:/ }));
    const row = screen.getByText('More than every definition').closest('.parts');
    expect(row?.textContent).toContain('Prompt and history ≈\u00a01,000');
    expect(row?.textContent).toContain('Search ≈\u00a03,500');
  });

  it('say first that deferring cost more than a warm cache would have', () => {
    openInspector(cacheState());
    const turn = screen.getByRole('region', { name: 'Turn 3' });
    const words = within(turn).getByText(/^This turn cost .* fresh tokens more/);
    const round = within(turn).getByRole('button', { name: /round 1/ });
    expect(words.compareDocumentPosition(round) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });
});

describe('a cache that was lost', () => {
  it('is in the timeline behind its request, with cause and cost', async () => {
    const { user } = openInspector(cacheState());
    await user.click(screen.getByRole('tab', { name: /^Timeline/ }));
    const row = screen.getByText('Cache miss').closest('.ev');
    expect(row?.textContent).toContain('diary/add was added by its server');
    expect(row?.textContent).toContain('512 tokens could be read from the cache, 12,345 were read again in full');
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
    const at = rows.findIndex((text) => text.includes('Cache miss'));
    expect(rows[at - 1]).toContain('Round 2');
  });

  it('is summed in the table of turns', async () => {
    const { user } = openInspector(cacheState());
    await user.click(screen.getByRole('button', { name: 'Table' }));
    const sums = screen.getAllByRole('row').filter((row) => row.textContent?.startsWith('3Sum'));
    expect(sums[0]?.textContent).toContain('12,345');
  });
});

describe('the live region', () => {
  it('speaks of a turn once, when it ends', () => {
    const running = fixtureEvents().filter((event) => !(event.turn === 3 && event.type === 'turnEnded'));
    const { receive } = openInspector(fixtureState({ events: running }));
    expect(screen.getByRole('status').textContent).toBe('');
    receive({ type: 'state', state: fixtureState() });
    expect(screen.getByRole('status').textContent).toBe('Turn 3 answered. Sent 128,992 tokens, saved ≈\u00a0+293,053.');
  });
});
