import { describe, expect, it } from 'vitest';
import { ownQueries } from '../../../../../src/core/search/query/ownQueries';
import { makeTool } from '../makeTool';

describe('queries from a tool’s own words', () => {
  it('come from its name, title, first sentence, examples and telling words', () => {
    const tool = {
      ...makeTool('forge', 'list_the_issue', 'Lists open tickets. Costs nothing.'),
      title: 'Tickets of a repository',
      examples: [{ args: {}, description: 'what is left to do' }, { args: {} }],
    };
    expect(ownQueries(tool).map(({ source, query }) => [source, query])).toEqual([
      ['name', 'list the issue'],
      ['title', 'tickets of a repository'],
      ['description', 'lists open tickets'],
      ['example', 'what is left to do'],
      ['word', 'list'],
      ['word', 'issue'],
    ]);
  });

  it('are asked once, and never empty', () => {
    expect(ownQueries({ ...makeTool('web', 'fetch', 'Fetch.'), title: 'Fetch' })).toEqual([
      { source: 'name', query: 'fetch' },
    ]);
  });

  it('are phrases: twelve words, and four single words of a name', () => {
    const words = Array.from('abcdefghijklmn', (letter) => `${letter}${letter}x`);
    const long = words.join(' ');
    const tool = {
      ...makeTool('a', words.slice(0, 6).join('_'), long),
      examples: [{ args: {}, description: `q ${long}` }],
    };
    const queries = ownQueries(tool);
    const of = (kind: string) => queries.filter(({ source }) => source === kind).map(({ query }) => query);
    expect(of('description')).toEqual([words.slice(0, 12).join(' ')]);
    expect(of('example')).toEqual([`q ${words.slice(0, 11).join(' ')}`]);
    expect(of('word')).toEqual(words.slice(0, 4));
  });

  it.each([
    ['  Reads v1.2 of a file! More.', 'reads v1 2 of a file'],
    ['Reads a file\nof text', 'reads a file of text'],
    ['Reads a file\n \nMore', 'reads a file'],
    ['Really? Yes', 'really'],
    ['x_y', 'x y'],
  ])('keep the first sentence alone: %j', (description, query) => {
    expect(ownQueries(makeTool('a', 'b', description))).toContainEqual({ source: 'description', query });
  });

  it('don’t try single letters of a name', () => {
    const single = ownQueries(makeTool('a', 'x_ray')).filter(({ source }) => source === 'word');
    expect(single).toEqual([{ source: 'word', query: 'ray' }]);
  });
});
