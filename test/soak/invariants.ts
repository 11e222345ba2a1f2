import type { Tool } from '../../src/core/catalog/tool';
import { presentTools } from '../../src/core/conversation/joinedTools';
import { resultText } from '../../src/core/conversation/resultText';
import type { ToolCall, Transcript } from '../../src/core/conversation/transcript';
import { eventsOf, isUse, type LedgerEvent, type TurnStatus } from '../../src/core/ledger/events';
import { figuresOfTurns } from '../../src/core/ledger/turnFigures';
import { reportTurn } from '../../src/core/ledger/turnReport';
import type { ModelRequest, ToolRun } from '../../src/core/ports';
import { compileGlobs, compileIdGlobs } from '../../src/core/settings/glob';
import { cut } from '../../src/core/util/cut';
import { asObject, parseJson } from '../../src/core/util/objects';
import type { TurnReport } from '../../tool-search';
import type { Block, StandInRequest } from '../standin/server.mjs';
import type { Counts, Plan } from './plan';
import { mistimed } from './times';

type Named = Pick<ToolCall, 'name' | 'input'>;

/** The number of calls that a script may make. */
export const CALLS_PER_SCRIPT = 25;
/** Tool Search's own tools, which no server runs. */
const OWN = new Set(['search_tools', 'describe_tool', 'run_code']);
export interface Answer {
  readonly tool: Tool;
  readonly input: unknown;
  readonly answer: ToolRun;
}

/** A finished turn as every participant reports it. */
export interface Happened {
  readonly turn: number;
  readonly events: readonly LedgerEvent[];
  readonly report: TurnReport | undefined;
  /** Ids of the tools that were passed to a server. */
  readonly ran: readonly string[];
  readonly plan?: Plan;
  /** The servers' answers; undefined if the turn's results aren't compared with them. */
  readonly answers?: readonly Answer[];
  readonly read?: string;
  /** The service's replies in their order, the last of which may have broken off. */
  readonly replied?: readonly Pick<StandInRequest, 'said' | 'torn' | 'status' | 'body'>[];
  readonly failed?: boolean;
  readonly status?: TurnStatus;
  /** The number of events when the user stopped the question; empty if they didn't. */
  readonly stopped?: readonly number[];
  /** Items that the turn added to the conversation; undefined if only an agent has them. */
  readonly items?: Transcript;
  readonly tells?: Plan['tells'];
  /** Whether an agent got the whole answer or stopped it, so that the turn has to be over. */
  readonly ended?: boolean;
  readonly isFresh?: boolean;
  readonly misled?: readonly string[];
  /** What an agent saw: its call of our tool and the result, or the model's replies. */
  readonly seen?: Transcript;
  /** What the service said in reply; absent if it may have been cut off. */
  readonly said?: readonly Block[];
  /** Maximum number of calls that may have run in addition to the transcript's. */
  readonly mayRun?: Counts;
  /** Maximum number of calls that one script of the transcript may make. */
  readonly inScript?: Counts;
}

/** Returns the rules that a turn broke, in words. All rules hold for every fault. */
export function brokenIn(happened: Happened): readonly string[] {
  const own = happened.events.filter((event) => event.turn === happened.turn);
  return [
    ...calls(happened, own),
    ...results(happened),
    ...texts(happened),
    ...replies(happened),
    ...guards(happened, own),
    ...order(own),
    ...scripts(own),
    ...pieces(happened),
    ...heard(happened),
    ...sums(happened, own),
    ...asSet(happened, own),
    ...searches(happened, own),
    ...below(happened, own),
    ...noted(happened, own),
    ...mistimed(own, happened.plan),
    ...(happened.misled ?? []),
  ];
}

/** Number of a result's characters that are compared: the rest may be cut. */
const COMPARED = 80;
/** The number of a result's characters that a model may get, with our notes. */
const MAX_RESULT = 102_000;
/** A text in the results of `linked`, which the test's window knows as a secret. */
export const SECRET = 'what stands in it';

/** What the servers answer to calls of their tools, after their name. Other tools aren't compared. */
const ANSWERS: { readonly [tool: string]: (input: { readonly [name: string]: unknown }) => string } = {
  echo: ({ text }) => `${text}`,
  add: ({ a, b }) => `${a} + ${b} = ${Number(a) + Number(b)}`,
  write_note: ({ text }) => `noted ${text}`,
  progress: () => 'done',
  megabytes: () => '0123456789abcdef',
  change: () => 'changed',
  elicit: () => '{"action":',
};

/** Checks that each successful result is the right server's answer to that call. */
function results({ seen = [], items = seen, answers }: Happened): readonly string[] {
  if (!answers) return [];
  const asked = items.flatMap((item) => (item.kind === 'assistant' ? item.calls : []));
  const answered = items.flatMap((item) => (item.kind === 'results' ? item.results : []));
  return answered.flatMap((result) => {
    const call = asked.find(({ callId }) => callId === result.callId);
    if (!call || result.outcome !== 'ok' || OWN.has(call.name) || call.caller !== undefined) return [];
    const [server = '', name = ''] = toolOf(call).split('/');
    const text = resultText(result);
    const expected = ANSWERS[name]?.(asObject(inputOf(call)) ?? {});
    return expected === undefined || text.startsWith(`${server}: ${expected}`.slice(0, COMPARED))
      ? []
      : [`${call.callId} (${call.name}) got a result that no server gave: ${text.slice(0, COMPARED)}`];
  });
}

/** Checks that the known answers are there, and that no result is longer than a model may get. */
function texts({ seen = [], items = seen, tells = [], plan }: Happened): readonly string[] {
  const answered = items.flatMap((item) => (item.kind === 'results' ? item.results : []));
  const texts = answered.map(resultText);
  // The error of a script may quote the text from its code.
  const done = answered.filter(({ outcome }) => outcome === 'ok').map(resultText);
  const longest = plan?.settings.scriptOutputChars === undefined ? MAX_RESULT : plan.settings.scriptOutputChars + 1_000;
  return [
    ...tells
      .filter((told) => !done.some((text) => text.includes(told)))
      .map((told) => `no result has “${told}”, but: ${cut(texts.join(' | '), 300)}`),
    ...texts
      .filter((text) => plan?.asker !== 'relay' && text.length > longest)
      .map((text) => `a result has ${text.length} characters`),
  ];
}

/** Checks that replies arrived as the service sent them: the same texts and calls, in the same order. */
function replies({ seen = [], items, said = [] }: Pick<Happened, 'items' | 'seen' | 'said'>): readonly string[] {
  if (said.length === 0) return [];
  const sent = said.flatMap((block) => (block.type === 'message' ? (block.content as readonly Block[]) : block));
  const heard = (items ?? seen).flatMap((item) => (item.kind === 'assistant' ? item : []));
  const asked = sent.flatMap(({ name, input, arguments: json = '{}', type }) =>
    type === 'tool_use' || type === 'function_call'
      ? { name: String(name), input: input ?? parseJson(String(json)) }
      : [],
  );
  // An agent gets neither our own tools nor the wrapper of its tools, and a service has a search in a form of its own.
  const compared = (parts: readonly { readonly text?: unknown }[], calls: readonly Named[]) =>
    JSON.stringify([
      bare(parts.map(({ text }) => text).join('')),
      calls.filter(({ name }) => !OWN.has(name)).map((call) => [toolOf(call), inputOf(call)]),
    ]);
  const called = heard.flatMap(({ calls }) => calls);
  const [from, to] = [compared(sent, asked), compared(heard, called)];
  return from === to ? [] : [`the service said ${cut(from, 300)}, but the turn has ${cut(to, 300)}`];
}

/** Tools that never succeed. */
const FAILING = new Set(['die', 'hang', 'garbage', 'nonsense', 'refuse', 'askedcode', 'drop']);

/** Whether a turn's settings hide a tool. */
export function hiddenIn({ settings }: Pick<Plan, 'settings'>): (id: string) => boolean {
  const hidden = compileGlobs(Object.values(settings.hiddenTools ?? {}).flat());
  return (id) => hidden(id.split('/')[1] ?? '');
}

/** Checks that failures are recorded as such, and that what the user limited didn't run. */
function guards({ plan, ran }: Pick<Happened, 'plan' | 'ran'>, own: readonly LedgerEvent[]): readonly string[] {
  const called = eventsOf(own, 'called');
  const done = called.filter(({ outcome }) => outcome === 'ok');
  // A script counts as one call.
  const single = ran.length - called.filter(({ script, callId }) => script === callId).length;
  const retried = called.filter(
    ({ tool, outcome, script }) => !script && outcome === 'failed' && /hang|garbage/.test(tool),
  );
  const { retries = {}, retriesPerTool = 2 } = plan?.settings ?? {};
  const triesOf = (call: string) => (retries[`*/${call.split(/[/ ]/)[1]}`] ?? retriesPerTool) + 1;
  const most = plan?.asker === 'user' ? (plan.settings.toolCallsPerTurn ?? single) : single;
  const tries = [...countOf(retried.map(({ tool, args }) => `${tool} ${args}`))];
  const same = tries.filter(([call, times]) => done.length === 0 && times > triesOf(call));
  return [
    ...done
      .filter(({ tool }) => FAILING.has(tool.split('/')[1] ?? ''))
      .map(({ tool }) => `${tool} is in the ledger as done, and never succeeds`),
    ...same.map(([call, times]) => `${call} failed ${times} times, of ${triesOf(call)}`),
    ...(single > most ? [`${single} calls ran, of ${most} that the user allows`] : []),
  ];
}

/** Checks that a turn's requests have no secret and no hidden tool, and that their tools keep their order. */
export function wrongRequests(requests: readonly ModelRequest[], plan: Plan, off: readonly string[]) {
  const isHidden = hiddenIn(plan);
  const listed = requests.map(({ tools, deferred, transcript }) => {
    // A tool that a note has removed keeps its definition, to which earlier searches refer.
    const { left } = presentTools([], transcript);
    return [...tools, ...deferred].flatMap(({ id, name }) =>
      !left.has(name) && (isHidden(id) || off.includes(id))
        ? `a request has ${id}, which the user hid or hasn't accepted`
        : [],
    );
  });
  const secret = JSON.stringify(requests.map(({ transcript }) => transcript)).includes(SECRET);
  return [
    ...listed.flat(),
    ...requests.flatMap(({ tools }, at) => {
      const before = requests[at - 1]?.tools.map(({ id }) => id) ?? [];
      const kept = tools.map(({ id }) => id).filter((id) => before.includes(id));
      return kept.join() === before.filter((id) => kept.includes(id)).join() ? [] : [`tools changed places: ${kept}`];
    }),
    ...requests.flatMap(joinedTwice),
    ...requests.flatMap(({ transcript }) =>
      repeated('in a request', ids(transcript.flatMap((item) => (item.kind === 'assistant' ? item.calls : [])))),
    ),
    ...(secret ? ['a request has a secret'] : []),
  ];
}

/** Tools that join a conversation again though they haven't left it, and servers that a note tells as new again. */
function joinedTwice({ transcript }: ModelRequest): readonly string[] {
  const there = new Set<string>();
  return transcript.flatMap((item) => {
    if (item.kind !== 'user') return [];
    const told = item.note ? [...item.text.matchAll(/\d of "[^"]+"/g)].map(([name]) => name.slice(2)) : [];
    const names = [...(item.joined ?? []).map(({ name }) => name), ...told];
    const again = names.filter((name) => there.has(name));
    for (const name of names) there.add(name);
    for (const name of item.left ?? []) there.delete(name);
    return again.map((name) => `${name} joins a conversation in which it is`);
  });
}

/** Two agents that asked the same thing at once, and got other answers, or each other's. */
export function differing(...both: readonly (readonly Pick<Happened, 'seen'>[])[]): readonly string[] {
  const items = both.map((all) => all.flatMap(({ seen = [] }) => seen));
  const told = items.map((all) =>
    all.flatMap((item) => (item.kind === 'results' ? item.results.map(resultText) : item.text)).join('\n'),
  );
  const [one = '', other = ''] = told.map((text) => text.replaceAll(/\d+/g, ''));
  return [
    ...(one === other ? [] : [`two chats asked the same, and got ${cut(one, 300)} and ${cut(other, 300)}`]),
    ...told.flatMap((text, at) => (text.includes(`for agent ${1 - at}`) ? [`a chat got the other's ${text}`] : [])),
  ];
}

/** Checks that a turn's first request has the answered calls of its chat's earlier turns, and no others. */
export function otherCalls(requests: readonly ModelRequest[], earlier: Transcript): readonly string[] {
  const [first] = requests;
  if (!first) return [];
  const resultsIn = (items: Transcript) => items.flatMap((item) => (item.kind === 'results' ? item.results : []));
  const [sent, made] = [resultsIn(first.transcript), resultsIn(earlier)];
  const [sentIds, madeIds] = [new Set(ids(sent)), new Set(ids(made))];
  // A question that is asked again needs no calls that changed nothing.
  const missing = made.filter(
    ({ callId, outcome, notRun, search }) => !sentIds.has(callId) && outcome !== 'cancelled' && !notRun && !search,
  );
  const told = new Map(made.flatMap((it) => (it.parts.length > 0 ? [[it.callId, resultText(it)]] : [])));
  const others = sent.filter((it) => (told.get(it.callId) ?? resultText(it)) !== resultText(it));
  return [
    ...others.map((it) => `a request has ${cut(resultText(it), 200)} of ${it.callId}, which got another result`),
    ...missing.map((it) => `a request lacks ${it.callId}, answered in its chat: ${cut(resultText(it), 200)}`),
    ...ids(sent).flatMap((id) => (madeIds.has(id) ? [] : `a request has ${id}, which its chat never made`)),
  ];
}

/** Checks that an agent's calls at once count as one reply, where those of another, one by one, are a reply each. */
export function wrongReplies({ together, beside }: Plan, reports: readonly Happened['report'][]): readonly string[] {
  const [atOnce = 0, oneByOne = 0] = reports.map((report) => report?.sentTokens);
  return together && beside && atOnce * (together.length + 1) !== oneByOne * 2
    ? [`${together.length} calls at once have ${atOnce} tokens, and one by one ${oneByOne}`]
    : [];
}

/** Faults of a moment, after which the same request is sent again. */
const TEMPORARY = /\[\[fault:(?:429|500|529|retry)\*1\]\]/;

/** Checks that models are asked as the user chose, and again after a failure of a moment. */
export function wrongAsked(
  { prompt, cancel }: Pick<Plan, 'prompt' | 'cancel'>,
  requests: readonly StandInRequest[],
  models: readonly (string | undefined)[],
): readonly string[] {
  const asked = requests.map(({ body }) => String(asObject(body)?.model));
  const isGivenUp = TEMPORARY.test(prompt) && !cancel && requests.length === 1 && (requests[0]?.status ?? 0) >= 400;
  return [
    ...asked.filter((model) => !models.includes(model)).map((model) => `${model} was asked instead of ${models}`),
    ...(isGivenUp ? ['a request that failed for a moment was given up'] : []),
  ];
}

/** Checks that calls that never answer end as stopped if their asker stops them. */
export function notStopped(events: readonly LedgerEvent[]): readonly string[] {
  const calls = eventsOf(events, 'called').filter(
    ({ tool, outcome }) => tool.endsWith('/hang') && outcome !== 'cancelled',
  );
  return calls.map(({ tool, outcome }) => `${tool} was stopped, and its outcome is ${outcome}`);
}

/** Checks that no request has the chats of two agents. */
export function mixed(requests: readonly { readonly body?: unknown }[]): readonly string[] {
  const isMixed = requests.some(({ body }) => new Set(JSON.stringify(body)?.match(/This is agent \d/g)).size > 1);
  return isMixed ? ['a request has the chats of two agents'] : [];
}

/** Checks that turns have the tokens that the service counted. */
export function miscounted(requests: readonly StandInRequest[], events: readonly LedgerEvent[]): readonly string[] {
  const rounds = eventsOf(events, 'roundEnded');
  const measured = rounds.filter(({ tokens }) => tokens.sent.certainty === 'measured');
  const add = <Item>(all: readonly Item[], of: (item: Item) => number) => all.reduce((sum, item) => sum + of(item), 0);
  const cached = ({ usage = {} }: StandInRequest): number =>
    usage.cache_read_input_tokens ?? usage.input_tokens_details?.cached_tokens ?? 0;
  const read = ({ usage = {} }: StandInRequest): number =>
    (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  const isWhole = measured.length >= requests.length;
  const used = add(requests, (it) => it.usage?.output_tokens ?? 0);
  const replied = [add(rounds, (it) => it.outputTokens?.value ?? 0), used];
  const counts = [
    ['of replies', ...replied],
    ['of requests', isWhole && add(measured, (it) => it.tokens.sent.value), isWhole && add(requests, read)],
    ['from caches', isWhole && add(rounds, (it) => it.tokens.cacheRead ?? 0), isWhole && add(requests, cached)],
  ];
  return counts.flatMap(([what, told, is]) =>
    told === is ? [] : `the turns have ${told} tokens ${what}, where the service counted ${is}`,
  );
}

/** Checks that the settings of the turn applied, and nothing of another turn or chat. */
function asSet({ plan, isFresh, seen }: Happened, own: readonly LedgerEvent[]): readonly string[] {
  const { codeMode, mode, allowedCallers = {} } = plan?.settings ?? {};
  const has = (type: LedgerEvent['type']) => own.some((event) => event.type === type);
  const [called, [started]] = [eventsOf(own, 'called'), eventsOf(own, 'turnStarted')];
  const scripts = eventsOf(own, 'scriptStarted');
  const first = eventsOf(own, 'roundEnded').find(({ round }) => round === 1);
  const { strategy = 'auto', delivery = 'auto' } = plan?.settings ?? {};
  const asked = plan?.asker === 'user' ? started : undefined;
  const isAll = mode === 'off' && started?.counts.deferred === 0;
  const wrong = [
    ...called.flatMap(({ tool, script, outcome, retry }) => {
      const by = Object.entries(allowedCallers).find(([tools]) => tools === `${tool.split('/')[0]}/*`)?.[1];
      const failed = called.filter((event) => event.tool === tool && event.outcome !== 'ok').length;
      return [
        outcome === 'ok' && by === 'direct' && script && `a script called ${tool}, which only the model may`,
        retry > failed && `${tool} is tried again after ${retry} failures, of ${failed}`,
      ];
    }),
    plan?.command === 'notools' && called.length > 0 && 'a tool was called, and the user wants none',
    plan?.command === 'eager' && has('searched') && 'tools were searched, and the user wants them all in the request',
    asked && asked.prompt !== plan?.prompt && `a turn is named ${asked.prompt}`,
    asked && ![asked.strategy.name, 'auto'].includes(strategy) && `${asked.strategy.name} searched, not ${strategy}`,
    asked && ![asked.delivery.name, 'auto'].includes(delivery) && `${asked.delivery.name} was used, not ${delivery}`,
    // Code at the provider is permitted by `allowedCallers`.
    codeMode === 'off' && scripts.some(({ where }) => !where) && 'a script ran though the user wants none',
    // A server that comes while a turn runs joins it by a search.
    isAll && has('searched') && 'tools were searched though all are in the request',
    JSON.stringify([own, seen]).includes(SECRET) && 'the ledger or an agent has a secret',
    isFresh && started?.counts.discovered !== 0 && 'a new chat begins with the tools that another found',
    isFresh && first?.prefix !== undefined && "a new chat's request is compared with one of another",
  ];
  return wrong.flatMap((what) => what || []);
}

/** Checks that the record has the arguments and the size of what servers answered. */
function noted({ answers }: Happened, own: readonly LedgerEvent[]): readonly string[] {
  const ran = answers?.map(
    (it) => `${it.tool.id} ${JSON.stringify(it.input)} ${Buffer.byteLength(resultText(it.answer))}`,
  );
  const told = eventsOf(own, 'called').filter(({ outcome }) => outcome === 'ok');
  const all = told.map(({ tool, args, resultBytes }) => `${tool} ${args} ${resultBytes}`);
  return all
    .filter((it) => ran && !ran.includes(it))
    .map((it) => `recorded is ${it}, where ${cut(String(ran), 200)} ran`);
}

/** Checks that searches keep the user's limit and order, and that their answers name what the record says was found. */
function searches({ plan, seen = [], items = seen }: Happened, own: readonly LedgerEvent[]): readonly string[] {
  const { maxResults = 5, delivery } = plan?.settings ?? {};
  const results = items.flatMap((item) => (item.kind === 'results' ? item.results : []));
  return eventsOf(own, 'searched').flatMap((event) => {
    const { query, hits, below, limit, matched, searched, script, callId } = event;
    if (hits.some(({ matchType }) => matchType === 'provider')) return [];
    const others = hits.filter(({ matchType }) => !/^(exact|exact_name|select)$/.test(matchType));
    const answer = results.filter(
      (it) => plan?.asker !== 'relay' && !script && (it.callId === callId || items === seen),
    );
    const text = answer.map(resultText).join();
    const unnamed = hits.find(({ id }) => text !== '' && !text.includes(id.replace('/', '_')));
    const isUnsorted = others.some(({ score }, at) => score > (others[at - 1]?.score ?? score));
    const twice = repeated(
      'a hit',
      [...hits, ...below].map((hit) => hit.id),
    )[0];
    const wrong: readonly (string | false | undefined)[] = [
      limit !== maxResults && limit > 0 && `a limit of ${limit}, where the user set ${maxResults}`,
      others.length > limit && `${others.length} hits, of ${limit}`,
      (matched < hits.length || searched < matched) && `${hits.length} hits of ${matched} of ${searched}`,
      twice,
      delivery === 'bridge' &&
        isUnsorted &&
        `hits in a wrong order: ${others.map(({ id, score }) => `${id} ${score}`)}`,
      unnamed && `${unnamed.id}, which its answer lacks: ${cut(text, 200)}`,
    ];
    return wrong.flatMap((what) => (what ? `a search for ${query} has ${what}` : []));
  });
}

/** Checks that the line below an answer has the turn's figures. */
function below({ read = '', report }: Happened, own: readonly LedgerEvent[]): readonly string[] {
  const [, used, tools] = /(\d+) of (\d+) tools used/.exec(read) ?? [];
  const [, share = '0', how = 'less'] = /([\d,]+)% (cheaper|fewer|more \w+) /.exec(read) ?? [];
  if (!report || used === undefined) return [];
  const tokens = { sent: report.sentTokens, baseline: report.baselineTokens };
  const { sent, baseline } = (/cheaper|expensive/.test(how) && report.cost?.usd) || tokens;
  const ratio = how === 'less' ? 0 : 1 - sent / baseline;
  const told = `${used} of ${tools}, ${share.replaceAll(',', '')}% ${/more/.test(how) ? 'more' : 'less'}`;
  const ran = new Set(own.filter(isUse).map(({ tool }) => tool)).size;
  const counted = `${ran} of ${report.tools}, ${Math.round(100 * Math.abs(ratio))}% ${ratio < 0 ? 'more' : 'less'}`;
  return told === counted ? [] : [`below an answer stands ${told}, where a turn has ${counted}`];
}

/** Checks that an agent that asks for a tool's definition gets it. */
export function undescribed({ call: { tool, input } }: Plan, told: string, tools: readonly Tool[]): readonly string[] {
  const names = tool === 'describe_tool' ? ((asObject(input)?.names ?? []) as readonly string[]) : [];
  return names.flatMap((name) => {
    const known = tools.find(({ modelName }) => modelName === name);
    const words = known
      ? [JSON.stringify(known.description).slice(0, -1), JSON.stringify(known.inputSchema)]
      : ['"unknown":'];
    return [name, ...words].every((it) => told.includes(it)) ? [] : [`${name} is described as ${cut(told, 300)}`];
  });
}

/** Whether the user runs a call: questions that are asked at once may get different answers. */
export function isRun({ consents }: Pick<Plan, 'consents'>, input: unknown): boolean {
  return consents && !/^no\b/.test(String(asObject(input)?.text));
}

/** Calls that ran beside others though their tools have to run alone, or though they change something on one server. */
export function sideBySide({ settings }: Plan, beside: readonly (readonly string[])[]): readonly string[] {
  const isAlone = compileIdGlobs(settings.sequentialTools ?? []);
  return beside.flatMap((calls) => {
    const tools = calls.map((call) => call.split(' ', 1)[0] ?? '');
    const changed = tools.filter((id) => /\/(write_note|structured)$/.test(id)).map((id) => id.split('/', 1)[0]);
    const twice = new Set(changed).size < changed.length;
    return twice || tools.some(isAlone) ? [`these ran side by side: ${calls.join(', ')}`] : [];
  });
}

/** Steps of a script that were answered before the step that they follow. */
export function outOfOrder(answers: readonly Pick<Answer, 'input'>[]): readonly string[] {
  const steps = answers
    .flatMap(({ input }) => /^step (\d)$/.exec(String(asObject(input)?.text))?.[1] ?? [])
    .map(Number);
  return steps.flatMap((step, index) =>
    step === 1 || steps[index - 1] === step - 1 ? [] : [`step ${step} came after step ${steps[index - 1] ?? 'none'}`],
  );
}

/** Returns the growth of memory in bytes per turn: the median over all pairs, which single steps hardly change. */
export function bytesPerTurn(samples: readonly { readonly turn: number; readonly bytes: number }[]): number {
  const slopes = samples.flatMap(({ turn, bytes }, index) =>
    samples.slice(index + 1).map((later) => (later.bytes - bytes) / (later.turn - turn)),
  );
  return Math.round(slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0);
}

/** Checks that each call is once in the ledger and once in the transcript, and that only requested calls ran. */
function calls({ items, ran, mayRun = new Map(), inScript = new Map(), plan }: Happened, own: readonly LedgerEvent[]) {
  const called = own.filter((event) => event.type === 'called');
  // Calls of our own scripts have the script's id as their call id.
  const single = called.filter((event) => event.script === undefined || event.script !== event.callId);
  const asked = (items ?? []).flatMap((item) => (item.kind === 'assistant' ? item.calls : []));
  const answered = (items ?? []).flatMap((item) => (item.kind === 'results' ? item.results : []));
  const broken = [
    ...repeated('called in the ledger', ids(single)),
    ...repeated('asked for in the transcript', ids(asked)),
  ];
  if (items) {
    broken.push(...same('calls of the transcript and their results', ids(asked), ids(answered)));
    for (const { callId } of single)
      if (!asked.some((call) => call.callId === callId)) broken.push(`${callId} is called in the ledger alone`);
  }
  for (const { callId } of asked.filter(({ name }) => !OWN.has(name))) {
    const outcome = answered.find((result) => result.callId === callId)?.outcome;
    const logged = single.some((event) => event.callId === callId);
    // A call is never made if its reply breaks off, or if its turn is cancelled first.
    if (!logged && outcome !== 'cancelled' && plan?.command !== 'notools')
      broken.push(`${callId} was answered and isn't in the ledger`);
  }
  const allowed = new Map(mayRun);
  const add = (id: string, count: number) => allowed.set(id, (allowed.get(id) ?? 0) + count);
  for (const call of asked) {
    if (call.name === 'run_code') for (const [id, count] of inScript) add(id, count);
    else if (!OWN.has(call.name)) add(toolOf(call), 1);
  }
  const ranBy = countOf(ran);
  const calledBy = countOf(called.map(({ tool }) => tool));
  const okBy = countOf(called.filter(({ outcome }) => outcome === 'ok').map(({ tool }) => tool));
  for (const [id, count] of ranBy) {
    if (count > (allowed.get(id) ?? 0))
      broken.push(`${id} ran ${count} times, where ${allowed.get(id) ?? 0} were asked for`);
    if (count > (calledBy.get(id) ?? 0))
      broken.push(`${id} ran ${count} times, and is ${calledBy.get(id) ?? 0} times in the ledger`);
  }
  for (const [id, count] of okBy)
    if (count > (ranBy.get(id) ?? 0))
      broken.push(`${id} is ${count} times in the ledger as done, and ran ${ranBy.get(id) ?? 0} times`);
  return broken;
}

/** Checks that a turn begins and ends once, as do its rounds, and that nothing comes after its end. */
function order(own: readonly LedgerEvent[]) {
  const counts = countOf(own.map(({ type }) => type));
  return [
    ...['turnStarted', 'turnEnded'].flatMap((type) =>
      counts.get(type) === 1 ? [] : [`${type} was recorded ${counts.get(type) ?? 0} times`],
    ),
    ...(own.at(-1)?.type === 'turnEnded' ? [] : [`something was recorded after the end: ${own.at(-1)?.type}`]),
    ...repeated(
      'ended',
      eventsOf(own, 'roundEnded').map(({ round }) => `round ${round}`),
    ),
  ];
}

/** Checks that a script ends once, that its calls are recorded, and that no more ran than the setting allows. */
function scripts(own: readonly LedgerEvent[]) {
  const broken: string[] = [];
  const [started, ended] = [eventsOf(own, 'scriptStarted'), eventsOf(own, 'scriptEnded')];
  for (const { callId, calls, failed } of ended) {
    const made = eventsOf(own, 'called').filter(({ script }) => script === callId);
    const called = made.length;
    const bad = made.filter(({ outcome }) => outcome !== 'ok').length;
    if (failed !== bad) broken.push(`the script ${callId} tells of ${failed} failed calls, where ${bad} are recorded`);
    if (calls !== called) broken.push(`the script ${callId} tells of ${calls} calls, where ${called} are recorded`);
    if (called > CALLS_PER_SCRIPT) broken.push(`the script ${callId} made ${called} calls, of ${CALLS_PER_SCRIPT}`);
  }
  broken.push(...repeated('ended as a script', ids(ended)));
  return [...broken, ...same('scripts that began and that ended', ids(started), ids(ended))];
}

/** Checks that a reply that the user stopped isn't taken for the whole answer. */
function pieces({ events, turn, status, failed, stopped = [], items, replied = [] }: Happened): readonly string[] {
  if (failed !== undefined && failed !== (status === 'failed')) return [`a turn that ${status} is shown as another`];
  const question = items?.findLast((item) => item.kind === 'user' && item.note === undefined);
  const kept = question?.kind === 'user' ? (question.unanswered ?? 'answered') : status;
  if (items && kept !== status) return [`a turn that is ${status} is kept as ${kept}`];
  const sizes = replied.map(({ body }) => ['messages', 'input'].flatMap((name) => asObject(body)?.[name] ?? []).length);
  if (replied.some(({ torn }, at) => torn && (sizes[at + 1] ?? 0) > (sizes[at] ?? 0)))
    return ['a reply broke off, and the turn goes on with it'];
  if (status !== 'answered') return [];
  if ((replied.at(-1)?.status ?? 0) >= 400) return ['the service failed, and the turn counts as answered'];
  if (replied.at(-1)?.torn) return ['a reply broke off, and the turn counts as answered'];
  const [at = events.length] = stopped;
  const after = events.slice(at).filter((event) => event.turn === turn && !/^(turnEnded|warned)$/.test(event.type));
  return after.length === 0 ? [] : [`the user stopped a ${after[0]?.type}, and the turn counts as answered`];
}

const bare = (text: string) => text.replaceAll(/\s/g, '');
const textOf = (blocks: readonly Block[]): string =>
  blocks
    .map(({ type, text, refusal, content }) =>
      type === 'message' ? textOf(content as readonly Block[]) : String(text ?? refusal ?? ''),
    )
    .join('');

/** Checks that what is kept of replies is what the user read, and is made of beginnings of what the service said. */
function heard({ items, read, replied, plan }: Happened): readonly string[] {
  if (!items || read === undefined || !replied) return [];
  const kept = bare(items.map((item) => (item.kind === 'assistant' ? item.text : '')).join(''));
  let ends = new Set([0]);
  // A stream that begins again says its beginning twice.
  const times = plan?.fault === 'restart' ? [1, 2] : [1];
  for (const said of replied.flatMap(({ said = [] }) => times.map(() => bare(textOf(said))))) {
    const next = new Set(ends);
    for (const end of ends) for (let n = 0; n < said.length && kept[end + n] === said[n]; n++) next.add(end + n + 1);
    ends = next;
  }
  return [
    ...(bare(read).startsWith(kept) ? [] : [`the user read ${cut(read, 200)}, but kept is ${cut(kept, 200)}`]),
    ...(ends.has(kept.length) ? [] : [`kept is ${cut(kept, 200)}, which the service never said`]),
  ];
}

/** Checks that a request has the questions of its own chat alone, in their order, and the present one last. */
export function strangeQuestions(
  requests: readonly { readonly body?: unknown }[],
  ...[chat, beside = []]: readonly (readonly string[])[]
): readonly string[] {
  const marks = (text: string) => [...new Set(text.match(/\[\[turn [^\]]+\]\]/g))];
  const [known, other] = [chat, beside].map((prompts) => marks(String(prompts)));
  return requests.flatMap(({ body }) => {
    const asked = marks(JSON.stringify(body));
    const own = (asked.includes(other?.at(-1) ?? '') ? other : known)?.slice(-asked.length) ?? [];
    return asked.length === 0 || asked.join() === own.join() ? [] : [`a request has ${asked}, in a chat with ${own}`];
  });
}

/** Checks that the totals are the sums. */
function sums({ status, report }: Happened, own: readonly LedgerEvent[]) {
  if (!report) return ['the turn has no report'];
  const broken: string[] = [];
  const rounds = own.filter((event) => event.type === 'roundEnded');
  const requests = figuresOfTurns(own).flatMap((figures) => figures.requests);
  const sum = (of: 'sent' | 'baseline') => requests.reduce((total, tokens) => total + tokens[of].value, 0);
  const count = (type: LedgerEvent['type']) => own.filter((event) => event.type === type).length;
  const is = (what: string, told: unknown, counted: unknown) => {
    if (told !== counted) broken.push(`${what}: ${told} reported, ${counted} recorded`);
  };
  is('sent tokens', report.sentTokens, sum('sent'));
  is('baseline tokens', report.baselineTokens, sum('baseline'));
  is('net', report.netSavedTokens, report.baselineTokens - report.sentTokens);
  is('calls', report.calls.length, count('called'));
  is('searches', report.queries.length, count('searched'));
  is('scripts', report.scripts.length, count('scriptEnded'));
  is('rounds', report.rounds, rounds.length);
  const all = (table: object) => Object.values(table).reduce((total, value) => total + value, 0);
  is('parts', all(report.sentParts), report.sentTokens);
  is('parts of the baseline', all(report.baselineParts), report.baselineTokens);
  if (requests.every(({ cost }) => cost))
    is('cost', report.cost?.sent ?? 0, all(requests.map(({ cost }) => cost?.sent)));
  const found = eventsOf(own, 'discovered').flatMap(({ ids }) => ids);
  is('discoveries', report.discovered.join(), found.join());
  broken.push(...repeated('discovered', found));
  if (status) is('status', report.status, status);
  for (const { tokens } of rounds) {
    const { promptAndHistory, eager, discovered, searchOverhead, sent } = tokens;
    is('a round sent', sent.value, promptAndHistory.value + eager.value + discovered.value + searchOverhead.value);
  }
  return broken;
}

/** Makes the report of a turn that has returned none. */
export function reportOf(events: readonly LedgerEvent[], turn: number): TurnReport | undefined {
  return reportTurn(events, turn, '');
}

/** Tools that servers ran more often than calls were made. */
export function overserved(served: Counts, ran: Counts): readonly string[] {
  return [...served].flatMap(([id, count]) =>
    count > (ran.get(id) ?? 0) ? [`${id} was asked for ${count} times, where ${ran.get(id) ?? 0} calls were made`] : [],
  );
}

/** The id of the tool that a model calls. Names of an agent's tools may end in a hash. */
function toolOf({ name, input }: Named): string {
  const named = name === 'call_tool' ? String(asObject(input)?.name) : name;
  return named.replace(/^([^_/]+)_/, '$1/').replace(/_[\da-f]{8}$/, '');
}

function inputOf({ name, input }: Named): unknown {
  return name === 'call_tool' ? (asObject(input)?.arguments ?? {}) : input;
}

export function countOf(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of list) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function ids(list: readonly { readonly callId: string }[]): readonly string[] {
  return list.map(({ callId }) => callId);
}

function repeated(what: string, list: readonly string[]): readonly string[] {
  return [...new Set(list.filter((id, index) => list.indexOf(id) !== index))].map(
    (id) => `${id} is ${what} more than once`,
  );
}

function same(what: string, a: readonly string[], b: readonly string[]): readonly string[] {
  return [...a].sort().join() === [...b].sort().join() ? [] : [`${what} differ: ${a.join()} and ${b.join()}`];
}
