import { act, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { FIXTURE_STATES, fixtureState } from './fixture';
import { openInspector } from './open';

afterEach(() => vi.useRealTimers());

it('while servers start each has a timer', () => {
  vi.useFakeTimers();
  const state = FIXTURE_STATES.loading?.() ?? fixtureState();
  openInspector({ ...state, servers: state.servers.map((server) => ({ ...server, tools: 1 })) });
  const list = screen.getByRole('region', { name: 'Servers' });
  expect(within(list).getAllByText('1 tool')).toHaveLength(state.servers.length);
  expect(within(list).getByText('6.2 s')).toBeTruthy();
  act(() => vi.advanceTimersByTime(500));
  expect(within(list).getByText('6.7 s')).toBeTruthy();
});

it('tabs are one tab stop, and arrows, Home and End select', async () => {
  const { user } = openInspector();
  screen.getByRole('tab', { name: /Turns/ }).focus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Tools');
  await user.keyboard('{End}');
  expect(document.activeElement?.id).toBe('tab-playground');
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement?.id).toBe('tab-turns');
  await user.keyboard('{ArrowLeft}');
  expect(document.activeElement?.id).toBe('tab-playground');
});
