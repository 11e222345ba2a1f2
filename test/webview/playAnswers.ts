import type { PlayAnswer, PlayColumn } from '../../src/inspector/playgroundProtocol';

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
  return { ...base, matched: hits.length, hits, ...change };
}

export const ANSWER: PlayAnswer = {
  mode: 'query',
  limit: 5,
  columns: [
    column('bm25', ISSUES),
    column('keywords', [...ISSUES.slice(0, 4).reverse(), 'update_issue']),
    column('regex', [], { error: 'The pattern is not a valid regular expression.' }),
    column('exact', [], { nearest: ['list_issue'] }),
  ],
};

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
    { source: 'name', query: 'get issue', cells: [{ rank: 1 }, { error: 'It failed.' }], above: [] },
    {
      source: 'word',
      query: 'issue',
      cells: [{ rank: 9 }, {}],
      above: [{ id: 'forge/list_issue', server: 'forge', name: 'list_issue' }],
    },
  ],
  running: false,
};
