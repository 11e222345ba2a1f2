import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FIXTURE_STATES } from './fixture';
import { openInspector } from './open';

describe('toolbar', () => {
  it('exports, and opens log and settings', async () => {
    const { user, posted } = openInspector();
    for (const name of ['Export…', 'Show Log', 'Open Settings']) await user.click(screen.getByRole('button', { name }));
    expect(posted).toEqual(['exportSession', 'showLog', 'openSettings'].map((command) => ({ type: 'run', command })));
  });
});

describe('notices', () => {
  it('say what is wrong and offer what mends it', async () => {
    const { user, posted } = openInspector(FIXTURE_STATES.diagnosed?.());
    const notices = screen.getByRole('region', { name: 'Notices' });
    expect(notices.textContent).toContain('matches no tool of forge');
    await user.click(within(notices).getAllByRole('button', { name: 'Open Settings' })[0] as HTMLElement);
    expect(posted).toEqual([{ type: 'run', command: 'openSettings' }]);
  });

  it('show a request that failed until it is dismissed', async () => {
    const { user, receive } = openInspector();
    receive({ type: 'failed', request: 1, message: 'The settings file is read-only.' });
    expect(screen.getByRole('alert').textContent).toContain('The settings file is read-only.');
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.getByRole('alert').textContent).toBe('');
  });
});
