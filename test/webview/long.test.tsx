import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
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

describe('a session of 500 turns', () => {
  it('draws only the turns in sight and says how many there are', () => {
    openInspector(view());
    const items = within(screen.getByRole('listbox')).getAllByRole('option');
    expect(items.length).toBeLessThan(60);
    expect(items[0]?.getAttribute('aria-setsize')).toBe('500');
    expect(items.map((item) => item.getAttribute('aria-posinset')).slice(0, 3)).toEqual(['1', '2', '3']);
  });

  it('keeps the focus where it is while turns come in above', async () => {
    const sync = new ViewSync();
    const { receive, user } = openInspector(view(), { turn: 498 });
    const send = (messages: Iterable<ToWebview>) => act(() => [...messages].forEach(receive));
    send(sync.update(view()));
    screen.getByRole('listbox').focus();
    addTurn(session.events, 501, session.catalog.tools);
    send(sync.update(view()));
    expect(document.activeElement).toBe(screen.getByRole('listbox'));
    expect(screen.getByRole('option', { selected: true }).id).toBe('turn-list-498');
    for (const [key, turn] of Object.entries({ ArrowUp: 499, PageDown: 491, PageUp: 499, End: 1, Home: 501 })) {
      await user.keyboard(`{${key}}`);
      expect(screen.getByRole('option', { selected: true }).id).toBe(`turn-list-${turn}`);
    }
  });

  it('asks for the watched turn’s timeline, and shows it when it comes', async () => {
    const sync = new ViewSync();
    const { receive, user, posted } = openInspector(view(), { turn: 17 });
    expect(posted).toEqual([{ type: 'watch', turn: 17 }]);
    act(() => [...sync.update(view(17), 17)].forEach(receive));
    expect(screen.getByRole('list', { name: 'Events of turn 17' }).textContent).toContain('open issues of project 17');
    screen.getByRole('listbox').focus();
    await user.keyboard('{ArrowUp}');
    expect(posted.at(-1)).toEqual({ type: 'watch', turn: 18 });
  });
});
