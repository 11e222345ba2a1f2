import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ToHost } from '../../src/inspector/protocol/requests';
import { fixtureState } from './fixture';
import { openInspector } from './open';
import { ANSWER } from './playAnswers';

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

  it('is asked again when the catalog changes', async () => {
    const { posted, receive } = await openPlayground('issue');
    receive({ type: 'played', request: 1, answer: ANSWER });
    const state = fixtureState();
    receive({ type: 'state', state: { ...state, revision: state.revision + 1 } });
    expect(asked(posted)).toHaveLength(2);
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
});
