import type { Settings } from '../../src/core/settings/settings';
import { FAULTS } from '../standin/faults.mjs';
import asked from './asked.json';
import type { Chance } from './chance';

/**
 * The origin of a question: a user of `@toolsearch`, an agent of VS Code, a client of the MCP endpoint, or another
 * agent with one of our models.
 */
export type Asker = 'user' | 'agent' | 'client' | 'relay';

/**
 * What the user does before a turn, some of it by a command in the chat. `retry` asks the last question again without its
 * answer, `lose` is VS Code losing that answer, `switch` goes to another chat and back, `set` chooses a set of tools or all,
 * `comes` and `goes` are a new tool of servers, `crowd` is many clients that come and leave, `accept` is one changed tool.
 */
export type Step =
  | ('reload' | 'newChat' | 'newKey' | 'acceptChanged' | 'restart' | 'restart first' | 'swap' | 'rejoin' | 'pin')
  | ('retry' | 'lose' | 'switch' | 'set' | 'comes' | 'goes' | 'crowd' | `/${string}` | `accept ${string}`);

export type Counts = ReadonlyMap<string, number>;

/** One turn as it is drawn before it begins. It doesn't depend on the course of earlier turns. */
export interface Plan {
  readonly asker: Asker;
  /** The client of the endpoint that calls, if it is one. */
  readonly client: 'one' | 'two';
  /** The question to a model, and the command with which it is asked. */
  readonly prompt: string;
  readonly command?: 'eager' | 'deferred' | 'notools' | undefined;
  /** Whether a chat's question is asked after something was done and undone, or before. */
  readonly course?: 'before' | 'undone';
  readonly call: {
    readonly tool: 'search_tools' | 'describe_tool' | 'call_tool' | 'run_code';
    readonly input: unknown;
  };
  /** The inputs of an agent's calls at once. */
  readonly together?: readonly unknown[];
  /** Calls that one run of its script, or one call, may make. */
  readonly inScript: Counts;
  /** The index of the model that answers. */
  readonly model: number;
  readonly settings: Partial<Settings>;
  readonly chat: string;
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
  /** The `#tool` of the question, and a text that requests have only while something is done. */
  readonly refers?: string | undefined;
  readonly sends?: string | undefined;
  /** Settings of the workspace, and tools of VS Code. */
  readonly workspace?: Partial<Settings>;
  readonly listed?: readonly string[];
  /** A second question in another chat, at the same time. */
  readonly beside?: Plan;
}

/** Words of calls, of which bad ones are drawn less often; faults until the user cancels; refusals of features. */
const { GOOD_CALLS, BAD_CALLS, WAITING_FAULTS, REFUSALS } = asked.words;

interface Script {
  readonly code: string;
  /** The number of calls of each tool of the first server (`a/echo`), the second or the one over HTTP. */
  readonly calls: { readonly [tool: string]: number };
}

/** A script or words for one server whose answer is known: calls, answers or questions to the user that differ. */
interface Known extends Script, Partial<Omit<Plan, 'inScript' | 'settings' | 'call' | 'fault' | 'prompt'>> {
  readonly faults?: readonly string[];
  readonly settings?: Partial<Settings>;
}

/** One of these is asked every few turns, in turns, in which nothing goes wrong. */
export const KNOWN = asked.known as unknown as readonly Known[];
/** A chat with the first model that goes on for the whole session, and calls a tool that the user pins off and on. */
export const LONG = 'beside long';
/** A server over HTTP without faults before a call. */
const REMOTE = 'server6';
/** Whether a chat goes on later. Each of the others has one model, and tools come and go in it. */
export const goesOn = (chat: string) => chat === LONG || chat.startsWith('late');
/** What is done in one chat and undone. The same is asked before, meanwhile and afterwards, by the user or another agent. */
interface Course extends Partial<Plan> {
  readonly asks?: string;
  readonly does?: readonly [done: Step, undone: Step];
  /** Or three other turns. */
  readonly known?: readonly Known[];
}

/** One of the three turns of a course, which every third known answer begins. */
function coursePlan(number: number, models: number, a: string): Plan | undefined {
  const [block, place] = [Math.floor(number / KNOWN_EVERY), (number % KNOWN_EVERY) - 1];
  const course = (asked.courses as readonly unknown[] as readonly Course[])[(block / 3) % asked.courses.length];
  if (!course) return undefined;
  const known = course.known?.[place];
  if (known) return knownPlan([a], number, known.model ?? course.model ?? 0, known);
  const { does, asks = `A echo text=of${block}`, asker = 'user', model = 0, settings, command, refers, sends } = course;
  const [isDone, step] = [place === 1, place === 0 ? ('newChat' as const) : does?.[place - 1]];
  const delivery = (['auto', 'local', 'bridge'] as const)[(block / 3) % 3];
  const done: Known = {
    ...{ code: asks, calls: {}, asker, chat: asker === 'user' ? 'chat' : 'begun', before: step ? [step] : [] },
    ...{ settings: { codeMode: 'auto', delivery, ...(isDone ? settings : {}) } as Partial<Settings> },
    ...{ sends, listed: course.listed ?? [], ...(isDone ? { refers } : {}) },
    ...(isDone ? { command } : { tells: [`${a}: ${asks.split('=')[1] ?? ''}`] }),
    ...(isDone || asker !== 'user' ? {} : { course: place === 0 ? 'before' : 'undone' }),
  };
  return knownPlan([a], number, (block + (isDone ? model : 0)) % models, done);
}

/** Number of turns from one known answer to the next. */
export const KNOWN_EVERY = 4;
/** A fault of a service in its first reply, for each in turn, with the newest model of either service. */
type FaultOfModel = { readonly fault: string; readonly model: number } | undefined;

/** Between most known answers, one turn has a fault that isn't drawn. */
function faultOf(number: number): FaultOfModel {
  if (number % KNOWN_EVERY !== 2) return undefined;
  const faults = FAULTS.filter((it) => !WAITING_FAULTS.includes(it)).reverse();
  const block = Math.floor(number / KNOWN_EVERY);
  // Every third one is a course.
  const at = block - Math.floor(block / 3) - 1;
  return { fault: faults[Math.floor(at / 2) % faults.length] ?? '', model: at % 2 };
}

/** Scripts of models, right and wrong. `A` and `B` are replaced by the names of two servers, `C` by one over HTTP. */
export const SCRIPTS = asked.scripts as unknown as readonly Script[];

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
  if (number % KNOWN_EVERY === 0)
    return drawKnown(chance, [a, b, others.find((name) => name === REMOTE) ?? b], models, number);
  const course = coursePlan(number, models, a);
  if (course) return course;
  const fault = faultOf(number);
  const drawn = drawTurn(chance, others, models, String(number), fault);
  // A user who stopped a question often asks it again, and always after a call.
  const again = chance.happens(!last?.cancel ? 0.05 : 'orAt' in last.cancel ? 1 : 0.4);
  const beside = chance.happens(0.08) ? drawTurn(chance, others, models, `${number} beside`) : undefined;
  const chances = { reload: 0.07, newChat: 0.12, newKey: 0.1, acceptChanged: 0.07, restart: 0.03, pin: 0.13 };
  const steps = Object.entries(chances) as [Step, number][];
  const before = steps.flatMap(([step, share]) => (chance.happens(share) ? step : []));
  // Repeats the question, as a user does after a failure.
  const isAgain = !fault && again && last?.asker === 'user' && !WAITING_FAULTS.includes(last.fault ?? '');
  const repeated = { cancel: undefined, answers: 'accept' as const, settings: { ...last?.settings, toolTimeouts: {} } };
  // Or in another chat, which has nothing of the first one, or by VS Code's own Retry, or after VS Code lost the answer.
  const inChat = last?.chat === 'chat' ? [{}, { before: ['retry' as const] }, { before: ['lose' as const] }] : [{}];
  const how = chance.one([...inChat, ...inChat, { chat: 'elsewhere' }]);
  const plan = isAgain ? { ...last, before, ...repeated, ...how } : { ...drawn, before };
  // The plan's answers are for both questions, so a user who gives none cancels both in the end.
  return beside && plan.asker === 'user' && beside.asker === 'user'
    ? { ...plan, beside: plan.answers === 'silent' ? { ...beside, cancel: plan.cancel } : beside }
    : { ...plan, beside: undefined };
}

/** Draws the turn of a known answer. */
function drawKnown(chance: Chance, servers: readonly [string, string, string], models: number, number: number): Plan {
  const [a, b] = servers;
  const known = KNOWN[(number / KNOWN_EVERY) % KNOWN.length] as Known;
  // The first two models have the most features to refuse.
  const model = known.faults ? Math.floor(number / KNOWN_EVERY / KNOWN.length) % 2 : number % models;
  const plan = knownPlan(servers, number, model, known);
  // An agent can run the scripts too, but has kept results of its own.
  const isFree = plan.prompt.includes('tools.') && plan.asker === 'user' && !plan.cancel;
  const asker = isFree ? chance.one(['user', 'client', 'user', 'agent'] as const) : plan.asker;
  const often = (turns: number) => number % (turns * KNOWN_EVERY) === 0;
  const before = [...plan.before, ...(often(5) ? (['swap'] as const) : []), ...(often(2) ? (['rejoin'] as const) : [])];
  // Two agents ask the same thing at once.
  const asked = { ...plan, before, asker, ...(isFree ? { client: chance.one(['one', 'two'] as const) } : {}) };
  const twin = { ...asked, client: asked.client === 'one' ? 'two' : 'one' } as const;
  const isLong = !known.settings && often(2);
  const other = isLong
    ? { code: 'A pid', calls: {}, tells: [`${a}: `], chat: LONG }
    : { code: `A write_note text=other${number}`, calls: {}, tells: [`other${number}`] };
  const besideBy = isLong ? 0 : (number + 1) % models;
  // A server that stops meanwhile cuts off the other question's call.
  const on = isLong || (servers[2] === b && known.code.includes('C_drop')) ? a : b;
  const isSingle =
    plan.hides || (plan.together && plan.cancel) || (asker === 'client' && plan.call.tool === 'run_code');
  return asker === 'user'
    ? {
        ...asked,
        ...(known.faults ? {} : { beside: knownPlan([on], `${number} beside`, besideBy, other) }),
      }
    : // Whether the user was asked couldn't be told of two clients that run the same script.
      { ...asked, ...(isSingle ? {} : { beside: twin }) };
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
  const ways = { search: 'search_tools', call: 'call_tool', describe: 'describe_tool' } as const;
  const put = {
    search: { queries: [words] },
    call: { name: words, arguments: {} },
    describe: { names: [words, 'nobody'] },
  };
  const way = (['search', 'call', 'describe'] as const).find((it) => it === kind);
  return {
    ...{ asker: 'user', client: 'one', chat: 'known', cancel: undefined, tells: [], ...rest },
    // Everything after `run:` is the script, so the markers for the stand-in are in a comment.
    prompt: `${asked}${kind === 'run' ? ' //' : ''} ${marks}`,
    call: way ? { tool: ways[way], input: put[way] } : { tool: 'run_code', input: { title: 'Known', code: words } },
    inScript: countsOf({ calls }, a, b, c),
    model,
    settings: { mode: 'on', delivery: 'local', codeMode: 'on', scriptSeconds: 30, ...settings },
    fault: faults[0],
    answers: 'accept',
    consents: true,
    before,
  };
}

function drawTurn(chance: Chance, servers: readonly string[], models: number, mark: string, each?: FaultOfModel): Plan {
  const asker = each || chance.happens(0.7) ? 'user' : chance.one(['agent', 'client', 'relay'] as const);
  const [a, b] = [chance.one(servers), chance.one(servers)];
  const words = chance.happens(0.7) ? chance.one(GOOD_CALLS) : chance.one(BAD_CALLS);
  const script = chance.one(SCRIPTS);
  const kind = chance.one(['call', 'call', 'call', 'script', 'script', 'code'] as const);
  const counts = countsOf(script, a, b);
  const code = script.code.replaceAll('tools.A_', `tools.${a}_`).replaceAll('tools.B_', `tools.${b}_`);
  const waits = !each && chance.happens(0.03);
  const name = each
    ? each.fault
    : waits
      ? chance.one(WAITING_FAULTS)
      : chance.happens(0.42)
        ? chance.one([
            ...['torn', 'half'].flatMap((it) => [it, it, it]),
            ...FAULTS.filter((it) => !WAITING_FAULTS.includes(it)),
          ])
        : undefined;
  const fault = name === 'reject' ? `reject:${a}_echo` : name;
  const once = each !== undefined || (chance.happens(0.5) && !waits);
  const all = fault && REFUSALS.includes(fault) && chance.happens(0.5) ? REFUSALS : fault ? [fault] : [];
  const marks = [`[[turn ${mark}]]`, ...all.map((it) => `[[fault:${it}${once ? '*1' : ''}]]`)].join(' ');
  const asked = each
    ? `${a} echo text=${mark}`
    : kind === 'call'
      ? `${a} ${words}`
      : kind === 'script'
        ? `run: ${code}`
        : `code: ${a} echo text=1 & ${b} add a=1 b=2; ${a} ${words.includes('=') || words === 'elicit' ? 'write_note text=c' : words}`;
  const model = each?.model ?? Math.floor(chance.next() * models);
  const deliveries = ['auto', 'auto', 'auto', 'auto', 'local', 'bridge', 'server', 'client'] as const;
  const cancels = !each && chance.happens(0.2) ? chance.one(['later', 'soon', 'asked'] as const) : 'never';
  const moment = chance.next();
  return {
    asker,
    client: chance.one(['one', 'one', 'two'] as const),
    prompt: asked.startsWith('run:') ? `${asked} // ${marks}` : `${asked} ${marks}`,
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

export function describe({ asker, call, prompt, command, before, model, settings, cancel, beside }: Plan): string {
  const { mode, delivery, strategy, codeMode } = settings;
  const what = asker === 'agent' || asker === 'client' ? `${call.tool} ${JSON.stringify(call.input)}` : prompt;
  const more = [command, ...before, `model ${model}`, `${mode}/${delivery}/${strategy}/${codeMode}`];
  const rest = [cancel && `cancel ${JSON.stringify(cancel)}`, beside && `beside: ${beside.prompt}`];
  return `${asker}: ${what} (${[...more, ...rest].filter(Boolean).join(', ')})`;
}
