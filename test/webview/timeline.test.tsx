import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ExchangeView } from '../../src/inspector/protocol/exchange';
import { markTerms } from '../../webview/timeline/terms';
import { cacheState } from './fixture';
import { openInspector } from './open';

describe('the story', () => {
  it('ranks hits, marks what matched, and draws the limit', () => {
    openInspector();
    const [first] = screen.getAllByRole('table');
    if (!first) throw new Error('No table of hits.');
    const rows = within(first).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      '110.51forge/list_pipeline_jobcalled',
      '29.57forge/get_pipeline_jobreturned',
      '39.36forge/retry_pipeline_joblimit 2not returned',
      '48.61forge/list_pipelinenot returned',
      '56.58forge/get_pipelinenot returned',
    ]);
    expect(rows[2]?.className).toContain('cut');
    expect(within(first).getAllByText('list', { selector: 'mark' })).toBeTruthy();
  });

  it('names the server that alone was searched', () => {
    openInspector(undefined, { turn: 1 });
    expect(screen.getByRole('list', { name: 'Events of turn 1' }).textContent).toMatch(/ in diary bm25/);
  });

  it('shows each request with cost and time, before its events', () => {
    openInspector();
    const events = within(screen.getByRole('list', { name: 'Events of turn 3' }));
    const [first, second] = events.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(first).toBe('Request 1 and reply 1.86 s13,544 tokens');
    expect(second).toMatch(/^Searched list jobs of a pipeline/);
  });

  it('shows a cache miss behind its request, with cause and cost', () => {
    openInspector(cacheState());
    const row = screen.getByText('Cache miss').closest('.ev');
    expect(row?.textContent).toContain('diary/add was added by its server');
    expect(row?.textContent).toContain('512 tokens could be read from the cache, 12,345 were read again in full');
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
    expect(rows[rows.findIndex((text) => text.includes('Cache miss')) - 1]).toContain('Request 2');
  });

  it('tells a search without hits from one with', () => {
    openInspector();
    expect(screen.getByText(/No tools found for “workflow argo status”/)).toBeTruthy();
    expect(screen.getByText('no hits')).toBeTruthy();
    const icons = [...document.querySelectorAll('.codicon-search')].filter((icon) => icon.closest('.ev'));
    expect(icons.filter(({ className }) => className.includes('warn'))).toHaveLength(1);
    expect(icons.length).toBeGreaterThan(1);
    expect(document.querySelector('.ev .codicon-comment')).toBeTruthy();
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
    const { user, posted, receive } = openInspector();
    const first = screen.getByRole('button', { name: 'Request 1 and reply', expanded: false });
    await user.click(first);
    expect(posted.at(-1)).toEqual({ type: 'getExchange', turn: 3, round: 1 });
    // The late answer of another round.
    receive({ type: 'exchange', request: 1, exchange: { ...EXCHANGE, round: 2 } });
    expect(screen.queryByText('Why is it red?')).toBeNull();
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
