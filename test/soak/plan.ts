import type { Settings } from '../../src/core/settings/settings';
import { FAULTS } from '../standin/faults.mjs';
import type { Chance } from './chance';

/**
 * The origin of a question: a user of `@toolsearch`, an agent of VS Code, a client of the MCP endpoint, or another
 * agent with one of our models.
 */
export type Asker = 'user' | 'agent' | 'client' | 'relay';

/** Maximum number of runs, by tool id. */
export type Counts = ReadonlyMap<string, number>;

/** One turn as it is drawn before it begins. It doesn't depend on the course of earlier turns. */
export interface Plan {
  readonly asker: Asker;
  /** The question to a model. */
  readonly prompt: string;
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
  /** The fault of the service, if it has one. */
  readonly fault: string | undefined;
  /** When the user cancels: after some milliseconds, or after some events; undefined for never. */
  readonly cancel: { readonly afterMs: number } | { readonly afterEvents: number } | undefined;
  /** The user's answer to a server's question; `silent`: none, until the question is withdrawn. */
  readonly answers: 'accept' | 'decline' | 'cancel' | 'silent';
  readonly consents: boolean;
  /** Actions of the user before the turn. */
  readonly before: readonly ('reload' | 'newChat' | 'newKey' | 'acceptChanged' | 'restart')[];
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

interface Script {
  readonly code: string;
  /** Tools by name, of the first server (`a`) or the second (`b`), and their number of calls. */
  readonly calls: readonly (readonly ['a' | 'b', string, number])[];
}

/** Scripts whose calls, answers and questions to the user differ from each other, or have an order. */
const TELLING_SCRIPTS: readonly Script[] = [
  {
    code: 'const all = await Promise.all(Array.from({ length: 9 }, (_, i) => tools.A_add.text({ a: i, b: 1 }))); return all.every((text, i) => text.includes(`${i} + 1 =`)) ? "each its own" : "MIXED UP"',
    calls: [['a', 'add', 9]],
  },
  {
    code: 'const all = await Promise.allSettled(["yes 1", "no 2", "yes 3"].map((text) => tools.A_write_note.text({ text }))); return all.every(({ value }, i) => value === undefined || value.includes(`noted yes ${i + 1}`)) ? "each its own" : "MIXED UP"',
    calls: [['a', 'write_note', 3]],
  },
  {
    code: 'for (const text of ["step 1", "step 2", "step 3"]) await tools.A_write_note({ text }); return "noted"',
    calls: [['a', 'write_note', 3]],
  },
];

/** Scripts of models, right and wrong. `A` and `B` are replaced by the names of two servers. */
export const SCRIPTS: readonly Script[] = [
  ...TELLING_SCRIPTS,
  {
    code: 'const all = await Promise.all([tools.A_echo({ text: "1" }), tools.B_add({ a: 1, b: 2 }), tools.A_write_note({ text: "n" })]); return all.length',
    calls: [
      ['a', 'echo', 1],
      ['b', 'add', 1],
      ['a', 'write_note', 1],
    ],
  },
  {
    code: 'let n = 0; for (let i = 0; i < 12; i++) n += (await tools.A_echo.text({ text: "x" })).length; return n',
    calls: [['a', 'echo', 12]],
  },
  {
    code: 'try { await tools.A_die() } catch (error) { console.log(error.message) } return tools.B_echo({ text: "after" })',
    calls: [
      ['a', 'die', 1],
      ['b', 'echo', 1],
    ],
  },
  {
    code: 'return Promise.race([tools.A_hang(), tools.B_echo({ text: "faster" })])',
    calls: [
      ['a', 'hang', 1],
      ['b', 'echo', 1],
    ],
  },
  {
    code: 'await Promise.all([tools.A_write_note({ text: "1" }), tools.A_write_note({ text: "2" })]); return "noted"',
    calls: [['a', 'write_note', 2]],
  },
  { code: 'for (;;);', calls: [] },
  { code: 'const kept = []; for (;;) kept.push("x".repeat(100000))', calls: [] },
  { code: 'return tools.A_megabytes.text()', calls: [['a', 'megabytes', 1]] },
  {
    code: 'const all = await results.list(); return all.length > 0 ? (await results.get(all.at(-1).id)).length : 0',
    calls: [],
  },
  { code: 'return (await search("echo")).map((it) => it.signature)', calls: [] },
  { code: 'tools.A_echo({ text: "nobody waits" }); return 1', calls: [['a', 'echo', 1]] },
  { code: 'tools.A_nonsense(); throw new Error("no")', calls: [['a', 'nonsense', 1]] },
  { code: 'return (', calls: [] },
  { code: 'return tools.A_elicit()', calls: [['a', 'elicit', 1]] },
  { code: 'const [image] = await tools.A_picture.parts(); return image', calls: [['a', 'picture', 1]] },
  { code: 'return tools.nobody_there()', calls: [] },
  {
    code: 'return (await Promise.allSettled(Array.from({ length: 40 }, (_, i) => tools.A_add({ a: i, b: 1 })))).length',
    calls: [['a', 'add', 40]],
  },
];

/** Draws the next turn. @param servers the names of all servers, running or not @param models the number of models */
export function drawPlan(
  chance: Chance,
  servers: readonly string[],
  models: number,
  number: number,
  last: Plan | undefined,
): Plan {
  const drawn = drawTurn(chance, servers, models, String(number));
  const again = chance.happens(0.05);
  const beside = chance.happens(0.08) ? drawTurn(chance, servers, models, `${number} beside`) : undefined;
  const before = [
    ...(chance.happens(0.04) ? ['reload' as const] : []),
    ...(chance.happens(0.12) ? ['newChat' as const] : []),
    ...(chance.happens(0.08) ? ['newKey' as const] : []),
    ...(chance.happens(0.05) ? ['acceptChanged' as const] : []),
    ...(chance.happens(0.03) ? ['restart' as const] : []),
  ];
  // Repeats the question, as a user does after a failure.
  const plan = again && last?.asker === 'user' ? { ...last, before, cancel: undefined } : { ...drawn, before };
  return beside && plan.asker === 'user' && beside.asker === 'user'
    ? { ...plan, beside }
    : { ...plan, beside: undefined };
}

function drawTurn(chance: Chance, servers: readonly string[], models: number, mark: string): Plan {
  const asker = chance.happens(0.7) ? 'user' : chance.one(['agent', 'client', 'relay'] as const);
  const [a, b] = [chance.one(servers), chance.one(servers)];
  const words = chance.happens(0.7) ? chance.one(GOOD_CALLS) : chance.one(BAD_CALLS);
  const script = chance.one(chance.happens(0.3) ? TELLING_SCRIPTS : SCRIPTS);
  const kind = chance.one(['call', 'call', 'call', 'script', 'script', 'code'] as const);
  const counts = new Map<string, number>();
  for (const [server, tool, count] of script.calls) {
    const id = `${server === 'a' ? a : b}/${tool}`;
    counts.set(id, (counts.get(id) ?? 0) + count);
  }
  const code = script.code.replaceAll('tools.A_', `tools.${a}_`).replaceAll('tools.B_', `tools.${b}_`);
  const waits = chance.happens(0.03);
  const name = waits
    ? chance.one(WAITING_FAULTS)
    : chance.happens(0.35)
      ? chance.one(FAULTS.filter((it) => !WAITING_FAULTS.includes(it)))
      : undefined;
  const fault = name === 'reject' ? `reject:${a}_echo` : name;
  const once = chance.happens(0.5) && !waits;
  const marks = `[[turn ${mark}]]${fault ? ` [[fault:${fault}${once ? '*1' : ''}]]` : ''}`;
  const asked =
    kind === 'call'
      ? `${a} ${words}`
      : kind === 'script'
        ? `run: ${code}`
        : `code: ${a} echo text=1 & ${b} add a=1 b=2; ${a} ${words.includes('=') || words === 'elicit' ? 'write_note text=c' : words}`;
  const cancels = chance.happens(0.15) ? chance.one(['later', 'soon', 'asked'] as const) : 'never';
  const moment = chance.next();
  return {
    asker,
    // Everything after `run:` is the script, so the markers for the stand-in are in a comment.
    prompt: kind === 'script' ? `${asked} // ${marks}` : `${asked} ${marks}`,
    ...drawCall(chance, { a, words, code, counts }),
    ...(asker === 'user' || asker === 'relay' ? { inScript: counts } : {}),
    model: Math.floor(chance.next() * models),
    settings: {
      mode: chance.happens(0.05) ? 'off' : chance.one(['auto', 'on'] as const),
      delivery: chance.one(['auto', 'auto', 'auto', 'auto', 'server', 'client', 'local', 'bridge'] as const),
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
      guidance: chance.one(['servers', 'off'] as const),
    },
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
  {
    a,
    words,
    code,
    counts,
  }: { readonly a: string; readonly words: string; readonly code: string; readonly counts: Counts },
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
