import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ToolView } from '../../src/inspector/protocol/view';
import { filterTools } from '../../webview/tools/filter';
import { rowsOf } from '../../webview/tools/rows';
import { FIXTURE_STATES, fixtureDetail, fixtureState } from './fixture';
import { openInspector } from './open';

const TOOLS = { section: 'tools' };
const ONLY_FORGE = { section: 'tools', filter: '@forge' };

const NAV = { filter: '', sort: { key: 'name', descending: false }, grouped: false, closedServers: [], openTools: [] };

const grid = () => screen.getByRole('treegrid', { name: 'Tools' });

const names = (): (string | null)[] => [...grid().querySelectorAll('.name')].map((cell) => cell.textContent);

describe('the grid of tools', () => {
  it('draws only visible rows of 10,000, and says how many', () => {
    openInspector(FIXTURE_STATES.many?.(), TOOLS);
    expect(grid().getAttribute('aria-rowcount')).toBe(String(10_000 + 20 + 1 + 1));
    const rows = within(grid()).getAllByRole('row');
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.length).toBeLessThan(100);
  });

  it('has one tool that changed compared and accepted, by keyboard', async () => {
    const state = fixtureState();
    const id = 'forge/create_branch';
    const tools = state.tools.map((tool) => (tool.id === id ? { ...tool, changed: true as const } : tool));
    const { user, posted } = openInspector(
      { ...state, tools },
      { ...ONLY_FORGE, openTools: [id, 'forge/list_pipeline_job'] },
    );
    expect(within(grid()).getAllByText('changed')).toHaveLength(1);
    for (const name of ['Compare', 'Accept']) {
      screen.getByRole('button', { name }).focus();
      await user.keyboard('{Enter}');
    }
    expect(posted.filter(({ type }) => type === 'run')).toEqual(
      ['compareChanged', 'acceptChanged'].map((command) => ({ type: 'run', command, server: 'forge', tool: id })),
    );
  });

  it('filters while the field keeps the focus', async () => {
    const { user } = openInspector(undefined, TOOLS);
    const field = screen.getByRole('textbox', { name: 'Filter tools' });
    await user.type(field, '@forge pipeline_job');
    expect(document.activeElement).toBe(field);
    expect(names()).toHaveLength(8);
    expect(screen.getByText('8 of 131 tools')).toBeTruthy();
  });

  it.each([
    ['is:discovered', 5],
    ['is:eager', 9],
    ['calls:>0', 6],
    ['calls:2', 1],
    ['calls:<=2 calls:>=2', 1],
    ['@library read', 1],
    ['pipelnie_job', 8],
    ['pipelnie is:discovered', 2],
    ['@atlas pipelnie', 0],
  ])('understands %s', (filter, count) => {
    openInspector(undefined, { section: 'tools', filter });
    expect(names()).toHaveLength(count);
  });

  it('finds a tool by a part of its title', () => {
    const [first, second] = fixtureState().tools;
    const titled = { ...first, title: 'Weather Report' } as ToolView;
    expect(filterTools([second as ToolView, titled], 'ther')).toEqual([titled]);
  });

  it('says that nothing matches and clears the filter', async () => {
    const { user } = openInspector(undefined, { section: 'tools', filter: 'nonesuch' });
    expect(screen.getByText(/No tool matches “nonesuch”/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear Filter' }));
    expect(names().length).toBeGreaterThan(5);
  });

  it.each([
    ['tokens', 'server', ({ tokens }: { tokens: { value: number } }) => tokens.value],
    [
      'loading',
      'tool',
      ({ loading }: { loading?: string }) => 'eager discovered deferred omitted'.indexOf(`${loading}`),
    ],
  ])('sorts by %s: each %s', (key, kind, valueIn) => {
    const { tools, servers } = fixtureState();
    const nav = { ...NAV, sort: { key, descending: false }, grouped: kind === 'server' };
    const shown = rowsOf(tools, servers, nav as never).rows.filter((row) => row.kind === kind);
    const values = shown.map((row) => valueIn((row as never)[kind]));
    expect(new Set(values).size).toBeGreaterThan(2);
    expect(values).toEqual([...values].sort((a, b) => a - b));
  });

  it('sets auto, eager, deferred or off', async () => {
    const { user, posted } = openInspector(undefined, ONLY_FORGE);
    const set = (of: string, pin: string) =>
      user.click(
        within(screen.getByRole('radiogroup', { name: `Setting of ${of}` })).getByRole('radio', { name: pin }),
      );
    await set('all tools', 'Defer');
    await set('forge', 'Eager');
    await set('forge/delete_branch', 'Auto');
    await user.click(screen.getByRole('button', { name: 'Hide Tools…' }));
    expect(posted).toEqual([
      { type: 'pin', target: { kind: 'all', id: '' }, pin: 'deferred' },
      { type: 'pin', target: { kind: 'server', id: 'forge' }, pin: 'eager' },
      { type: 'pin', target: { kind: 'tool', id: 'forge/delete_branch' }, pin: 'auto' },
      { type: 'run', command: 'hideTools' },
    ]);
  });

  it('shows what is set, not what was clicked', async () => {
    const { user } = openInspector(undefined, ONLY_FORGE);
    const group = screen.getByRole('radiogroup', { name: 'Setting of forge/create_issue' });
    await user.click(within(group).getByRole('radio', { name: 'Eager' }));
    expect(within(group).getByRole('radio', { name: 'Auto' })).toHaveProperty('checked', true);
  });

  it('asks again for a tool whose details could not be had', async () => {
    const { user, posted, receive } = openInspector(undefined, ONLY_FORGE);
    const row = screen.getByRole('button', { name: 'list_pipeline_job' });
    await user.click(row);
    receive({ type: 'failed', request: 1, message: 'Too early.' });
    await user.click(row);
    await user.click(row);
    expect(posted).toEqual([1, 2].map(() => ({ type: 'getTool', id: 'forge/list_pipeline_job' })));
  });

  it('asks again for open details when the catalog has changed', () => {
    const { posted, receive } = openInspector(undefined, { ...ONLY_FORGE, openTools: ['forge/create_branch'] });
    receive({ type: 'tool', request: 1, detail: fixtureDetail('forge/create_branch') });
    receive({ type: 'state', state: fixtureState() });
    expect(posted).toHaveLength(1);
    receive({ type: 'state', state: { ...fixtureState(), revision: 99 } });
    expect(posted).toEqual([1, 2].map(() => ({ type: 'getTool', id: 'forge/create_branch' })));
  });
});

describe('the grid by keyboard', () => {
  it('is one tab stop, then the setting of its active row', async () => {
    const { user } = openInspector(undefined, ONLY_FORGE);
    screen.getByRole('columnheader', { name: 'Calls' }).querySelector('button')?.focus();
    await user.tab();
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2');
    await user.tab();
    expect(document.activeElement?.getAttribute('type')).toBe('radio');
    await user.tab();
    expect(grid().contains(document.activeElement)).toBe(false);
  });

  it('opens and closes by Right, Left, Enter; goes up too', async () => {
    const { user } = openInspector(undefined, ONLY_FORGE);
    const row = () => document.activeElement;
    within(grid()).getAllByRole('row')[3]?.focus();
    await user.keyboard('{ArrowRight}');
    expect(row()?.getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{ArrowLeft}');
    expect(row()?.getAttribute('aria-expanded')).toBe('false');
    await user.keyboard('{Enter}');
    expect(row()?.getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{Enter}{ArrowLeft}');
    expect(row()?.getAttribute('aria-level')).toBe('1');
    await user.keyboard('{ArrowLeft}');
    expect(row()?.getAttribute('aria-expanded')).toBe('false');
    expect(names()).toHaveLength(0);
  });

  it('doesn’t open a server without tools', async () => {
    const state = fixtureState();
    const servers = state.servers.slice(0, 1).map((server) => ({ ...server, name: 'empty', tools: 0 }));
    const { user } = openInspector({ ...state, servers }, TOOLS);
    const row = within(grid()).getByText('empty').closest<HTMLElement>('[role=row]');
    row?.focus();
    await user.keyboard('{Enter}{ArrowRight}');
    expect(document.activeElement).toBe(row);
    expect(row?.getAttribute('aria-expanded')).toBeNull();
  });

  it('leaves arrows to radio buttons; Ctrl+Z undoes, Escape returns', async () => {
    const { user, posted } = openInspector(undefined, ONLY_FORGE);
    within(screen.getByRole('radiogroup', { name: 'Setting of forge/create_issue' }))
      .getByRole('radio', { name: 'Auto' })
      .focus();
    await user.keyboard('{ArrowRight}');
    const target = { kind: 'tool', id: 'forge/create_issue' };
    await user.keyboard('{Control>}zz{/Control}');
    // The second Ctrl+Z has nothing to undo.
    expect(posted).toEqual([
      { type: 'pin', target, pin: 'eager' },
      { type: 'pin', target, pin: 'auto' },
    ]);
    await user.keyboard('{Escape}');
    expect(document.activeElement?.getAttribute('role')).toBe('row');
  });
});
