import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fixtureEvents, fixtureState } from './fixture';
import { openInspector } from './open';

const story = () => within(screen.getByRole('region', { name: /^Turn \d/ }));
const verdict = () => story().getByRole('heading', { level: 2 }).textContent;
const session = () => within(screen.getByRole('region', { name: 'This session' }));
const list = () => screen.getByRole('listbox', { name: 'Turns, newest first' });
const rows = () =>
  within(list())
    .queryAllByRole('option')
    .map((row) => row.textContent);

it('the result of a turn is written in the user’s locale', () => {
  openInspector(fixtureState({ locale: 'de' }));
  expect(story().getByText('128.992 tokens')).toBeTruthy();
});

describe('the list of turns', () => {
  it('leads by a click to a turn, and back to the newest', async () => {
    const { user } = openInspector();
    expect(session().queryByRole('button', { name: /is newer/ })).toBeNull();
    await user.click(screen.getByText(/login retries/));
    expect(verdict()).toMatch(/5% more tokens/);
    list().focus();
    await user.keyboard('{Enter}');
    expect(document.activeElement?.tagName).toBe('H2');
    await user.click(session().getByRole('button', { name: 'Turn 3 is newer' }));
    expect(verdict()).toMatch(/69% fewer tokens/);
  });

  const older = fixtureState({ events: fixtureEvents().filter(({ turn }) => turn < 3) });

  it('keeps its place when a new turn comes', () => {
    const { receive } = openInspector(older);
    const scroller = list().parentElement as HTMLElement;
    scroller.scrollTop = 10;
    receive({ type: 'state', state: fixtureState() });
    expect(scroller.scrollTop).toBeGreaterThan(10);
  });

  it('keeps an older turn when a new one comes', () => {
    const { receive } = openInspector(older, { turn: 1 });
    receive({ type: 'state', state: fixtureState() });
    expect(verdict()).toMatch(/5% more tokens/);
    receive({ type: 'goTo', place: { section: 'turns', turn: 3 } });
    expect(verdict()).toMatch(/69% fewer tokens/);
    expect(document.activeElement?.tagName).toBe('H2');
  });
});

it('each turn is announced when it ends', () => {
  const untilTurn = (last: number, ended: number) =>
    fixtureState({
      events: fixtureEvents().filter(({ turn, type }) => turn <= last && (type !== 'turnEnded' || turn <= ended)),
    });
  const { receive } = openInspector(untilTurn(1, 0));
  const announced = () => [...document.querySelectorAll('output.sr')].map(({ textContent }) => textContent);
  const before = announced();
  const said = (
    [
      [1, 1],
      [2, 1],
      [2, 2],
    ] as const
  ).map(([last, ended]) => {
    receive({ type: 'state', state: untilTurn(last, ended) });
    return announced().filter((text) => !before.includes(text));
  });
  const [one, two] = ['Turn 1: 5% more tokens.', 'Turn 2: 80% fewer tokens.'];
  expect(said).toEqual([one, one, two].map((text) => [expect.stringContaining(text)]));
});

describe('in a narrow panel', () => {
  it('the list is one line that opens, with steps between turns', async () => {
    const media = () => Object.assign(new EventTarget(), { matches: false });
    const [narrow, others] = [media(), media()];
    vi.stubGlobal('matchMedia', (query: string) => (query === '(max-width: 599px)' ? narrow : others));
    const { user } = openInspector();
    expect(rows()).toHaveLength(3);
    narrow.matches = true;
    act(() => void narrow.dispatchEvent(new Event('change')));
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'Next turn' }).getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Previous turn' }));
    expect(verdict()).toMatch(/80% fewer/);
    await user.click(screen.getByRole('button', { name: 'Turn 2 of 3', expanded: false }));
    await user.click(screen.getByText(/login retries/));
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(verdict()).toMatch(/5% more/);
    vi.unstubAllGlobals();
  });
});

it('the reasons name a model’s prices with their source and date', () => {
  const events = fixtureEvents().map((event) =>
    event.type === 'turnStarted'
      ? { ...event, model: { ...event.model, vendor: 'anthropic', id: 'claude-sonnet-5-5' } }
      : event,
  );
  openInspector(fixtureState({ events }));
  expect(story().getByText(/A million fresh input tokens cost \$2/).textContent).toMatch(
    /cache costs 5% of a fresh token\. Writing a token to the cache costs 125%\..*platform\.claude\.com.*, 20\d\d-\d\d-\d\d\)/,
  );
});
