import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fixtureState } from './fixture';
import { openInspector } from './open';

const EXPORT = { section: 'export' };

describe('exporting', () => {
  it('leaves out what was said, unless it is asked for', async () => {
    const { user, posted } = openInspector(undefined, EXPORT);
    expect(
      screen.getByText(`This session has 3 turns and ${fixtureState().tools.length} tools on 11 servers.`),
    ).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Export…' }));
    await user.click(screen.getByRole('radio', { name: /OTLP JSON/ }));
    await user.click(screen.getByRole('checkbox', { name: /Include prompts and results/ }));
    await user.click(screen.getByRole('button', { name: 'Export…' }));
    expect(posted).toEqual([
      { type: 'export', format: 'json', contents: false },
      { type: 'export', format: 'otlp', contents: true },
    ]);
  });

  it('can be done by keyboard alone', async () => {
    const { user, posted } = openInspector(undefined, EXPORT);
    screen.getByRole('radio', { name: /^JSON/ }).focus();
    await user.keyboard('{ArrowDown}{Tab} {Tab}{Enter}');
    expect(posted).toEqual([{ type: 'export', format: 'otlp', contents: true }]);
  });
});
