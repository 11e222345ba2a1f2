import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FIXTURE_STATES, fixtureEvents, fixtureState } from './fixture';
import { openInspector } from './open';

describe('header', () => {
  const banner = () => within(screen.getByRole('banner'));

  it('says in a sentence what the newest turn sent instead of what', () => {
    openInspector();
    expect(banner().getByText('69% kept out')).toBeTruthy();
    expect(banner().getByText(/^128,992 tokens instead of 422,045 in turn 3/).textContent).toContain('(estimated)');
    expect(banner().getByText(/^This session/).textContent).toBe(
      'This session: 68% kept out, 422,347 tokens in 3 turns',
    );
  });

  it('gives each kind its tokens, with the unit for screen readers', () => {
    openInspector();
    const parts = banner().getByRole('list', { name: 'Tokens of turn 3 by kind' });
    const texts = within(parts)
      .getAllByRole('listitem')
      .map((item) => item.textContent);
    expect(texts.at(-1)).toBe('Kept out\u00a0293,053 tokens');
    expect(texts).toHaveLength(5);
  });

  it('says of a turn that cost more by how much', () => {
    openInspector(fixtureState({ events: fixtureEvents().filter(({ turn }) => turn === 1) }));
    expect(banner().getByText(/% more$/)).toBeTruthy();
    expect(banner().getByText(/^This session: \d+% more, 1,724 tokens in 1 turn$/)).toBeTruthy();
  });

  it('says what is in use, and the reasons on demand', async () => {
    const { user } = openInspector(fixtureState({ modelRule: 'copilot/gpt-*' }));
    expect(screen.getByRole('button', { name: 'Strategy: bm25' }).title).toBe(
      'Strategy: bm25 (auto: fits every model)',
    );
    expect(banner().queryByText('auto: fits every model')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Reasons', expanded: false }));
    expect(banner().getByText(/auto: fits every model/)).toBeTruthy();
    expect(banner().getByText(/copilot\/gpt-\* in toolsearch\.models\. Figures are in tokens only/)).toBeTruthy();
  });

  it('names the prices of a model with their source and date', async () => {
    const events = fixtureEvents().map((event) =>
      event.type === 'turnStarted'
        ? { ...event, model: { ...event.model, vendor: 'anthropic', id: 'claude-sonnet-5-5' } }
        : event,
    );
    const { user } = openInspector(fixtureState({ events }));
    await user.click(screen.getByRole('button', { name: 'Reasons' }));
    expect(banner().getByText(/A million fresh input tokens cost \$2/).textContent).toMatch(
      /cache costs 5% of a fresh token\. Writing a token to the cache costs 125%\..*platform\.claude\.com.*, 20\d\d-\d\d-\d\d\)/,
    );
  });

  it('claims no saving if no model is asked', () => {
    openInspector(FIXTURE_STATES.nomodel?.());
    expect(banner().getByText(/^No model was asked, so nothing was sent and nothing saved\./).textContent).toMatch(
      /a model would have read 128,992 tokens instead of ≈.422,045\./,
    );
    expect(banner().queryByText(/This session/)).toBeNull();
    expect(screen.queryByText(/kept out/i)).toBeNull();
  });

  it('has no figures before the first turn', () => {
    openInspector(fixtureState({ events: [] }));
    expect(banner().getByText('No turns yet')).toBeTruthy();
    expect(banner().getByText(/deferred/)).toBeTruthy();
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
    expect(banner().getByText(/^128\.992 tokens/)).toBeTruthy();
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
