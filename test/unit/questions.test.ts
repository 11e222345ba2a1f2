// What the product asks the user, with all words, buttons and options, and what each answer does. Write the file again
// with `npm run unit -- test/unit/questions.test.ts -u`, and read what changed.
import { afterEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { Tool } from '../../src/core/catalog/tool';
import { type ToolRun, toolMessage } from '../../src/core/ports';
import { KnownSecrets } from '../../src/core/util/knownSecrets';
import { exportAsking } from '../../src/inspector/host/exportSession';
import type { DefinedServer } from '../../src/tools/mcp/config/definition';
import { findInput, type InputDefinition } from '../../src/tools/mcp/config/inputs';
import { readForm } from '../../src/tools/mcp/connection/elicitationForm';
import { askForm } from '../../src/tools/vscode/askForm';
import { askForInput, askToShare } from '../../src/tools/vscode/askInput';
import { askSignIn } from '../../src/tools/vscode/askSignIn';
import { createStartCheck } from '../../src/tools/vscode/askStart';
import { useItem } from '../../src/tools/vscode/useItem';
import { copyMcpEntry, endpointAddress, type McpEndpoint } from '../../src/ui/agents/mcpEndpoint';
import { signOut } from '../../src/ui/commands/signOut';
import { confirmCalls } from '../../src/ui/confirmations/confirmationText';
import { EndpointConfirmations } from '../../src/ui/confirmations/endpointConfirmations';
import { ApiKeys } from '../../src/ui/keys/apiKeys';
import { manageKeys } from '../../src/ui/keys/manageKeys';
import { removeStoredData } from '../../src/vscode/removeStoredData';
import type { StoredData } from '../../src/vscode/storedData';
import { bigSession } from '../data/bigSession';
import { viewInputs } from '../data/viewInputs';
import { makeTool } from './core/turn/world';
import { type Case, type Cases, play } from './questions/play';
import { Memento } from './shim/basics';
import { host, resetHost } from './shim/host';

const signal = new AbortController().signal;
const fail = (message = 'The disk is [full](command:x).') => Promise.reject(new Error(message));
/** The same, while one of VS Code's functions fails. */
const without = (part: object, name: string, run: () => unknown) => () => {
  vi.spyOn(part as { [name: string]: () => unknown }, name).mockRejectedValueOnce(new Error('No window.'));
  return run();
};
const EVIL = '$(x) [go](command:y)';

const readExport = (bytes: Uint8Array) => {
  const { product, contents, resourceSpans } = JSON.parse(`${Buffer.from(bytes)}`);
  return [product?.version, contents, resourceSpans?.length];
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The files of our questions: a text file each. */
const QUESTIONS: { readonly [name: string]: () => Cases } = {
  keys: () => {
    const keys = new ApiKeys(host.secrets, { OPENAI_API_KEY: ' env ' });
    const manage = (result: Awaited<ReturnType<Parameters<typeof manageKeys>[1]>>) => async () => {
      const tested: string[] = [];
      await manageKeys(keys, async ({ id }, key) => {
        tested.push(`${id} ${key}`);
        return result;
      });
      return [tested, await keys.get('anthropic'), await keys.get('openai'), await keys.all()];
    };
    const broken = Object.assign(new ApiKeys(host.secrets, {}), { set: () => fail(), remove: () => fail() });
    const never = () => fail('It was tested.');
    return {
      'no service': [manage({ ok: true, models: 0 }), undefined],
      'no action': [manage({ ok: true, models: 0 }), 'Anthropic', undefined],
      'no key': [manage({ ok: true, models: 0 }), 'Anthropic', 'Set', 'two words', '', undefined],
      'a key': [manage({ ok: true, models: 0 }), 'Anthropic', 'Set', ' typed '],
      'a test': [manage({ ok: true, models: 1 }), 'Anthropic', 'Test'],
      'a test in the environment': [manage({ ok: true, models: 2 }), 'OpenAI', 'Test'],
      'a test that fails': [manage({ ok: false, message: EVIL }), 'Anthropic', 'Test'],
      'a test that breaks': [() => manageKeys(keys, () => fail()), 'Anthropic', 'Test'],
      'a key that can’t be kept': [() => manageKeys(broken, never), 'Anthropic', 'Set', 'other'],
      'a key that can’t be removed': [() => manageKeys(broken, never), 'Anthropic', 'Remove'],
      'a key removed': [manage({ ok: true, models: 1 }), 'Anthropic', 'Remove'],
      'a key before one of the environment': [manage({ ok: true, models: 1 }), 'OpenAI', 'Set', 'stored'],
    };
  },
  calls: () => {
    const annotations = { destructiveHint: true, idempotentHint: true, openWorldHint: true };
    const tool = makeTool(`fi${EVIL}`, `write_${EVIL}`, 'Writes', { annotations });
    const marks = [{ kind: 'order' as const, part: EVIL }];
    const outside = new EndpointConfirmations();
    const ask = (count: number, session: string, change: object = {}) => {
      const client = { name: `client ${EVIL}`, session, onlyByName: session === 'named' };
      const input = (at: number) => ({ path: `${at}\u202e` });
      const asked = Array.from({ length: count }, (_, at) =>
        outside.ask({ tool, input: input(at), signal, ...change }, client, session === 'named', async () =>
          toolMessage('ok', `ran ${at}`),
        ),
      );
      return async () => Promise.all(asked).then((runs) => runs.map(({ outcome, parts }) => [outcome, parts]));
    };
    const confirm = (count: number) => () =>
      confirmCalls(Array.from({ length: count }, (_, at) => ({ tool, input: { at }, signal, marks })));
    const four = Object.fromEntries(
      ['1st', '2nd', '3rd', 'last'].map((name): [string, Case] => [
        `the ${name} skip`,
        [() => ask(1, 'skips')(), name === 'last' ? 'Skip All Calls of This Client' : 'Skip'],
      ]),
    );
    return {
      'no call in a chat': [confirm(0)],
      'a call in a chat': [confirm(1)],
      'two calls in a chat': [confirm(2)],
      'a call of a client': [() => ask(1, 'a')(), 'Allow Once'],
      'two calls of a client': [() => ask(2, 'a', { marks })(), undefined],
      'a call of a client without sessions': [() => ask(1, 'named')(), 'Allow for This Client in This Session'],
      'a call that is allowed': [() => ask(2, 'named')()],
      ...four,
      'a call that is skipped': [() => ask(1, 'skips')()],
    };
  },
  endpoint: () => {
    const address = { url: 'http://127.0.0.1:1/mcp', authorization: 'Bearer t' };
    const make = (opened: typeof address | undefined, now?: typeof address) => {
      const endpoint = { address: now, apply: async () => void Object.assign(endpoint, { address: opened }) };
      return endpoint as unknown as McpEndpoint;
    };
    const copy = (endpoint: McpEndpoint, turnOn = async () => {}) => [() => copyMcpEntry(endpoint, turnOn)] as const;
    const yes = 'Turn It On and Copy';
    return {
      open: [...copy(make(undefined, address), fail)],
      closed: [...copy(make(address), fail), undefined],
      'not copied': [without(vscode.env.clipboard, 'writeText', copy(make(undefined, address))[0])],
      'turned on': [...copy(make(address)), yes],
      'not opened': [...copy(make(undefined)), yes],
      'not turned on': [...copy(make(address), fail), yes],
      'for an agent': [() => endpointAddress(make(address), async () => {}), 'Turn It On'],
    };
  },
  export: () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const secrets = async () => new KnownSecrets();
    const session = () => viewInputs(bigSession({ turns: 1, tools: 1 }));
    const run =
      (deps: object = {}, folder?: string, picked?: string) =>
      async () => {
        host.folders = folder ? [{ name: 'a', uri: vscode.Uri.file(folder), index: 0 }] : [];
        // A file's name has the day of the user's time zone, from its beginning to its end.
        vi.setSystemTime(new Date(2026, 0, 2, picked ? 23 : 0, 30));
        host.picked = picked ? vscode.Uri.file(picked) : undefined;
        await exportAsking({ version: '1.2.3', session, secrets, ...deps });
        return Object.fromEntries([...host.files].map(([file, bytes]) => [file, readExport(bytes)]));
      };
    return {
      'no format': [run(), undefined],
      'no contents': [run({}, '/a', '/out/a.json'), 'JSON', undefined],
      'no place': [run({}, '/a'), 'JSON', 'Without'],
      'no folder': [run({}), 'OTLP', 'With p'],
      'without contents': [run({}, '/a', '/out/a.json'), 'JSON', 'Without'],
      'with contents': [run({}, '/a', '/out/b.json'), 'JSON', 'With p'],
      'as traces': [run({}, '/a', '/out/c.json'), 'OTLP', 'Without'],
      'not written': [without(vscode.workspace.fs, 'writeFile', run({}, '/a', '/out/e.json')), 'JSON', 'Without'],
      'secrets unknown': [run({ secrets: () => fail() }, '/a', '/out/d.json'), 'JSON', 'Without'],
    };
  },
  inputs: () => {
    const read = (raw: object) => findInput([{ id: 'a', ...raw }], 'a') as InputDefinition;
    const text = read({ type: 'promptString', description: EVIL, default: 'de' });
    const ask = (input: InputDefinition) => () => askForInput(input, `my server ${EVIL}`);
    const list = read({
      ...{ type: 'pickString', description: 'Which?', default: 'b' },
      options: ['a', { label: EVIL, value: 'b' }, { value: 'c' }, { label: 'none' }],
    });
    const share = (others: readonly string[]) => () =>
      askToShare(text, { name: 'db', runs: `npx ${EVIL}${'x'.repeat(200)}`, id: '' }, others);
    return {
      'a text': [ask(text), 'typed'],
      'a secret': [ask(read({ type: 'promptString', description: 'Key', password: true })), undefined],
      'a choice': [ask(list), '$ (x)'],
      'no choice': [ask(list), undefined],
      'the same answer after a change': [share(['db', 'other']), 'Give'],
      'the answer of another': [share(['other']), 'Don’t'],
      'the answer of several': [share(['other', EVIL]), undefined],
      'the answer of none': [share([]), 'Give'],
    };
  },
  forms: () => {
    const ask = (properties: object, required: readonly string[] = [], until = signal, canEnd = false) => {
      const form = readForm({ message: EVIL, requestedSchema: { type: 'object', properties, required } });
      return () => form && askForm('VS Code is asking. The server', form, until, canEnd);
    };
    const drinks = {
      type: 'array',
      items: { enum: ['Tea', 'Milk', EVIL] },
      minItems: 1,
      maxItems: 2,
      default: ['Milk'],
    };
    const colour = { enum: ['r', 'g', 'b'], enumNames: ['Red', EVIL, 'x'.repeat(101)], default: 'g' };
    const all = {
      name: { type: 'string', title: EVIL, description: `Your ${EVIL}`, default: 'Bob', minLength: 2, maxLength: 3 },
      age: { type: 'integer', minimum: 0, maximum: 9, default: 7 },
      sure: { type: 'boolean', default: true },
      colour: { type: 'string', ...colour },
      drinks,
    };
    const oneOf = [
      { const: 'a', title: 'First' },
      { const: 'b', title: 'Second' },
      { const: 7 },
      { const: 'c', title: '' },
    ];
    const text = (field: object, isNeeded = false) => ask({ a: { type: 'string', ...field } }, isNeeded ? ['a'] : []);
    return {
      'no field': [ask({}), 'Accept'],
      declined: [ask({}), 'Decline'],
      closed: [ask({}), undefined],
      ended: [ask({}, [], signal, true), 'Stop'],
      'of every kind': [ask(all), ...'Answer A Adam Ada -1 10 x 1.5 9 No x'.split(' '), ['Tea']],
      'with all needed': [
        ask(all, Object.keys(all)),
        ...['Answer', '', 'Ada', ' ', '0', 'Yes', '$ (x)', [], ['Tea', 'Milk', '$'], ['Tea', 'Milk']],
      ],
      'one text': [text({}, true), 'Answer', ''],
      'over before it is asked': [ask({}, [], AbortSignal.abort())],
      'answered with the word “cancel”': [
        ask({ a: { type: 'string' }, b: { type: 'string', enum: ['go', 'cancel'] }, c: { type: 'number' } }),
        ...['Answer', 'cancel', 'cancel', ' '],
      ],
      titled: [
        ask({
          a: { type: 'string', oneOf, default: 'gone' },
          b: { type: 'array', items: { anyOf: oneOf }, default: ['b', 'c'] },
        }),
        ...['Answer', 'First', ['b', 'Sec']],
      ],
      'left empty': [ask(all), 'Answer', '', '', '(no', '(no', []],
      'closed at the second field': [ask(all), 'Answer', '', undefined],
      'closed at the third field': [ask(all), 'Answer', '', '', undefined],
      'closed at the last field': [ask(all), 'Answer', '', '', '(no', '(no', undefined],
      mail: [text({ format: 'email' }, true), 'Answer', '', '@', 'a@', '@b', 'a b@c', 'a@b'],
      address: [text({ format: 'uri' }), 'Answer', 'example', 'https://example.com'],
      date: [text({ format: 'date' }), 'Answer', '28.2.2026', '2026-2-1', '2026-02-28'],
      time: [text({ format: 'date-time' }), 'Answer', '2026-02-28', 'T', '2026-02-28T12:00:00Z'],
      'another format': [text({ format: 'other', title: 7 }, true), 'Answer', '', 'x'],
      'a long default': [text({ default: 'x'.repeat(10_000) }), 'Answer', undefined],
      'a default too long to show': [text({ default: 'x'.repeat(10_001) }), 'Answer', undefined],
      'none of an object': [ask({ a: { type: 'object' } })],
      'none of no schema': [ask({ a: 'text' })],
      'none of 51 fields': [
        ask(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: 'string' }]))),
      ],
      'none of a list of anything': [ask({ a: { type: 'array', items: {} } })],
      'a number': [ask({ a: { type: 'number' } }, ['a']), 'Answer', '', '7,5', '7.5'],
    };
  },
  signIn: () => {
    const page = new URL('https://login.example/authorize');
    const ask =
      (scopes: readonly string[], until = signal) =>
      () =>
        askSignIn(EVIL, { issuer: `https://tokens.example/${EVIL}`, page, scopes }, until);
    const out = (isRevoked: () => Promise<boolean>, servers: readonly string[]) => () =>
      signOut({
        list: async () => servers.map((server) => ({ server, issuer: EVIL, key: server })),
        signOut: isRevoked,
      });
    return {
      'no scope': [ask([]), 'Sign In'],
      'a scope': [ask(['read']), undefined],
      scopes: [ask(['read', EVIL]), 'Sign In'],
      'many scopes': [ask(Array.from({ length: 300 }, () => 'read')), 'Sign In'],
      'over meanwhile': [ask([], AbortSignal.abort()), 'Sign In'],
      'no browser': [without(vscode.env, 'openExternal', ask([])), 'Sign In'],
      'signed in to none': [out(fail, [])],
      'signed in to one': [out(fail, ['db']), undefined],
      'signed out': [out(async () => true, ['db', EVIL]), '$ (x)'],
      'not revoked': [out(async () => false, ['db']), 'db'],
      'not signed out': [out(fail, ['db']), 'db'],
    };
  },
  starts: () => {
    const kept = new Memento();
    const server = (name: string, value: DefinedServer['value']): DefinedServer => ({
      ...{ name, value, inputs: [], file: 'file:///a', label: `~/${EVIL}`, asksFirst: true },
    });
    const start = (servers: readonly DefinedServer[], variables = {}, state: vscode.Memento = kept, until = signal) => {
      const mayStart = createStartCheck(state, async () => ({ ...variables }));
      return () => Promise.all(servers.map((each) => mayStart(each, until)));
    };
    let reads = 0;
    const changing = {
      get A() {
        return `${reads++}`;
      },
    };
    const env = Object.fromEntries([...Array(32).keys()].map((at) => [`A${at}`, at === 0 ? 'x'.repeat(398) : '']));
    const db: { readonly [what: string]: DefinedServer['value'] } = {
      'an address': { url: 'https://a.example/mcp' },
      'a query': { url: 'https://a.example/mcp?key=abc' },
      'the user of an address': { url: 'https://u:p@a.example/mcp' },
      'a header': { url: 'https://a.example/mcp', headers: { 'X-Key': '${env:AWS_SECRET}' } },
      'a host of other letters': { url: 'https://\u0430pple.example/mcp' },
      'a program': { command: 'a' },
      'a folder': { command: 'a', cwd: '/tmp/evil' },
      'a file of variables': { command: 'a', envFile: '.env' },
      'the value of a variable': { command: 'a', env: { NODE_OPTIONS: '-r ./x.js' } },
      'a variable that is removed': { command: 'a', env: { PATH: null } },
      'an argument': { command: 'a', args: ['-e', 'a\n\nb'] },
      'another argument': { command: 'a', args: ['', 'b'] },
      'an invisible letter': { command: 'a', args: ['ser\u200bver.js'] },
      'a mark of direction': { command: 'a', env: { A: 'x\u202ey' } },
      'more than fits': { command: 'x'.repeat(1_200), env },
    };
    const twice = (value: DefinedServer['value']): Case => {
      const run = start([server('db', value)]);
      return [async () => [await run(), await run()], 'Start'];
    };
    const one = server('one', { command: 'npx', args: ['-y', 'a b', ''], cwd: '/w', env: { A: '1', B: null } });
    const many = Array.from({ length: 10 }, (_, at) =>
      server(`s${at}`, { url: `https://h${at}.example`, headers: { A: 'b' } }),
    );
    const broken = Object.assign(new Memento(), { update: () => fail() });
    return {
      'one, refused': [start([one], { C: '2' }), undefined],
      'one, allowed': [start([one], { C: '2' }), 'Start'],
      'one, known': [start([one], { C: '2' })],
      'one with a file': [start([server('file', { command: 'x', envFile: '.env' })], { C: '2' }), 'Start'],
      'one that can’t be read': [start([server(EVIL, { command: 7 as never })]), 'Start'],
      'one whose yes can’t be kept': [start([server('two', { command: 'x' })], {}, broken), 'Start'],
      'two, one chosen': [start([server('b', { command: 'b' }), server('c', { command: 'c' })]), 'Choose…', ['c']],
      'two, none chosen': [start([server('b', { command: 'b' }), server('d', { command: 'd' })]), 'Choose…', undefined],
      many: [start(many), 'Start', undefined],
      'one whose file has changed': [start([server('file', { command: 'x', envFile: '.env' })], { C: '3' }), 'Start'],
      'one whose file changes meanwhile': [start([server('e', { command: 'x' })], changing), 'Start', undefined],
      'one of another file': [start([{ ...one, file: 'file:///b' }], { C: '2' }), undefined],
      'one that was stopped': [start([server('f', { command: 'x' })], {}, kept, AbortSignal.abort())],
      ...Object.fromEntries(Object.entries(db).map(([what, value]) => [`${what}, twice`, twice(value)])),
    };
  },
  data: () => {
    const stored = (forget = async () => {}) => ({ forget, owner: 'publisher.name' }) as unknown as StoredData;
    const remove = (reset: () => Promise<void>, from = stored()) => [() => removeStoredData(from, reset)] as const;
    const told = async () => void host.commands.push(['(reset)']);
    return {
      kept: [...remove(fail), undefined],
      removed: [...remove(fail), 'Remove Data', undefined],
      'removed for good': [...remove(fail), 'Remove Data', 'Uninstall'],
      'removed with settings': [...remove(told), 'Remove Data and User Settings', 'Reload Window'],
      'not removed': [
        ...remove(
          told,
          stored(() => fail()),
        ),
        'Remove Data and User Settings',
      ],
      'not reloaded': [without(vscode.commands, 'executeCommand', remove(told)[0]), 'Remove Data', 'Reload Window'],
      'settings not reset': [...remove(fail), 'Remove Data and User Settings'],
    };
  },
  items: () => {
    const properties = { a: { type: 'string', title: EVIL }, b: { type: 'string' } };
    const item = (kind: 'prompt' | 'resource', more: object = {}) =>
      makeTool(`lib${EVIL}`, `it_${EVIL}`, '', { item: { kind, address: 'docs://a/re port.md?x#y' }, ...more });
    const use = (tool: Tool, run: (reads: number) => Promise<ToolRun>) => async () => {
      await useItem(tool, { read: (_, input) => run(told.push(JSON.stringify(input))), keep: () => {} });
      const system = host.fileSystems.get('toolsearch-resource');
      const files = host.commands.flatMap(([, given]) => (given as { attachFiles?: vscode.Uri[] }).attachFiles ?? []);
      return [
        told.splice(0),
        files.map((uri) => [system?.stat(uri), `${Buffer.from(system?.readFile(uri) as Uint8Array)}`]),
      ];
    };
    const told: string[] = [];
    const text = (words: string) => async () => toolMessage('ok', words);
    const parts =
      (...all: readonly object[]) =>
      async () =>
        ({ outcome: 'ok', parts: all }) as unknown as ToolRun;
    const image = { type: 'image', mimeType: 'image/png', data: Buffer.from('PNG').toString('base64'), bytes: 3 };
    const asking = item('prompt', { inputSchema: { type: 'object', properties, required: ['a'] }, title: 'My $(t)' });
    return {
      'a prompt': [use(item('prompt'), text('Say hi'))],
      'a prompt with arguments': [use(asking, text('Say hi')), 'Ada', ''],
      'a prompt not answered': [use(asking, () => fail()), 'Ada', undefined],
      'no chat': [without(vscode.commands, 'executeCommand', use(item('prompt'), text('Say hi')))],
      'a long prompt': [use(item('prompt'), text('x'.repeat(50_001)))],
      'a text': [use(item('resource'), text('one'))],
      texts: [use(item('resource'), parts({ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }))],
      'an image': [use(item('resource'), parts(image))],
      'no content': [use(item('resource'), parts())],
      'a failure': [use(item('resource'), async () => toolMessage('failed', `${EVIL} ${'x'.repeat(500)}`))],
      'a cancelled one': [use(item('resource'), async () => toolMessage('cancelled', 'Given up.'))],
      'a broken one': [use(item('resource'), () => fail())],
    };
  },
};

it.each(Object.keys(QUESTIONS))('the questions about %s are as in their file', async (name) => {
  resetHost();
  const cases = QUESTIONS[name]?.() ?? {};
  await expect(await play(cases)).toMatchFileSnapshot(`questions/${name}.txt`);
});
