import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Learning, withLearnt } from '../../../../../src/core/search/learning/learning';
import { ToolIndex } from '../../../../../src/core/search/toolIndex';
import { makeTool } from '../makeTool';

const TOOLS = [
  makeTool('cinema', 'list_screenings', 'Lists screenings of a theatre'),
  makeTool('cinema', 'list_theatres', 'Lists theatres of a city'),
  makeTool('maps', 'nearby_places', 'Finds places nearby'),
  makeTool('tv', 'guide', 'What is on television tonight'),
  makeTool('photo', 'develop_film', 'Develops a roll of film'),
];
const QUERY = 'which film is on nearby';
const ask = (index: ToolIndex, query = QUERY, more = {}) => {
  const outcome = index.search({ query, strategy: 'bm25', limit: 5, explain: true, ...more });
  return outcome.ok ? outcome.hits : [];
};
const rankOf = (index: ToolIndex, id: string, query = QUERY) =>
  ask(index, query).findIndex((hit) => hit.tool.id === id);

describe('learning from use', () => {
  it('finds a tool by the words that it was asked for with, and says so', () => {
    const index = new ToolIndex(TOOLS);
    expect(rankOf(index, 'cinema/list_screenings')).toBe(-1);
    for (let i = 0; i < 3; i++) index.learn('cinema/list_screenings', QUERY);
    const hit = ask(index).find(({ tool }) => tool.name === 'list_screenings');
    expect(hit?.learnt).toEqual({ adds: expect.any(Number), times: 3, words: ['film', 'nearby'] });
    expect(hit?.parts?.learnt).toBe(hit?.learnt?.adds);
    expect(hit?.learnt?.adds).toBeGreaterThan(0);
    expect(hit?.learnt?.adds).toBeLessThanOrEqual(0.5);
    expect(ask(index, 'the films nearby').map(({ tool }) => tool.name)).toContain('list_screenings');
  });

  it('learns no word that the tool has, that nobody has, or that is a value', () => {
    const index = new ToolIndex(TOOLS);
    index.learn('cinema/list_screenings', 'list the xyzzy screenings "nearby" at https://film.example <places> 2024');
    expect(index.learning.learnt.tools).toEqual({});
  });

  it('leaves the engine’s own first four among the first five, and a named tool first', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 12 }), (adds) => {
        const hits = adds.map((more, i) => ({ i, score: 5 - i / 10 + more }));
        const first = withLearnt(hits, ({ score }) => score)
          .slice(0, 5)
          .map(({ i }) => i);
        for (const own of [0, 1, 2, 3].slice(0, hits.length)) expect(first).toContain(own);
      }),
    );
    const index = new ToolIndex(TOOLS);
    for (let i = 0; i < 9; i++) index.learn('cinema/list_screenings', QUERY);
    expect(ask(index, `${QUERY} as in develop_film`)[0]?.tool.name).toBe('develop_film');
  });

  it('never brings a tool that the search may not find', () => {
    const index = new ToolIndex(TOOLS);
    index.learn('cinema/list_screenings', QUERY);
    expect(ask(index, QUERY, { server: 'maps' }).map(({ tool }) => tool.server)).toEqual(['maps']);
    index.setTools(TOOLS.slice(1));
    expect(rankOf(index, 'cinema/list_screenings')).toBe(-1);
  });

  it('is kept, read back and forgotten', () => {
    const [index, next] = [new ToolIndex(TOOLS), new ToolIndex(TOOLS)];
    index.learn('cinema/list_screenings', QUERY);
    next.learning.restore(JSON.parse(JSON.stringify(index.learning.learnt)));
    expect(ask(next)).toEqual(ask(index));
    expect(ask(next).some((hit) => hit.learnt)).toBe(true);
    next.learning.restore();
    expect(ask(next)).toEqual(ask(new ToolIndex(TOOLS)));
  });

  it('keeps 32 words of a tool, those asked with most, and counts half after 200 further uses', () => {
    const learning = new Learning();
    const words = Array.from({ length: 40 }, (_, i) => ({ root: `w${i}`, word: `w${i}` }));
    learning.add('a', words.slice(0, 5));
    learning.add('a', words);
    const kept = learning.learnt.tools.a ?? [];
    expect(kept).toHaveLength(32);
    expect(kept.map(([root]) => root)).toEqual(expect.arrayContaining(['w0', 'w4']));
    for (let i = 0; i < 200; i++) learning.add('b', []);
    expect(learning.learnt.tools.a?.find(([root]) => root === 'w39' || root === 'w5')?.[2]).toBeCloseTo(0.5, 5);
  });
});
