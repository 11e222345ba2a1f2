import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createSearchPort } from '../../../../src/core/search/searchPort';
import { StrategyRegistry } from '../../../../src/core/search/strategies/registry';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { Playground } from '../../../../src/inspector/playground/playground';
import type { PlayAnswer } from '../../../../src/inspector/protocol/playground';
import type { PlayQuestion } from '../../../../src/inspector/protocol/requests';
import type { ExternalStrategy } from '../../../../tool-search';
import { makeTool } from '../../core/search/makeTool';
import { holds } from '../../property';

const TOOLS = [
  makeTool('forge', 'list_issues', 'Lists the issues of a project.'),
  makeTool('forge', 'create_issue', 'Opens a new issue.'),
  makeTool('harbour', 'delete_pod', 'Tears a workload down.'),
];

function playground(
  strategies: { readonly [name: string]: ExternalStrategy } = {},
  deferred = TOOLS.map((tool) => tool.id),
) {
  return new Playground(deps(strategies, deferred));
}

function deps(
  strategies: { readonly [name: string]: ExternalStrategy } = {},
  deferred = TOOLS.map((tool) => tool.id),
): ConstructorParameters<typeof Playground>[0] {
  const registry = new StrategyRegistry();
  for (const [name, strategy] of Object.entries(strategies)) registry.register(name, strategy);
  return {
    search: createSearchPort(new ToolIndex(TOOLS), registry),
    tool: (id) => TOOLS.find((tool) => tool.id === id),
    candidates: (scope) => new Set(scope === 'all' ? TOOLS.map((tool) => tool.id) : deferred),
    settings: () => ({ strategy: 'auto', maxResults: 5 }),
    registered: () => registry.names(),
  };
}

async function answersTo(question: Partial<PlayQuestion>, asked = playground()): Promise<PlayAnswer[]> {
  const answers: PlayAnswer[] = [];
  await asked.ask({ mode: 'query', query: '', scope: 'all', ...question }, (answer) => answers.push(answer));
  return answers;
}

function columns(answer: PlayAnswer | undefined) {
  if (answer?.mode !== 'query') throw new Error('not an answer to a query');
  return Object.fromEntries(answer.columns.map((column) => [column.strategy, column]));
}

function rows(answer: PlayAnswer | undefined) {
  if (answer?.mode !== 'tool') throw new Error('not an answer about a tool');
  return answer.rows;
}

describe('a rank', () => {
  const WORDS = [
    'list_issues',
    'issue',
    'create',
    '"delete_pod"',
    'pod',
    'project workload',
    'new',
    'select:create_issue',
  ];

  it('below a lower score is explained', async () => {
    const queries = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
    let explained = 0;
    await holds(
      fc.asyncProperty(queries, async (words) => {
        const [answer] = await answersTo({ query: words.join(' ') });
        for (const { hits } of Object.values(columns(answer))) {
          for (const [index, hit] of hits.entries()) {
            const next = hits[index + 1];
            if (hit.score === undefined || next?.score === undefined || hit.score >= next.score) continue;
            expect(hit.named || next.weak).toBeTruthy();
            explained++;
          }
        }
      }),
      { examples: [[['list_issues', 'create', 'new', 'issue']]] },
    );
    expect(explained).toBeGreaterThan(0);
  });
});

describe('a query', () => {
  it('is timed by a second run, the first time', async () => {
    const ran: string[] = [];
    const port = createSearchPort(new ToolIndex(TOOLS), new StrategyRegistry());
    const asked = new Playground({
      ...deps(),
      search: {
        search: (request, signal) => {
          ran.push(request.strategy);
          return port.search(request, signal);
        },
      },
    });
    await answersTo({ query: 'list' }, asked);
    expect(ran.filter((name) => name === 'bm25')).toHaveLength(2);
    await answersTo({ query: 'list' }, asked);
    expect(ran.filter((name) => name === 'bm25')).toHaveLength(3);
  });

  it('returns as many tools as a model gets, or all named', async () => {
    const asked = new Playground({ ...deps(), settings: () => ({ strategy: 'auto', maxResults: 1 }) });
    const returned = async (query: string) => columns((await answersTo({ query }, asked)).at(-1)).bm25?.returned;
    expect(await returned('issues of a project')).toBe(1);
    expect(await returned('list_issues create_issue')).toBe(2);
  });

  it('is answered by every strategy, with the one in use first', async () => {
    const [answer] = await answersTo({ query: 'list issues' });
    expect(Object.keys(columns(answer))).toEqual(['bm25', 'regex', 'keywords', 'exact']);
    const { bm25, exact } = columns(answer);
    expect(bm25).toMatchObject({ inUse: true, running: false, searched: 3 });
    expect(bm25?.hits[0]).toMatchObject({
      rank: 1,
      id: 'forge/list_issues',
      terms: expect.arrayContaining(['list', 'issues']),
    });
    expect(bm25?.hits[0]?.score).toBeGreaterThan(0);
    expect(exact?.hits.map((hit) => [hit.id, hit.score])).toEqual([['forge/list_issues', undefined]]);
  });

  it('is explained: parts that sum to the score, and word frequencies', async () => {
    const [answer] = await answersTo({ query: 'list xyzzy issues' });
    const { bm25, keywords } = columns(answer);
    expect(bm25?.words).toEqual([
      { word: 'list', tools: 1 },
      { word: 'xyzzy', tools: 0 },
      { word: 'issues', tools: 2 },
    ]);
    for (const { score = 0, parts } of bm25?.hits ?? []) {
      const added = [...(parts?.words ?? []).map(({ adds }) => adds), ...Object.values(parts?.bonuses ?? {})];
      expect(added.every((adds) => adds > 0)).toBe(true);
      expect(added.reduce((sum, adds) => sum + adds, 0)).toBeCloseTo(score, 10);
    }
    expect(keywords?.words).toBeUndefined();
  });

  it('that reads as a pattern puts regex first, as a search would', async () => {
    const [answer] = await answersTo({ query: 'create_.*' });
    expect(Object.keys(columns(answer))[0]).toBe('regex');
    expect(columns(answer).regex?.inUse).toBe(true);
  });

  it('that is no pattern is an error in that column alone', async () => {
    const [answer] = await answersTo({ query: 'issue (' });
    expect(columns(answer).regex?.error).toContain('not a valid regular expression');
    expect(columns(answer).bm25?.hits.length).toBeGreaterThan(0);
  });

  it('can be asked among the deferred tools only', async () => {
    const [answer] = await answersTo({ query: 'issue', scope: 'deferred' }, playground({}, ['forge/create_issue']));
    expect(columns(answer).bm25?.hits.map((hit) => hit.id)).toEqual(['forge/create_issue']);
  });
});

describe('strategies of other extensions', () => {
  it('answer after our own, each as it is done', async () => {
    const answers = await answersTo({ query: 'issue' }, playground({ mine: () => ['forge/create_issue'] }));
    expect(columns(answers[0]).mine).toMatchObject({ running: true, hits: [] });
    expect(columns(answers.at(-1)).mine).toMatchObject({
      running: false,
      hits: [{ id: 'forge/create_issue', rank: 1 }],
    });
  });

  it('show their failure in their own column, not the stand-in’s hits', async () => {
    const failing = () => {
      throw new Error('no network');
    };
    const answer = (await answersTo({ query: 'issue' }, playground({ mine: failing }))).at(-1);
    expect(columns(answer).mine?.hits).toEqual([]);
    expect(columns(answer).mine?.error).toContain('no network');
  });
});

describe('a newer question', () => {
  it('silences the older one', async () => {
    const asked = playground();
    const said: string[] = [];
    await Promise.all([
      asked.ask({ mode: 'query', query: 'old', scope: 'all' }, () => said.push('old')),
      asked.ask({ mode: 'query', query: 'new', scope: 'all' }, () => said.push('new')),
    ]);
    expect(said).toEqual(['new']);
  });

  it('silences a strategy of another extension that answers late', async () => {
    let answerLate = (_: readonly string[]) => {};
    const asked = playground({ mine: () => new Promise((resolve) => (answerLate = resolve)) });
    const said: string[] = [];
    const old = asked.ask({ mode: 'query', query: 'old', scope: 'all' }, () => said.push('old'));
    await vi.waitFor(() => expect(said).toEqual(['old']));
    const answerOld = answerLate;
    void asked.ask({ mode: 'query', query: 'new', scope: 'all' }, () => said.push('new'));
    answerOld([]);
    await old;
    expect(said).not.toEqual(['old', 'old']);
  });
});

describe('which query finds a tool', () => {
  it('tries queries under every strategy, and says what outranks it', async () => {
    const answer = (await answersTo({ mode: 'tool', tool: 'forge/create_issue', query: 'issues of a project' })).at(-1);
    expect(rows(answer).map((row) => [row.source, row.query])).toEqual([
      ['typed', 'issues of a project'],
      ['name', 'create issue'],
      ['description', 'opens a new issue'],
      ['word', 'create'],
      ['word', 'issue'],
    ]);
    const [typed, name] = rows(answer);
    expect(typed?.cells[0]).toEqual({ rank: 2 });
    expect(typed?.above.map((tool) => tool.id)).toEqual(['forge/list_issues']);
    expect(name?.cells[0]).toEqual({ rank: 1, returned: true });
    expect(name?.above).toEqual([]);
  });

  it('has no rank if a query doesn’t find it', async () => {
    const answer = (await answersTo({ mode: 'tool', tool: 'harbour/delete_pod', query: 'new issue' })).at(-1);
    expect(rows(answer)[0]?.cells[0]).toEqual({});
  });

  it('looks for a tool of this name even if it isn’t deferred', async () => {
    const asked = playground({}, ['harbour/delete_pod']);
    const answer = (await answersTo({ mode: 'tool', tool: 'forge/create_issue', scope: 'deferred' }, asked)).at(-1);
    expect(rows(answer)[0]?.cells[0]).toEqual({ rank: 1, returned: true });
  });

  it('answers for a tool that is gone', async () => {
    expect(rows((await answersTo({ mode: 'tool', tool: 'gone/gone' })).at(-1))).toEqual([]);
  });
});
