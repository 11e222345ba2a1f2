import { describe, expect, it } from 'vitest';
import { createCatalog, type ServerInfo } from '../../../../src/core/catalog/catalog';
import {
  checkPatterns,
  createMatcher,
  createPatternCheck,
  globsForServer,
} from '../../../../src/core/planning/toolPatterns';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import { makeTool } from '../turn/world';

const server = (name: string, state: ServerInfo['state'] = 'running'): ServerInfo => ({ name, state, problems: [] });
const examplesOf = (id: string) => ({ ...DEFAULT_SETTINGS.examples, tools: { [id]: [] } });
const check = (settings: Partial<Settings>, servers = [server('github')]) =>
  checkPatterns(
    { ...DEFAULT_SETTINGS, ...settings },
    createCatalog(1, [makeTool('github', 'get_issue'), makeTool('github', 'search_code')], servers),
  );

it('createMatcher is true if one of several matches', () => {
  const matches = createMatcher(['get_*', 'search_*']);
  expect(['get_issue', 'search_code', 'list_issues'].map(matches)).toEqual([true, true, false]);
});

it('globsForServer finds a server whatever its case', () => {
  expect(globsForServer({ GitHub: ['a'] }, 'github')).toEqual(['a']);
  expect(globsForServer({ GitHub: ['a'], github: ['b'] }, 'github')).toEqual(['b']);
  expect(globsForServer({}, 'github')).toBeUndefined();
});

it('no pattern is matched again until settings or catalog are others', () => {
  let looks = 0;
  const tools = [makeTool('github', 'get_issue')];
  const watched = (revision: number) => {
    const catalog = createCatalog(revision, tools, [server('github')]);
    return new Proxy(catalog, {
      get: (target, key) => {
        if (key === 'tools') looks++;
        return Reflect.get(target, key);
      },
    });
  };
  const settings = { ...DEFAULT_SETTINGS, eagerTools: { github: ['none'] } };
  const checkAgain = createPatternCheck();
  const first = watched(1);
  const found = checkAgain(settings, first);
  expect(found).toHaveLength(1);
  const once = looks;
  for (let event = 0; event < 100; event++) expect(checkAgain(settings, first)).toBe(found);
  expect(looks).toBe(once);
  expect(checkAgain({ ...settings, eagerTools: {} }, first)).toEqual([]);
  expect(checkAgain(settings, watched(2))).toEqual(found);
  expect(looks).toBeGreaterThan(once);
});

describe('checkPatterns', () => {
  it('is silent if everything matches', () => {
    expect(
      check({
        eagerTools: { github: ['get_*'] },
        sequentialTools: ['github/*', 'github/get_issue'],
        examples: examplesOf('github/get_issue'),
      }),
    ).toEqual([]);
  });

  it('is silent while the servers’ tools are not known yet', () => {
    const settings = { ...DEFAULT_SETTINGS, sequentialTools: ['slack/*'], examples: examplesOf('slack/post') };
    expect(checkPatterns(settings, createCatalog(1, [], [server('github')]))).toEqual([]);
  });

  it('is silent if resources are hidden that models can’t find yet', () => {
    const catalog = createCatalog(1, [makeTool('github', 'get_issue')], [server('github')]);
    const settings = { ...DEFAULT_SETTINGS, hiddenTools: { github: ['resource:*', 'read_linked_resource', 'gone'] } };
    const items = [makeTool('github', 'resource:docs://readme')];
    expect(checkPatterns(settings, { ...catalog, items }).map(({ message }) => message)).toEqual([
      expect.stringContaining('“gone”'),
    ]);
  });

  it('warns of a server that doesn’t exist, and names the others', () => {
    const [warning] = check({ deferredTools: { gitlab: ['*'] } });
    expect(warning).toMatchObject({ severity: 'warning', source: 'toolsearch.deferredTools' });
    expect(warning?.message).toContain('The servers are github.');
    const many = Array.from({ length: 200 }, (_, at) => server(`server ${at}`));
    const [long] = check({ eagerTools: { gitlab: ['*'] } }, many);
    expect(long?.message.length).toBeLessThan(600);
  });

  it('warns of a pattern that matches nothing', () => {
    expect(check({ eagerTools: { github: ['get_*', 'delete_*'] } }).map((each) => each.message)).toEqual([
      '“delete_*” in toolsearch.eagerTools matches none of the 2 tools of “github”.',
    ]);
    expect(check({ sequentialTools: ['slack/*'], examples: examplesOf('github/nope') })).toHaveLength(2);
  });

  it('warns of a pattern that only another server’s tools match', () => {
    const tools = [makeTool('github', 'get'), makeTool('jira', 'move')];
    const catalog = createCatalog(
      1,
      tools,
      ['github', 'jira'].map((name) => server(name)),
    );
    const settings = { ...DEFAULT_SETTINGS, eagerTools: { github: ['move'] } };
    expect(checkPatterns(settings, catalog)).toMatchObject([{ message: expect.stringContaining('the 1 tools') }]);
  });

  it('does not judge the patterns of a server that is not running', () => {
    const servers = [server('github'), server('slack', 'starting')];
    expect(check({ eagerTools: { slack: ['x'] }, sequentialTools: ['slack/*'] }, servers)).toEqual([]);
  });
});
