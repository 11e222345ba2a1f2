import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FIXTURE_STATES, fixtureState } from './fixture';
import { openInspector } from './open';

describe('header', () => {
  it('says strategy, delivery, model, counts and sums, each figure measured or estimated', () => {
    openInspector();
    const header = screen.getByRole('banner');
    for (const text of ['bm25', 'auto: fits every model', 'client', 'Claude Sonnet 4.5', '≈ +293,053', '87%']) {
      expect(within(header).getByText(text)).toBeTruthy();
    }
    expect(within(header).getAllByText('measured')).toHaveLength(2);
    expect(within(header).getAllByText('estimated')).toHaveLength(3);
  });

  it('names the rule that gives the model settings of its own', () => {
    openInspector(fixtureState({ modelRule: 'copilot/gpt-*' }));
    expect(within(screen.getByRole('banner')).getByText(/copilot\/gpt-\* in toolsearch\.models$/)).toBeTruthy();
  });

  it('has dashes before the first turn', () => {
    openInspector(fixtureState({ events: [] }));
    expect(within(screen.getByRole('banner')).getAllByText('none yet')).toHaveLength(5);
  });

  it('asks VS Code to choose another strategy, delivery and mode', async () => {
    const { user, posted } = openInspector();
    await user.click(screen.getByRole('button', { name: 'Strategy: bm25' }));
    await user.click(screen.getByRole('button', { name: 'Delivery: client' }));
    await user.click(screen.getByRole('button', { name: 'Mode: auto' }));
    expect(posted).toEqual(
      ['selectStrategy', 'selectDelivery', 'selectMode'].map((command) => ({ type: 'run', command })),
    );
  });

  it('writes numbers in the user’s locale', () => {
    openInspector(fixtureState({ locale: 'de' }));
    expect(within(screen.getByRole('banner')).getByText('7.742')).toBeTruthy();
  });
});

describe('toolbar', () => {
  it('opens search, log and settings', async () => {
    const { user, posted } = openInspector();
    for (const name of ['Find Tools', 'Show Log', 'Open Settings'])
      await user.click(screen.getByRole('button', { name }));
    expect(posted).toEqual(['findTools', 'showLog', 'openSettings'].map((command) => ({ type: 'run', command })));
  });
});

describe('notices', () => {
  it('say what is wrong and offer what mends it', async () => {
    const { user, posted } = openInspector(FIXTURE_STATES.degraded?.());
    const notices = screen.getByRole('region', { name: 'Notices' });
    expect(notices.textContent).toContain('Delivery is local.');
    await user.click(within(notices).getByRole('button', { name: 'Select Delivery' }));
    expect(posted).toEqual([{ type: 'run', command: 'selectDelivery' }]);
  });

  it('show a request that failed until it is dismissed', async () => {
    const { user, receive } = openInspector();
    receive({ type: 'failed', request: 1, message: 'The settings file is read-only.' });
    expect(screen.getByRole('alert').textContent).toContain('The settings file is read-only.');
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.getByRole('alert').textContent).toBe('');
  });
});
