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

  it('is asked again when the catalog or the strategy changes', async () => {
    const { posted, receive } = await openPlayground('issue');
    receive({ type: 'played', request: 1, answer: ANSWER });
    const state = fixtureState();
    receive({ type: 'state', state: { ...state, revision: state.revision + 1 } });
    expect(asked(posted)).toHaveLength(2);
    receive({ type: 'played', request: 2, answer: ANSWER });
    const header = { ...state.header, strategy: { name: 'exact', why: '' } };
    receive({ type: 'state', state: { ...state, revision: state.revision + 1, header } });
    expect(asked(posted)).toHaveLength(3);
  });
});

describe('which query finds a tool', () => {
  it('finds a tool by part of its name, by keys or mouse', async () => {
    const { user, posted } = openInspector(fixtureState(), { section: 'playground', play: { mode: 'tool' } });
    const picker = screen.getByRole<HTMLInputElement>('combobox', { name: 'Tool' });
    const shown = () => {
      const options = screen.queryAllByRole('option', { selected: true }).map(({ id, textContent }) => {
        const isActive = id === picker.getAttribute('aria-activedescendant');
        return `${screen.getAllByRole('option').length} ${isActive && textContent}`;
      });
      const asks = asked(posted).map((message) => `asks ${'question' in message && message.question.tool}`);
      return [picker.value, ...options, ...asks].join(' · ');
    };
    const [written, last] = ['3 library/write_note', 'forge/create_release_note'];
    const keys = ['ArrowDown', 'ArrowUp', 'ArrowUp', 'Escape', 'ArrowDown', 'ArrowUp', 'Enter', 'Enter'];
    const steps = [
      ...['@library note', ...keys.map((key) => `{${key}}`), 'x'].map((typed) => () => user.keyboard(typed)),
      () => user.tab(),
      () => user.type(picker, '@library note'),
      () => user.click(screen.getAllByRole('option')[1] as Element),
    ];
    picker.focus();
    const told: string[] = [];
    for (const step of steps) told.push(await step().then(shown));
    expect(told).toEqual([
      ...['read_note', 'search_note', 'read_note'].map((name) => `@library note · 3 library/${name}`),
      ...[`@library note · ${written}`, '', ' · 50 atlas/geocode_place', ` · 50 ${last}`],
      ...[`${last} · asks ${last}`, `${last} · asks ${last}`, `${last}x · 1 ${last} · asks ${last}`],
      ...[`${last} · asks ${last}`, `@library note · 3 library/read_note · asks ${last}`],
      `library/search_note · asks ${last}`,
    ]);
  });
});
