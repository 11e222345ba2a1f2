import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ExchangeView } from '../../src/inspector/protocol/exchange';
import { markTerms } from '../../webview/timeline/terms';
import { openInspector } from './open';

const TIMELINE = { section: 'timeline' };

describe('timeline', () => {
  it('shows the newest turn, with its flags summed up in words', () => {
    openInspector(undefined, TIMELINE);
    expect(screen.getByText(/7 rounds, 4 searches, 6 calls/)).toBeTruthy();
    expect(screen.getByText(/5 flags: called before discovery, no hits, failed, retried, refused/)).toBeTruthy();
  });

  it('ranks hits, marks what matched, and draws the limit', () => {
    openInspector(undefined, TIMELINE);
    const [first] = screen.getAllByRole('table');
    if (!first) throw new Error('No table of hits.');
    const rows = within(first).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      '110.51forge/list_pipeline_jobreturned',
      '29.57forge/get_pipeline_jobreturned',
      '39.36forge/retry_pipeline_joblimit 2not returned',
      '48.61forge/list_pipelinenot returned',
      '56.58forge/get_pipelinenot returned',
    ]);
    expect(rows[2]?.className).toContain('cut');
    expect(within(first).getAllByText('list', { selector: 'mark' })).toBeTruthy();
  });

  it('names the server that alone was searched', async () => {
    const { user } = openInspector(undefined, TIMELINE);
    expect(screen.queryByText(/^in /)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Previous turn' }));
    await user.click(screen.getByRole('button', { name: 'Previous turn' }));
    expect(screen.getByText(/in diary/)).toBeTruthy();
  });

  it('tells a search without hits from one with', () => {
    openInspector(undefined, TIMELINE);
    expect(screen.getByText(/No tools found for “workflow argo status”/)).toBeTruthy();
    expect(screen.getByText('no hits')).toBeTruthy();
  });

  it('steps through turns, and stops at the ends', async () => {
    const { user } = openInspector(undefined, TIMELINE);
    expect(screen.getByRole('button', { name: 'Next turn' }).getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Previous turn' }));
    await user.click(screen.getByRole('button', { name: 'Previous turn' }));
    expect(screen.getByRole('list', { name: 'Events of turn 1' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Previous turn' }).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the list of turns', () => {
  const list = () => within(screen.getByRole('navigation', { name: 'Turns' }));
  const items = () => list().getAllByRole('button');

  it('shows each turn with its state, tokens and share', () => {
    openInspector(undefined, TIMELINE);
    expect(items().map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^3 · Why is the nightly.* 128,992 tokens · 69% kept out$/),
      expect.stringMatching(/^2 · .* ≈\u00a033,589 tokens · 80% kept out$/),
      expect.stringMatching(/^1 · .* 33,644 tokens · 5% more$/),
    ]);
    expect(list().getAllByRole('img', { name: 'answered' })).toHaveLength(3);
  });

  it('leads to a turn, and back to the newest', async () => {
    const { user, posted } = openInspector(undefined, TIMELINE);
    await user.click(list().getByRole('button', { name: /login retries/ }));
    expect(screen.getByRole('list', { name: 'Events of turn 1' })).toBeTruthy();
    expect(list().getByRole('button', { current: true }).textContent).toContain('login retries');
    await user.click(list().getByRole('button', { name: /nightly/ }));
    expect(posted.filter(({ type }) => type === 'watch')).toEqual([
      { type: 'watch', turn: 1 },
      { type: 'watch', turn: null },
    ]);
  });

  it('is searched by prompt', async () => {
    const { user } = openInspector(undefined, TIMELINE);
    const search = list().getByRole('textbox', { name: 'Search turns' });
    await user.type(search, 'LOGIN RETRIES');
    expect(items()).toHaveLength(1);
    await user.type(search, ' and more');
    expect(list().getByText('No turn contains “LOGIN RETRIES and more”.')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(items()).toHaveLength(3);
  });
});

describe('a round’s request and reply', () => {
  const EXCHANGE: ExchangeView = {
    turn: 3,
    round: 1,
    sent: [{ role: 'user', text: 'Why is it red?', chars: 14 }],
    tools: [
      { name: 'search_tools', tokens: { value: 90, certainty: 'estimated' }, ours: true, deferred: false },
      { name: 'library_read_note', tokens: { value: 70, certainty: 'estimated' }, ours: false, deferred: false },
    ],
    toolCount: 3,
    reply: [{ role: 'call', name: 'search_tools', text: '{}', chars: 2 }],
  };

  it('open below the round, and whole in an editor', async () => {
    const { user, posted, receive } = openInspector(undefined, TIMELINE);
    const [first] = screen.getAllByRole('button', { name: 'Request and reply', expanded: false });
    if (!first) throw new Error('No round.');
    await user.click(first);
    expect(posted.at(-1)).toEqual({ type: 'getExchange', turn: 3, round: 1 });
    receive({ type: 'exchange', request: 1, exchange: EXCHANGE });
    expect(screen.getByText('Why is it red?')).toBeTruthy();
    const own = screen.getByText('search_tools', { selector: 'b' }).closest('li');
    expect(own?.textContent).toBe('search_tools ≈\u00a090 tokensTool Search');
    expect(screen.getByText('1 more in the editor')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Open Whole in Editor' }));
    expect(posted.at(-1)).toEqual({ type: 'getExchange', turn: 3, round: 1, whole: true });
    await user.click(first);
    expect(screen.queryByText('Why is it red?')).toBeNull();
  });

  it('open from a round of Turns', async () => {
    const { user, posted } = openInspector();
    await user.click(screen.getByRole('button', { name: 'Request and reply' }));
    expect(posted).toContainEqual({ type: 'getExchange', turn: 3, round: 7 });
    expect(screen.getByRole('list', { name: 'Events of turn 3' })).toBeTruthy();
  });
});

describe('the waterfall', () => {
  it('spans the whole turn', () => {
    const { container } = openInspector(undefined, TIMELINE);
    expect(container.querySelector('.ev .wf > i')?.getAttribute('title')).toBe('0.00 ms to 1.86 s');
    expect(container.querySelector('.wf.scale')?.textContent).toMatch(/^0\d/);
  });
});

describe('matched terms', () => {
  const marked = (text: string, ...terms: string[]) =>
    markTerms(text, terms)
      .map((piece) => (piece.matched ? `[${piece.text}]` : piece.text))
      .join('');

  it('are whole words of snake_case, camelCase and prose', () => {
    expect(marked('list_pipeline_jobs', 'pipeline', 'job')).toBe('list_[pipeline]_[jobs]');
    expect(marked('listPullRequests', 'pull')).toBe('list[Pull]Requests');
    expect(marked('all the JSON files', 'json')).toBe('all the [JSON] files');
    expect(marked('jobless', 'less')).toBe('jobless');
  });

  it('match by their stems, and not at all if there are none', () => {
    expect(marked('retrieving', 'retriev')).toBe('[retrieving]');
    expect(marked('a_b', '')).toBe('a_b');
    expect(marked('', 'x')).toBe('');
  });
});
