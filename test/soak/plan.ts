import type { Settings } from '../../src/core/settings/settings';
import { FAULTS } from '../standin/faults.mjs';
import type { Chance } from './chance';

/**
 * The origin of a question: a user of `@toolsearch`, an agent of VS Code, a client of the MCP endpoint, or another
 * agent with one of our models.
 */
export type Asker = 'user' | 'agent' | 'client' | 'relay';

/**
 * What the user does before a turn, some of it by a command in the chat. `retry` asks the last question again without its
 * answer, `lose` is VS Code losing that answer, `switch` goes to another chat and back, `set` chooses a set of tools or all.
 */
export type Step =
  | ('reload' | 'newChat' | 'newKey' | 'acceptChanged' | 'restart' | 'swap' | 'rejoin' | 'pin')
  | ('retry' | 'lose' | 'switch' | 'set' | `/${string}`);

/** Maximum number of runs, by tool id. */
export type Counts = ReadonlyMap<string, number>;

/** One turn as it is drawn before it begins. It doesn't depend on the course of earlier turns. */
export interface Plan {
  readonly asker: Asker;
  /** The client of the endpoint that calls, if it is one. */
  readonly client: 'one' | 'two';
  /** The question to a model, and the command with which it is asked. */
  readonly prompt: string;
  readonly command?: 'eager' | 'deferred' | 'notools';
  /** Whether a chat's question is asked after something was done and undone, or before. */
  readonly course?: 'before' | 'undone';
  /** The call of an agent or a client. */
  readonly call: {
    readonly tool: 'search_tools' | 'describe_tool' | 'call_tool' | 'run_code';
    readonly input: unknown;
  };
  /** Calls that one run of its script, or one call, may make. */
  readonly inScript: Counts;
  /** The index of the model that answers. */
  readonly model: number;
  readonly settings: Partial<Settings>;
  /** The chat of a user's question. */
  readonly chat: string;
  /** The fault of the service, if it has one. */
  readonly fault: string | undefined;
  /** When the user cancels: after some milliseconds or at the first call, or after some events; undefined for never. */
  readonly cancel: { readonly afterMs: number; readonly orAt?: 'call' } | { readonly afterEvents: number } | undefined;
  /** The user's answer to a server's question; `silent`: none, until the question is withdrawn. */
  readonly answers: 'accept' | 'decline' | 'cancel' | 'silent';
  readonly consents: boolean;
  readonly before: readonly Step[];
  /** A tool that the user hides as soon as a call begins. */
  readonly hides?: string | undefined;
  /** Texts that the results have to contain, if the answer is known. */
  readonly tells?: readonly string[];
  /** A second question in another chat, at the same time. */
  readonly beside?: Plan;
}

/** Words that the stand-ins' models turn into a call. Calls that go wrong are drawn less often. */
const GOOD_CALLS = [
  'echo text=hello',
  'add a=2 b=40',
  'write_note text=x',
  'structured',
  'picture',
  'linked',
  'progress ms=1',
  'elicit',
];
const BAD_CALLS = ['die', 'hang', 'garbage', 'nonsense', 'megabytes', 'change', 'refuse', 'own_code', 'drop'];
/** Faults that never end by themselves. They are drawn only if the user cancels. */
const WAITING_FAULTS = ['stall', 'wait'];
/** Faults of a service that lacks features of its models. */
const REFUSALS = ['notoolsearch', 'nocode', 'noreturns', 'nochanges', 'nobinding'];

interface Script {
  readonly code: string;
  /** The number of calls of each tool of the first server (`a/echo`), the second or the one over HTTP. */
  readonly calls: { readonly [tool: string]: number };
}

/** A script or words for one server whose answer is known: calls, answers or questions to the user that differ. */
interface Known
  extends Script,
    Partial<Pick<Plan, 'asker' | 'tells' | 'chat' | 'cancel' | 'hides' | 'client' | 'before' | 'command' | 'course'>> {
  /** Faults of the service. */
  readonly faults?: readonly string[];
  readonly settings?: Partial<Settings>;
}

/** What a known answer has in addition. */
type More = Omit<Partial<Known>, 'calls' | 'code' | 'tells'>;

const HANG = 'a/hang |  | run: return tools.A_hang()';
const HANGS = { settings: { toolTimeouts: { '*/hang': 30 } }, cancel: { afterMs: 10_000, orAt: 'call' } } as const;
const BY_CLIENTS = [
  { client: 'one', asker: 'client' },
  { client: 'two', asker: 'client' },
] as const;

/** The calls, the texts that the results have to contain, and what is asked: in turns, in which nothing goes wrong. */
const KNOWN_LINES: { readonly [line: string]: More | readonly More[] } = {
  'a/add*9 | each its own | run: const all = await Promise.all(Array.from({ length: 9 }, (_, i) => tools.A_add.text({ a: i, b: 1 }))); return all.every((text, i) => text.includes(`${i} + 1 =`)) && "each its own"':
    {},
  // The connection breaks after the server got the call.
  'c/echo*2 c/drop | works again | run: await tools.C_echo({ text: "1" }); await tools.C_drop().catch(() => {}); return tools.C_echo.text({ text: "works again" })':
    {},
  // The user lets the first client go on. The second one is asked about the same tools.
  'a/write_note*3 a/add | noted 1; 1 + 1 = 2 | run: const all = await Promise.all([1, 2, 3].map((n) => tools.A_write_note.text({ text: String(n) }))); return all.join() + await tools.A_add.text({ a: 1, b: 1 })':
    BY_CLIENTS,
  'a/echo | the user hid it | run: await tools.A_echo({ text: "1" }); return tools.A_echo({ text: "2" }).then(() => "none", ({ message }) => message)':
    { hides: 'echo' },
  'a/write_note*3 b/write_note | true,true,true,skipped | run: const all = await Promise.allSettled([...["yes 0", "yes 1", "yes 2"].map((text) => tools.A_write_note.text({ text })), tools.B_write_note.text({ text: "no" })]); return all.map(({ value, reason }, i) => value?.includes(`noted yes ${i}`) ?? (/skip/.test(reason.message) ? "skipped" : reason.message)).join()':
    {},
  'a/progress*2 | each its time | run: const all = await Promise.all([60, 20].map((ms) => tools.A_progress.text({ ms }))); return all.every((text, i) => text.includes([60, 20][i])) && "each its time"':
    {},
  'a/progress*3 | one by one | run: await Promise.all([60, 20].map((ms) => tools.A_progress({ ms }))); await tools.A_progress({ ms: 1 }); return "one by one"':
    { settings: { sequentialTools: ['*/progress'] } },
  'a/elicit*3 | each its answer | run: const names = ["Ada", "Bob", "Eve"]; const all = await Promise.all(names.map((who) => tools.A_elicit.text({ who, together: 3 }))); return all.every((text, i) => text.includes(names[i])) && "each its answer"':
    {},
  'a/refuse | refused; the user hid it | run: const why = (call) => call.then(() => "none", (error) => error.message); return Promise.all([why(tools.A_refuse()), why(tools.A_picture())])':
    { settings: { hiddenTools: { '*': ['picture'] } } },
  'a/hang*4 a/cancelled*4 | taken back | run: for (let n = 0; n < 4; n++) { await tools.A_hang().catch(() => {}); if (/\\[\\d/.test(await tools.A_cancelled.text())) return "taken back"; }':
    { settings: { toolTimeouts: { '*/hang': 1 } } },
  'a/write_note*2 a/structured b/write_note | both | run: const [write, change] = [tools.A_write_note, tools.A_structured]; await Promise.all([write({ text: "step 1" }), change({ text: "step 2" }), write({ text: "step 3" }), tools.B_write_note({ text: "2" })]); return "both"':
    {},
  // What one session keeps, another doesn't have.
  'a/megabytes | 0 of another | run: const text = await tools.A_megabytes.text(); const all = (await results.list()).length; return `${all} of another`':
    BY_CLIENTS.map((it) => ({ ...it, before: ['rejoin'] })),
  ' | 0123456789abcdef | A megabytes': {},
  ' | 0123456789abcdef | B megabytes': {},
  ' | kept whole | run: const kept = (await results.list()).filter(({ of }) => /megabytes/.test(of)); for (const { id, of, characters } of kept) { const text = await results.get(id); if (text.length !== characters || !of.startsWith(text.split(":")[0])) return of; } return "kept whole"':
    {},
  ' | nothing kept | run: const { left } = globalThis; globalThis.left = 1; const [r1] = await Promise.allSettled([results.get("r1")]); return !left && !r1.value && (await results.list()).length === 0 && "nothing kept"':
    { chat: 'an empty chat' },
  ' | xxx | run: return "x".repeat(5000)': { settings: { scriptOutputChars: 1_000 } },
  // The user asks again, in the same chat. The last client ends its connection instead.
  [HANG]: [
    { chat: 'chat' },
    { chat: 'chat' },
    { asker: 'agent' },
    { asker: 'client' },
    { asker: 'client', chat: 'left' },
  ].map((it) => ({ ...HANGS, ...it }) as More),
  'a/hang |  | call: A_hang': { ...HANGS, asker: 'client', chat: 'left' },
  ' | done; quick | A progress ms=200 & A echo text=quick': {
    settings: { eagerTools: { '*': ['echo', 'progress'] }, deferredTools: { '*': ['add'] }, codeMode: 'off' },
  },
  ' | one; two | A echo text=one & A echo text=two & A echo text=three': {
    settings: { eagerTools: { '*': ['echo'] }, codeMode: 'off', toolCallsPerTurn: 2 },
  },
  ' |  | A hang & A hang & A hang': {
    settings: { retriesPerTool: 1, toolTimeouts: { '*/hang': 1 }, eagerTools: { '*': ['hang'] }, codeMode: 'off' },
  },
  ' |  | A add a=2 b=2': { asker: 'relay' },
  ' |  | A add a=3 b=3': { asker: 'relay', chat: 'begun' },
  ' | 1 + 2 = 3 | A add a=1 b=2': {
    faults: REFUSALS,
    settings: { codeMode: 'auto', delivery: 'auto', allowedCallers: { '*': 'both' } },
  },
  ' | picture | search: picture': [{ asker: 'agent' }, { asker: 'client' }],
};
/** One of these is asked every few turns. */
export const KNOWN: readonly Known[] = Object.entries(KNOWN_LINES).flatMap(([line, more]) => {
  const { code: rest, calls } = scriptOf(line);
  const [told = '', code = ''] = rest.split(/ ?\| (.*)/s);
  return [more].flat().map((it) => ({ calls, tells: told.split('; ').filter(Boolean), code, ...it }));
});
/** A chat with the first model that goes on for the whole session, and calls a tool that the user pins off and on. */
export const LONG = 'beside long';
/** A server over HTTP without faults before a call. */
const REMOTE = 'server6';
/**
 * What a user does in one chat between two known answers, and takes back. The same is asked before it, after it, and when
 * it is undone: by the user or by another agent.
 */
const COURSES: readonly (Partial<Pick<Plan, 'asker' | 'command'>> & {
  readonly does?: readonly [done: Step, undone: Step];
  readonly settings?: Partial<Settings>;
  readonly asks?: string;
  readonly model?: number;
})[] = [
  { does: ['/pin server0/dropped off', '/unpin server0/dropped'], asks: 'A dropped' },
  { settings: { mode: 'off' } },
  { model: 1 },
  { settings: { hiddenTools: { '*': ['dropped'] } }, asks: 'A dropped' },
  { does: ['/pin server0 deferred', '/unpin server0'] },
  { does: ['set', 'set'], asks: 'A dropped' },
  { command: 'notools' },
  { settings: { delivery: 'bridge', guidance: 'off' } },
  { does: ['/pin server0/dropped off', '/unpin server0/dropped'], asks: 'A dropped', asker: 'relay' },
  { does: ['switch', 'switch'] },
  { settings: { codeMode: 'off', maxResults: 1 } },
  { command: 'eager' },
  { does: ['newKey', 'newKey'], model: 2 },
  { settings: { eagerTools: { server0: ['dropped'] } }, asks: 'A dropped' },
  { settings: { strategy: 'exact', maxResults: 3 }, does: ['restart', 'restart'] },
  { settings: { allowedCallers: { 'server0/*': 'code' }, toolCallsPerTurn: 1 } },
  { command: 'deferred', does: ['/pin server0 eager', '/unpin server0'] },
  { does: ['acceptChanged', 'reload'] },
];

/** One of the three turns of a course, if it is one. */
function coursePlan(number: number, models: number, [a]: readonly [string]): Plan | undefined {
  const block = Math.floor(number / KNOWN_EVERY);
  const [course, place] = [COURSES[Math.floor(block / 2) % COURSES.length], (number % KNOWN_EVERY) - 1];
  if (block % 2 !== 0 || !course) return undefined;
  const { does = [], asks = `A echo text=of${block}`, asker = 'user', model = 0, settings, command } = course;
  const isDone = place === 1;
  const [tool = '', told = ''] = asks.split(/^A \w+(?: text=)?/);
  const known = {
    ...{
      code: asks,
      calls: {},
      asker,
      chat: asker === 'user' ? 'chat' : 'begun',
      tells: isDone ? [] : [`${a}: ${told}${tool}`],
    },
    ...{
      settings: {
        codeMode: 'auto',
        delivery: (['auto', 'local', 'bridge'] as const)[block % 3],
        ...(isDone && settings),
      } as Partial<Settings>,
    },
    ...{
      before: does[place - 1] === undefined ? [] : ([does[place - 1]] as Step[]),
      ...(isDone && command && { command }),
    },
    ...(isDone || asker !== 'user' ? {} : { course: place === 0 ? ('before' as const) : ('undone' as const) }),
  };
  return knownPlan([a], number, (block + (isDone ? model : 0)) % models, known);
}

/** Number of turns from one known answer to the next. */
export const KNOWN_EVERY = 4;

/**
 * Scripts of models, right and wrong: the calls of each tool, and the code. `A` and `B` are replaced by the names of two
 * servers, `C` by one over HTTP.
 */
export const SCRIPTS: readonly Script[] = [
  'a/echo b/add a/write_note | const all = await Promise.all([tools.A_echo({ text: "1" }), tools.B_add({ a: 1, b: 2 }), tools.A_write_note({ text: "n" })]); return all.length',
  'a/echo*12 | let n = 0; for (let i = 0; i < 12; i++) n += (await tools.A_echo.text({ text: "x" })).length; return n',
  'a/die b/echo | try { await tools.A_die() } catch (error) { console.log(error.message) } return tools.B_echo({ text: "after" })',
  'a/hang b/echo | return Promise.race([tools.A_hang(), tools.B_echo({ text: "faster" })])',
  'a/write_note*2 | await Promise.all([tools.A_write_note({ text: "1" }), tools.A_write_note({ text: "2" })]); return "noted"',
  '| for (;;);',
  '| const kept = []; for (;;) kept.push("x".repeat(100000))',
  'a/megabytes | return tools.A_megabytes.text()',
  '| const all = await results.list(); return all.length > 0 ? (await results.get(all.at(-1).id)).length : 0',
  '| return (await search("echo")).map((it) => it.signature)',
  'a/echo | tools.A_echo({ text: "nobody waits" }); return 1',
  'a/nonsense | tools.A_nonsense(); throw new Error("no")',
  '| return (',
  'a/elicit | return tools.A_elicit()',
  'a/picture | const [image] = await tools.A_picture.parts(); return image',
  '| return tools.nobody_there()',
  'a/add*40 | return (await Promise.allSettled(Array.from({ length: 40 }, (_, i) => tools.A_add({ a: i, b: 1 })))).length',
].map((line) => scriptOf(line));

/**
 * Draws the next turn.
 * @param servers the names of all servers, running or not. The first two have no faults
 * @param models the number of models
 */
export function drawPlan(
  chance: Chance,
  servers: readonly string[],
  models: number,
  number: number,
  last: Plan | undefined,
): Plan {
  const [a = '', b = '', ...others] = servers;
  if (number % KNOWN_EVERY === 0) {
    const known = KNOWN[(number / KNOWN_EVERY) % KNOWN.length] as Known;
    // The first two models have the most features to refuse.
    const model = known.faults ? Math.floor(number / KNOWN_EVERY / KNOWN.length) % 2 : number % models;
    const plan = knownPlan([a, b, others.find((name) => name === REMOTE) ?? b], number, model, known);
    // An agent can run the scripts too, but has kept results of its own.
    const isFree = plan.prompt.includes('tools.') && plan.asker === 'user' && !plan.cancel;
    const asker = isFree ? chance.one(['user', 'client', 'user', 'agent'] as const) : plan.asker;
    const often = (turns: number) => number % (turns * KNOWN_EVERY) === 0;
    const before = [
      ...plan.before,
      ...(often(5) ? (['swap'] as const) : []),
      ...(often(2) ? (['rejoin'] as const) : []),
    ];
    // Two agents ask the same thing at once.
    const asked = { ...plan, before, asker, ...(isFree ? { client: chance.one(['one', 'two'] as const) } : {}) };
    const twin = { ...asked, client: asked.client === 'one' ? 'two' : 'one' } as const;
    const isLong = !known.settings && often(2);
    const other = isLong
      ? { code: 'A pid', calls: {}, tells: [`${a}: `], chat: LONG }
      : { code: `A write_note text=other${number}`, calls: {}, tells: [`other${number}`] };
    const besideBy = isLong ? 0 : (number + 1) % models;
    return asker === 'user'
      ? {
          ...asked,
          ...(known.faults ? {} : { beside: knownPlan([isLong ? a : b], `${number} beside`, besideBy, other) }),
        }
      : // Whether the user was asked couldn't be told of two clients that run the same script.
        { ...asked, ...(plan.hides || (asker === 'client' && plan.call.tool === 'run_code') ? {} : { beside: twin }) };
  }
  const course = coursePlan(number, models, [a]);
  if (course) return course;
  const drawn = drawTurn(chance, others, models, String(number));
  // A user who stopped a question often asks it again, and always after a call.
  const again = chance.happens(!last?.cancel ? 0.05 : 'orAt' in last.cancel ? 1 : 0.4);
  const beside = chance.happens(0.08) ? drawTurn(chance, others, models, `${number} beside`) : undefined;
  const before = [
    ...(chance.happens(0.04) ? ['reload' as const] : []),
    ...(chance.happens(0.12) ? ['newChat' as const] : []),
    ...(chance.happens(0.08) ? ['newKey' as const] : []),
    ...(chance.happens(0.05) ? ['acceptChanged' as const] : []),
    ...(chance.happens(0.03) ? ['restart' as const] : []),
    ...(chance.happens(0.1) ? ['pin' as const] : []),
  ];
  // Repeats the question, as a user does after a failure.
  const isAgain = again && last?.asker === 'user' && !WAITING_FAULTS.includes(last.fault ?? '');
  const repeated = { cancel: undefined, answers: 'accept' as const, settings: { ...last?.settings, toolTimeouts: {} } };
  // Or in another chat, which has nothing of the first one, or by VS Code's own Retry, or after VS Code lost the answer.
  const elsewhere = { chat: 'elsewhere', before: [...before, 'newChat' as const] };
  const inChat = last?.chat === 'chat' ? [{}, { before: ['retry' as const] }, { before: ['lose' as const] }] : [{}];
  const how = chance.one([...inChat, ...inChat, elsewhere]);
  const plan = isAgain ? { ...last, before, ...repeated, ...how } : { ...drawn, before };
  // The plan's answers are for both questions, so a user who gives none cancels both in the end.
  return beside && plan.asker === 'user' && beside.asker === 'user'
    ? { ...plan, beside: plan.answers === 'silent' ? { ...beside, cancel: plan.cancel } : beside }
    : { ...plan, beside: undefined };
}

/** Reads the calls before the first bar, and the code behind it. */
function scriptOf(line: string): Script {
  const [calls = '', code = ''] = line.split(/ ?\| (.*)/s);
  const counted = calls
    .split(' ')
    .filter(Boolean)
    .map((call) => call.split('*'));
  return { code, calls: Object.fromEntries(counted.map(([tool = '', count = 1]) => [tool, Number(count)])) };
}

/** The number of calls by tool id. The servers may be the same. */
function countsOf({ calls }: Pick<Script, 'calls'>, a: string, b = a, c = b): Counts {
  const names = new Map(Object.entries({ a, b, c }));
  const ids = Object.entries(calls).map(
    ([tool, count]) => [tool.replace(/^./, (at) => names.get(at) ?? at), count] as const,
  );
  const counts = new Map<string, number>();
  for (const [id, count] of ids) counts.set(id, (counts.get(id) ?? 0) + count);
  return counts;
}

/** A plain turn with a known answer, to which a test can add a defect. */
export function knownPlan(
  [a = '', b = a, c = b]: readonly string[],
  mark: number | string,
  model: number,
  known: Known,
): Plan {
  const { code, calls, settings, faults = [], before = [], ...rest } = known;
  const asked = code.replaceAll(/\b[ABC](?=[_ ])/g, (server) => ({ A: a, B: b })[server] ?? c);
  const [kind, words = ''] = asked.split(/: ?(.*)/s);
  const marks = [`[[turn ${mark}]]`, ...faults.map((fault) => `[[fault:${fault}]]`)].join(' ');
  const ways = {
    search: { tool: 'search_tools', input: { queries: [words] } },
    call: { tool: 'call_tool', input: { name: words, arguments: {} } },
  } as const;
  return {
    ...{ asker: 'user', client: 'one', chat: 'known', cancel: undefined, tells: [], ...rest },
    // Everything after `run:` is the script, so the markers for the stand-in are in a comment.
    prompt: `${asked}${kind === 'run' ? ' //' : ''} ${marks}`,
    call: ways[kind as 'call'] ?? { tool: 'run_code', input: { title: 'Known', code: words } },
    inScript: countsOf({ calls }, a, b, c),
    model,
    settings: { mode: 'on', delivery: 'local', codeMode: 'on', scriptSeconds: 30, ...settings },
    fault: faults[0],
    answers: 'accept',
    consents: true,
    before,
  };
}

function drawTurn(chance: Chance, servers: readonly string[], models: number, mark: string): Plan {
  const asker = chance.happens(0.7) ? 'user' : chance.one(['agent', 'client', 'relay'] as const);
  const [a, b] = [chance.one(servers), chance.one(servers)];
  const words = chance.happens(0.7) ? chance.one(GOOD_CALLS) : chance.one(BAD_CALLS);
  const script = chance.one(SCRIPTS);
  const kind = chance.one(['call', 'call', 'call', 'script', 'script', 'code'] as const);
  const counts = countsOf(script, a, b);
  const code = script.code.replaceAll('tools.A_', `tools.${a}_`).replaceAll('tools.B_', `tools.${b}_`);
  const waits = chance.happens(0.03);
  const name = waits
    ? chance.one(WAITING_FAULTS)
    : chance.happens(0.35)
      ? chance.one([
          'torn',
          'torn',
          'torn',
          'half',
          'half',
          'half',
          ...FAULTS.filter((it) => !WAITING_FAULTS.includes(it)),
        ])
      : undefined;
  const fault = name === 'reject' ? `reject:${a}_echo` : name;
  const once = chance.happens(0.5) && !waits;
  const all = fault && REFUSALS.includes(fault) && chance.happens(0.5) ? REFUSALS : fault ? [fault] : [];
  const marks = [`[[turn ${mark}]]`, ...all.map((it) => `[[fault:${it}${once ? '*1' : ''}]]`)].join(' ');
  const asked =
    kind === 'call'
      ? `${a} ${words}`
      : kind === 'script'
        ? `run: ${code}`
        : `code: ${a} echo text=1 & ${b} add a=1 b=2; ${a} ${words.includes('=') || words === 'elicit' ? 'write_note text=c' : words}`;
  const model = Math.floor(chance.next() * models);
  const deliveries = ['auto', 'auto', 'auto', 'auto', 'local', 'bridge', 'server', 'client'] as const;
  const cancels = chance.happens(0.15) ? chance.one(['later', 'soon', 'asked'] as const) : 'never';
  const moment = chance.next();
  return {
    asker,
    client: chance.one(['one', 'one', 'two'] as const),
    prompt: kind === 'script' ? `${asked} // ${marks}` : `${asked} ${marks}`,
    ...drawCall(chance, { a, words, code, counts }),
    ...(asker === 'user' || asker === 'relay' ? { inScript: counts } : {}),
    model,
    settings: {
      mode: chance.happens(0.05) ? 'off' : chance.one(['auto', 'on'] as const),
      // The last models can't search.
      delivery: chance.one(model < 4 || chance.happens(0.1) ? deliveries : deliveries.slice(0, 6)),
      strategy: chance.happens(0.7) ? 'auto' : chance.one(['bm25', 'regex', 'keywords', 'exact'] as const),
      codeMode: chance.happens(0.1) ? 'off' : chance.one(['auto', 'on'] as const),
      changedTools: chance.one(['tell', 'tell', 'ask'] as const),
      allowedCallers: chance.one<Settings['allowedCallers']>([
        {},
        { '*': 'both' },
        { '*': 'both' },
        { [`${a}/*`]: 'code' },
        { [`${b}/*`]: 'direct', '*': 'both' },
      ]),
      sequentialTools: chance.happens(0.1) ? [`${a}/*`] : [],
      hiddenTools: chance.happens(0.2) ? { '*': ['picture', 'linked', 'ask'] } : {},
      toolCallsPerTurn: chance.happens(0.1) ? 5 : 100,
      maxResults: chance.one([5, 5, 1, 3]),
      guidance: chance.one(['servers', 'off'] as const),
    },
    chat: 'chat',
    fault,
    cancel: waits || cancels === 'asked' ? { afterMs: 200 + 500 * moment } : CANCELS[cancels](moment),
    // A user who doesn't answer cancels in the end.
    answers: cancels === 'asked' ? 'silent' : chance.one(['accept', 'accept', 'decline', 'cancel'] as const),
    consents: chance.happens(0.8),
    before: [],
  };
}

const CANCELS = {
  never: () => undefined,
  later: (moment: number) => ({ afterMs: 400 * moment }),
  soon: (moment: number) => ({ afterEvents: 1 + Math.floor(12 * moment) }),
} as const;

/** Draws the call of an agent, which needs no model. */
function drawCall(
  chance: Chance,
  { a, words, code, counts }: Readonly<Record<'a' | 'words' | 'code', string>> & { readonly counts: Counts },
): Pick<Plan, 'call' | 'inScript'> {
  const tool = chance.one(['search_tools', 'describe_tool', 'call_tool', 'call_tool', 'run_code', 'run_code'] as const);
  const [name = '', ...pairs] = words.split(' ');
  switch (tool) {
    case 'search_tools':
      return { call: { tool, input: { queries: [`${a} ${name}`, name] } }, inScript: new Map() };
    case 'describe_tool':
      return { call: { tool, input: { names: [`${a}_${name}`, 'nobody'] } }, inScript: new Map() };
    case 'call_tool': {
      const entries = pairs.map((pair) => pair.split('=') as [string, string]);
      const given = Object.fromEntries(
        entries.map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]),
      );
      return {
        call: { tool, input: { name: `${a}_${name}`, arguments: given } },
        inScript: new Map([[`${a}/${name}`, 1]]),
      };
    }
    case 'run_code':
      return { call: { tool, input: { title: 'A script', code } }, inScript: counts };
  }
}
