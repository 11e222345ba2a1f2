import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import type { SearchRequest } from '../../../../src/core/search/types';
import { makeTool } from './makeTool';

function search(tools: readonly Tool[], query: string, request: Partial<SearchRequest> = {}) {
  const outcome = new ToolIndex(tools).search({ query, strategy: 'bm25', limit: 5, ...request });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { ...outcome, names: outcome.hits.map((hit) => hit.tool.name) };
}

/** Forty tools whose names begin alike, as those of one service do. */
const MANY = Array.from({ length: 40 }, (_, i) =>
  makeTool('service', `get_thing${i}`, `Get thing number ${i} of the account`),
);

describe('an exact name', () => {
  const tools = [
    makeTool('web', 'fetch', 'Fetch a URL'),
    makeTool('web', 'fetch_news', 'Fetch the news of a topic'),
    makeTool('market', 'get_price', 'Get the price of a share'),
    makeTool('market', 'fetch_quotes', 'Fetch quotes'),
    makeTool('git', 'help_me', 'Explains git'),
  ];

  it('of plain words is no name among other words', () => {
    expect(search(tools, 'fetch quotes').names[0]).toBe('fetch_quotes');
    expect(search(tools, 'could you help me get the price').names[0]).toBe('get_price');
    for (const query of ['use fetch for the quotes news', 'get price of the news', 'topic fetch share']) {
      expect(search(tools, query).hits.filter((hit) => hit.matchType === 'exact_name')).toEqual([]);
    }
  });
});

describe('noise', () => {
  it('that most tools share find nothing alone; near names help', () => {
    const outcome = search(MANY, 'get xyzzy');
    expect(outcome.names).toEqual([]);
    expect(outcome.searched).toBe(40);
  });

  it('a rare word decides, whatever else is in the query', () => {
    const tools = [...MANY, makeTool('mail', 'send_message', 'Send an email')];
    expect(search(tools, 'get the account thing and send an email').names[0]).toBe('send_message');
  });

  it('a common word alone is what the user asked for', () => expect(search(MANY, 'get').names).toHaveLength(5));

  it('a query that is a whole name brings no one-word matches', () => {
    const tools = [...MANY, makeTool('math', 'get-sum', 'Returns the sum of two numbers')];
    expect(search(tools, 'get-sum').names).toEqual(['get-sum']);
  });

  it('short words match whole words only', () => {
    const tools = [
      makeTool('a', 'add_comment', 'Comment on a thing'),
      makeTool('a', 'get_me', 'Details of the current user'),
    ];
    expect(search(tools, 'me').names).toEqual(['get_me']);
  });
});

it('finds what reads before what changes if the request only asks', () => {
  const tools = ['create_event', 'event_page'].map((name) => makeTool('office', name, 'An Outlook event'));
  const first = (query: string) => search(tools, query).names[0];
  expect(first('show Outlook event')).toBe('event_page');
  expect(first('show Outlook event and then create it')).toBe('create_event');
  expect(first('show Outlook event of green blue brown people')).toBe('create_event');
  expect(first('Outlook event')).toBe('create_event');
});

describe('a deprecated tool', () => {
  const tools = [
    makeTool('files', 'read_file', 'Read the contents of a file as text. DEPRECATED: Use read_text_file instead.'),
    makeTool('files', 'read_text_file', 'Read the contents of a file as text.'),
    makeTool('npm', 'check', 'Check whether the file of a package names deprecated ones'),
  ];

  it('comes after its like, unless it is named', () => {
    expect(search(tools, 'read file').names.slice(0, 2)).toEqual(['read_text_file', 'read_file']);
    expect(search(tools, 'read_file').names[0]).toBe('read_file');
    expect(search(tools, 'select:read_file').names).toEqual(['read_file']);
  });

  it('is one that says so of itself', () => expect(search(tools, 'check file of package').names[0]).toBe('check'));
});

describe('a tool that fits much less than the best', () => {
  const tools = [
    makeTool('mail', 'send_mail', 'Send a mail to somebody'),
    makeTool('mail', 'list_mail', 'List mail of a folder'),
    makeTool('chat', 'post', 'Posts a note to somebody'),
  ];

  it('isn’t returned but stays nameable, however many there is room for', () => {
    const outcome = search(tools, 'send a mail to somebody');
    expect(outcome.names).toEqual(['send_mail']);
    expect(outcome.below.map(({ tool, weak }) => [tool.name, weak])).toEqual([
      ['list_mail', { score: expect.any(Number), covered: expect.any(Number) }],
      ['post', { score: expect.any(Number), covered: expect.any(Number) }],
    ]);
    expect(search(tools, 'select:list_mail').names).toEqual(['list_mail']);
  });

  it('is returned if it meets another need of the query', () => {
    const more = [...tools, makeTool('k8s', 'resize', 'Changes it', { count: 'Replicas of a deployment' })];
    expect(search(more, 'send a mail to somebody, deployment replicas').names).toEqual(['send_mail', 'resize']);
  });

  it('is returned if the query names it', () => {
    expect(search(tools, 'send a mail to somebody, as `post` does').names).toEqual(['post', 'send_mail']);
  });
});

describe('order', () => {
  it('of tools with one name, the one whose server is named wins', () => {
    const tools = [
      makeTool('gitlab', 'create_issue', 'Creates an issue'),
      makeTool('github', 'create_issue', 'Creates an issue'),
    ];
    expect(search(tools, 'create_issue in gitlab').hits.map((hit) => hit.tool.server)).toEqual(['gitlab', 'github']);
    expect(search(tools, 'use create_issue').hits.map((hit) => hit.tool.server)).toEqual(['github', 'gitlab']);
  });

  it('ties are broken by name', () => {
    const tools = ['c', 'a', 'b'].map((server) => makeTool(server, `same_${server}`, 'Does the same'));
    expect(search(tools, 'does it').names).toEqual(['same_a', 'same_b', 'same_c']);
    expect(search([...tools].reverse(), 'does it').names).toEqual(['same_a', 'same_b', 'same_c']);
  });

  it('a discovered tool stays in sight beside tools that hardly match', () => {
    const tools = [
      makeTool('mail', 'send_mail', 'Send an email'),
      ...MANY.slice(0, 9).map((tool) => ({ ...tool, description: 'Email' })),
    ];
    const { names } = search(tools, 'send mail', { discovered: new Set(['mail/send_mail']), limit: 3 });
    expect(names).toContain('send_mail');
  });
});

describe('words', () => {
  it.each([
    ['pull requests', 'listPullRequests'],
    ['deleting repositories', 'remove_repo'],
    ['keyvault', 'key_vault_show'],
    ['key vault', 'keyvaultGet'],
    ['mysql', 'listMySQLServers'],
    ['MySQL', 'mysql_list'],
    ['MySQL', 'my_sql_list'],
    ['log in', 'start_login'],
    ['repositry', 'star_repository'],
    ['文件内容', '读取'],
  ])('%s finds %s', (query, name) => {
    const tools = [
      makeTool('x', name, name === '读取' ? '读取文件的内容' : ''),
      makeTool('y', 'unrelated_thing', 'Plays music'),
    ];
    expect(search(tools, query).names).toContain(name);
  });

  it('of mixed case are one word; its stop words take nothing away', () => {
    const tools = [
      makeTool('db', 'servers', 'Lists SQL servers'),
      makeTool('db', 'hosts', 'Lists MySQL servers of a subscription'),
    ];
    for (const query of ['MySQL servers', 'mysql servers']) expect(search(tools, query).names[0]).toBe('hosts');
  });

  it('that no tool writes as one count in their parts too', () => {
    const tools = [
      makeTool('az', 'cosmos_account_list', 'Lists the accounts of a database'),
      makeTool('az', 'copy', 'Copies from blobs, CosmosDB and queues to other accounts'),
    ];
    expect(search(tools, 'cosmosdb account list').names[0]).toBe('cosmos_account_list');
  });

  it('of a placeholder or a quoted value count for little', () => {
    const tools = [makeTool('az', 'topic_list', 'List topics'), makeTool('az', 'logs_get', 'Get logs of an app')];
    expect(search(tools, 'logs of <topic_name>').names[0]).toBe('logs_get');
    expect(search(tools, 'logs that say "list topics"').names[0]).toBe('logs_get');
  });
});

describe('other strategies', () => {
  const tools = [makeTool('a', 'read_file', 'Read a file'), makeTool('a', 'write_file', 'Write text to a file')];

  it('exact finds names alone, and says which are near', () => {
    expect(search(tools, 'Read-File', { strategy: 'exact' }).names).toEqual(['read_file']);
    expect(search(tools, 'text', { strategy: 'exact' }).names).toEqual([]);
    expect(search(tools, 'read_fil', { strategy: 'exact' })).toMatchObject({ names: [], nearest: ['a_read_file'] });
  });

  const names = MANY.slice(0, 12).map(({ name }) => name);
  it.each([
    ['select', 'bm25', `select:${names}`],
    ['a list', 'bm25', names.join(', ')],
    ['prose', 'bm25', `Use ${names.join(' and ')} for that`],
    ['a list', 'exact', names.join(' ')],
  ])('names in %s (%s) are all returned, up to their own limit', (_, strategy, query) => {
    expect(search(MANY, query, { strategy }).names).toHaveLength(5);
    expect(search(MANY, query, { strategy, namedLimit: 20 }).names.sort()).toEqual([...names].sort());
    expect(search(MANY, query, { strategy, namedLimit: 8 }).names).toHaveLength(8);
  });

  it('a list of names says which don’t exist', () => {
    const outcome = search(tools, 'read_file, erase_disk write_file');
    expect(outcome.names.slice(0, 2).sort()).toEqual(['read_file', 'write_file']);
    expect(outcome.missing).toEqual(['erase_disk']);
    expect(search(tools, 'README.md package.json').missing).toBeUndefined();
    expect(search(tools, 'read_file of package.json please').missing).toBeUndefined();
  });

  it('select tells which names are missing, and near ones', () => {
    expect(search(tools, 'select:read_file,write_fil')).toMatchObject({
      names: ['read_file'],
      missing: ['write_fil'],
      nearest: ['a_write_file'],
    });
  });
});
