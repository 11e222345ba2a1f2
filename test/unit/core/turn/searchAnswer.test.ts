import { describe, expect, it } from 'vitest';
import type { JsonSchema, Tool } from '../../../../src/core/catalog/tool';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { answerSearch, type SearchView } from '../../../../src/core/turn/searchAnswer';
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

/** An object with this many arguments. */
const manyArguments = (count: number, required: readonly string[], each: JsonSchema = { type: 'string' }) =>
  schema(Object.fromEntries(Array.from({ length: count }, (_, i) => [`argument_${i}`, each])), required);

/** Searches with each query, and formats the answer. */
function ask(
  queries: readonly string[],
  view: Partial<SearchView> = {},
  tools: readonly Tool[] = TOOLS,
  strategy = 'auto',
) {
  const index = new ToolIndex(tools);
  const whole: SearchView = {
    ...{ catalog: makeCatalog(tools), tools, delivery: 'bridge', discovered: new Set(), searched: new Set() },
    ...{ eager: [], limit: 5, maxTools: 20, ...view },
  };
  const discovered = whole.delivery === 'bridge' ? undefined : whole.discovered;
  const asked = { strategy, limit: whole.limit, namedLimit: whole.maxTools, ...(discovered ? { discovered } : {}) };
  const answers = queries.map((query) => ({ query, outcome: index.search({ ...asked, query }) }));
  return answerSearch(answers, whole);
}

const tools = (server: string, ...names: readonly string[]) => names.map((name) => makeTool(server, name, 'Does it'));
const PAGES = [makeTool('wiki', 'search_pages', 'Looks through it')];
const PERSON = [makeTool('people', 'create_contact', 'Adds one automatically')];
const BILLS = tools('pay', 'create_invoice', 'list_invoices', 'get_customer');
const TICKETS = [makeTool('desk', 'list_tickets', 'Lists them'), makeTool('desk', 'get_weather', 'Gets it')];
const MEMORY = [makeTool('memory', 'search_nodes', 'Finds nodes of the graph.')];
const ROLLOUT = [
  makeTool('cluster', 'rollout', 'Manages rollouts of a deployment', {
    inputSchema: schema({ command: { type: 'string', enum: ['restart', 'pause'] } }),
  }),
];
const MAIL = [
  makeTool('mail', 'send_mail', 'Send a mail to somebody'),
  makeTool('mail', 'list_mail', 'List mail of a folder'),
];
/** A tool that deletes by its name, one that may destroy, and one that doesn't. */
const DELETE = makeTool('files', 'delete_old', 'Handles old notes.');
const WIPE = makeTool('files', 'change_old', 'Handles old notes.', { annotations: { destructiveHint: true } });
const HANDLE = makeTool('files', 'handle_old', 'Handles old notes', { annotations: { destructiveHint: false } });
/** A tool that adds a page, and says in its last sentence what a call needs. */
const adding = (needed: string, before = 'It is long. '.repeat(20)) => [
  makeTool('notes', 'add_page', `Adds a page. ${before}${needed}`, {
    inputSchema: schema({ body: { type: 'object', properties: { title: {} } } }, ['body']),
  }),
];
const MOVES = ['ant', 'bee', 'cow', 'dog'].map((name) =>
  makeTool('files', `move_${name}`, 'Move a file.', {
    inputSchema: schema({ path: { type: 'string', description: 'The old one' }, force: { type: 'boolean' } }, ['path']),
    examples: [{ args: { path: name } }],
  }),
);
const OLD = makeTool('files', 'move_old', `Move a file ${'far '.repeat(30)}away. DEPRECATED: use move_ant.`);
const wide = (name: string, count: number, required: readonly string[]) =>
  makeTool('files', name, 'Does something with files.', { inputSchema: manyArguments(count, required) });
/** A tool of three arguments, and one with as many as this. */
const opening = (count: number, required = ['argument_0']) => [
  wide('open', 3, ['argument_0']),
  wide('open_twice', count, required),
];
const PULLS = ['files', 'status', 'comments', 'commits'].map((name) => {
  const properties = { owner: { type: 'string' }, repository: { type: 'string' }, number: { type: 'number' } };
  const inputSchema = schema(properties, Object.keys(properties));
  return makeTool('github', `get_pull_${name}`, `The ${name} of a pull request`, { inputSchema });
});
const SAVES = ['wiki', 'page', 'space', 'group'].map((name) => {
  const inputSchema = schema({ item: manyArguments(12, []), identifier: { type: 'string' } }, ['item', 'identifier']);
  return makeTool('team', `save_${name}`, `Saves a ${name} of the team`, { inputSchema });
});
/** Two tools that fit the query, and a third whose description goes on so. */
const third = (query: string, description: string) => [
  ...['one', 'two'].map((name) => makeTool('files', `${query} ${name}`, `A ${query} of any file`)),
  makeTool('files', 'get_metadata', `Get metadata. ${description}`, {
    inputSchema: schema({ state: { type: 'string', enum: ['archived'] }, path: { type: 'string' } }, ['path']),
  }),
];
const AGAIN = { searched: new Set(['copy file', 'qqqzz']) };
const HYPHENED = [makeTool('db', 'delete-many', 'Delete documents'), makeTool('db', 'find', 'Find documents')];

/** Searches by what their answers show. `-u` writes the file of answers again: read what changed. */
const SEARCHES: { readonly [what: string]: Parameters<typeof ask> } = {
  'arguments, result type, whole sentences': [['open an issue']],
  'a heading per query, each tool once, and empty queries': [['rename file', 'qqqzz', 'copy file']],
  'a rule for stopping if nothing is found': [['qqqzz']],
  'a word that no tool has': [['rename the file flight']],
  'a word that no tool has, and one that none of the hits has': [['rename flight form'], { limit: 1 }],
  'a server that was not searched': [
    ['rename the file flight'],
    { catalog: makeCatalog(TOOLS, [{ name: 'air', state: 'stopped', problems: [] }]) },
  ],
  'that nothing fits well': [['print a flight ticket on our file printer']],
  'a word that only an argument has': [['path']],
  'a word of an argument beside one of a name': [['move from']],
  'nothing beside a good hit': [['rename a file']],
  'a word for the place, which is missing': [['search pages in workspace'], {}, PAGES],
  'no word of those that only ask': [['look up file copy']],
  'that German is not English': [['Datei umbenennen']],
  'that Spanish is not English': [['mover una ficha en la memoria']],
  'that one foreign word is data': [['rename the café file']],
  'that nothing is found in German': [['Rechnung']],
  'that a part of a word is no word': [['make a phone call'], {}, PERSON],
  'all tools with a word': [['void an invoice'], { limit: 2 }, BILLS],
  'not all tools with a word': [['void an invoice'], { limit: 1 }, BILLS],
  'a hit that half of the words fit': [['search support tickets by requester'], {}, TICKETS],
  'a hit that only its verb fits': [['get invoice tickets paid'], {}, TICKETS.slice(1)],
  'a server’s name as a word of the query': [['search noted facts in memory'], {}, MEMORY],
  'a value of an argument': [['restart deployment'], {}, ROLLOUT],
  'words that fit by their roots alone': [['fleet wide managed deployments'], {}, ROLLOUT],
  'the nearest names as scripts call them': [
    ['select:web-files_read-pgae'],
    {},
    [makeTool('web-files', 'read-page', 'Reads a page')],
  ],
  'a file and a name as data': [['copy file notes.txt to Anna']],
  'a quotation and a number as data': [['copy the file "last year" 4711']],
  'a word that may be data': [['copy file holiday']],
  'the harmless one first': [['old notes'], {}, [DELETE, HANDLE]],
  'the one that destroys last': [['old notes'], {}, [WIPE, HANDLE]],
  'the one that deletes first if asked for': [['delete old notes'], {}, [DELETE, HANDLE]],
  'named tools over the limit, and none': [
    ['select:files_move_file,files_copy_file,github_create_issue,none_such'],
    { limit: 1, maxTools: 2 },
  ],
  'what a call needs, beside what was asked': [
    ['page colors'],
    {},
    adding('It says colors. The body must have a title.', 'It adds a page. '.repeat(9)),
  ],
  'what a call needs': [['add page'], {}, adding('The body must have a title.')],
  'not that one must be signed in': [['add page'], {}, adding('You must be signed in.')],
  'where a value comes from': [['add page'], {}, adding('Its body needs a tag. Get it from get-page.')],
  'not where what is no argument comes from': [['add page'], {}, adding('Its tag is from get-page.')],
  'what a call needs, cut': [['add page'], {}, adding(`The title is required, ${'and long, '.repeat(40)}`)],
  'the whole definition': [['select:github_create_issue']],
  'the whole definition below a shorter line': [['create issue', 'select:github_create_issue']],
  'earlier finds in a bridge whole': [['rename file'], { discovered: new Set([MOVE.id]) }],
  ...Object.fromEntries(
    (['local', 'client'] as const).map((delivery) => [
      `what is available already, with ${delivery}`,
      [['rename file'], { delivery, discovered: new Set([MOVE.id]), eager: ['mail_send'] }],
    ]),
  ),
  'no signature with local': [['rename file'], { delivery: 'local' }],
  'a signature with local beside scripts': [['rename file'], { delivery: 'local', shapes: new Map() }],
  'no hits that fit much less': [['send a mail to somebody'], {}, MAIL],
  'the same search as before': [['Copy file', 'qqqzz'], { ...AGAIN, discovered: new Set(['files/copy_file']) }],
  'the same search after its server added a tool': [['Copy file', 'qqqzz'], AGAIN],
  'the same search that nothing fits': [
    ['path'],
    { searched: new Set(['path']), discovered: new Set(TOOLS.map(({ id }) => id)) },
  ],
  'the refusal of one query beside the hits of another': [
    ['rename', '(?=x)', 'no blanks'],
    { delivery: 'local' },
    TOOLS,
    'regex',
  ],
  'required arguments alone from the third hit on': [['move file'], {}, MOVES],
  'a second hit whole': [['something with files'], {}, opening(3)],
  'a long second hit without required arguments short': [['something with files'], {}, opening(20, [])],
  'a long second hit with required arguments whole': [['something with files'], {}, opening(20)],
  'an unlikely second hit by its name': [['open file'], {}, opening(3)],
  'tools of the same arguments in a line': [['get pull request'], {}, PULLS],
  'no such line if it leaves out what objects contain': [['save something of the team'], {}, SAVES],
  'names alone if nothing fits well': [['move a mountain of gold'], {}, MOVES],
  'a sentence with the word': [['file properties'], {}, third('file properties', 'It includes sizes, and properties.')],
  'a part of a sentence with the word': [
    ['file property'],
    {},
    third('file property', `${'It has more, '.repeat(9)}and the properties of it, and more.`),
  ],
  'a value with the word': [['archived file'], {}, third('archived file', '')],
  'no sentence that leads elsewhere': [['file color'], {}, third('file color', 'For more, see get_color.')],
  'names alone after the third if they fit much less': [['move_old'], {}, [...MOVES, OLD]],
  'that a tool is deprecated, in place of what it does': [['move a file'], {}, [...MOVES, OLD]],
  'a tool spelled alike in all lines': [
    ['delete documents', 'documents to delete', 'select:db_find,db_delete-many'],
    { maxTools: 1 },
    HYPHENED,
  ],
};

it('the answer of a search is as its file says', async () => {
  const told = Object.entries(SEARCHES).map(([what, asked]) => {
    const { text, found, remarks } = ask(...asked);
    const ids = found.map(({ id }) => id).join(' ') || 'nothing';
    return `— ${what}\n${text}\nfound: ${ids}${remarks === '' ? '' : `\nremarks: ${remarks}`}\n`;
  });
  await expect(told.join('\n')).toMatchFileSnapshot('searchAnswers.txt');
});

describe('the answer of a search', () => {
  it('has room for one long definition, whose parts are selected by path', () => {
    const words = (count: number) => ({ type: 'string', description: `A part. ${'x '.repeat(count)}` });
    const long = makeTool('mail', 'send', 'Sends.', { inputSchema: manyArguments(40, ['argument_39'], words(130)) });
    const body = { type: 'array', items: manyArguments(9, [], { $ref: '#/$defs/one' }) };
    const huge = makeTool('mail', 'save', 'Saves.', {
      inputSchema: { ...schema({ body }), $defs: { one: schema({ name: words(900) }) } },
    });
    const select = (query: string) => ask([`select:${query}`], {}, [long, huge]).text;
    expect(select('mail_send')).toMatch(/argument_38\?: string \/\* A part\. (?:x )+x \*\/.* \}\)$/);
    expect(select('mail_send,mail_save').split('\n').at(-1)).toMatch(
      /^mail_save\(.* \/\/ whole: select:mail_save alone$/,
    );
    expect(select('mail_save')).toMatch(
      /\n\["\/\* …" marks what is left out: .*\. Search for "select:mail_save#body" to see a part, here body\.\]$/,
    );
    expect(select('mail_save#body.argument_7')).toMatch(
      /^body\.argument_7: \{ name\?: string \/\* A part\. (?:x )+x \*\/ \}$/,
    );
  });

  it('stays within its room: later tools have bare signatures, then names', () => {
    const inputSchema = manyArguments(90, ['argument_1'], { type: 'boolean', description: 'x'.repeat(50) });
    const many = Array.from({ length: 60 }, (_, i) =>
      makeTool('github', `create_issue_${i}`, `Creates issue ${i}. ${'word '.repeat(50)}`, { inputSchema }),
    );
    const { text, found } = ask(['issue'], { limit: 60, maxTools: 60 }, many);
    expect(found).toHaveLength(60);
    expect(text.length).toBeLessThan(8_000);
    expect(text.split('\n').at(-1)).toMatch(/^github_create_issue_\d+$/);
  });
});

describe('an argument that is an id', () => {
  const tool = (name: string, required: readonly string[] = [], server = 'files') =>
    makeTool(server, name, `${name} of the drives`, {
      inputSchema: schema(
        Object.fromEntries(required.map((it) => [it, { type: 'string', description: WORDS }])),
        required,
      ),
    });
  const WORDS = 'Value for the path segment';
  const open = (argument: string, others: readonly Tool[], called = tool('open_drive_file', [argument])) =>
    ask([`select:files_${called.name}`], {}, [called, ...others]).text.match(/from (\w+)/)?.[1];

  it('has the name of the tool of its server that lists it', () => {
    expect(open('driveId', [tool('list-drives')])).toBe('files_list_drives');
    expect(open('driveId', [tool('files-list-drives')])).toBe('files_files_list_drives');
    expect(open('parent_drive_ids', [tool('drives_list')])).toBe('files_drives_list');
    expect(open('drive_id', [tool('get_all_drives_by_name')])).toBe('files_get_all_drives_by_name');
    const line = ask(['open drive file'], {}, [tool('open_drive_file', ['driveId']), tool('list_drives')]).text;
    expect(line).toContain('open_drive_file({ driveId: string /* from files_list_drives */ })');
  });

  it('has the one that opens it, not the one that lists it', () => {
    const connect = makeTool('files', 'connect', 'Connect to a drive and get back a connectionId. It holds.');
    const renew = { ...tool('renew', ['connectionId']), description: connect.description };
    const others = [tool('list_connections'), connect, makeTool('files', 'connect_all', connect.description), renew];
    expect(open('connectionId', others, tool('read_file', ['connectionId']))).toBe('files_connect');
  });

  it('has the one that lists these among others of that name', () => {
    const called = tool('send_channel_message', ['teamId', 'channelId']);
    const listed = tool('list_team_channels', ['teamId']);
    const both = ask(['select:files_send_channel_message'], {}, [called, listed, tool('list_teams')]).text;
    expect(both.match(/from \w+/g)).toEqual(['from files_list_teams', 'from files_list_team_channels']);
    expect(open('workbookTableId', [tool('list_excel_tables')], tool('read_excel', ['workbookTableId']))).toBe(
      'files_list_excel_tables',
    );
    const messages = [tool('list_chat_messages', ['chatId']), tool('list_channel_messages', ['teamId', 'channelId'])];
    const reply = tool('reply_to_channel_message', ['teamId', 'channelId', 'chatMessageId']);
    expect(open('chatMessageId', messages, reply)).toBe('files_list_channel_messages');
    expect(open('chatMessageId', messages, tool('pin_chat_message', ['chatId', 'chatMessageId']))).toBe(
      'files_list_chat_messages',
    );
    expect(open('tableId', [tool('list_excel_tables')])).toBeUndefined();
    expect(open('channelId', [tool('list_team_channels')], called)).toBeUndefined();
  });

  it.each([
    ['two tools list it', 'driveId', [tool('list_drives'), tool('search_drives')]],
    ['two tools open it', 'connectionId', ['join', 'dial'].map((it) => makeTool('files', it, 'Gives a connectionId.'))],
    ['the tool is of another server', 'driveId', [tool('list_drives', [], 'other')]],
    ['the tool needs the id itself', 'driveId', [tool('list_drives', ['driveId'])]],
    ['the tool gets a single one', 'driveId', [tool('get_drive')]],
    ['it is no id', 'drive', [tool('list_drives')]],
    ['it says no thing', 'id', [tool('list_drives')]],
    ['the tool is deprecated', 'driveId', [makeTool('files', 'list_drives', 'Deprecated. Use another')]],
  ])('has no name if %s', (_, argument, others) => expect(open(argument, others)).toBeUndefined());

  it('has none if a new thing gets it, or a path does', () => {
    const listed = [tool('list_drives')];
    expect(open('driveId', listed, tool('create_drive', ['driveId']))).toBeUndefined();
    const or = schema({ driveId: { type: 'string', description: 'Id or path of the drive' } }, ['driveId']);
    expect(open('driveId', listed, makeTool('files', 'open', '', { inputSchema: or }))).toBeUndefined();
    for (const description of ['Call list_drives', 'The one returned by connect']) {
      const said = schema({ driveId: { type: 'string', description } }, ['driveId']);
      expect(open('driveId', listed, makeTool('files', 'open', '', { inputSchema: said }))).toBeUndefined();
    }
  });
});
