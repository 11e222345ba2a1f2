import { describe, expect, it, vi } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { codeDepsOf, type ScriptQuestion } from '../../../../src/core/code/codeDeps';
import type { SandboxPort } from '../../../../src/core/code/sandboxPort';
import { withoutPending } from '../../../../src/core/conversation/unanswered';
import { reportTurn } from '../../../../src/core/ledger/turnReport';
import type { ToolRun } from '../../../../src/core/ports';
import type { SearchPort } from '../../../../src/core/search/types';
import type { Settings } from '../../../../src/core/settings/settings';
import { runTurn } from '../../../../src/core/turn/turn';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { useSandbox } from '../../sandbox/builtSandbox';
import {
  type Answer,
  call,
  fails,
  filler,
  makeRequest,
  makeTool,
  makeWorld,
  ok,
  schema,
  scriptHost,
  TestModel,
  TestRunner,
  TestSink,
  text,
} from './world';

const made = useSandbox();
const never = new AbortController().signal;
const READ = { annotations: { readOnlyHint: true } };
const LIST = makeTool('files', 'list', 'Lists files', { ...READ, inputSchema: schema({ path: { type: 'string' } }) });
const TAKES_PATH = { inputSchema: schema({ path: { type: 'string' } }, ['path']) };
const FILE = makeTool('files', 'read', 'Reads a file', { ...READ, ...TAKES_PATH });
const WRITE = makeTool('files', 'write', 'Writes a file', TAKES_PATH);
const BIG = makeTool('logs', 'all', 'Gives the whole log', { ...READ, modelName: 'logs_get-all' });
const ID = { type: 'integer', description: 'Number of the person' };
const FIND = makeTool('people', 'find', 'Finds people', {
  ...READ,
  inputSchema: schema({ name: { type: 'string' } }, ['name']),
  outputSchema: schema({ people: { type: 'array', items: schema({ mail: { type: 'string' }, id: ID }, ['id']) } }, [
    'people',
  ]),
});
const DROP = makeTool('store', 'drop', 'Empties a bucket', { annotations: { destructiveHint: true } });
const KEEP = makeTool('store', 'keep', 'Fills a bucket', { annotations: { destructiveHint: false } });
/** Two tools that scripts would call by one name, since no name in a script begins with a digit. */
const TWINS = [makeTool('shop', 'pay', 'Pays'), makeTool('bank', 'pay', 'Pays')];
/** A tool whose description takes long to write. */
const WIDE = makeTool('wide', 'one', 'Has many arguments', {
  inputSchema: schema(
    Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`argument${at}`, { type: 'string' }])),
  ),
});
/** Tools whose servers don't say whether they only read. */
const NOTES = [
  makeTool('notes', 'list_pages', 'Lists pages'),
  makeTool('notes', 'find_and_replace', 'Replaces a text'),
];
const TITLED = makeTool('titled', 'one', '', { title: 'Only a title' });
const TOOLS = [LIST, FILE, WRITE, BIG, FIND, DROP, KEEP, WIDE, TITLED, ...NOTES, ...TWINS, ...filler('other', 40)];

const run = (code: string, title = 'Reads files') => call('run_code', { code, title });
/** The replies of a model that runs these scripts, one after another. */
const runs = (...codes: readonly string[]) => [...codes.map((code) => [run(code)]), [text('')]];

const KNOWN = new KnownSecrets().with(['planted-secret-1']);

/** Asks a scripted model over tools that return `answers`. */
async function ask(
  replies: ConstructorParameters<typeof TestModel>[0],
  options: {
    readonly settings?: Partial<Settings>;
    readonly answers?: Answer;
    readonly sandbox?: SandboxPort;
    readonly asking?: (tool: Tool) => ScriptQuestion;
    readonly signal?: AbortSignal;
    readonly maxInputTokens?: number;
    /** How long a search takes, in milliseconds. */
    readonly searchMs?: number;
  } = {},
) {
  const model = new TestModel(replies);
  const services = makeWorld(TOOLS);
  const search: SearchPort['search'] = async (request, signal) => {
    const found = await services.search.search(request, signal);
    return { ...found, ms: options.searchMs ?? found.ms };
  };
  const world = { ...services, search: { search } };
  const running = { now: 0, most: 0 };
  const runner = new TestRunner(async (tool, input, signal) => {
    running.most = Math.max(running.most, ++running.now);
    await new Promise((resolve) => setImmediate(resolve));
    const answer = await (options.answers ?? ((_, given) => ok(JSON.stringify({ got: given }))))(tool, input, signal);
    running.now--;
    return answer;
  });
  const host = scriptHost(options.sandbox ?? made.sandbox, KNOWN.redact);
  const base = makeRequest(model, { runner, settings: { delivery: 'auto', ...options.settings } });
  const port =
    options.maxInputTokens === undefined
      ? model
      : Object.assign(model, { info: { ...model.info, maxInputTokens: options.maxInputTokens } });
  const titles: string[] = [];
  const outcome = await runTurn(
    world,
    { ...base, port, code: codeDepsOf(host, 'chat', options.asking ?? (() => 'never')) },
    Object.assign(new TestSink(), { running: (title: string) => void titles.push(title) }),
    options.signal ?? never,
  );
  const { events } = world.ledger;
  const results = outcome.items.flatMap((item) => (item.kind === 'results' ? item.results : []));
  const texts = results.map(({ parts }) =>
    parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n'),
  );
  const ended = events.flatMap((event) => (event.type === 'scriptEnded' ? [event] : []));
  const report = reportTurn(events, outcome.turn, outcome.answer);
  return { model, runner, outcome, events, results, texts, ended, titles, running, report };
}

describe('run_code', () => {
  it('hides a secret that a script assembles from what it was given', async () => {
    for (const end of ['return key', 'console.log(key)', 'throw new Error(key)']) {
      const code = `const key = ["planted", "secret", "1"].join("-"); ${end}`;
      const { texts, ended } = await ask(runs(code));
      expect(texts.join()).toContain('[secret]');
      expect(`${texts} ${JSON.stringify(ended.map(({ output }) => output))}`).not.toContain('planted-secret-1');
    }
  });

  it('describes tools no longer than it may compute', async () => {
    const code = 'try { for (;;) await describe("wide_one") } catch (error) { return error.message }';
    const { texts } = await ask(runs(code), { settings: { scriptSeconds: 1 } });
    expect(texts).toEqual(['The descriptions of this script take too long. Describe fewer tools.']);
  });

  it('searches no longer than it may compute', async () => {
    const code =
      'for (let n = 0; ; n++) try { await search("list files") } catch (error) { return `${n} ${error.message}` }';
    const { texts } = await ask(runs(code), { searchMs: 4_000 });
    expect(texts).toEqual([expect.stringMatching(/^3 The searches of this script take too long/)]);
  });

  it('searches, calls and returns; only the return value reaches the model', async () => {
    const code =
      'const [{ name }] = await search("list files");\nconst { got } = await tools[name]({ path: "a" });\nreturn got.path';
    const { texts, ended, events, runner, report } = await ask(runs(code));
    expect(texts).toEqual(['a']);
    expect(runner.ran).toEqual([{ id: 'files/list', input: { path: 'a' } }]);
    expect(ended).toMatchObject([
      { outcome: 'ok', calls: 1, failed: 0, servers: ['files'], returnedChars: 20, countedChars: 20, outputChars: 1 },
    ]);
    const script = ended[0]?.callId;
    expect(events.find((event) => event.type === 'scriptStarted')).toMatchObject({
      title: 'Reads files',
      code,
      callId: script,
    });
    expect(
      events.filter((event) => event.type === 'called' || event.type === 'searched').map((event) => event.script),
    ).toEqual([script, script]);
    // The model hasn't seen the tools that a script finds.
    expect(events.some((event) => event.type === 'discovered')).toBe(false);
    expect(report?.scripts).toMatchObject([
      {
        title: 'Reads files',
        outcome: 'ok',
        calls: 1,
        failed: 0,
        servers: ['files'],
        returnedTokens: 6,
        outputTokens: 1,
        stayedTokens: 5,
      },
    ]);
  });

  it.each<[string, Partial<Settings>, number, readonly string[]]>([
    ['auto', {}, 0, ['search_tools', 'call_tool', 'run_code']],
    ['local', { delivery: 'local' }, 0, ['search_tools', 'run_code']],
    ['off', { codeMode: 'off' }, 0, ['search_tools', 'describe_tool', 'call_tool']],
    ['a small window', {}, 16_000, ['search_tools', 'describe_tool', 'call_tool']],
    ['a small window, set on', { codeMode: 'on' }, 16_000, ['search_tools', 'call_tool', 'run_code']],
  ])('is offered where it helps: %s', async (_, settings, window, names) => {
    const { model } = await ask([[text('hi')]], {
      settings: { mode: 'on', ...settings },
      ...(window ? { maxInputTokens: window } : {}),
    });
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(names);
  });

  it('is not offered if nothing is deferred, nor if scripts cannot run', async () => {
    const none: SandboxPort = { unavailable: 'no thread', run: () => Promise.reject(new Error('never')) };
    for (const options of [{ settings: { mode: 'off' as const } }, { sandbox: none }]) {
      const { model } = await ask([[text('hi')]], options);
      expect(model.requests[0]?.tools.map((tool) => tool.name)).not.toContain('run_code');
    }
  });

  it('counts as overhead by its definition; its code and answer are history', async () => {
    const tokensOf = (result: Awaited<ReturnType<typeof ask>>) =>
      result.events.flatMap((event) => (event.type === 'roundEnded' ? [event.tokens] : []));
    const settings = { delivery: 'local' } as const;
    const [first, second] = tokensOf(await ask(runs('return "x".repeat(3600)'), { settings }));
    const [off] = tokensOf(await ask([[text('done')]], { settings: { ...settings, codeMode: 'off' } }));
    expect((first?.searchOverhead.value ?? 0) - (off?.searchOverhead.value ?? 0)).toBeGreaterThan(140);
    expect(second?.searchOverhead).toEqual(first?.searchOverhead);
    expect((second?.promptAndHistory.value ?? 0) - (first?.promptAndHistory.value ?? 0)).toBeGreaterThan(900);
  });

  it('shows signatures with hits, and what a call showed of results', async () => {
    const { texts } = await ask([
      [call('search_tools', { queries: ['list files'] })],
      [run('await tools.files_list({ path: "a" }); return 1')],
      [call('search_tools', { queries: ['files_list'] })],
      [text('')],
    ]);
    expect(texts[0]).toMatch(/^files_list\(\{ path\?: string \}\) \/\/ /);
    expect(texts[2]).toContain('=> { got: { path: string } }');
  });

  it('describes a result that only begins like JSON as a text', async () => {
    const code = 'await tools.files_list({}); return (await search("files_list"))[0].signature';
    const { texts } = await ask(runs(code), { answers: () => ok('[draft] not JSON') });
    expect(texts[0]).toContain('=> string');
  });

  it('shows the model up to four images that a tool gave', async () => {
    const image = { type: 'image' as const, mimeType: 'image/png', bytes: 3, data: 'AAAA' };
    const code = `const [{ id }] = await tools.files_list.parts({});
      const shown = [];
      for (const each of [id, id, id, id, id, "image9"]) shown.push(await show(each).then(() => 'shown', (error) => error.message));
      return shown`;
    const { texts, results } = await ask(runs(code), { answers: () => ({ outcome: 'ok', parts: [image] }) });
    expect(results[0]?.parts.filter(({ type }) => type === 'image')).toHaveLength(4);
    expect(texts[0]).toContain('A script shows 4 images at the most.');
    expect(texts[0]).toContain('There is no image “image9”.');
  });

  it('searches with the limit and server that a script gives', async () => {
    const code = 'return await Promise.all([{ limit: 1 }, { server: "files" }].map((how) => search("files", how)))';
    const { texts, events } = await ask(runs(code));
    expect(JSON.parse(texts[0] ?? '').map((found: object[]) => found.length)).toEqual([1, 3]);
    const asked = { callId: expect.any(String), script: expect.any(String), round: 1 };
    expect(events.filter(({ type }) => type === 'searched')).toMatchObject([
      { ...asked, query: 'files', limit: 1 },
      { ...asked, query: 'files', limit: 5, server: 'files' },
    ]);
  });

  it('prefers a server’s output schema to the observed one', async () => {
    const { texts } = await ask([
      [
        run(
          'await tools.people_find({ name: "a" }); return [(await search("people_find"))[0].signature, await describe("people_find"), await describe("people_find#name")]',
        ),
      ],
      [call('search_tools', { queries: ['people_find'] })],
      [text('')],
    ]);
    const returns = '=> { people: { id: number; mail?: string }[] }';
    expect(texts[0]?.split(returns)).toHaveLength(3);
    expect(texts[0]).toMatch(/,"name: string"\]$/);
    expect(texts[1]).toContain(returns);
  });
});

/** Scripts by what is in them, or in their answers. `-u` writes the file of answers again: read what changed. */
const SCRIPTS: { readonly [what: string]: string } = {
  'bad code': 'const a = 1;\nconst b: number = 2;',
  'a type of a member': 'class A { x: string = "a" }',
  'a type of an argument': 'const f = (a, b?: number) => a',
  'a type of a result': 'const f = (a) : string => a',
  'types of a call': 'const m = new Map<string, number>();\nreturn m',
  'a type to be filled in': 'function f<T>(a) { return a }',
  'an interface': 'interface A { x: string }',
  'a cast': 'return x as any',
  'what is not a type': 'await tools.files_read({ path: "a", b: 2 )',
  markup: '<div>hi</div>',
  'a brace that is open': 'const a = 1;\nif (a) {\n  return 2;\n',
  'an unseen sign': 'const\u200bb = 2',
  'await where it cannot stand': 'return ["a"].map((it) => await it)',
  'a tool in two steps': 'await tools.files.list({})',
  'a place that there is not': 'const e = new Error("x"); e.stack = "at a (script:5000:7)"; throw e',
  'an error without words': 'throw new Error()',
  'a long line, about its error': `const a = "${'x'.repeat(300)}"; nope.y; "${'y'.repeat(300)}"`,
  'of a described tool': 'await describe("files_lst")',
  'a call that failed, after one that changed something':
    'await tools.files_write({ path: "a" });\nawait tools.files_write({ path: "b" });\nawait tools.files_read({ path: "c" })',
  undefined: 'return tools.files_list({}).title',
  'a field that the result doesn’t have': 'const it = await tools.files_write({ path: "a" }); return it.title',
  'a field after the promise was awaited': 'const it = tools.files_write({ path: "a" }); return (await it).a.b',
  'a tool without tools': 'await files_list({})',
  'an import of Python': 'import re\nreturn 1',
  'a function of Python': 'def f(path):\n    return path',
  'a loop of Python': 'n = 0\nfor l in "a b":\n    n += 1',
  'a list of Python': 'print([l for l in "ab" if l])',
  'print of Python': 'text = "a"\nprint(text)',
  'a word of Python': 'x = tools.files_list({}, True)',
  'JavaScript beside words of Python': 'const a = "for x in y: None"; b(;',
  'nothing returned after a change': 'const a = await tools.files_write({ path: "a" });',
  'nothing returned after a call that only reads, as its name says': 'const a = await tools.notes_list_pages({});',
  'nothing returned after a call that reads and changes': 'const a = await tools.notes_find_and_replace({});',
  'a promise that it reads': 'const a = tools.files_list({});\nreturn a.entries.length;',
  'a text of such fields': 'const it = await tools.files_write({ path: "a" }); return `${it.title}: ${it.size}`',
  'a field that is missing, and none that it reckons with': `const it = await tools.notes_list_pages({});
       if (it.cursor) throw 1; const more = it['@odata.nextLink'];
       return { it: it.titel, more, next: it.cursor, last: it.end ? 1 : undefined };`,
  'nothing after an error that it caught':
    'const all = []; try { all.push(await tools.files_read({ path: "a" })) } catch {} return all',
  'something after an error that it caught': 'try { await tools.files_read({ path: "a" }) } catch { return 1 }',
  'an error that it logs in other words':
    'try { await tools.files_read({ path: "a" }) } catch { console.log("failed") }',
  'an error that it passes on':
    'try { await tools.files_read({ path: "a" }) } catch (error) { return { error: error.message } }',
  'the word undefined of its own': 'await tools.files_write({ path: "a" }); return "undefined"',
  'the word undefined of a result': 'try { await tools.undefined_x() } catch (error) { console.log(error.message) }',
  'calls in forEach': '["a", "b"].forEach(async (path) => { await tools.files_write({ path }) }); return 1',
  'a call that failed, without words about another':
    'const other = tools.files_write({ path: "a" }); await tools.files_read({ path: "b" })',
  'a hit that it calls': 'const [it] = await search("files_list"); await it({})',
  'a tool of a function': 'await tools("files_list", {})',
  'a tool named as text': 'await tools.call("files_list", {})',
  'one of our tools, without tools': 'await call_tool("a", {})',
  'what it did not await': 'tools.files_read({ path: "a" }); return 1',
  'its own error beside a name in two steps': 'if (tools) throw new Error("no"); await tools.files.list({})',
  'the end of a name': 'return tools.write.text({ path: "a" })',
  'one of ours': 'await tools.search_tools({})',
  'a name with another sign': 'return tools.logs_get_all.text({})',
  'arguments that are none': 'await tools.files_read("a")',
  'arguments that nest too deeply': `let a = 1; for (let n = 0; n < 3000; n++) a = [a];
return tools.store_keep({ a })`,
  'two tools with one name, and one of them by its id':
    'await tools.pay({}).catch((error) => console.log(error.message)); return await tools["bank/pay"]({})',
  'a tool that has a title alone': 'return (await search("titled_one"))[0].description',
  'what servers say that tools change':
    'return Promise.all(["files_list", "files_write", "store_drop", "store_keep"].map(async (name) => (await search(name))[0]?.changes ?? "unknown"))',
};

describe('a script’s answer', () => {
  const fails400 = (tool: Tool) =>
    tool === WRITE || (tool.server !== 'files' && tool.server !== 'logs')
      ? ok('written')
      : { outcome: 'failed' as const, parts: [{ type: 'text' as const, text: 'no such file' }] };

  it('is for each script as its file says', async () => {
    const told: string[] = [];
    for (const [what, code] of Object.entries(SCRIPTS)) {
      const { texts, runner } = await ask(runs(code), { answers: fails400 });
      told.push(`— ${what}\n${code}\n→ ${texts}\nran: ${runner.ran.map(({ id }) => id).join() || 'nothing'}\n`);
    }
    await expect(told.join('\n')).toMatchFileSnapshot('scriptAnswers.txt');
  });

  it('says that its tool answered the same call with an error before', async () => {
    const code = 'return tools.files_read({ path: "a" })';
    const answers = () => ({ ...fails400(FILE), answered: true as const });
    const { texts } = await ask(runs(code, code, code.replace('"a"', '"b"'), 'return 1', code), { answers });
    const advice = '[The same call failed before. Change its arguments, or do without it.]';
    expect(texts.map((it) => it.includes(advice))).toEqual([false, true, false, false, false]);
  });

  it('says which arguments three tools of a script don’t have, once', async () => {
    const [names, note] = [['write', 'read', 'list'], '[Not arguments of this tool: txt. It has: path]'];
    const calls = [...names, ...names].map((name) => `await tools.files_${name}({ path: "a", txt: 1 });`).join('');
    const { texts } = await ask(runs(`${calls} await tools.store_drop({ txt: 1 }); return 1`));
    expect(texts).toEqual([['1', ...names.map((name) => `files_${name}: ${note}`)].join('\n')]);
  });

  it('has what the script returned, however much it logged', async () => {
    const logs = 'for (let i = 0; i < 5000; i++) console.log("line " + i);';
    const { texts } = await ask(runs(`${logs} throw new Error("the reason")`, `${logs} return { answer: 42 }`));
    expect(texts[0]).toMatch(
      /^line 0\nline 1\n[\s\S]*\[Cut: these are the first 19,\d+ of .* kept as "r1"[^\n]*\]\nline 1, column \d+: Error: the reason\./,
    );
    expect(texts[1]).toMatch(/kept as "r2"[^\n]*\]\n\{"answer":42\}$/);
    expect(texts.every((it) => it.length < 20_200)).toBe(true);
  });

  const KEPT = 'Kept results: r1. await results.get("r1") reads one.';
  const SLICE = 'Write (await results.get("r1")).slice(…).';
  it.each([
    ['return r1.length', `Variables of earlier scripts are gone. ${KEPT}\n`],
    ['return JSON.parse(await results.get("r1")).value.length', 'JSON.parse of all of it => { id: number }[].\n'],
    ['return JSON.parse(\'[{"id":0},{"id"\')', ` ${KEPT}\n`],
    ['return results.get("r1").length.a', 'Not awaited: results.get. Write (await results.get("r1")).length.'],
    ['return (results.get("r1")).slice(0, 9)', `Not awaited: results.get. ${SLICE}`],
    ['return (results.get("r1").slice(0, 9))', `Not awaited: results.get. ${SLICE}`],
    ['return await results.get("r1").slice(0, 9)', `Not awaited: results.get. ${SLICE}`],
    ['return results.r1.slice(0, 9)', ` ${SLICE}\n`],
    ['return results["r1"]', 'The script returned undefined. Write await results.get("r1").'],
    ['return (await results("r1")).slice(0, 9)', ` ${SLICE}\n`],
    ['return await tools.results.get("r1")', 'not a function. Write await results.get("r1").\n'],
    ['return (await results.get("R1") + await results.get({ id: "r1" }) + await results.get(1)).length', '243003'],
    ['return await results.get("r2")', 'Error: Nothing is kept as "r2"; there is r1.\n>'],
  ])('says how to read a kept result: %s', async (code, words) =>
    expect((await ask(runs('return Array(9000).fill({ id: 0 })', code))).texts[1]).toContain(words),
  );

  it.each([
    ['.items', 'await tools.files_read({}): it is a list.'],
    ['[0]', '(await tools.files_read({}))[…].'],
  ])('says that a result has no fields, but is a list: %s', async (read, words) => {
    const code = `await tools.files_read({}); return await tools.files_read({})${read}`;
    const { texts } = await ask(runs(code), { answers: () => ok('[{"id":1}]') });
    expect(texts[0]).toContain(`Not awaited: files_read. Write ${words}`);
  });

  it('names globals that a script has', async () => {
    const { texts } = await ask(runs('fetch("a")'));
    const [, names = ''] = /a script has (.*) and btoa\./.exec(texts[0] ?? '') ?? [];
    const types = names.split(', ').map((name) => `typeof ${name}`);
    expect((await ask(runs(`return [${types.join()}].includes("undefined")`))).texts).toEqual(['false']);
  });

  it('searches names like a wrong one once for twenty errors', async () => {
    const wrong = (names: number, times: number) =>
      `const all = await Promise.allSettled(Array.from({ length: ${times} }, (_, i) => tools["files_lst" + (i % ${names})]({})));
return all.filter((it) => it.reason.message.includes("Nearest:")).length`;
    const { texts } = await ask(runs(wrong(1, 50), wrong(50, 50)));
    expect(texts.map((it) => it.split('\n')[0])).toEqual(['50', '20']);
  });

  it('names the line that failed; the title shows while it runs', async () => {
    const failed = await ask([
      [run('const a = 1;\nthrow new Error("no")', 'Adds up')],
      [run('return 1', 'Ends')],
      [text('')],
    ]);
    expect(failed.texts[0]).toMatch(/^line 2, column \d+: Error: no/);
    expect(failed.ended.map(({ line }) => line)).toEqual([2, undefined]);
    expect(failed.titles).toEqual(['Adds up', 'Ends']);
  });

  it('takes code out of a fence', async () => expect((await ask(runs('```js\nreturn 7\n```'))).texts).toEqual(['7']));

  it('names what had run; a call that never began counts for nothing', async () => {
    const settings = { callsPerScript: 20 };
    const { texts, ended, runner } = await ask(
      runs('await Promise.all(Array.from({ length: 30 }, (_, i) => tools.files_write({ path: String(i) })))'),
      {
        settings,
        asking: () => 'oneByOne',
        // The call ends with its script, which may have been stopped before the call began.
        answers: (_, __, signal = never) =>
          new Promise((resolve) => {
            const end = () => resolve(ok(''));
            if (signal.aborted) end();
            else signal.addEventListener('abort', end);
          }),
      },
    );
    expect(texts[0]).toContain('Stopped: more than 20 calls');
    expect(runner.ran).toHaveLength(1);
    expect(ended[0]?.calls).toBe(1);
  });

  it('says that nothing ran if cancelled before its first call', async () => {
    const abort = new AbortController();
    const sandbox: SandboxPort = {
      unavailable: undefined,
      run: async () => {
        abort.abort();
        return { kind: 'stopped', reason: 'cancelled', logs: [], unawaited: [], computeMs: 12.345 };
      },
    };
    const { results, ended } = await ask([[run('return 1')]], { sandbox, signal: abort.signal });
    expect(results).toMatchObject([{ outcome: 'cancelled', notRun: true }]);
    expect(ended).toMatchObject([{ outcome: 'cancelled', calls: 0, computeMs: 12.3 }]);
  });
});

describe('calls of a script', () => {
  it('run side by side, 8 at the most', async () => {
    const script =
      'return (await Promise.all(Array.from({ length: 30 }, (_, i) => tools.files_list({ path: String(i) })))).length';
    let begun = 0;
    let eightRun = () => {};
    const eight = new Promise<void>((resolve) => {
      eightRun = resolve;
    });
    const answers = async () => {
      if (++begun === 8) eightRun();
      await eight;
      return ok('{}');
    };
    const { running, texts } = await ask(runs(script), { answers });
    expect(texts[0]).toBe('30');
    expect(running.most).toBe(8);
  });

  it('that run alone keep their order, whatever their checks take', async () => {
    vi.spyOn(TestRunner.prototype, 'checkArguments').mockImplementationOnce(() =>
      new Promise((resolve) => setImmediate(resolve)).then(() => []),
    );
    const made = 'tools.store_keep(), tools.store_drop(), tools.store_keep()';
    const { runner } = await ask(runs(`return Promise.all([${made}])`), { settings: { sequentialTools: ['store/*'] } });
    expect(runner.ran.map(({ id }) => id)).toEqual(['store/keep', 'store/drop', 'store/keep']);
  });

  it('wait in one queue; a skipped tool is not asked about again', async () => {
    let asked = 0;
    const { running, texts, ended, events } = await ask(
      runs(
        'const done = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => tools.files_write({ path: String(i) })));\nreturn done.map((d) => d.reason?.outcome ?? "ok").join()',
      ),
      {
        asking: (tool) => (tool === WRITE ? 'oneByOne' : 'never'),
        answers: () =>
          ++asked < 3 ? ok('written') : { outcome: 'refused', parts: [{ type: 'text', text: 'skipped' }] },
      },
    );
    expect(running.most).toBe(1);
    expect(asked).toBe(3);
    expect(texts[0]).toMatch(
      /^ok,ok(,refused){10}\nHad failed: files_write: skipped\nThese calls ran, .*: files_write ×2\.$/,
    );
    expect(ended).toMatchObject([{ calls: 12, failed: 10 }]);
    expect(events.filter((event) => event.type === 'called')).toHaveLength(12);
  });

  it('end with the turn: after a cancel, nothing runs on', async () => {
    const abort = new AbortController();
    const { outcome, ended, events } = await ask(
      runs('await tools.files_list({}); await tools.files_write({ path: "a" })'),
      {
        signal: abort.signal,
        answers: () => {
          abort.abort();
          return { outcome: 'cancelled', parts: [{ type: 'text', text: 'Stopped.' }] };
        },
      },
    );
    expect(outcome.status).toBe('cancelled');
    expect(ended).toMatchObject([{ outcome: 'cancelled', calls: 1 }]);
    expect(events.flatMap((event) => (event.type === 'called' ? [event.tool] : []))).toEqual(['files/list']);
    // The repeated question shows the model the calls that had run.
    const [asked] = outcome.items;
    const again = withoutPending([...outcome.items, { kind: 'user', text: asked?.kind === 'user' ? asked.text : '' }]);
    expect(again.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'results']);
  });

  it('hold to who may call', async () => {
    const settings = { allowedCallers: { 'files/write': 'direct' as const, 'logs/*': 'code' as const } };
    const { texts, model } = await ask(
      [
        [run('await tools.files_write({ path: "a" }).catch(() => 0); await tools.files_write({ path: "b" })')],
        [run('return (await search("files_write")).map((t) => t.name).includes("files_write")')],
        [call('search_tools', { queries: ['logs_get-all'] })],
        [call('logs_get-all', {})],
        [run('return (await tools["logs_get-all"]({})).got')],
        [text('')],
      ],
      { settings },
    );
    expect(texts[0]).toContain('files_write can only be called directly (toolsearch.allowedCallers).');
    expect(texts[1]).toBe('false');
    expect(texts[2]).toContain('logs_get_all(');
    expect(texts[3]).toContain(
      'logs_get-all can only be called from a script (toolsearch.allowedCallers). Use run_code: await tools.logs_get_all({ … }).',
    );
    expect(texts[4]).toBe('{}');
    for (const request of model.requests) expect(request.tools.map((tool) => tool.name)).not.toContain('logs_get-all');
  });
});

it.each<[string, ToolRun, string]>([
  [
    'of structured content',
    { outcome: 'ok', parts: [{ type: 'text', text: 'words' }], structured: { a: 1 } },
    '[{"a":1},"{\\"a\\":1}"]',
  ],
  ['of a text that is JSON', ok('{"a":1}'), '[{"a":1},"{\\"a\\":1}"]'],
  ['of a text that only begins like it', ok('[INFO] a'), '["[INFO] a","[INFO] a"]'],
  ['of a number', ok('42'), '["42","42"]'],
])('a value %s, and its text', async (_, result, value) => {
  const { texts } = await ask(runs('return [await tools.files_list({}), await tools.files_list.text({})]'), {
    answers: () => result,
  });
  expect(texts[0]).toBe(value);
});

describe('results that are cut', () => {
  const big = 'x'.repeat(250_000);
  const answers = () => ok(big);

  it('are kept whole for a later script, with a script’s answer', async () => {
    const { texts } = await ask(
      [
        [call('files_list', {})],
        [run('return (await results.get("r1")).length')],
        [run('return "y".repeat(30_000)')],
        [run('return [(await results.get("r2")).length, await results.list()]')],
        [call('files_read', { path: 'r1' })],
        [call('search_tools', { queries: ['r1', 'select:r2'] })],
        [text('')],
      ],
      { answers: (tool) => (tool === FILE ? { ...fails('no such file'), answered: true } : answers()) },
    );
    expect(texts[0]).toMatch(
      /^x{20000}\n\[Cut: these are the first 20,000 of 250,000 characters\. All of it is kept as "r1"\. run_code reads on: return \(await results\.get\("r1"\)\)\.slice\(20000, 40000\)\]$/,
    );
    expect(texts[1]).toBe('250000');
    expect(texts[2]).toContain('first 20,000 of 30,000 characters. All of it is kept as "r2"');
    expect(JSON.parse(texts[3] ?? '')).toEqual([
      30_000,
      [
        { id: 'r1', of: 'files/list', characters: 250_000 },
        { id: 'r2', of: 'Reads files', characters: 30_000 },
      ],
    ]);
    const how = 'run_code reads what was kept: return await results.get("r1")';
    expect(texts[4]).toBe(`no such file\n[${how}]`);
    expect(texts[5]).toBe(`"r1": nothing. ${how}\n"select:r2": nothing. ${how.replace('r1', 'r2')}`);
  });

  it('say how to ask for less if there are no scripts', async () => {
    const { texts } = await ask([[call('files_list', {})], [text('')]], { answers, settings: { codeMode: 'off' } });
    expect(texts[0]).toMatch(/Ask the tool for less, a page or a part, to see the rest\.\]$/);
  });
});

it('what stayed counts each different call once, and may be negative', async () => {
  const answers = (_: Tool, input: { readonly [name: string]: unknown }) => ok('x'.repeat(Number(input.path ?? 0)));
  const code = (sizes: readonly number[]) =>
    `for (const size of ${JSON.stringify(sizes)}) await tools.files_list({ path: String(size) }); return "y".repeat(720)`;
  const { ended, report } = await ask(runs(code([150_000, 150_000, 360]), code([]), code([10, 20, 30, 40])), {
    answers,
    settings: { toolCallsPerTurn: 3 },
  });
  expect(ended.map(({ returnedChars, countedChars }) => [returnedChars, countedChars])).toEqual([
    [300_360, 100_360],
    [0, 0],
    [100, 60],
  ]);
  expect(report?.scripts.map((script) => script.stayedTokens)).toEqual([27_878 - 200, -200, 17 - 200]);
  // The balance contains none of these tokens.
  expect(report && report.baselineTokens - report.sentTokens).toBe(report?.netSavedTokens);
});
