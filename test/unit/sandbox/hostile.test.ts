import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { SandboxEnd, ScriptAnswer } from '../../../src/core/code/sandboxPort';
import { Sandbox } from '../../../src/sandbox/sandbox';
import { useSandbox } from './builtSandbox';
import HOSTILE from './hostileScripts.json';

const made = useSandbox();
const LIMITS = { computeMs: 10_000, calls: 50 };

interface Heard {
  readonly end: SandboxEnd;
  readonly asked: number;
}

/** Runs a script whose tool `echo` returns its arguments, `fail` fails and `never` doesn't answer. */
async function run(code: string, signal = new AbortController().signal, computeMs = LIMITS.computeMs): Promise<Heard> {
  let asked = 0;
  const end = await made.sandbox.run(
    code,
    { ...LIMITS, computeMs },
    async (request): Promise<ScriptAnswer> => {
      asked++;
      if (request.op !== 'call') return { kind: 'json', text: JSON.stringify(request) };
      if (request.name === 'never') return new Promise(() => {});
      if (request.name === 'fail') return { kind: 'error', message: 'it failed', tool: 'fail', outcome: 'failed' };
      return { kind: 'json', text: JSON.stringify(request.args ?? null) };
    },
    signal,
  );
  expect(end.computeMs).toEqual(expect.any(Number));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  return { end, asked };
}

/** Runs a script whose requests get one answer. */
function runWith(answer: ScriptAnswer, code: string, sandbox = made.sandbox): Promise<SandboxEnd> {
  return sandbox.run(code, LIMITS, async () => answer, new AbortController().signal);
}

/** The value that a script returns. */
async function returnOf(code: string): Promise<unknown> {
  const { end } = await run(code);
  if (end.kind !== 'returned') throw new Error(JSON.stringify(end));
  return end.value.type === 'nothing'
    ? undefined
    : end.value.type === 'text'
      ? end.value.text
      : JSON.parse(end.value.text);
}

describe('a script', () => {
  it.each([
    ['one expression', '1 + 1', 2],
    ['a function, which is called', 'async () => (await tools.echo({ a: 3 })).a', 3],
    ['a script whose last value counts', 'const { a } = await tools.echo({ a: 4 });\na * 2', 8],
    ['a body with return', 'const x = 5;\nreturn x;', 5],
    ['text as it is', 'return "a\\nb"', 'a\nb'],
    ['what JSON would lose', 'return { m: new Map([[1, 2n]]), s: new Set(["x"]) }', { m: [[1, '2']], s: ['x'] }],
    [
      'what JSON would lose without a word',
      'return { n: 0 / 0, i: [-1 / 0], k: new Map([["a", 1]]).keys(), r: /a+/g, b: new Uint8Array([1, 2]), e: new RangeError("x") }',
      { n: 'NaN', i: ['-Infinity'], k: ['a'], r: '/a+/g', b: [1, 2], e: 'RangeError: x' },
    ],
    ['a symbol', 'return Symbol("x")', 'Symbol(x)'],
    ['a function of a function', 'return () => () => 1', '[a function]'],
    ['nothing', 'const x = 1;', undefined],
    ['a function called at the end', 'async function main() { return (await tools.echo({ a: 6 })).a }\nmain();', 6],
    ['a function that calls itself', 'const a = 7;\n(async () => (await tools.echo({ a })).a)();', 7],
    ['a promise within a value, named so', 'return { a: tools.echo({}), b: 2 }', { a: '[a promise: await it]', b: 2 }],
    ['a name that is no identifier', 'return tools["a-b"]({ c: 1 })', { c: 1 }],
    ['parallel calls', 'return Promise.all([1, 2, 3].map((n) => tools.echo({ n })))', [{ n: 1 }, { n: 2 }, { n: 3 }]],
    [
      'a caught ToolError',
      'try { await tools.fail() } catch (e) { return [e instanceof ToolError, e.tool, e.outcome, e.message] }',
      [true, 'fail', 'failed', 'it failed'],
    ],
    [
      'numbers that JSON has not',
      'const r = [await search("x", { limit: Infinity }), await search("x", { limit: NaN, server: null }), await search("x", null)]; await sleep(NaN); return r.map((it) => it.limit)',
      [1e9, 0, null],
    ],
    [
      'dates and numbers of a place',
      'const d = new Date("2026-03-26T10:00Z"); const to = { timeZone: "Asia/Tokyo" }; let no; try { d.toLocaleString("en", { timeZone: "Mars" }) } catch (e) { no = e.name } return [d.toLocaleString("en-GB", to), d.toLocaleDateString("de-DE"), d.toLocaleTimeString("en-GB"), new Intl.DateTimeFormat("fr-FR", to).format(d), (1234.5).toLocaleString("de-DE"), Intl.NumberFormat().format(NaN), new Date(NaN).toLocaleString(), no]',
      ['26/03/2026, 19:00:00', '26.3.2026', '10:00:00', '26/03/2026', '1.234,5', 'NaN', 'Invalid Date', 'RangeError'],
    ],
    ['a sleep', 'await sleep(5); return "slept"', 'slept'],
    [
      'a timer',
      'let n = 0; setTimeout(() => n++, 1); const t = setTimeout(() => n += 10, 1); clearTimeout(t); await sleep(30); return n',
      1,
    ],
  ])('%s', async (_, code, value) => expect(await returnOf(code)).toEqual(value));

  it('logs in order, and keeps what it logged when it fails', async () => {
    const { end } = await run('console.log("a", { b: 1 }); console.error(null, undefined); throw new Error("end")');
    expect(end).toMatchObject({ kind: 'threw', logs: ['a {"b":1}', 'null undefined'], message: 'end' });
  });

  it('that logs without end sends few messages, and all it may', async () => {
    const { end } = await run('for (let i = 0; i < 50_000; i++) console.log("line " + i); throw 1');
    expect(end.logs.length).toBeLessThan(400);
    expect(end.logs.join('\n').split('\n').slice(0, 50_000)).toEqual(
      Array.from({ length: 50_000 }, (_, i) => `line ${i}`),
    );
  });

  it('says what of its logged lines is not kept', async () => {
    const { end } = await run('for (let i = 0; i < 30; i++) console.log("x".repeat(100_000)); return 1');
    expect(end.logs).toHaveLength(21);
    expect(end.logs.at(-1)).toBe('[Logged more than 2,000,000 characters: the rest is not kept.]');
    const long = await run('console.log("x".repeat(3_000_000))');
    expect(long.end.logs[0]).toMatch(/^x+… \[the first 1900000 of 3000000 characters\]$/);
  });

  it.each([
    ['null', 'throw null', 'The script threw null'],
    ['an object', 'throw { a: 1 }', 'The script threw {"a":1}'],
    ['nothing', 'throw undefined', 'The script threw undefined'],
  ])('says what it threw: %s', async (_, code, message) => {
    expect((await run(code)).end).toMatchObject({ kind: 'threw', name: '', message });
  });

  it.each([
    ['a type', 'const a = 1;\nconst x: number = 1;\nreturn x', 'SyntaxError', 2],
    ['a value that is missing', 'const a = {};\n\nreturn a.items.length;', 'TypeError', 3],
    ['a call that failed, at its call', 'const a = 1;\nawait tools.echo({});\nawait tools.fail({});', 'ToolError', 3],
    ['in a callback', 'return [1].map((x) =>\n  x.y.z)', 'TypeError', 2],
    ['what there is not', '\nfetch("https://example.com")', 'ReferenceError', 2],
    ['a brace too many', 'if (true) {}}\nreturn 1', 'SyntaxError', 1],
    ['a promise as an argument', 'const a = 1;\nawait tools.echo({ a: tools.echo({}) })', 'TypeError', 2],
    ['a search for an object', '\nawait search({ query: "x" })', 'TypeError', 2],
  ])('says where it fails: %s', async (_, code, name, line) => {
    expect((await run(code)).end).toMatchObject({ kind: 'threw', name, place: { line } });
  });

  it.each([
    ['a condition', 'return tools.echo({}) ? 1 : 2', ['echo'], []],
    ['a template', 'const t = `${tools.echo({})}`; return t + t', ['echo'], []],
    ['a sum', 'return "a" + tools.echo({}) + tools.echo.text({})', ['echo', 'echo'], []],
    ['forEach', '[1, 2].forEach((n) => tools.echo({ n })); return 1', ['echo', 'echo'], []],
    ['an asynchronous forEach', '[1].forEach(async (n) => { await tools.echo({ n }) }); return 1', [], ['echo']],
    ['JSON', 'return JSON.stringify(tools.echo({}))', ['echo'], []],
    ['an object', 'return { a: tools.echo({}) }', ['echo'], []],
    ['its length', 'return search("x").length', ['search'], []],
    ['an error', 'return JSON.parse(describe("x"))', ['describe'], []],
    ['nothing: it is returned', 'return tools.echo({})', [], []],
    ['nothing: it is the last value', 'const a = tools.echo({}); a', [], []],
    ['nothing: a function returns it', 'const f = async () => tools.echo({}); return [await f()]', [], []],
    ['nothing: Promise.all', 'return Promise.all([1, 2].map((n) => tools.echo({ n })))', [], []],
    ['nothing: allSettled', 'await Promise.allSettled([tools.echo({}), tools.fail({})]); return 1', [], []],
    ['nothing: race', 'return Promise.race([tools.echo({})])', [], []],
    ['nothing: then', 'let a; await tools.echo({ b: 1 }).then((it) => { a = it }); return a', [], []],
    ['nothing: catch', 'return tools.fail({}).catch(() => 1)', [], []],
    ['nothing: a promise of its own', 'return new Promise((go) => go(tools.echo({})))', [], []],
    ['nothing: it waits in a timer', 'setTimeout(() => {}, 1); await sleep(5); return 1', [], []],
  ])('names the calls that it doesn’t wait for: %s', async (_, code, unheard, open) => {
    const { faults } = (await run(code)).end;
    const names = (counts = {}) => Object.entries(counts).flatMap(([name, n]) => Array(Number(n)).fill(name));
    expect([names(faults?.unheard), names(faults?.open)]).toEqual([unheard, open]);
  });

  it.each([
    ['a field', 'const r = {}; return { a: r.a, b: { c: r.c } }', { a: 1, c: 1 }],
    ['a field of every item', 'return [{ n: 1 }, { n: 2 }].map((it) => ({ n: it.n, t: it.t }))', { t: 2 }],
    ['every item', 'return [1, 2].map((it) => it.t)', { 'every item': 1 }],
    ['every item of a field', 'return { b: [1].map((it) => it.t) }', { 'every item of b': 1 }],
    ['a field of a logged value', 'console.log({ c: {}.c })', { c: 1 }],
    ['not what some have', 'return [{ a: 1 }, { a: undefined }, { b: [1, undefined] }]', {}],
    ['8 at the most', 'return Object.fromEntries([..."abcdefghij"].map((c) => [c, undefined]))', 8],
  ])('names what is undefined in its result: %s', async (_, code, missing) => {
    const { faults } = (await run(code)).end;
    const found = faults?.missing ?? {};
    expect(typeof missing === 'number' ? Object.keys(found).length : found).toEqual(missing);
  });

  const LATE = 'queueMicrotask(() => { throw new Error("late") }); await sleep(1); return 1';
  const ANY = 'await Promise.any([tools.fail({}), Promise.reject("no")])';
  it.each([
    ['waits for calls, names failures', 'tools.fail({}); return 1', { kind: 'returned', unawaited: ['it failed'] }],
    ['goes on after a microtask that throws', LATE, { kind: 'returned', unawaited: ['Error: late'] }],
    ['says what any failed with', ANY, { kind: 'threw', name: 'AggregateError', message: 'ToolError: it failed · no' }],
    ['ends at once if it waits for nothing', 'await new Promise(() => {})', { kind: 'stopped', reason: 'stuck' }],
  ])('%s', async (_, code, end) => expect((await run(code)).end).toMatchObject(end));

  it('names 20 errors that it didn’t await, and says more happened', async () => {
    const { end } = await run('for (let i = 0; i < 25; i++) Promise.reject(new Error(String(i))); return 1');
    expect(end.unawaited).toHaveLength(21);
    expect(end.unawaited.at(-1)).toBe('and others');
    const { end: late } = await run(
      'const all = Array.from({ length: 25 }, () => tools.fail({})); await sleep(1); await Promise.allSettled(all); return 1',
    );
    expect(late.unawaited).toEqual([]);
  });

  it('that throws words of the engine has run into nothing of them', async () => {
    for (const words of ['the server is out of memory', 'memory access out of bounds'])
      expect((await run(`throw new Error("${words}")`)).end).toMatchObject({ kind: 'threw', message: words });
    expect((await run('throw Object.assign(new Error("x"), { name: "RuntimeError" })')).end).toMatchObject({
      kind: 'threw',
      message: 'x',
    });
  });

  it('says what to do about a result that is nested too deeply', async () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(await runWith({ kind: 'either', text }, 'await tools.deep({})')).toMatchObject({
      kind: 'threw',
      name: 'RangeError',
      message: expect.stringContaining('tools.NAME.text(args)'),
    });
  });

  it('gets a result of 5 MB, as a value and as text', async () => {
    const big = JSON.stringify({ rows: Array.from({ length: 50_000 }, (_, id) => ({ id, text: 'x'.repeat(80) })) });
    const code = 'const r = await tools.big({}); return typeof r === "string" ? r.length : r.rows.length';
    for (const kind of ['json', 'text'] as const) {
      const end = await runWith({ kind, text: big }, code);
      expect(end).toMatchObject({ kind: 'returned', value: { text: kind === 'text' ? String(big.length) : '50000' } });
    }
  });

  it('gets an error for a result that is too long', async () => {
    const end = await runWith({ kind: 'text', text: 'x'.repeat(8_000_001) }, 'await tools.big({})');
    expect(end).toMatchObject({ kind: 'threw', message: expect.stringContaining('8,000,001 characters') });
  });
});

describe('a hostile script', () => {
  // They end for a reason, or with the error that the model gets. They run side by side, since some are only ended by
  // their time limit.
  it.concurrent.each(HOSTILE as [code: string, outcome: string][])('%s: %s', async (code, outcome) => {
    // A script that must be stopped gets little time. Others get more than a busy machine needs.
    const { end, asked } = await run(code, undefined, outcome.startsWith('time') ? 100 : undefined);
    const came = end.kind === 'stopped' ? end.reason : end.kind === 'threw' ? end.name : 'value';
    expect(outcome.split('|')).toContain(came);
    expect(asked).toBeLessThanOrEqual(1_000 + LIMITS.calls);
    if (code.includes('getOwnPropertyNames')) expect(end).toMatchObject({ value: { text: '[]' } });
    else if (outcome === 'value') expect(end).toMatchObject({ value: { text: '1' } });
  });

  it('leaves nothing behind for the next one', async () => {
    await run('globalThis.left = 1; Array.prototype.map = null; return 1');
    expect(await returnOf('return [typeof left, typeof [].map]')).toEqual(['undefined', 'function']);
  });

  it('never holds the host: a 5 ms timer keeps running', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await Promise.all([
      run('for (;;);', undefined, 300),
      run('for (;;) console.log("x".repeat(1000))', undefined, 300),
      run('for (let i = 0; i < 1e9; i++) tools.echo({ i })'),
    ]);
    clearInterval(timer);
    // A host that is held ticks between the scripts alone.
    expect(ticks).toBeGreaterThan(5);
  });

  it('ends with the turn that is cancelled, in calls and loops', async () => {
    for (const code of ['await tools.never({})', 'for (;;);']) {
      const abort = new AbortController();
      const ended = run(code, abort.signal);
      setTimeout(() => abort.abort(), 150);
      expect((await ended).end).toMatchObject({ kind: 'stopped', reason: 'cancelled' });
    }
  });

  it('ends when it is cancelled while the engine is loaded', async () => {
    const abort = new AbortController();
    const fresh = new Sandbox(made, () => {});
    const ended = fresh.run('await tools.never({})', LIMITS, () => new Promise(() => {}), abort.signal);
    // The file of the engine is being read by then.
    for (let ticks = 0; ticks < 5; ticks++) await null;
    abort.abort();
    expect(await ended).toMatchObject({ kind: 'stopped', reason: 'cancelled' });
  });

  it('runs four scripts at once; cancelled ones leave the queue', async () => {
    const abort = new AbortController();
    const holding = [1, 2, 3, 4].map(() => run('await tools.never({})', abort.signal));
    const leaving = new AbortController();
    const inLine = [1, 2, 3, 4].map(() => run('return 1', leaving.signal));
    const next = run('return 2');
    leaving.abort();
    for (const { end } of await Promise.all(inLine))
      expect(end).toMatchObject({ kind: 'stopped', reason: 'cancelled' });
    abort.abort();
    await Promise.all(holding);
    expect((await next).end).toMatchObject({ kind: 'returned' });
  });

  it('ends a script cancelled before it came, with no place free', async () => {
    const abort = new AbortController();
    const holding = [1, 2, 3, 4].map(() => run('await tools.never({})', abort.signal));
    expect((await run('return 1', AbortSignal.abort())).end).toMatchObject({ kind: 'stopped', reason: 'cancelled' });
    abort.abort();
    await Promise.all(holding);
  });
});

describe('a sandbox that cannot start', () => {
  it('says so at once if a file is missing', async () => {
    const log: string[] = [];
    const broken = new Sandbox({ worker: '/nowhere/worker.cjs', engine: made.engine }, (message) => log.push(message));
    expect(broken.unavailable).toContain('is missing');
    expect(log).toEqual([expect.stringContaining("run_code isn't offered")]);
    expect(await runWith({ kind: 'json', text: '1' }, '1', broken)).toMatchObject({ reason: 'lost' });
  });

  it('is not offered any more when the engine proves broken', async () => {
    const log: string[] = [];
    const broken = new Sandbox({ worker: made.worker, engine: made.worker }, (message) => log.push(message));
    expect(broken.unavailable).toBeUndefined();
    await runWith({ kind: 'json', text: '1' }, '1', broken);
    expect(broken.unavailable).toBeDefined();
    expect(log).toHaveLength(1);
  });
});

it('a script sleeps for a minute in all', async () => {
  const code = `
    for (let i = 0; i < 6; i++) void sleep(10000);
    try { await sleep(1); return 'slept'; } catch (error) { return error.message; }`;
  expect(await returnOf(code)).toContain('60 in all');
});
