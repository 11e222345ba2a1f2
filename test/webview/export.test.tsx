import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { exportedState, fixtureState } from './fixture';
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

describe('opening an exported session', () => {
  it('asks the host for a file', async () => {
    const { user, posted } = openInspector(undefined, EXPORT);
    await user.click(screen.getByRole('button', { name: 'Open…' }));
    expect(posted).toEqual([{ type: 'openExport' }]);
  });

  it('takes a dropped file, and refuses one that is too large', async () => {
    const { posted } = openInspector(undefined, EXPORT);
    const place = screen.getByRole('region', { name: 'Open an exported session' });
    fireEvent.drop(place, { dataTransfer: { files: [{ name: 'a.json', size: 2, text: async () => '{}' }] } });
    await waitFor(() => expect(posted).toEqual([{ type: 'openText', name: 'a.json', text: '{}' }]));
    fireEvent.drop(place, { dataTransfer: { files: [{ name: 'b.json', size: 1e9, text: async () => '{}' }] } });
    expect(within(screen.getByRole('alert')).getByText(/b.json is too large/)).toBeTruthy();
    expect(posted).toHaveLength(1);
  });
});

describe('an exported session', () => {
  it('says what it is, its origin, and what was left out', () => {
    openInspector(exportedState());
    const banner = screen.getByRole('region', { name: 'Exported session' });
    expect(banner.textContent).toContain('night.json, exported May 17, 2030, 9:30 AM by Tool Search 1.2.3.');
    expect(banner.textContent).toContain('Prompts and results were left out.');
  });

  it('keeps its file’s name for the host after a reload', async () => {
    const state = exportedState();
    const origin = {
      ...state.origin,
      file: 'night.json',
      uri: 'file:///tmp/night.json',
      exportedAt: '',
      product: '',
      contents: true,
    };
    const { user, remembered } = openInspector({ ...state, origin });
    const exported = { file: 'night.json', uri: 'file:///tmp/night.json' };
    expect(remembered()).toMatchObject({ exported });
    await user.click(screen.getByRole('tab', { name: /Tools/ }));
    expect(remembered()).toMatchObject({ section: 'tools', exported });
  });

  it('shows what it shows otherwise, and lets nothing be changed', async () => {
    const { user, posted } = openInspector(exportedState(true));
    expect(screen.getByRole('region', { name: 'Turn 3' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Pin diary eager/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Strategy/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Open Settings' })).toBeNull();
    await user.click(screen.getByRole('tab', { name: /Tools/ }));
    for (const radio of screen.getAllByRole('radio')) expect(radio).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('tab', { name: /Export/ }));
    expect(screen.queryByRole('button', { name: 'Export…' })).toBeNull();
    expect(posted).toEqual([]);
  });
});
