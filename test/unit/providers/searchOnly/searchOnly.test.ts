import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { ModelPort } from '../../../../src/core/ports';
import { reply } from '../../../../src/providers/searchOnly/searchOnly';
import { result, results, said, user } from '../../../data/items';
import { filler, MODEL, makeTool, makeWorld, ok, playTurn, schema, TestRunner } from '../../core/turn/world';

const SUM = makeTool('everything', 'get-sum', 'Returns the sum of two numbers', {
  inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
});
const ECHO = makeTool('everything', 'echo', 'Echoes back the input string', {
  inputSchema: schema({ message: { type: 'string' } }, ['message']),
});
const TREE = makeTool('files', 'directory_tree', 'Lists a folder as a tree', {
  inputSchema: schema({ path: { type: 'string' }, depth: { type: 'integer' } }, ['path']),
});
const TIME = makeTool('clock', 'now', 'Tells the current time');
const TOOLS = [SUM, ECHO, TREE, TIME, ...filler('other', 40)];

/** The real model with the real turn loop. Tools that the prompt names with `#` are references, as in VS Code. */
async function ask(prompt: string, tools = TOOLS, settings = {}, result?: string) {
  const port: ModelPort = {
    info: { ...MODEL, name: 'Search only (no AI)' },
    async *send(request) {
      const answer = reply(request.transcript, request.tools);
      if (answer.text) yield { type: 'text', text: answer.text };
      for (const { callId, name, input } of answer.calls) yield { type: 'call', callId, name, input };
    },
    countTokens: () => Promise.reject(new Error('none')),
  };
  const runner = new TestRunner((_, input) => ok(result ?? `result of ${JSON.stringify(input)}`));
  const named = new Set(prompt.match(/(?<=#)[\w-]+/g));
  const references = new Set(tools.filter(({ name }) => named.has(name)).map(({ id }) => id));
  const outcome = await playTurn(makeWorld(tools), port, { prompt, runner, settings, references });
  return { ...outcome, ran: runner.ran };
}

const NUMBERED = { inputSchema: schema({ number: { type: 'integer' } }, ['number']) };
const BANK: readonly [Tool, Tool] = [
  makeTool('bank', 'get_account', 'Reads an account', NUMBERED),
  makeTool('bank', 'close_account', 'Closes an account for good', NUMBERED),
];
const SHOW = makeTool('bank', 'show', 'Shows get account number get_account', { inputSchema: schema({}, []) });

describe.each([{ delivery: 'local' as const }, { delivery: 'bridge' as const }])(
  'Search only, over $delivery',
  (settings) => {
    it('calls the first found tool with name=value arguments and answers', async () => {
      const { ran, answer } = await ask('get-sum a=2 b=40', TOOLS, settings);
      expect(ran).toEqual([{ id: 'everything/get-sum', input: { a: 2, b: 40 } }]);
      expect(answer).toContain('result of {"a":2,"b":40}');
    });

    it.each([
      ['{"content":"It is *sunny*."}', 'sunny'],
      ['[{"result":{"text":"line 1\\nline 2"}}]', 'line 1\nline 2'],
    ])('shows JSON with one text in it as that text: %s', async (result, shown) => {
      const { answer } = await ask('get-sum a=2 b=40', TOOLS, settings, result);
      expect(answer).toContain(shown);
      expect(answer).not.toContain('{');
    });

    it.each(['{"content":"a","more":1}', '{"answer":42}', '["a","b"]', '{}'])(
      'shows any other JSON as it is: %s',
      async (result) => {
        const { answer } = await ask('get-sum a=2 b=40', TOOLS, settings, result);
        expect(answer).toContain(result);
      },
    );

    it('calls a tool in the request that the prompt names', async () => {
      const eager = { ...settings, mode: 'on' as const, eagerTools: { bank: ['get_*'] } };
      const names = ['bank_get_account', 'get_account', 'bank/get_account', 'bank/bank_get_account'];
      for (const name of [...names, 'read it by get_account']) {
        const { ran } = await ask(`${name} number=4`, [...BANK, ...filler('other', 40)], eager);
        expect(ran, name).toEqual([{ id: 'bank/get_account', input: { number: 4 } }]);
      }
    });

    it.each(['close_account', 'force_get_account'])(
      'runs no other tool than the one that is named: not %s',
      async (name) => {
        const other: Tool = { ...BANK[1], name, id: `bank/${name}`, modelName: `bank_${name}` };
        const { ran, answer } = await ask('get_account number=4', [other, ...filler('other', 40)], settings);
        expect(ran).toEqual([]);
        expect(answer).toContain(name);
      },
    );

    it('calls the tool that the prompt names with #, and no other', async () => {
      const comment = makeTool('my_hub', 'add_comment', 'Adds a comment to an issue: create_issue title');
      const issue = makeTool('my_hub', 'create_issue', 'Files a ticket', {
        inputSchema: schema({ title: { type: 'string' } }, ['title']),
      });
      const tools = [comment, issue, ...filler('other', 40)];
      for (const prompt of [
        '#create_issue title=Bug',
        'use #create_issue for title=Bug',
        '#hub/create_issue title=Bug',
      ])
        expect((await ask(prompt, tools, settings)).ran, prompt).toEqual([
          { id: 'my_hub/create_issue', input: { title: 'Bug' } },
        ]);
      expect((await ask('#create_issue title=Bug', [comment, ...filler('other', 40)], settings)).ran).toEqual([]);
      expect((await ask('#create_issue title=Bug', tools, { ...settings, mode: 'off' })).ran).toHaveLength(1);
      expect((await ask('#create_issue title=Bug', [comment], { ...settings, mode: 'off' })).ran).toEqual([]);
    });

    it.each([
      '#close_account, number=4',
      'please (#close_account) number=4',
      '#my.bank/close.account number=4',
      'account `close_account` number=4',
      'the account: close_account! number=4',
      'closeAccount number=4',
      'close-account number=4',
      'my.bank/close_account number=4',
    ])('calls nothing but what the question names: %s', async (prompt) => {
      for (const mode of ['on', 'off'] as const) {
        const { ran, answer } = await ask(prompt, [BANK[0], ...filler('account', 3)], { ...settings, mode });
        expect(ran).toEqual([]);
        expect(answer).not.toContain('For example');
        const both = await ask(prompt, [...BANK, ...filler('account', 3)], { ...settings, mode });
        expect(both.ran.map(({ id }) => id).filter((id) => id !== 'bank/close_account')).toEqual([]);
      }
    });

    it.each([
      ['takes no file of the question for a tool', 'read account of notes/my_file.md, number=4', [BANK[0]]],
      ['calls the first of two named tools', '#get_account #close_account number=4', BANK],
      ['calls a named tool that isn’t found first', 'please get_account number=4', [SHOW, ...BANK]],
    ])('%s', async (_, prompt, tools) => {
      const { ran } = await ask(prompt, [...tools, ...filler('other', 40)], settings);
      expect(ran).toEqual([{ id: 'bank/get_account', input: { number: 4 } }]);
    });

    it.each([
      ['reads arguments from JSON', 'get-sum {"a": 1.5, "b": -3}', 'everything/get-sum', { a: 1.5, b: -3 }],
      ['leaves out what the tool doesn’t take', 'get-sum a=1 b=2 c=3', 'everything/get-sum', { a: 1, b: 2 }],
      ['takes the only string', 'echo back "hello there"', 'everything/echo', { message: 'hello there' }],
      ['calls a tool that needs nothing', 'tell the current time', 'clock/now', {}],
    ])('%s', async (_, prompt, id, input) => expect((await ask(prompt, TOOLS, settings)).ran).toEqual([{ id, input }]));

    it('lists finds, arguments and an example if a required one is missing', async () => {
      const { ran, answer } = await ask('show a directory tree', TOOLS, settings);
      expect(ran).toEqual([]);
      expect(answer).toMatch(/`files_directory_tree` \(`path: string, depth\?: (integer|number)`\)/);
      expect(answer).toContain('@toolsearch files_directory_tree {"path":"…"}');
    });

    it('says that nothing was found, without advice for models', async () => {
      expect((await ask('kubernetes rollout', TOOLS, settings)).answer).toBe('No tools found.');
    });
  },
);

describe('Search only', () => {
  it('ranks the request’s own tools if nothing is deferred', async () => {
    expect((await ask('get-sum a=1 b=2', [SUM, ECHO])).ran).toEqual([
      { id: 'everything/get-sum', input: { a: 1, b: 2 } },
    ]);
  });

  it.each(['hi', 'true', '42'])('calls a tool of the request by its own name with the text %s', (message) => {
    expect(reply([user(`echo message=${message}`)], [ECHO]).calls).toMatchObject([
      { name: 'echo', input: { message } },
    ]);
  });

  it('says that there is nothing to search in a toolless request', () => {
    expect(reply([{ kind: 'user', text: 'hi' }], []).text).toMatch(/not a language model/);
  });

  it('shows results and descriptions as data, never as markup', async () => {
    const evil = makeTool('evil', 'tree', '[click](command:evil) `x` <img src=x>', {
      inputSchema: schema({ path: { type: 'string' } }, ['path']),
    });
    const { answer } = await ask('evil tree', [evil, ...filler('other', 40)]);
    expect(answer).toContain(' \\[click\\](command:evil) \\`x\\` \\<img src=x\\>');
    expect(answer).not.toMatch(/[^\\]<img/);
    const called = said('', [{ callId: '1', name: 't', input: {} }]);
    expect(reply([user('x'), called, results(result('1', '3 files'))], []).text.startsWith('3 files')).toBe(true);
    expect(reply([user('x'), called, results(result('1', 'a\n````\n# b'))], []).text.startsWith('`````\n')).toBe(true);
  });
});
