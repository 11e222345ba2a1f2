import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ExchangeView } from '../../src/inspector/protocol/exchange';
import { markTerms } from '../../webview/timeline/markTerms';
import { openInspector } from './open';

describe('a round’s request and reply', () => {
  const EXCHANGE: ExchangeView = {
    turn: 3,
    round: 1,
    sent: [{ role: 'user', text: 'Why is it red?', chars: 14 }],
    tools: [],
    toolCount: 0,
  };

  it('open below the round, without another round’s late answer', async () => {
    const { user, posted, receive } = openInspector();
    const first = screen.getByRole('button', { name: 'Request 1 and reply', expanded: false });
    await user.click(first);
    expect(posted.at(-1)).toEqual({ type: 'getExchange', turn: 3, round: 1 });
    // The late answer of another round.
    receive({ type: 'exchange', request: 1, exchange: { ...EXCHANGE, round: 2 } });
    expect(screen.queryByText('Why is it red?')).toBeNull();
    receive({ type: 'exchange', request: 1, exchange: EXCHANGE });
    expect(screen.getByText('Why is it red?')).toBeTruthy();
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
