import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createSearchPort } from '../../../../src/core/search/searchPort';
import { StrategyRegistry } from '../../../../src/core/search/strategies/registry';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { Playground } from '../../../../src/inspector/playground/playground';
import type { PlayAnswer } from '../../../../src/inspector/protocol/playground';
import type { PlayQuestion } from '../../../../src/inspector/protocol/requests';
import type { ExternalStrategy } from '../../../../tool-search';
import { rows } from '../../../data/rows';
import { makeTool } from '../../core/search/makeTool';
import { holdsAsync } from '../../property';

const TOOLS = [
  makeTool('forge', 'list_issues', 'Lists the issues of a project.'),
  makeTool('forge', 'create_issue', 'Opens a new issue.'),
  makeTool('harbour', 'delete_pod', 'Tears a workload down.'),
];

const playground = (...given: Parameters<typeof deps>) => new Playground(deps(...given));

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

const WORDS = [...'list_issues issue create "delete_pod" pod new select:create_issue'.split(' '), 'project workload'];

it('a rank below a lower score is explained', async () => {
  const queries = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
  let explained = 0;
  await holdsAsync([queries], { examples: [[['list_issues', 'create', 'new', 'issue']]] }, async (words) => {
    const [answer] = await answersTo({ query: words.join(' ') });
    for (const { hits } of Object.values(columns(answer))) {
      for (const [index, hit] of hits.entries()) {
        const next = hits[index + 1];
        if (hit.score === undefined || next?.score === undefined || hit.score >= next.score) continue;
        expect(hit.named || next.weak).toBeTruthy();
        explained++;
      }
    }
  });
  expect(explained).toBeGreaterThan(0);
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
});

it('each question is answered as its file says', async () => {
  const told: string[] = [];
  const failing = () => {
    throw new Error('no network');
  };
  const mine = playground({ mine: () => ['forge/create_issue'], failing });
  const few = playground({}, ['harbour/delete_pod']);
  const tool = (id: string, query = '') => ({ mode: 'tool' as const, tool: id, query });
  const questions: readonly (readonly [Partial<PlayQuestion>, Playground?])[] = [
    ...([
      [{ query: 'list xyzzy issues' }],
      [{ query: 'create_.*' }],
      [{ query: 'issue (' }],
      [{ query: 'issue' }, mine],
    ] as const),
    ...([
      [{ query: 'issue pod', scope: 'deferred' }, few],
      [tool('forge/create_issue', ' issues of a project ')],
    ] as const),
    ...([[tool('forge/list_issues', 'list issues')], [tool('harbour/delete_pod', 'new issue'), mine]] as const),
    ...([
      [{ ...tool('forge/create_issue'), scope: 'deferred' }, few],
      [tool('gone/gone')],
      [tool('gone/gone', 'x')],
    ] as const),
  ];
  for (const [question, asked] of questions) {
    const answers = await answersTo(question, asked);
    const all = answers.map((answer) =>
      rows(answer)
        .join('\n')
        .replace(/"ms":[\d.]+/g, '"ms":0'),
    );
    told.push(
      JSON.stringify(question),
      `${answers.length} answers`,
      all[0] ?? '',
      all.length > 1 ? (all.at(-1) ?? '') : '',
    );
  }
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('answers.txt');
});

it('a newer question silences the older one', async () => {
  const asked = playground();
  const said: string[] = [];
  await Promise.all([
    asked.ask({ mode: 'query', query: 'old', scope: 'all' }, () => said.push('old')),
    asked.ask({ mode: 'query', query: 'new', scope: 'all' }, () => said.push('new')),
  ]);
  expect(said).toEqual(['new']);
});

it('a newer question silences a strategy of another extension that answers late', async () => {
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
