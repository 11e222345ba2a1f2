import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createCatalog } from '../../src/core/catalog/catalog';
import { FIXTURE_STATES, fixtureDetail, fixtureInputs, fixtureServers, fixtureState } from './fixture';
import { openInspector } from './open';

const ONLY_FORGE = { section: 'tools', filter: '@forge' };
const focused = () => document.activeElement as HTMLElement;

/** The inspector after one of its tools has disappeared. */
function without(id: string) {
  const tools = fixtureInputs().catalog.tools.filter((tool) => tool.id !== id);
  return { type: 'state' as const, state: fixtureState({ catalog: createCatalog(4, tools, fixtureServers()) }) };
}

const toolRow = (name: string) => screen.getByText(name).closest<HTMLElement>('[role=row]') as HTMLElement;

describe('the keyboard’s place', () => {
  beforeEach(() => {
    // happy-dom has no window that could lose the focus.
    document.hasFocus = () => true;
  });

  it('goes to the next row when a tool goes away', () => {
    const { receive } = openInspector(undefined, ONLY_FORGE);
    toolRow('create_issue').focus();
    const index = focused().getAttribute('aria-rowindex');
    receive(without('forge/create_issue'));
    expect(focused().getAttribute('aria-rowindex')).toBe(index);
    expect(focused().textContent).toContain('create_merge_request');
  });

  it('goes from a server’s Start to its row when it starts', () => {
    const { receive } = openInspector(undefined, { section: 'tools', closedServers: ['atlas'] });
    within(toolRow('archive')).getByRole('button', { name: 'Start' }).focus();
    const servers = fixtureServers().map((server) => ({ ...server, state: 'running' as const }));
    receive({
      type: 'state',
      state: fixtureState({ catalog: createCatalog(4, fixtureInputs().catalog.tools, servers) }),
    });
    expect(focused()).toBe(toolRow('archive'));
  });

  it('goes from a notice that is dismissed to the selected tab', async () => {
    const { receive, user, posted } = openInspector();
    receive({ type: 'failed', request: 1, message: 'The settings file is read-only.' });
    expect(screen.getByRole('alert').textContent).toContain('The settings file is read-only.');
    await user.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Show Log' }));
    expect(posted).toEqual([{ type: 'run', command: 'showLog' }]);
    screen.getByRole('button', { name: 'Dismiss' }).focus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('');
    expect(focused().id).toBe('tab-turns');
  });

  it('goes to the section when the first turn replaces the prompt', () => {
    const { receive } = openInspector(FIXTURE_STATES.noturns?.());
    screen.getByRole('button', { name: 'Copy Prompt' }).focus();
    receive({ type: 'state', state: fixtureState() });
    expect(focused().id).toBe('panel');
  });

  it('stays out of the inspector while focus is elsewhere', () => {
    const { receive } = openInspector(undefined, ONLY_FORGE);
    toolRow('create_issue').focus();
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    receive(without('forge/create_issue'));
    expect(focused()).toBe(document.body);
  });
});

describe('the filter by keyboard', () => {
  it('leads down into the grid, which takes no focus that left', async () => {
    const { user, receive } = openInspector(undefined, ONLY_FORGE);
    const field = screen.getByRole('textbox', { name: 'Filter tools' });
    await user.click(field);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(focused().getAttribute('aria-rowindex')).toBe('3');
    await user.click(field);
    receive({ type: 'state', state: fixtureState() });
    expect(focused()).toBe(field);
  });

  it('is cleared by Escape; a button that clears keeps focus', async () => {
    const { user } = openInspector(undefined, ONLY_FORGE);
    const field = screen.getByRole('textbox', { name: 'Filter tools' });
    await user.click(field);
    await user.keyboard('{Escape}');
    expect(field).toHaveProperty('value', '');
    await user.type(field, 'nonesuch');
    await user.tab({ shift: true });
    await user.click(screen.getByRole('button', { name: 'Clear Filter' }));
    expect(focused()).toBe(field);
    expect(field).toHaveProperty('value', '');
  });
});

it('a tool’s details open by Space and close by Escape, also inside', async () => {
  const { user, receive } = openInspector(undefined, ONLY_FORGE);
  toolRow('create_issue').focus();
  await user.keyboard(' ');
  receive({ type: 'tool', request: 1, detail: fixtureDetail('forge/create_issue') });
  screen.getByRole('button', { name: 'Copy Schema' }).focus();
  await user.keyboard('{Escape}{Escape}');
  expect(screen.queryByRole('button', { name: 'Copy Schema' })).toBeNull();
  expect(focused()).toBe(toolRow('create_issue'));
  await user.keyboard('{Enter}{Escape}');
  expect(focused().getAttribute('aria-expanded')).toBe('false');
});
