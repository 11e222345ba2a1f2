import { act, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCatalog } from '../../src/core/catalog/catalog';
import type { Tool } from '../../src/core/catalog/tool';
import type { ToolLoading } from '../../src/inspector/protocol/inputs';
import { FIXTURE_STATES, fixtureLoading, fixtureServers, fixtureState, makeTool } from './fixture';
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
});

describe('tools of VS Code that no rule offers', () => {
  const reason: ToolLoading = {
    loading: 'omitted',
    reason: 'scope: mcp',
    reasonLong: 'rule 6, toolsearch.scope is mcp',
  };
  const withOmitted = (tools: readonly Tool[]) => {
    const omitted = ['runTests', 'openBrowser'].map(
      (name): Tool => ({ ...makeTool('vscode', name), origin: 'vscode' }),
    );
    const loading = new Map([...fixtureLoading(tools), ...omitted.map(({ id }) => [id, reason] as const)]);
    return { catalog: createCatalog(1, [...tools, ...omitted], tools.length > 0 ? fixtureServers() : []), loading };
  };

  it('don’t hide that there is no server', () => {
    openInspector(fixtureState({ ...withOmitted([]), events: [] }));
    expect(screen.getByRole('heading', { name: 'No MCP servers' })).toBeTruthy();
  });
});
