import { act, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ViewSync } from '../../src/inspector/host/viewSync';
import type { ToWebview } from '../../src/inspector/protocol/messages';
import type { ViewState } from '../../src/inspector/protocol/view';
import { ViewFold } from '../../src/inspector/view/viewState';
import { addTurn, bigSession } from '../data/bigSession';
import { fixtureInputs } from './fixture';
import { openInspector } from './open';

const session = bigSession({ turns: 500, tools: 40 });
const fold = new ViewFold();
const view = (watched?: number): ViewState => fold.fold(fixtureInputs(session), watched);

afterEach(() => vi.unstubAllGlobals());

describe('a session of 500 turns', () => {
  it('draws only the turns in sight and says how many there are', () => {
    openInspector(view());
    const items = screen.getAllByRole('listitem').filter((item) => item.hasAttribute('aria-posinset'));
    expect(items.length).toBeLessThan(60);
    expect(items[0]?.getAttribute('aria-setsize')).toBe('500');
    expect(items.map((item) => item.getAttribute('aria-posinset')).slice(0, 3)).toEqual(['1', '2', '3']);
  });

  it('draws only the rows of the table in sight and numbers them', () => {
    openInspector(view(), { section: 'turns', view: 'table' });
    const table = screen.getByRole('table');
    expect(table.getAttribute('aria-rowcount')).toBe(String(1 + 500 * 4));
    const rows = within(table).getAllByRole('row');
    expect(rows.length).toBeLessThan(80);
    expect(rows.map((row) => row.getAttribute('aria-rowindex')).slice(0, 3)).toEqual(['1', '2', '3']);
  });

  it('keeps the focus where it is while turns come in above', async () => {
    const sync = new ViewSync();
    const { receive, user } = openInspector(view());
    const send = (messages: Iterable<ToWebview>) => act(() => [...messages].forEach(receive));
    send(sync.update(view()));
    const turn = screen.getByRole('region', { name: 'Turn 498' });
    const button = within(turn).getByRole('button', { name: 'Turn 498' });
    button.focus();
    addTurn(session.events, 501, session.catalog.tools);
    send(sync.update(view()));
    expect(screen.getByRole('region', { name: 'Turn 501' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Turn 498' }));
    await user.keyboard('{Enter}');
    expect(
      within(screen.getByRole('region', { name: 'Turn 498' })).queryByRole('button', { name: /round 1/ }),
    ).toBeNull();
  });

  it('asks for the watched turn’s timeline, and shows it when it comes', async () => {
    const sync = new ViewSync();
    const { receive, user, posted } = openInspector(view(), { section: 'timeline', turn: 17 });
    expect(posted).toEqual([{ type: 'watch', turn: 17 }]);
    act(() => [...sync.update(view(17), 17)].forEach(receive));
    expect(screen.getByRole('list', { name: 'Events of turn 17' }).textContent).toContain('open issues of project 17');
    await user.click(screen.getByRole('button', { name: 'Next turn' }));
    expect(posted.at(-1)).toEqual({ type: 'watch', turn: 18 });
  });
});

it('draws the rounds of a long turn once they are near', () => {
  const near: (() => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        near.push(
          () => seen([{ isIntersecting: false }]),
          () => seen([{ isIntersecting: true }]),
        );
      }
      observe() {}
      disconnect() {}
    },
  );
  const { catalog, events } = bigSession({ turns: 1, tools: 40 });
  addTurn(events, 2, catalog.tools, 60);
  const state = new ViewFold().fold(fixtureInputs({ catalog, events }), undefined);
  const rounds = state.turns[0]?.rounds.length ?? 0;
  openInspector(state);
  const rows = () =>
    within(screen.getByRole('region', { name: 'Turn 2' })).getAllByRole('button', { name: /round \d/ });
  expect(rounds).toBeGreaterThan(60);
  expect(rows()).toHaveLength(20);
  act(() => near[0]?.());
  expect(rows()).toHaveLength(20);
  act(() => near[1]?.());
  expect(rows()).toHaveLength(40);
  for (const say of near) act(say);
  expect(rows()).toHaveLength(rounds);
});
