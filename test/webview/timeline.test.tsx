import { describe, expect, it } from 'vitest';
import { markTerms } from '../../webview/timeline/markTerms';

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
