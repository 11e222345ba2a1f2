import type { PlayAnswer, PlayColumn, PlayHit } from '../../src/inspector/protocol/playground';

/** Answers of the playground, as the host sends them. */
const ISSUES = ['list_issue', 'get_issue', 'create_issue', 'delete_issue', 'merge_issue', 'retry_issue'];

export function column(strategy: string, names: readonly string[], change: Partial<PlayColumn> = {}): PlayColumn {
  const hits = names.map((name, index) => ({
    rank: index + 1,
    id: `forge/${name}`,
    server: 'forge',
    name,
    terms: ['issue'],
    ...(strategy === 'bm25' ? { score: 9 - index } : {}),
  }));
  const base = { strategy, inUse: strategy === 'bm25', running: false, ms: 0.42, searched: 131, nearest: [] };
  return { ...base, matched: hits.length, hits, returned: Math.min(5, hits.length), ...change };
}

const OTHERS = [
  column('keywords', [...ISSUES.slice(0, 4).reverse(), 'update_issue']),
  column('regex', [], { error: 'The pattern is not a valid regular expression.' }),
  column('exact', [], { nearest: ['list_issue'] }),
];
export const ANSWER: PlayAnswer = { mode: 'query', limit: 5, columns: [column('bm25', ISSUES), ...OTHERS] };

/** Three hits with explained scores: the third is found by a synonym, and one word is in no tool. */
export const EXPLAINED = column('bm25', ['list_issue', 'get_issue', 'create_issue'], {
  words: [
    { word: 'list', tools: 18 },
    { word: 'xyzzy', tools: 0 },
    { word: 'issue', tools: 8 },
  ],
  hits: [
    hit(1, 'list_issue', 5, {
      words: [
        { word: 'list', adds: 0.5 },
        { word: 'issue', adds: 0.5 },
      ],
      bonuses: { named: 3, nameCoverage: 0.75, serverFit: 0.25 },
    }),
    hit(2, 'get_issue', 0.8, { words: [{ word: 'issue', adds: 0.8 }], bonuses: {} }),
    hit(3, 'create_issue', 0.75, {
      words: [
        { word: 'list', adds: 0.25, via: 'create' },
        { word: 'issue', adds: 0.5 },
      ],
      bonuses: {},
    }),
  ],
});

export const EXPLAINED_ANSWER: PlayAnswer = { mode: 'query', limit: 5, columns: [EXPLAINED, ...OTHERS] };

function hit(rank: number, name: string, score: number, parts: PlayHit['parts']): PlayHit {
  return { rank, id: `forge/${name}`, server: 'forge', name, terms: ['issue'], score, ...(parts ? { parts } : {}) };
}

export const TOOL_ANSWER: PlayAnswer = {
  mode: 'tool',
  tool: 'forge/get_issue',
  limit: 5,
  depth: 100,
  strategies: [
    { name: 'bm25', inUse: true },
    { name: 'vectors', inUse: false },
  ],
  rows: [
    { source: 'name', query: 'get issue', cells: [{ rank: 1, returned: true }, { error: 'It failed.' }], above: [] },
    {
      source: 'word',
      query: 'issue',
      cells: [{ rank: 9 }, {}],
      above: [{ id: 'forge/list_issue', server: 'forge', name: 'list_issue' }],
    },
  ],
  running: false,
};
