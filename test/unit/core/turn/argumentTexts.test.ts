import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { ToolRun } from '../../../../src/core/ports';
import { misfitWords, notesOn, ownNameWords } from '../../../../src/core/turn/argumentTexts';
import { makeTool, schema } from './world';

const ID = { channel_id: { type: 'string', description: 'The channel' } };
const POST = makeTool('chat', 'post-message', '', {
  inputSchema: schema({ ...ID, text: { type: 'string' }, pin: { type: 'boolean' } }, ['channel_id', 'text']),
});
const LIST = makeTool('chat', 'list_channels');
const READ = makeTool('fs', 'read_file');
const FOLDER = makeTool('fs', 'list_directory', '', { inputSchema: schema({ path: {} }, ['path']) });
const LOGS = makeTool('k8s', 'kubectl_logs', '', {
  inputSchema: schema({ kind: {}, name: {}, tail: {} }, ['kind', 'name']),
});

describe('arguments that don’t fit', () => {
  it('are told with the signature, listers of ids, given arguments first', () => {
    expect(misfitWords(POST, { pin: 'x' }, ['pin: must be boolean.'], [POST, LIST])).toBe(
      [
        "The arguments of chat_post_message don't fit:",
        '- pin: must be boolean.',
        'Call it as chat_post_message({ channel_id: string /* from chat_list_channels */; text: string; pin?: boolean })',
      ].join('\n'),
    );
  });

  const FIND = schema({ database: { type: 'string' }, sort: { type: 'object' } }, ['database']);
  it.each([
    ['find', 'database', ' (from db_list_databases)'],
    ['create_database', 'database', ''],
    ['find', 'sort', ''],
    ['find', 'other', ''],
  ])('of %s name what lists a missing %s%s', (name, missing, source) => {
    const tool = makeTool('db', name, '', { inputSchema: FIND });
    const tools = [makeTool('db', 'list_databases'), makeTool('db', 'list_sorts'), tool];
    const [, said] = misfitWords(tool, {}, [`${missing}: is required, but missing.`], tools).split('\n');
    expect(said).toBe(`- ${missing}: is required, but missing${source}.`);
  });

  const to = { type: 'array', items: schema({ mail: { type: 'string' } }, ['mail']) };
  const fields = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field_${i}`, to]));
  const inner = schema({ to, deep: schema({ to }), ...fields });
  const mail = makeTool('mail', 'send', '', { inputSchema: schema({ body: inner }, ['body']) });
  it.each([
    ['is wrong', 'body.to.0', 'The right form: body.to: { mail: string }[]'],
    ['misses something', 'body.to.0.mail', undefined],
    ['has too much', 'body.to.0.name', 'The right form: body.to: { mail: string }[]'],
    ['is deep', 'body.deep.to.0', 'The right form: body.deep.to: { mail: string }[]'],
    ['doesn’t exist', 'bdy', undefined],
  ])('are told with the part that %s, and a short signature', (_, path, form) => {
    const lines = misfitWords(mail, { body: {} }, [`${path}: misfit.`], []).split('\n');
    expect(lines.slice(2, -1)).toEqual(form === undefined ? [] : [form]);
    if (form !== undefined) expect(lines.at(-1)).toBe('Call it as mail_send({ body: object })');
  });

  const body = { type: 'object', properties: { subject: {}, message: { type: 'object', properties: { to: {} } } } };
  it.each([
    ['that an open schema doesn’t have', {}, { lines: 5 }, '- lines: there is no such argument.'],
    ['that belong deeper inside', {}, { to: 'x' }, '- to: there is no such argument (put it inside body.message).'],
    ['of one item', {}, { label: 'x' }, '- label: there is no such argument (put it inside items[0]).'],
    ['that a schema allows', { additionalProperties: true }, { lines: 5 }, '- misfit'],
  ])('%s are named', (_, more, input, line) => {
    const items = { type: 'array', items: { type: 'object', properties: { label: {} } } };
    const tool = makeTool('a', 'b', '', { inputSchema: { ...schema({ body, items }, ['body']), ...more } });
    const [first, ...others] = misfitWords(tool, input, ['misfit'], []).split('\n').slice(1, -1);
    expect([first, ...others].at(-1)).toBe(line);
  });

  it('are told once and in limited words, however many there are', () => {
    const closed = { ...POST.inputSchema, additionalProperties: false };
    const tool = { ...POST, inputSchema: closed };
    const input = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${'x'.repeat(80)}${i}`, i]));
    const mistakes = Array.from({ length: 500 }, (_, i) => `${'y'.repeat(400)}${i}`);
    expect(misfitWords(tool, { no: 1 }, ['no: there is no such argument.'], []).match(/no such/g)).toHaveLength(1);
    expect(misfitWords(tool, { txt: 1 }, ['txt: there is no such argument.'], []).match(/no such/g)).toHaveLength(1);
    expect(misfitWords(tool, input, mistakes, []).length).toBeLessThanOrEqual(1_601);
    const short = mistakes.map((_, i) => `a${i}`);
    expect(misfitWords(tool, {}, short, [])).toContain('- and 492 more');
  });
});

describe('after a tool’s', () => {
  const notesAfter = (answered: boolean, tool: Tool, input: object, tools: readonly Tool[] = [POST, LIST]) => {
    const run: ToolRun = { outcome: 'failed', parts: [], ...(answered ? { answered } : { outcome: 'ok' }) };
    return resultText({ parts: notesOn(run, { tool, input: { ...input }, hadFailed: false }, tools) });
  };

  it.each([
    ['which tools list the ids', POST, { channel_id: 'x', text: 'y' }, '[channel_id comes from chat_list_channels.]'],
    ['nothing without an id', POST, { text: 'y' }, ''],
    ['what finds what it has', makeTool('chat', 'get_channel'), { id: 'x' }, '[chat_list_channels shows what exists.]'],
    ['what is beside a file', READ, { path: '/a/b/c.md' }, '[fs_list_directory({"path":"/a/b"}) shows what exists.]'],
    ['the same without a folder', READ, { path: 'c.md' }, '[fs_list_directory({"path":"."}) shows what exists.]'],
    ['what is beside a folder', FOLDER, { path: '/a/' }, '[fs_list_directory({"path":"/"}) shows what exists.]'],
    ['nothing about the root', FOLDER, { path: '/' }, ''],
    ['nothing without arguments', makeTool('chat', 'get_channel'), {}, ''],
    ['nothing if no tool lists them', makeTool('b', 'get_channel'), { id: 'x' }, ''],
  ])('error, a model is told %s', (_, tool, input, words) => {
    const tools = [POST, LIST, FOLDER, { ...READ, name: 'search_files' }];
    expect(notesAfter(true, tool, input, tools)).toBe(words);
    expect(notesAfter(false, tool, input)).toBe('');
  });

  it.each([
    [{ txt: 'x' }, {}, undefined, '[Not arguments of this tool: txt. It has: channel_id, text, pin]'],
    [{ txet: 'x' }, {}, undefined, '[Not arguments of this tool: txet (did you mean text?)]'],
    [{ txt: 'x' }, { readOnlyHint: true }, {}, "[Not in this tool's schema: txt. It has: channel_id, text, pin]"],
    [{ txt: 'x' }, { readOnlyHint: true }, { type: 'string' }, ''],
    [{ txt: 'x' }, { readOnlyHint: false }, true, ''],
  ])('result, a model is told what it doesn’t have: %j, %j, %j', (input, annotations, others, words) => {
    const inputSchema = { ...POST.inputSchema, additionalProperties: others };
    expect(notesAfter(false, { ...POST, annotations, inputSchema }, input)).toBe(words);
  });

  it.each([
    ['list_messages', "[Not in this tool's schema: folder. It has: top]"],
    ['list_or_delete', ''],
  ])('result, %s is told what its open schema lacks: %j', (name, words) => {
    const inputSchema = { ...schema({ top: {} }), additionalProperties: true };
    expect(notesAfter(false, makeTool('a', name, '', { inputSchema }), { folder: 'x' })).toBe(words);
  });

  it.each([
    ['says nothing', {}, ''],
    ['changes something', { readOnlyHint: false }, "\n[The call has run. Correct what it made, don't repeat it.]"],
  ])('result, fields that an object has are told (it %s)', (_, annotations, more) => {
    const inputSchema = schema({ body: schema({ subject: {}, start: {} }) });
    const event = makeTool('a', 'b', '', { inputSchema, annotations });
    const words = `[Not fields of body: title. It has: subject, start]${more}`;
    expect(notesAfter(false, event, { body: { title: 'x' } })).toBe(words);
    expect(notesAfter(false, event, { body: { subject: 'x', 'user@odata.bind': 'y' } })).toBe('');
  });
});

it.each([
  ['is asked for', { kind: 'pod' }, '{"name":"k8s_kubectl_logs","arguments":{"name":"…","kind":"pod"}}'],
  ['isn’t if there are no other arguments', {}, undefined],
  ['isn’t if a required one is missing', { tail: 1 }, undefined],
  ['isn’t if the tool hasn’t one of them', { kind: 'pod', text: 'x' }, undefined],
])('a tool’s own argument "name" %s', (_, args, called) => {
  const words = called && `A tool's own "name" belongs inside "arguments": ${called}`;
  expect(ownNameWords(LOGS, args)).toBe(words);
});
