import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { exportedState, fixtureState } from './fixture';
import { openInspector } from './open';
import { fixtureSuggestions } from './suggestionsFixture';
import { violations } from './violations';
import { WHAT_IF } from './whatIfFixture';

function open(state = fixtureState(), table = WHAT_IF) {
  const inspector = openInspector(state, { section: 'whatIf' });
  const asked = inspector.posted.findIndex(({ type }) => type === 'whatIf');
  inspector.receive({ type: 'whatIf', request: inspector.requests[asked] ?? 0, table });
  return inspector;
}
const cells = (name: RegExp) =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

describe('what if', () => {
  it('is asked for when shown, and stopped when left', async () => {
    const { user, posted } = open();
    expect(posted[0]).toEqual({ type: 'whatIf', all: false });
    await user.click(screen.getByRole('tab', { name: /Tools/ }));
    expect(posted.at(-1)).toEqual({ type: 'stopWhatIf' });
  });

  it('marks every figure as an estimate but the recorded ones', () => {
    open();
    expect(cells(/As it was/)).toEqual(['4', '9,000', '≈\u00a05,000', '']);
    expect(cells(/Delivery bridge/)).toEqual(['≈\u00a04', '≈\u00a06,000', '≈\u00a04,000', '≈\u00a0+1,000']);
    expect(screen.queryByText('Today’s settings')).toBeNull();
    expect(screen.getByText(/the recorded queries don’t find forge\/get_issue/)).toBeTruthy();
  });

  it('shows the figures of one turn', async () => {
    const { user } = open();
    await user.selectOptions(screen.getByRole('combobox'), '2: second question');
    expect(cells(/Delivery bridge/)).toEqual(['≈\u00a01', '≈\u00a0100', '≈\u00a0100', '≈\u00a00']);
  });

  it('applies the best row by one click, and undoes it by another', async () => {
    const done = [{ id: '1 whatIf delivery bridge', text: 'Applied: Delivery bridge.' }];
    const { user, posted } = open(fixtureState({ suggestions: fixtureSuggestions({ done }) }));
    await user.click(screen.getByRole('button', { name: 'Apply: Delivery bridge' }));
    expect(posted.at(-1)).toEqual({ type: 'suggest', act: 'apply', id: 'whatIf delivery bridge' });
    await user.click(screen.getByRole('button', { name: 'Undo: Applied: Delivery bridge.' }));
    expect(posted.at(-1)).toEqual({ type: 'suggest', act: 'undo', id: '1 whatIf delivery bridge' });
  });

  it('asks again with chosen tools eager, and for the whole session', async () => {
    const { user, posted } = open();
    expect(screen.getAllByRole('checkbox')).toHaveLength(1);
    await user.click(screen.getByRole('checkbox', { name: 'Replay with forge/get_issue eager' }));
    expect(posted.at(-1)).toEqual({ type: 'whatIf', all: false, eager: [] });
    await user.click(screen.getByRole('button', { name: 'Whole session' }));
    expect(posted.at(-1)).toEqual({ type: 'whatIf', all: true, eager: [] });
  });

  it('names the turns that are left out, and why', () => {
    open();
    expect(screen.getByText('1 turn is left out')).toBeTruthy();
    expect(screen.getByText('Turn 3: a called tool is no longer there.')).toBeTruthy();
  });

  it('has nothing to click in an exported session', () => {
    open(exportedState());
    expect(screen.queryByRole('button', { name: /Apply/ })).toBeNull();
  });

  it('is accessible, with turns and without', async () => {
    const { receive, posted, requests } = open();
    expect(await violations()).toEqual([]);
    const request = requests[posted.findIndex(({ type }) => type === 'whatIf')] ?? 0;
    receive({ type: 'whatIf', request, table: { ...WHAT_IF, rows: [], turns: [], ranks: [] } });
    expect(screen.getByRole('heading', { name: 'No turn can be replayed yet' })).toBeTruthy();
    expect(await violations()).toEqual([]);
  });
});
