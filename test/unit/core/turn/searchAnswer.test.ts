import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { Shapes } from '../../../../src/core/code/shapes';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { answerSearch, type SearchView, searchJson } from '../../../../src/core/turn/searchAnswer';
import { makeCatalog, makeTool, schema } from './world';

const ISSUE = makeTool('github', 'create_issue', 'Creates an issue. DEPRECATED: use the form.', {
  inputSchema: schema({ title: { type: 'string', description: 'Its title' }, body: { type: 'string' } }, ['title']),
  outputSchema: schema({ number: { type: 'number' } }, ['number']),
  examples: [{ args: { title: 'Broken link' }, description: 'A bug' }],
});
const MOVE = makeTool('files', 'move_file', 'Move or rename a file.', {
  inputSchema: schema({ from: { type: 'string', description: 'The old path' } }, ['from']),
});
const COPY = makeTool('files', 'copy_file', 'Copy a file.', {
  inputSchema: schema({ from: { type: 'string', description: 'The old path' } }, ['from']),
});
const TOOLS = [ISSUE, MOVE, COPY];

/** Searches with each query, and formats the answer. */
function ask(queries: readonly string[], view: Partial<SearchView> = {}, tools: readonly Tool[] = TOOLS) {
  const index = new ToolIndex(tools);
  const whole: SearchView = {
    catalog: makeCatalog(tools),
    delivery: 'bridge',
    discovered: new Set(),
    eager: [],
    limit: 5,
    maxTools: 20,
    ...view,
  };
  const discovered = whole.delivery === 'bridge' ? undefined : whole.discovered;
  const answers = queries.map((query) => ({
    query,
    outcome: index.search({
      query,
      strategy: 'auto',
      limit: whole.limit,
      namedLimit: whole.maxTools,
      ...(discovered ? { discovered } : {}),
    }),
  }));
  return { ...answerSearch(answers, whole), json: searchJson(answers, whole, tools.length) };
}

describe('the answer of a search', () => {
  it('is a line for each tool: arguments, result type, whole sentences', () => {
    expect(ask(['open an issue']).text.split('\n').slice(-2)).toEqual([
      'github_create_issue({ title: string /* Its title */; body?: string }) => { number: number } // Creates an issue. DEPRECATED: use the form.',
      'e.g. github_create_issue({"title":"Broken link"}) // A bug',
    ]);
  });

  it('has a heading per query, each tool once, and empty queries', () => {
    const { text, found } = ask(['rename file', 'qqqzz', 'copy file']);
    expect(text).toMatch(/^"rename file":\nfiles_move_file\(.*\n/);
    expect(text).toContain('"qqqzz": nothing.');
    expect(text).toContain('see above: ');
    expect(text).not.toContain('Search once more');
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  it('gives a rule for stopping if nothing is found', () => {
    expect(ask(['qqqzz']).text).toMatch(
      /^"qqqzz": nothing\.\nSearch once more in other words .* there is no such tool\.$/,
    );
  });

  it('says which word of a query nothing matches', () => {
    expect(ask(['rename flight']).text).toMatch(/^"rename flight" \(nothing matches "flight"\):\nfiles_move_file/);
    expect(ask(['rename a file']).text).not.toContain('nothing matches');
  });

  it('says which named tools are over the limit, and which don’t exist', () => {
    const names = 'select:files_move_file,files_copy_file,github_create_issue,none_such';
    const { text, found } = ask([names], { limit: 1, maxTools: 2 });
    expect(found).toEqual([MOVE, COPY]);
    expect(text).toContain('over the limit of 2: github_create_issue. Search for these by themselves.');
    expect(text).toContain('not found: none_such.');
  });

  it('gives the whole definition for select:NAME', () => {
    const { text } = ask(['select:github_create_issue']);
    expect(text.split('\n')).toEqual([
      'Creates an issue. DEPRECATED: use the form.',
      'e.g. github_create_issue({"title":"Broken link"}) // A bug',
      'github_create_issue({ title: string /* Its title */; body?: string }) => { number: number }',
    ]);
  });

  it('shows earlier finds in a bridge at their rank, as signatures', () => {
    const { text, found } = ask(['rename file'], { discovered: new Set([MOVE.id]) });
    expect(found[0]).toBe(MOVE);
    expect(text).toMatch(/^files_move_file\(\{ from: string \/\* The old path \*\/ \}\)\n/);
  });

  it.each(['local', 'client'] as const)('with %s says that it is available already', (delivery) => {
    const { text } = ask(['rename file'], { delivery, discovered: new Set([MOVE.id]), eager: ['mail_send'] });
    expect(text).toContain('already available: mail_send, files_move_file');
    expect(text).not.toContain('Move or rename');
  });

  it('has signatures with local only beside scripts', () => {
    expect(ask(['rename file'], { delivery: 'local' }).text).toMatch(/^files_move_file \/\/ Move/);
    expect(ask(['rename file'], { delivery: 'local', shapes: new Shapes() }).text).toMatch(/^files_move_file\(\{/);
  });

  it('names what fits less, without its definition', () => {
    const tools = [
      makeTool('mail', 'send_mail', 'Send a mail to somebody'),
      makeTool('mail', 'list_mail', 'List mail of a folder'),
    ];
    const { text, found, remarks } = ask(['send a mail to somebody'], {}, tools);
    expect(found.map(({ name }) => name)).toEqual(['send_mail']);
    expect(text).toContain('less fitting: mail_list_mail');
    expect(remarks).toBe('less fitting: mail_list_mail');
  });

  it('passes the refusal of one query on beside the hits of another', () => {
    const index = new ToolIndex(TOOLS);
    const view: SearchView = {
      catalog: makeCatalog(TOOLS),
      delivery: 'local',
      discovered: new Set(),
      eager: [],
      limit: 5,
      maxTools: 20,
    };
    const answers = [
      { query: 'rename', outcome: index.search({ query: 'rename', strategy: 'bm25', limit: 5 }) },
      { query: '(?=x)', outcome: index.search({ query: '(?=x)', strategy: 'regex', limit: 5 }) },
    ];
    const { text, found } = answerSearch(answers, view);
    expect(text).toContain('"(?=x)": ');
    expect(found).toEqual([MOVE]);
  });

  it('stays within its room: later tools have bare signatures, then names', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 90 }, (_, i) => [`argument_${i}`, { type: 'string', description: 'x'.repeat(50) }]),
    );
    const many = Array.from({ length: 60 }, (_, i) =>
      makeTool('github', `create_issue_${i}`, `Creates issue ${i}. ${'word '.repeat(50)}`, {
        inputSchema: schema(properties, ['argument_1']),
      }),
    );
    const { text, found } = ask(['creates issue'], { limit: 60, maxTools: 60 }, many);
    expect(found).toHaveLength(60);
    expect(text.length).toBeLessThan(8_000);
    expect(text.split('\n').at(-1)).toMatch(/^github_create_issue_\d+$/);
  });

  it('is JSON for a renderer of another extension', () => {
    expect(ask(['rename file']).json).toMatchObject({
      tools: [{ name: 'files_move_file', server: 'files', signature: expect.stringMatching(/^files_move_file\(/) }, {}],
      total_deferred: 3,
    });
  });
});

it('the first two hits alone have words on arguments', () => {
  const inputSchema = schema({ path: { type: 'string', description: 'The old path' } }, ['path']);
  const tools = ['a', 'b', 'c', 'd'].map((name) =>
    makeTool('files', `move_${name}`, 'Move a file.', { inputSchema, examples: [{ args: { path: name } }] }),
  );
  const lines = ask(['move file'], {}, tools).text.split('\n');
  const signatures = lines.filter((line) => line.startsWith('files_move'));
  expect(signatures.map((line) => line.includes('The old path'))).toEqual([true, true, false, false]);
  expect(lines.filter((line) => line.startsWith('e.g. '))).toHaveLength(2);
});
