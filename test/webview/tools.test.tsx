import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FIXTURE_STATES, fixtureState } from './fixture';
import { openInspector } from './open';

const TOOLS = { section: 'tools' };
const ONLY_FORGE = { section: 'tools', filter: '@forge' };

const grid = () => screen.getByRole('treegrid', { name: 'Tools' });

const names = (): (string | null)[] => [...grid().querySelectorAll('.name')].map((cell) => cell.textContent);

it('the grid draws only visible rows of 10,000, and says how many', () => {
  openInspector(FIXTURE_STATES.many?.(), TOOLS);
  expect(grid().getAttribute('aria-rowcount')).toBe(String(10_000 + 20 + 1 + 1));
  const rows = within(grid()).getAllByRole('row');
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.length).toBeLessThan(100);
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
    within(grid()).getAllByRole('row')[5]?.focus();
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
