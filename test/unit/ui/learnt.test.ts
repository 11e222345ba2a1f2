import { expect, it } from 'vitest';
import { Ledger } from '../../../src/core/ledger/ledger';
import { ToolIndex } from '../../../src/core/search/toolIndex';
import { LearntFromUse } from '../../../src/vscode/learnt';
import { makeTool } from '../core/search/makeTool';
import { Memento } from '../shim/basics';

const TOOLS = [
  makeTool('cinema', 'list_screenings', 'Lists screenings of a theatre'),
  makeTool('maps', 'nearby_places', 'Finds places nearby'),
  makeTool('photo', 'develop_film', 'Develops a roll of film'),
];
const QUERY = 'which film is on nearby';

function learntBy(index: ToolIndex): readonly string[] {
  const outcome = index.search({ query: QUERY, strategy: 'bm25', limit: 5 });
  return outcome.ok ? outcome.hits.filter((hit) => hit.learnt).map((hit) => hit.tool.name) : [];
}

it('what use taught is kept with the workspace, counts while the setting is on, and can be forgotten', async () => {
  const kept = new Memento();
  let on = true;
  const index = new ToolIndex(TOOLS);
  const learnt = new LearntFromUse(kept, index, () => on);
  const ledger = new Ledger();
  learnt.watch(ledger);
  const { record } = ledger.startTurn(() => 0);
  const hits = [{ id: 'cinema/list_screenings', score: 1, matchType: 'bm25', terms: [] }];
  const base = { round: 1, callId: 'c', ms: 1 };
  const search = { strategy: 'bm25', searched: 3, matched: 1, limit: 5, hits, below: [], failed: false };
  record({ ...base, ...search, type: 'searched', query: QUERY });
  record({
    ...base,
    type: 'called',
    tool: 'cinema/list_screenings',
    outcome: 'ok',
    withoutDiscovery: false,
    retry: 0,
  } as never);
  expect(learntBy(index)).toEqual(['list_screenings']);

  const reloaded = new ToolIndex(TOOLS);
  const next = new LearntFromUse(kept, reloaded, () => on);
  expect(learntBy(reloaded)).toEqual(['list_screenings']);
  on = false;
  next.apply();
  expect(learntBy(reloaded)).toEqual([]);
  on = true;
  next.apply();
  expect(learntBy(reloaded)).toEqual(['list_screenings']);
  expect(await next.forget()).toBe(1);
  expect(learntBy(reloaded)).toEqual([]);
  const later = new ToolIndex(TOOLS);
  new LearntFromUse(kept, later, () => on);
  expect(learntBy(later)).toEqual([]);
});
