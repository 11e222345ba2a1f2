import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FIXTURE_STATES, fixtureDetail, fixtureState } from './fixture';
import { openInspector } from './open';
import { ANSWER, TOOL_ANSWER } from './playAnswers';
import { violations } from './violations';

describe('axe finds nothing', () => {
  it.each([
    ['turns', { section: 'turns' }],
    ['a turn that cost more', { section: 'turns', turn: 1 }],
    ['tools', { section: 'tools' }],
    ['the playground’s beginning', { section: 'playground' }],
    ['the playground’s choice of a tool', { section: 'playground', play: { mode: 'tool' } }],
    ['tools without groups', { section: 'tools', grouped: false }],
    ['an empty result', { section: 'tools', filter: 'nonesuch' }],
  ])('in %s', async (_, nav) => {
    openInspector(fixtureState(), nav);
    expect(await violations()).toEqual([]);
  });

  it('in a turn that failed, and in all suggestions', async () => {
    const { user } = openInspector(FIXTURE_STATES.failed?.());
    await user.click(screen.getByRole('button', { name: '3 more' }));
    expect(await violations()).toEqual([]);
  });

  it('in a tool’s details', async () => {
    const { receive } = openInspector(fixtureState(), {
      section: 'tools',
      filter: '@forge',
      openTools: ['forge/create_branch'],
    });
    receive({ type: 'tool', request: 1, detail: fixtureDetail('forge/create_branch') });
    expect(await violations()).toEqual([]);
  });

  it.each([
    ['a comparison', 'query', ANSWER],
    ['the queries of a tool', 'tool', TOOL_ANSWER],
  ] as const)('in the playground: %s', async (_, mode, answer) => {
    const { receive } = openInspector(fixtureState(), {
      section: 'playground',
      play: { mode, query: 'issue', tool: 'forge/get_issue' },
    });
    receive({ type: 'played', request: 1, answer });
    expect(await violations()).toEqual([]);
  });
});
