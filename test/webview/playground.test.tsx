import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../src/core/catalog/catalog';
import type { ToHost } from '../../src/inspector/protocol/requests';
import { FIXTURE_STATES, fixtureDetail, fixtureInputs, fixtureServers, fixtureState } from './fixture';
import { openInspector } from './open';
import { ANSWER, column, EXPLAINED, TOOL_ANSWER } from './playAnswers';

const asked = (posted: readonly ToHost[]) => posted.filter((message) => message.type === 'play');

async function openPlayground(query = '') {
  const opened = openInspector(fixtureState(), { section: 'playground', play: { mode: 'query', query, scope: 'all' } });
  return { ...opened, input: screen.getByRole('textbox', { name: 'Query' }) };
}

describe('a query in the playground', () => {
  it('asks while one types, one at a time, newest last', async () => {
    const { user, posted, receive, input } = await openPlayground();
    await user.type(input, 'issue');
    expect(asked(posted)).toEqual([{ type: 'play', question: { mode: 'query', query: 'i', scope: 'all' } }]);
    receive({ type: 'played', request: 1, answer: ANSWER });
    expect(asked(posted).at(-1)).toEqual({ type: 'play', question: { mode: 'query', query: 'issue', scope: 'all' } });
  });

  it('is there when the user comes from a chat without hits', async () => {
    const { posted, receive } = openInspector();
    receive({ type: 'goTo', place: { section: 'playground', query: 'send a fax' } });
    expect(asked(posted).at(-1)).toMatchObject({ question: { mode: 'query', query: 'send a fax' } });
    expect(screen.getByRole('textbox', { name: 'Query' })).toHaveProperty('value', 'send a fax');
    receive({ type: 'goTo', place: { section: 'tools', filter: 'is:eager calls:0' } });
    expect(screen.getByRole('tab', { name: /^Tools/ }).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByDisplayValue('is:eager calls:0')).toBeTruthy();
  });

  it('isn’t answered by what answers an older one', async () => {
    const { user, receive, input } = await openPlayground();
    await user.type(input, 'is');
    receive({ type: 'played', request: 1, answer: ANSWER });
    receive({
      type: 'played',
      request: 1,
      answer: { mode: 'query', limit: 5, columns: [column('bm25', ['get_place'])] },
    });
    expect(screen.queryByText('get_place')).toBeNull();
  });

  it('goes on after a question that failed', async () => {
    const { user, posted, receive, input } = await openPlayground();
    await user.type(input, 'is');
    receive({ type: 'failed', request: 7, message: 'Another request broke.' });
    expect(asked(posted)).toHaveLength(1);
    receive({ type: 'failed', request: 1, message: 'Broken.' });
    expect(asked(posted)).toHaveLength(2);
  });

  it('is asked again when the catalog changes', async () => {
    const { posted, receive } = await openPlayground('issue');
    receive({ type: 'played', request: 1, answer: ANSWER });
    const state = fixtureState();
    receive({ type: 'state', state: { ...state, revision: state.revision + 1 } });
    expect(asked(posted)).toHaveLength(2);
  });

  it('says why a tool isn’t returned, just below half never as half', async () => {
    const { receive } = await openPlayground('list xyzzy issue');
    const hits = EXPLAINED.hits.map((hit, i) => (i === 1 ? { ...hit, weak: { score: 0.465, covered: 0.498 } } : hit));
    receive({ type: 'played', request: 1, answer: { mode: 'query', limit: 5, columns: [{ ...EXPLAINED, hits }] } });
    expect(
      screen.getByText(
        /^get_issue: Not returned: its score is 46% of the best score, and it contains 49% of the query words/,
      ),
    ).toBeTruthy();
  });

  it('is explained: what makes the first score beside the selected one', async () => {
    const { user, receive } = await openPlayground('list xyzzy issue');
    receive({ type: 'played', request: 1, answer: { mode: 'query', limit: 5, columns: [EXPLAINED] } });
    const cells = (name: string) =>
      within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent);
    const why = screen.getByRole('region', { name: 'Why forge/list_issue comes before forge/get_issue' });
    expect(cells('list ')).toEqual(['18', '0.50', '']);
    expect(cells('Named in the query')).toEqual(['', '3.00', '']);
    expect(cells('Score')).toEqual(['', '5.00', '1.25']);
    expect(why.textContent).toContain('Words that neither tool contains: xyzzy.');

    await user.click(within(screen.getByRole('region', { name: 'bm25' })).getAllByRole('button')[2] as HTMLElement);
    screen.getByRole('region', { name: 'Why forge/list_issue comes before forge/create_issue' });
    expect(cells('list ')).toEqual(['18', '0.50', 'as “create” 0.25']);
  });

  it('shows ranks, scores, matched words, milliseconds and moves, side by side', async () => {
    const { receive } = await openPlayground('issue');
    receive({ type: 'played', request: 1, answer: ANSWER });
    const [bm25, keywords] = ['bm25', 'keywords'].map((name) => screen.getByRole('region', { name }));
    expect(bm25?.textContent).toContain('in use');
    expect(bm25?.textContent).toContain('0.42 ms, 6 of 131 match');
    const [first] = within(bm25 as HTMLElement).getAllByRole('button');
    expect(first?.textContent).toContain('9.00');
    expect(first?.querySelector('mark')?.textContent).toBe('issue');
    const moves = within(keywords as HTMLElement).getAllByRole('button');
    expect(moves[0]?.textContent).toContain('▲ 3');
    expect(moves[0]?.textContent).toContain('3 higher');
    expect(moves[4]?.textContent).toContain('not among the first of bm25');
  });

  it('shows a strategy’s failure in its column, and near names', async () => {
    const { receive } = await openPlayground('issue');
    receive({ type: 'played', request: 1, answer: ANSWER });
    expect(screen.getByRole('region', { name: 'regex' }).textContent).toContain('not a valid regular expression');
    expect(screen.getByRole('region', { name: 'exact' }).textContent).toContain(
      'Nothing matches. Similar names: list_issue.',
    );
    // In a narrow panel, the table of ranks replaces the columns. It has no row for either strategy.
    const narrow = screen.getByRole('table', { name: /rank/i }).closest('.narrow')?.textContent;
    expect(narrow).toMatch(/regex .*not a valid regular expression/);
    expect(narrow).toContain('exact Nothing matches. Similar names: list_issue.');
  });

  it('tells screen readers what comes first', async () => {
    const { receive } = await openPlayground('issue');
    receive({ type: 'played', request: 1, answer: ANSWER });
    expect(screen.getByText('bm25: 6 of 131 tools match, first list_issue.')).toBeTruthy();
  });

  it('is used by keyboard: one tab stop, arrows, Enter follows tools', async () => {
    const { user, receive } = await openPlayground('issue');
    receive({ type: 'played', request: 1, answer: ANSWER });
    screen.getByRole('button', { name: 'Deferred Only' }).focus();
    await user.tab();
    expect(document.activeElement?.getAttribute('data-hit')).toBe('0 0');
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement?.getAttribute('data-hit')).toBe('1 1');
    await user.keyboard('{End}{Enter}');
    expect(document.activeElement?.getAttribute('data-hit')).toBe('1 4');
    expect(document.activeElement?.getAttribute('aria-pressed')).toBe('true');
    await user.keyboard('{Home}{ArrowLeft}');
    expect(document.activeElement?.getAttribute('data-hit')).toBe('0 0');
  });

  it('can be asked among the deferred tools only', async () => {
    const { user, posted, receive } = await openPlayground('issue');
    receive({ type: 'played', request: 1, answer: ANSWER });
    await user.click(screen.getByRole('button', { name: 'Deferred Only' }));
    expect(asked(posted).at(-1)).toMatchObject({ question: { scope: 'deferred' } });
  });

  it('has queries to begin with, made from tools that are there', async () => {
    const { user, posted } = await openPlayground();
    expect(screen.getByText('Try a query before a model does.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'geocode place' }));
    expect(asked(posted)).toMatchObject([{ question: { query: 'geocode place' } }]);
  });
});

describe('which query finds a tool', () => {
  it('finds a tool by part of its name, by keyboard alone', async () => {
    const { user, posted } = openInspector(fixtureState(), { section: 'playground', play: { mode: 'tool' } });
    const picker = screen.getByRole('combobox', { name: 'Tool' });
    await user.type(picker, '@forge get_issue');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['forge/get_issue']);
    await user.keyboard('{Enter}');
    expect(picker).toHaveProperty('value', 'forge/get_issue');
    expect(asked(posted)).toMatchObject([{ question: { mode: 'tool', tool: 'forge/get_issue' } }]);
  });

  it('lists options that arrows choose from and Escape leaves', async () => {
    const { user, posted } = openInspector(fixtureState(), { section: 'playground', play: { mode: 'tool' } });
    const picker = screen.getByRole('combobox', { name: 'Tool' });
    await user.type(picker, 'pipeline');
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('option', { selected: true }).id).toBe(picker.getAttribute('aria-activedescendant'));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(asked(posted)).toEqual([]);
  });

  it('shows each query’s rank under each strategy, and what comes before it', async () => {
    const { user, posted, receive } = openInspector(fixtureState(), {
      section: 'playground',
      play: { mode: 'tool', tool: 'forge/get_issue' },
    });
    receive({ type: 'played', request: 1, answer: TOOL_ANSWER });
    expect(screen.getByText(/1 of 2 queries find the tool among the first 5 results of bm25/)).toBeTruthy();
    const rows = screen.getAllByRole('row').map((row) => row.textContent);
    expect(rows[1]).toContain('get issuename1');
    expect(rows[2]).toContain('issueone word9');
    expect(rows[2]).toContain('forge/list_issue');
    expect(screen.getByRole('img', { name: 'It failed.' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'issue' }));
    expect(asked(posted).at(-1)).toMatchObject({ question: { mode: 'query', query: 'issue' } });
  });
});

describe('the playground is opened', () => {
  it('from a tool’s row, with that tool', async () => {
    const { user, posted, receive } = openInspector(fixtureState(), {
      section: 'tools',
      filter: '@forge',
      openTools: ['forge/create_branch'],
    });
    receive({ type: 'tool', request: 1, detail: fixtureDetail('forge/create_branch') });
    await user.click(screen.getByRole('button', { name: 'Which query finds it?' }));
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Playground');
    expect(asked(posted)).toMatchObject([{ question: { mode: 'tool', tool: 'forge/create_branch' } }]);
  });

  it('from a search in a story, with its query', async () => {
    const { user, posted } = openInspector(fixtureState());
    await user.click(screen.getByRole('button', { name: 'Try in Playground: pod container logs' }));
    expect(asked(posted)).toMatchObject([{ question: { mode: 'query', query: 'pod container logs' } }]);
  });

  it('shows how far servers are before any answered; all can start', async () => {
    const inputs = fixtureInputs();
    const servers = fixtureServers().map((server) => ({ ...server, state: 'stopped' as const }));
    const state = fixtureState({ ...inputs, catalog: createCatalog(1, [], servers) });
    const { user, posted } = openInspector(state, { section: 'playground' });
    expect(screen.getAllByRole('button', { name: 'Start' }).length).toBe(servers.length);
    await user.click(screen.getByRole('button', { name: 'Start All' }));
    expect(posted).toContainEqual({ type: 'run', command: 'startServers' });
  });

  it('without any server, and says how to get one', () => {
    openInspector(FIXTURE_STATES.empty?.(), { section: 'playground' });
    expect(screen.getByRole('heading', { name: 'No MCP servers' })).toBeTruthy();
  });
});
