import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { markTerms } from '../../webview/timeline/terms';
import { openInspector } from './open';

const TIMELINE = { section: 'timeline' };

describe('timeline', () => {
  it('shows the newest turn, with its flags summed up in words', () => {
    openInspector(undefined, TIMELINE);
    expect(screen.getByText(/7 rounds, 4 searches, 6 calls/)).toBeTruthy();
    expect(screen.getByText(/5 flags: called without discovery, no hits, failed, retried, refused/)).toBeTruthy();
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

  it('match by their stems, and not at all where there are none', () => {
    expect(marked('retrieving', 'retriev')).toBe('[retrieving]');
    expect(marked('a_b', '')).toBe('a_b');
    expect(marked('', 'x')).toBe('');
  });
});
