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

const linesOf = (...asked: Parameters<typeof ask>) => ask(...asked).text.split('\n');

describe('the answer of a search', () => {
  it('is a line for each tool: arguments, result type, whole sentences', () => {
    expect(linesOf(['open an issue']).slice(-2)).toEqual([
      'github_create_issue({ title: string; body?: string }) => { number: number } // Creates an issue. DEPRECATED: use the form.',
      'e.g. github_create_issue({"title":"Broken link"}) // A bug',
    ]);
  });

  it('has a heading per query, each tool once, and empty queries', () => {
    const { text, found } = ask(['rename file', 'qqqzz', 'copy file']);
    expect(text).toMatch(/^"rename file":\nfiles_move_file\(.*\n/);
    expect(text).toContain('"qqqzz": nothing.');
    expect(text).toContain('"copy file":\nabove: files_copy_file');
    expect(text).not.toContain('there is no such tool');
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  it('gives a rule for stopping if nothing is found', () => {
    expect(ask(['qqqzz']).text).toMatch(
      /^"qqqzz": nothing\.\nSearch in English, with other words\. .* there is no such tool\.$/,
    );
  });

  it('says which words none of the hits has, and that nothing fits', () => {
    const first = (query: string) => linesOf([query])[0];
    expect(first('rename the file flight')).toBe('"rename the file flight" (no tool has "flight"):');
    expect(ask(['rename flight form'], { limit: 1 }).text).toMatch(
      /^".*" \(nothing fits well; no tool has "flight"; none of these has "form"\):/,
    );
    const stopped = makeCatalog(TOOLS, [{ name: 'air', state: 'stopped', problems: [] }]);
    expect(ask(['rename the file flight'], { catalog: stopped }).text).toMatch(/\nNot searched: air .*$/);
    expect(first('print a flight ticket on our file printer')).toMatch(/^".*" \(nothing fits well; /);
    // Only an argument has the word.
    expect(first('path')).toMatch(/^"path" \(nothing fits well\):$/);
    expect(first('move from')).toMatch(/^files_move_file/);
    expect(first('rename a file')).toMatch(/^files_move_file/);
    const wiki = [makeTool('wiki', 'search_pages', 'Looks through it')];
    expect(ask(['search pages in workspace'], {}, wiki).text).toMatch(/^".*" \(no tool has "workspace"\):/);
    expect(first('look up file copy')).toMatch(/^files_copy_file/);
    expect(first('Datei umbenennen')).toMatch(
      /^"Datei umbenennen" \(nothing fits well; no tool has "umbenennen"; search in English\):$/,
    );
    expect(first('mover una ficha en la memoria')).toContain('; search in English)');
    expect(first('rename the café file')).toBe('"rename the café file" (no tool has "café"):');
    expect(first('Rechnung')).toBe('"Rechnung": nothing. Search in English.');
    const person = makeTool('people', 'create_contact', 'Adds one automatically');
    expect(ask(['make a phone call'], {}, [person]).text).toMatch(/^".*" \(nothing fits well/);
    const bills = ['create_invoice', 'list_invoices', 'get_customer'].map((name) => makeTool('pay', name, 'Does it'));
    const voided = (limit: number) => ask(['void an invoice'], { limit }, bills).text;
    expect(voided(2)).toMatch(/^".*" \(no tool has "void"; all of pay with "invoice" are here\):/);
    expect(voided(1)).toMatch(/^".*" \(no tool has "void"\):/);
    const tickets = [makeTool('desk', 'list_tickets', 'Lists them'), makeTool('desk', 'get_weather', 'Gets it')];
    expect(ask(['search support tickets by requester'], {}, tickets).text).not.toContain('nothing fits well');
    expect(ask(['get invoice tickets paid'], {}, tickets.slice(1)).text).toMatch(/^".*" \(nothing fits well/);
    const memory = makeTool('memory', 'search_nodes', 'Finds nodes of the graph.');
    expect(ask(['search noted facts in memory'], {}, [memory]).text).not.toContain('nothing fits well');
    const rollout = makeTool('cluster', 'rollout', 'Manages rollouts of a deployment', {
      inputSchema: schema({ command: { type: 'string', enum: ['restart', 'pause'] } }),
    });
    expect(ask(['restart deployment'], {}, [rollout]).text).toMatch(/^cluster_rollout\(/);
    expect(ask(['fleet wide managed deployments'], {}, [rollout]).text).toMatch(/^"fleet .*" \(no tool has/);
  });

  it('spells the nearest names as scripts call them', () => {
    const hyphened = makeTool('web-files', 'read-page', 'Reads a page');
    expect(ask(['select:web-files_read-pgae'], {}, [hyphened]).text).toMatch(/ Nearest names: web_files_read_page\.$/);
  });

  it.each([
    ['copy file notes.txt to Anna', 'anna'],
    ['copy the file "last year" 4711', ''],
    ['copy file holiday', 'holiday'],
  ])('fits for %s, whose other words are data', (query, missing) => {
    const note = missing === '' ? '' : `"${query}" (no tool has "${missing}"):\n`;
    expect(ask([query]).text.startsWith(`${note}files_copy_file({ from: string`)).toBe(true);
  });

  it('has the harmless one of two good hits first', () => {
    const old = makeTool('files', 'delete_old', 'Handles old notes.');
    const list = makeTool('files', 'handle_old', 'Handles old notes', { annotations: { destructiveHint: false } });
    const wipe = makeTool('files', 'change_old', 'Handles old notes.', { annotations: { destructiveHint: true } });
    const first = (query: string, tools: Tool[]) => ask([query], {}, tools).text.split('(')[0];
    expect(first('old notes', [old, list])).toBe('files_handle_old');
    expect(first('old notes', [wipe, list])).toBe('files_handle_old');
    expect(first('delete old notes', [old, list])).toBe('files_delete_old');
    expect(ask(['old notes'], {}, [old, list]).text).toContain('files_delete_old');
  });

  it('says which named tools are over the limit, and which don’t exist', () => {
    const names = 'select:files_move_file,files_copy_file,github_create_issue,none_such';
    const { text, found } = ask([names], { limit: 1, maxTools: 2 });
    expect(found).toEqual([MOVE, COPY]);
    expect(text).toContain('over the limit of 2: github_create_issue. Search for these by themselves.');
    expect(text).toContain('not found: none_such.');
  });

  it('has the sentence on what a call needs beside its required arguments', () => {
    const inputSchema = schema({ body: { type: 'object', properties: { title: {} } } }, ['body']);
    const add = (text: string) => makeTool('notes', 'add_page', `Adds a page. ${text}`, { inputSchema });
    const textOf = (needed: string) => ask(['add page'], {}, [add(`${'It is long. '.repeat(20)}${needed}`)]).text;
    const asked = [add(`${'It adds a page. '.repeat(9)}It says colors. The body must have a title.`)];
    expect(ask(['page colors'], {}, asked).text).toMatch(/ page\. It says colors\. The body must have a title\.$/);
    expect(textOf('The body must have a title.')).toMatch(/ It is long\. The body must have a title\.$/);
    expect(textOf('You must be signed in.')).toMatch(/ It is long\.$/);
    expect(textOf('Its body needs a tag. Get it from get-page.')).toMatch(/ It is long\. Get it from get-page\.$/);
    expect(textOf('Its tag is from get-page.')).toMatch(/ It is long\.$/);
    expect(textOf(`The title is required, ${'and long, '.repeat(40)}`)).toMatch(
      / The title is required.*… \(more: select:NAME\)$/,
    );
  });

  it('gives the whole definition for select:NAME', () => {
    const { text } = ask(['select:github_create_issue']);
    expect(text.split('\n')).toEqual([
      'Creates an issue. DEPRECATED: use the form.',
      'e.g. github_create_issue({"title":"Broken link"}) // A bug',
      'github_create_issue({ title: string /* Its title */; body?: string }) => { number: number }',
    ]);
  });

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

  it('gives it also below a shorter line on the tool', () => {
    const select = 'select:github_create_issue';
    expect(ask(['create issue', select]).text).toContain(`"${select}":\n${ask([select]).text}`);
  });

  it('shows earlier finds in a bridge whole', () => {
    const before = ask(['rename file']).text;
    expect(ask(['rename file'], { discovered: new Set([MOVE.id]) }).text).toBe(before);
  });

  it.each(['local', 'client'] as const)('with %s says at its rank that a tool is available already', (delivery) => {
    const view = { delivery, discovered: new Set([MOVE.id]) };
    const { text, remarks } = ask(['rename file'], { ...view, eager: ['mail_send'] });
    expect(text).toMatch(/^already available: mail_send\nalready available: files_move_file/);
    expect(text).not.toContain('Move or rename');
    expect(remarks).toBe('already available: mail_send\nalready available: files_move_file');
  });

  it('has signatures with local only beside scripts', () => {
    expect(ask(['rename file'], { delivery: 'local' }).text).toMatch(/^files_move_file \/\/ Move/);
    expect(ask(['rename file'], { delivery: 'local', shapes: new Map() }).text).toMatch(/^files_move_file\(\{/);
  });

  it('leaves out hits that fit much less', () => {
    const send = makeTool('mail', 'send_mail', 'Send a mail to somebody');
    const tools = [send, makeTool('mail', 'list_mail', 'List mail of a folder')];
    expect(ask(['send a mail to somebody'], {}, tools).text).toBe('mail_send_mail() // Send a mail to somebody');
  });

  it('says that the same search was made before', () => {
    const searched = new Set(['copy file', 'qqqzz']);
    const again = (discovered: string[]) => ask(['Copy file', 'qqqzz'], { searched, discovered: new Set(discovered) });
    const { text } = again(['files/copy_file']);
    expect(text).toMatch(/^"Copy file" \(the same search as before, with the same result\):\nfiles_copy_file\(/);
    expect(text).toContain('"qqqzz": nothing, as before.');
    const unfit = ask(['path'], { searched: new Set(['path']), discovered: new Set(TOOLS.map(({ id }) => id)) });
    expect(unfit.text).toMatch(/; nothing fits well; if none of these does it, say that you can't\):/);
    // The server has added a tool since.
    expect(again([]).text).toMatch(/^"Copy file":\n/);
  });

  it('passes the refusal of one query on beside the hits of another', () => {
    const { text, found } = ask(['rename', '(?=x)', 'no blanks'], { delivery: 'local' }, TOOLS, 'regex');
    expect(text).toContain('"(?=x)": ');
    expect(text).toMatch(/"no blanks": nothing\. .*"no\.\*blanks"/);
    expect(found).toEqual([MOVE]);
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

describe('hits from the third on', () => {
  const path = { type: 'string', description: 'The old one' };
  const inputSchema = schema({ path, force: { type: 'boolean' } }, ['path']);
  const tools = ['ant', 'bee', 'cow', 'dog'].map((name) =>
    makeTool('files', `move_${name}`, 'Move a file.', { inputSchema, examples: [{ args: { path: name } }] }),
  );

  it('have only their required arguments, and say how to see the others', () => {
    expect(linesOf(['move file'], {}, tools).filter((line) => !line.startsWith('e.g. '))).toEqual([
      'files_move_ant({ path: string /* The old one */; force?: boolean }) // Move a file.',
      'files_move_bee({ path: string; force?: boolean }) // Move a file.',
      'files_move_cow({ path, … /* optional: select:NAME */ })',
      'files_move_dog({ path, … })',
    ]);
  });

  it('are joined by a second that is long or unlikely', () => {
    const wide = (name: string, count: number, required: readonly string[]) =>
      makeTool('files', name, 'Does something with files.', { inputSchema: manyArguments(count, required) });
    const second = (query: string, count: number, required = ['argument_0']) =>
      linesOf([query], {}, [wide('open', 3, ['argument_0']), wide('open_twice', count, required)])[1];
    expect(second('something with files', 3)).toContain('argument_0: string; argument_1?: string');
    expect(second('something with files', 20, [])).toMatch(/^files_open_twice\(\{ argument_0\?, argument_1\?, /);
    // It fits as well as the first, and needs arguments.
    expect(second('something with files', 20)).toContain('argument_0: string; ');
    // The others need no description then.
    expect(second('open file', 3)).toBe('same arguments: files_open_twice');
  });

  it('share a line if their arguments are the same', () => {
    const properties = { owner: { type: 'string' }, repository: { type: 'string' }, number: { type: 'number' } };
    const many = ['files', 'status', 'comments', 'commits'].map((name) =>
      makeTool('github', `get_pull_${name}`, `The ${name} of a pull request`, {
        inputSchema: schema(properties, Object.keys(properties)),
      }),
    );
    expect(linesOf(['get pull request'], {}, many).slice(2)).toEqual([
      'same arguments: github_get_pull_files (The files of a pull request), github_get_pull_status (The status of a pull request)',
    ]);
  });

  it('don’t share a line if it leaves out what objects contain', () => {
    const item = manyArguments(12, []);
    const many = ['wiki', 'page', 'space', 'group'].map((name) =>
      makeTool('team', `save_${name}`, `Saves a ${name} of the team`, {
        inputSchema: schema({ item, identifier: { type: 'string' } }, ['item', 'identifier']),
      }),
    );
    expect(ask(['save something of the team'], {}, many).text).not.toContain('same arguments');
  });

  it('are names alone if nothing fits well', () => {
    const lines = linesOf(['move a mountain of gold'], {}, tools);
    expect(lines.slice(-2)).toEqual(['files_move_bee({ path, … })', 'also: files_move_cow, files_move_dog']);
  });

  it.each([
    ['file properties', 'It includes sizes, times, and properties.', 'It includes sizes, times, and properties.'],
    ['file property', `${'It has more, '.repeat(9)}and the properties of it, and more.`, '… and the properties of it'],
    ['archived file', '', 'state: "archived"'],
    ['file color', 'For more, see get_color.', ''],
  ])('say of %s what the name does not', (query, description, words) => {
    const inputSchema = schema({ state: { type: 'string', enum: ['archived'] }, path: { type: 'string' } }, ['path']);
    const meta = makeTool('files', 'get_metadata', `Get metadata. ${description}`, { inputSchema });
    const above = ['one', 'two'].map((name) => makeTool('files', `${query} ${name}`, `A ${query} of any file`));
    const line = `files_get_metadata({ path, … /* optional: select:NAME */ })${words && ` // ${words}`}`;
    expect(linesOf([query], {}, [...above, meta]).pop()).toBe(line);
  });

  const old = makeTool('files', 'move_old', `Move a file ${'far '.repeat(30)}away. DEPRECATED: use move_ant.`);

  it('are only named after the third if they fit much less', () => {
    const { text } = ask(['move_old'], {}, [...tools, old]);
    expect(text.split('\n').at(-1)).toBe('also: files_move_cow, files_move_dog');
  });

  it('say that they are deprecated in place of what they do', () => {
    const line = (query: string) => linesOf([query], {}, [...tools, old]).find((it) => it.startsWith('files_move_old'));
    expect(line('move a file')).toBe('files_move_old() // DEPRECATED: use move_ant.');
    expect(line('move_old')).toMatch(/^files_move_old\(\) \/\/ Move a file .* DEPRECATED: use move_ant\.$/);
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

it('spells a tool alike in all lines', () => {
  const tools = [makeTool('db', 'delete-many', 'Delete documents'), makeTool('db', 'find', 'Find documents')];
  const queries = ['delete documents', 'documents to delete', 'select:db_find,db_delete-many'];
  const lines = linesOf(queries, { maxTools: 1 }, tools);
  expect(lines.filter((line) => !line.startsWith('"')).join()).not.toContain('delete-many');
});
