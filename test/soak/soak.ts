// The soak test: plays turns with random faults, and checks the rules of invariants.ts after each turn.
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getHeapCodeStatistics, getHeapStatistics } from 'node:v8';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type * as vscode from 'vscode';
import { resultText } from '../../src/core/conversation/resultText';
import type { Transcript } from '../../src/core/conversation/transcript';
import { type EventOf, eventsOf, type LedgerEvent } from '../../src/core/ledger/events';
import type { Ledger } from '../../src/core/ledger/ledger';
import type { ModelPort, ModelRequest, ToolRun } from '../../src/core/ports';
import { cut } from '../../src/core/util/cut';
import { asObject } from '../../src/core/util/objects';
import { onAbort } from '../../src/core/util/signals';
import { isOverWithin, systemTimer } from '../../src/core/util/timers';
import { ViewFold } from '../../src/inspector/view/viewState';
import { chatOf } from '../../src/ui/agents/languageModelTools';
import { keptItems, keptTurn } from '../../src/ui/chat/history';
import type { TurnReport } from '../../tool-search';
import { buildSandboxFiles } from '../data/sandboxFiles';
import type { StandInRequest } from '../standin/server.mjs';
import { Memento, SecretStorage } from '../unit/shim/basics';
import { resetHost } from '../unit/shim/host';
import {
  ChatRequestTurn,
  ChatResponseMarkdownPart,
  ChatResponseTurn,
  LanguageModelChatMessage,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from '../unit/shim/parts';
import { faultyServers } from '../vscode/harness/processes.mjs';
import { Account, type Asking } from './account';
import { createChance } from './chance';
import { crowd } from './crowd';
import { type Defect, plant } from './defects';
import type { Happened } from './invariants';
import * as rules from './invariants';
import { mispriced, misput, misreported, unlike } from './outputs';
import { mispaged } from './page';
import { describe, drawPlan, goesOn, KNOWN_EVERY, LONG, type Plan, type Step } from './plan';
import { accept, misled } from './pressed';
import { collectGarbage, leftAfter, PromiseWatch } from './promises';
import { type Asked, createPorts, missent, noting } from './sent';
import { type Servers, startServers, startService, toolOf } from './servers';
import { misfound, misread, mistold, named, reportsOf, settled, sorted, wrongTotals } from './shown';
import { User } from './user';
import { leftOn, type Profile, type TurnCalls, tokenOf, Window } from './window';

export interface SoakOptions {
  readonly seed: number;
  readonly turns: number;
  readonly servers: number;
  readonly tests: string;
  readonly say: (line: string) => void;
  /** The defect that is planted in a turn, to check that a rule finds it. */
  readonly defectOf?: (turn: number) => Defect | undefined;
  readonly planOf?: (turn: number) => Plan;
  /** Milliseconds that work may continue after its turn (8,000). */
  readonly settleMs?: number;
}

/** Number of turns after which a new chat is begun, since a transcript grows with each. */
const CONVERSATION = 8;
/** Milliseconds that work may continue after its turn: a cancel has to arrive, a server may still start. */
const SETTLE_MS = 8_000;
/** Bytes that may remain of each turn in the last half, beside what is kept on purpose, if there are this many turns. */
const [MAX_PER_TURN, MIN_TURNS] = [13_000, 200];
/** Turns of one window before the last half. It gathers what it may keep of each turn, and starts its servers. */
const WINDOW = 80;
/** Number of further turns after which nothing of a turn may be kept alive. */
const FORGOTTEN = 3;
/** The services' refusals of a conversation that is too long. */
const TOO_MUCH = /prompt is too long|exceeds the context window/;
/** The services' refusals of a feature, after which no request to that model has it. */
const FEATURE =
  /does not support|(?<!output_schema.*)not supported|anthropic-beta|Input should be 'user'|'tool_search_tool_bm25/;
/** What a model lacks from its service's refusal on. */
const LACKS = [
  ['native', /tool types|'tool_search'/],
  ['runsCode', /programmatic/],
] as const;
/** The numbers of requests and turns that are kept, of a turn's requests that are checked, of a relayed agent's rounds. */
const [KEPT_REQUESTS, STORED, ROUNDS, RELAY_ROUNDS] = [100, 100, 30, 6];
/** Milliseconds that a turn may take without an event, and that a known answer waits for its servers. */
const [STUCK_MS, READY_MS] = [60_000, 30_000];
/** Turns in which a window adds its own listeners and timers, and the numbers that may be left later. */
const [WARM, MORE_LISTENERS, MORE_TIMERS] = [6, 2, 4];
/** A tool that the user pins off and on, and that the long chat calls. */
const PINNED = 'server0/pid';

/**
 * Runs a session with every possible fault. The questions, faults and cancellations are the same for the same seed; the
 * progress at each of these moments is not.
 */
export async function soak(options: SoakOptions) {
  const folder = await mkdtemp(path.join(tmpdir(), 'soak-'));
  resetHost();
  try {
    return await soakIn(folder, options);
  } finally {
    resetHost();
    await rm(folder, { recursive: true, force: true });
  }
}

async function soakIn(folder: string, options: SoakOptions) {
  const { seed, turns, servers: count, tests, say, defectOf, planOf } = options;
  const chance = createChance(seed);
  const calls = path.join(folder, 'calls');
  await writeFile(calls, '');
  const servers = await startServers(count, path.join(tests, 'fixtures'), calls);
  const service = await startService(path.join(tests, 'standin/main.mjs'));
  const { engine } = await buildSandboxFiles(path.join(folder, 'dist'));
  await copyFile(engine, path.join(folder, 'dist', 'quickjs.wasm'));
  const states = [new Memento(), new Memento()] as const;
  const session = new SoakSession({
    profile: { folder, secrets: new SecretStorage(), states, windows: 0, pins: new Map() },
    ...{ servers, service, say, defectOf },
    settleMs: options.settleMs ?? SETTLE_MS,
  });
  const samples: { readonly turn: number; readonly bytes: number }[] = [];
  let last: Plan | undefined;
  try {
    // At the first question, loading them could take longer than a cancelled turn may continue.
    await Promise.all([
      import('../../src/providers/anthropic/anthropicClient'),
      import('../../src/providers/openai/openaiClient'),
    ]);
    await session.open();
    for (let turn = 1; turn <= turns; turn++) {
      const plan = planOf?.(turn) ?? drawPlan(chance, servers.drawn, session.ports.length, turn, last);
      last = plan;
      const stays = turns >= MIN_TURNS && turn > turns / 2 - WINDOW;
      // The measured part begins with a window of its own.
      const isFirst = stays && turn - 1 <= turns / 2 - WINDOW;
      const steps = plan.before.filter((it) => !stays || it !== 'reload');
      const before = isFirst ? (['reload', ...steps] as const) : steps;
      await session.play(turn, { ...plan, before });
      if (stays && turn > turns / 2 && turn % KNOWN_EVERY === 0) samples.push({ turn, bytes: await session.bytes() });
    }
  } finally {
    await session.close();
    await Promise.all([servers.stop(), service.stop()]);
  }
  const broken = [...session.broken];
  const left = await leftAfter(options.settleMs ?? SETTLE_MS, () => faultyServers(calls));
  broken.push(...left.map((name) => `still running: ${name}`));
  const perTurn = rules.bytesPerTurn(samples);
  if (perTurn > MAX_PER_TURN) broken.push(`each turn leaves ${perTurn} bytes, of ${MAX_PER_TURN}`);
  const { reloads, made, byStatus } = session;
  return { turns, reloads, calls: made, byStatus, perTurn, broken };
}

interface SessionDeps extends Pick<SoakOptions, 'say' | 'defectOf'> {
  readonly profile: Profile;
  readonly servers: Servers;
  readonly service: Awaited<ReturnType<typeof startService>>;
  readonly settleMs: number;
}

/** One user's window across reloads, with everything that asks questions in it. */
class SoakSession {
  readonly #deps: SessionDeps;
  readonly #watch = new PromiseWatch();
  readonly #user = new User();
  readonly #account = new Account();
  readonly #ran = new Map<string, number>();
  /** Objects that belong to one turn. They have to be collected some turns later. */
  readonly #perTurn = new Map<number, WeakRef<object>>();
  readonly #plant: ReturnType<typeof plant>;
  #turn = 0;
  ports: readonly ModelPort[] = [];
  /** What each model can do, by its name, and the models, features and tools that the service refused. */
  readonly #able = new Map<string, string>();
  readonly #refused = new Set<string>();
  /** What the ports got in this turn. */
  readonly #asked: Asked[] = [];
  #window: Window;
  readonly #clients = new Map<string, Client>();
  #fold = new ViewFold();
  /** The present chat and another one, to which the user may go. */
  #chat: Chat = { name: 'chat', history: [] };
  #aside: Chat = { name: 'chat aside', history: [] };
  /** The chats that go on, what the longest one's last request began with, and how the last course began. */
  readonly #long = new Map<string, Chat>();
  #longBegan = { by: '', with: '' };
  #began = '';
  /** The second server's newest words, until they have to be known. */
  #words = '';
  #isSwapped = false;
  /** The number of chats that the user has begun, of calls that servers got, and of a turn's replies to agents. */
  #chats = 0;
  #served = 0;
  #replied = 0;
  /** The turns of this window, and the most listeners and timers in the first of them. */
  #played = 0;
  #listening = 0;
  #waiting = 0;
  /** The first definition of each tool, by name. */
  readonly #definitions = new Map<string, string>();
  /** Broken rules that are reported. */
  readonly #reported = new Set<string>();
  readonly broken: string[] = [];
  readonly byStatus: { [status: string]: number } = {};
  reloads = 0;
  made = 0;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const { defectOf } = deps;
    this.#plant = plant(defectOf && (() => defectOf(this.#turn)));
    this.#useKey();
    this.#window = this.#newWindow();
  }

  #useKey(): void {
    this.ports = createPorts(this.#deps.service.url).map((port) => noting(port, this.#asked));
    this.#refused.clear();
    this.#able.clear();
  }

  #newWindow(): Window {
    this.#played = this.#listening = this.#waiting = 0;
    return new Window({ ...this.#deps, watch: this.#watch, plant: this.#plant, user: this.#user });
  }

  async open(): Promise<void> {
    await this.#window.open();
    // The known answers need the tools of the first server.
    const { signal } = new AbortController();
    await this.#window.source.whenReady({ timeoutMs: 30_000, signal, onWait: () => {} });
    this.#watch.start();
  }

  async close(): Promise<void> {
    this.#watch.stop();
    this.broken.push(...(await this.#closeWindow()));
  }

  async #closeWindow(): Promise<readonly string[]> {
    await this.#leave();
    return this.#window.close();
  }

  /** Ends the clients' sessions, and with them what the user allowed. */
  async #leave(): Promise<void> {
    for (const client of this.#clients.values()) {
      await (client.transport as StreamableHTTPClientTransport).terminateSession();
      await client.close();
    }
    this.#clients.clear();
    this.#user.allowed.clear();
  }

  /** Plays one turn, and checks the state that it leaves. */
  async play(turn: number, asked: Plan): Promise<void> {
    this.#turn = turn;
    if (turn % KNOWN_EVERY === 0 && this.#chat.history.length > 2 * CONVERSATION) await this.#do('newChat');
    const lost = await this.#prepare(asked);
    const plan = await this.#answerable(asked);
    const [{ ledger }, calls] = [this.#window, newCalls(plan)];
    const aside = plan.beside && newCalls(besideOf(plan, plan.beside, turn));
    this.#window.useModels(this.ports);
    this.#window.begin(calls, aside);
    const clients = [plan, plan.beside].flatMap((it) => (it?.asker === 'client' ? it.client : []));
    for (const client of clients) await this.#connect(client);
    const off = this.#off(plan);
    const first = ledger.events.length;
    const chat = this.#chatOf(plan);
    const earlier = [...itemsOf(chat.history), ...cutOff(ledger.events, chat, plan.prompt)];
    const asks = [plan, aside?.plan ?? plan].map((it) => [...promptsOf(this.#chatOf(it).history), it.prompt]);
    const listed = [...this.#window.source.catalog.byId.keys()];
    const giveUp = new AbortController();
    this.#asked.length = 0;
    const ask = (it: TurnCalls | undefined, place: 0 | 1) => it && this.#ask(turn, it, giveUp.signal, place);
    const work = this.#watch.during(() => Promise.all([ask(calls, 0), ask(aside, 1)]));
    const stuck = await this.#stuck(work, giveUp);
    const [happened = [], beside] = stuck.length < 2 ? await work : [];
    const open = await this.#stillOpen([...happened, ...(beside ?? [])]);
    this.#window.endIdleTurns();
    const left = await this.#watch.leftAfter(this.#deps.settleMs);
    const requests = await this.#deps.service.requests();
    const streams = requests.filter(({ path }) => /\/(messages|responses)$/.test(path));
    const alone = !plan.beside && plan.asker === 'user';
    const isCut = [plan, plan.beside].some((it) => it?.fault || it?.cancel);
    const said = plan.fault || plan.cancel || plan.beside ? [] : requests.flatMap((request) => request.said ?? []);
    const [{ events }, { byId }] = [ledger, this.#window.source.catalog];
    const models = [plan, plan.beside].map((it) => it && this.ports[it.model]?.info.id);
    const told = new Set(events.slice(first).map((event) => event.turn));
    const all = [...happened.map((it) => ({ ...it, said, ...(alone ? { replied: streams } : {}) })), ...(beside ?? [])];
    const reports = all.map(({ turn }) => rules.reportOf(events, turn));
    const ran = all.flatMap((it) => it.ran);
    for (const [id, count] of rules.countOf(ran)) this.#ran.set(id, (this.#ran.get(id) ?? 0) + count);
    this.made += ran.length;
    const served = this.#deps.servers.served().slice(this.#served);
    this.#served += served.length;
    const found = [
      ...stuck,
      ...lost,
      ...(plan.asker === 'user' ? rules.strangeQuestions(streams, ...asks) : []),
      ...all.flatMap((it, at) => rules.brokenIn({ ...it, events, report: reports[at] })),
      ...(told.size > all.length ? [`${told.size} turns were recorded, where ${all.length} were asked for`] : []),
      ...left.map((place) => `still waiting: ${place}`),
      ...eventsOf(events.slice(first), 'searched').flatMap((it) => wrongHits(it, off, [...listed, ...byId.keys()])),
      ...this.#user.unasked(served, clients),
      ...rules.outOfOrder(calls.answers),
      ...(plan.cancel && 'orAt' in plan.cancel ? rules.notStopped(events.slice(first)) : []),
      ...calls.late.map((id) => `${id} began after the user had stopped the question`),
      ...(plan.beside && plan.asker !== 'user' && beside ? rules.differing(happened, beside) : []),
      ...(plan.beside && plan.asker === 'relay' && told.size !== 2 ? [`two agents made ${told.size} turns`] : []),
      ...open,
      ...rules.mixed(streams),
      ...rules.wrongAsked(plan, streams, models),
      ...missent(plan, this.#asked.splice(0), streams, this.#refused),
      ...rules.wrongReplies(plan, reports),
      ...(plan.asker === 'user' ? rules.otherCalls(requestsOf(ledger, happened[0]?.turn ?? 0), earlier) : []),
      ...this.#forgotten(calls, asks[0] ?? [], happened[0], alone ? streams : []),
      ...this.#beganAnew(plan, beside ?? []),
      ...this.#undone(plan, happened[0]?.turn ?? 0),
      ...(isCut || stuck.length > 0 ? [] : rules.miscounted(streams, events.slice(first))),
      ...(isCut || plan.asker !== 'user' ? [] : mispriced(streams, events.slice(first))),
      ...(plan.asker === 'user' ? misreported(this.#window.told.splice(0), events, all) : []),
      ...(plan.asker === 'relay' ? [] : rules.sideBySide(plan, calls.beside)),
      ...all.flatMap((it) => rules.wrongRequests(requestsOf(ledger, it.turn), plan, off)),
      ...ran.filter(rules.hiddenIn(plan)).map((id) => `${id} ran though the user hid it`),
      ...refusedIn(plan, requests),
      ...this.#unlearned(plan, streams),
      ...this.#new(await this.#standing()),
      ...(await this.#heldSignals(turn)),
      ...(await this.#outdated(calls, served)),
      ...(await this.#kept(turn)),
    ];
    this.#tell(turn, plan, found, ran.length, reports.slice(0, happened.length));
  }

  /** Notes how a turn ended, and what it broke. */
  #tell(turn: number, plan: Plan, found: readonly string[], ran: number, reports: readonly (TurnReport | undefined)[]) {
    const status = reports.map((report) => report?.status ?? 'unknown').join() || 'not begun';
    this.byStatus[status] = (this.byStatus[status] ?? 0) + 1;
    const [end = '', what] = [reports[0]?.message, describe(plan)];
    this.broken.push(...found.map((rule) => `turn ${turn} (${what}): ${rule}`));
    this.#deps.say(
      [`${turn} ${what} → ${status}, ran ${ran} ${end}`, ...found.map((rule) => `  ✗ ${rule}`)].join('\n'),
    );
  }

  /** Turns that go on though their agents were answered or stopped them. */
  async #stillOpen(turns: readonly Pick<Happened, 'turn' | 'ended'>[]): Promise<readonly string[]> {
    const { events } = this.#window.ledger;
    const closed = () => new Set(eventsOf(events, 'turnEnded').map(({ turn }) => turn));
    const open = await leftAfter(this.#deps.settleMs, () => turns.filter((it) => it.ended && !closed().has(it.turn)));
    return open.map(() => 'a turn goes on though its agent was answered or stopped it');
  }

  /** Broken rules that stay broken, and are reported once. */
  async #standing(): Promise<readonly string[]> {
    const untold = await leftAfter(this.#deps.settleMs, this.#deps.servers.unending);
    const [window, reports] = [this.#window, reportsOf(this.#window)];
    const { length } = [...reports.keys()].flatMap((turn) => requestsOf(window.ledger, turn));
    return [
      ...untold.map((id) => `${id} wasn't told that it was given up`),
      ...rules.overserved(rules.countOf(this.#deps.servers.served().map(toolOf)), this.#ran),
      ...wrongTotals(this.#fold, window, reports),
      ...(await settled(() => mistold(window, reports))),
      ...(this.#turn % KNOWN_EVERY === 0 ? await settled(() => misfound(window, this.#turn)) : []),
      ...(length > KEPT_REQUESTS ? [`${length} requests are kept, of ${KEPT_REQUESTS}`] : []),
      ...this.#confused(),
      ...(await misread(window, reports, this.#deps.settleMs)),
      ...(await settled(() => misput(window, this.#turn, (query) => this.#search(query)))),
      ...(await leftAfter(this.#deps.settleMs, () => mispaged(window))),
      ...this.#leftOver(),
    ];
  }

  /** Bytes in use, without what is kept on purpose. Drops the record of all turns, and the page that shows them. */
  async bytes(): Promise<number> {
    this.#chat = { name: `chat ${++this.#chats}`, history: [] };
    this.#aside = { ...this.#aside, history: [] };
    (this.#window.ledger.events as unknown[]).length = 0;
    this.#window.forgetRequests();
    this.#window.closeInspector();
    this.#fold = new ViewFold();
    for (let time = 0; time < 3; time++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collectGarbage();
    }
    // The engine compiles and drops code at any time. What it notes of it is in the spaces of values too.
    const code = getHeapCodeStatistics();
    const { used_heap_size: used, external_memory: external } = getHeapStatistics();
    const chat = JSON.stringify([...this.#long]).length;
    return (
      used + external - code.code_and_metadata_size - code.bytecode_and_metadata_size - this.#window.meantChars - chat
    );
  }

  /** Does what the user does before the turn. Returns the turns that were lost. */
  async #prepare(plan: Plan): Promise<readonly string[]> {
    if (!plan.before.includes('reload')) {
      for (const step of plan.before) await this.#do(step);
      return [];
    }
    // The reload follows at once on these calls. The first turn ends last, since its agent never returns.
    const { signal } = new AbortController();
    const asked = [LanguageModelChatMessage.User('server0 echo text=1')];
    await this.#window.relay(0, asked, this.#window.source.catalog.tools, signal).catch(() => {});
    await this.#deps.service.requests();
    await this.#search('echo');
    const newest = [...new Set(this.#window.ledger.events.map(({ turn }) => turn))].slice(-STORED);
    const kept = () => this.#window.ledger.events.filter(({ turn }) => newest.includes(turn));
    const stored = () => [this.#window.pins.current, ...kept()].map(sorted);
    const before = stored();
    await this.#do('reload');
    const after = stored().filter((it) => !before.includes(it));
    for (const step of plan.before) if (step !== 'reload') await this.#do(step);
    return after.map((it) => `a reload left ${cut(it, 200)}, of ${cut(before.join(), 200)}`);
  }

  /** Waits for the tools of a known answer. Without them, nothing is known. */
  async #answerable(plan: Plan): Promise<Plan> {
    if (!plan.tells) return plan;
    const named = [plan, plan.beside].flatMap((it) => it?.prompt.match(/\bserver\d+/g) ?? []);
    const unlisted = () => named.filter((name) => !this.#window.source.catalog.tools.some((it) => it.server === name));
    const missing = await leftAfter(READY_MS, unlisted);
    if (missing.length > 0) return { ...plan, tells: [], beside: undefined };
    const known = (it: Plan): Plan =>
      this.#window.hides(it.prompt.split(' ', 2).join('/')) ? { ...it, tells: [] } : it;
    return { ...known(plan), beside: plan.beside && known(plan.beside) };
  }

  /** Cancels a turn that makes no progress, and gives up on it if that doesn't help. Returns what it waits for. */
  async #stuck(work: Promise<unknown>, giveUp: AbortController): Promise<readonly string[]> {
    const { events } = this.#window.ledger;
    const told: string[] = [];
    let seen = -1;
    for (; told.length < 2 && !(await isOverWithin(STUCK_MS, work)); seen = events.length) {
      if (seen !== events.length) continue;
      const places = await this.#watch.leftAfter(0);
      told.push(
        `no progress for ${STUCK_MS / 1000} s${giveUp.signal.aborted ? ' after the stop' : ''}: ${places.join('; ')}`,
      );
      giveUp.abort();
    }
    return told;
  }

  /** The broken rules that haven't been reported, whatever their numbers. */
  #new(found: readonly string[]): readonly string[] {
    return found.filter((what) => {
      const rule = what.replaceAll(/\b\d+\b/g, '');
      const isNew = !this.#reported.has(rule);
      this.#reported.add(rule);
      return isNew;
    });
  }

  async #do(step: Step): Promise<void> {
    const { source } = this.#window;
    const { pins } = this.#deps.profile;
    const [, target = '', pin = ''] = /^\/(?:un)?pin (\S+) ?(.*)/.exec(step) ?? [];
    if (target) {
      await this.#window.tell(step);
      pins.set(target, pin);
      if (target.includes('/')) this.broken.push(...this.#new(await this.#mispinned(target, pin === 'off')));
      return;
    }
    const [, accepted] = /^accept (.*)/.exec(step) ?? [];
    if (accepted) return void this.broken.push(...(await accept(this.#window, accepted)));
    switch (step) {
      case 'newChat':
        this.#chat = { name: `chat ${++this.#chats}`, history: [] };
        return;
      case 'switch':
        [this.#chat, this.#aside] = [this.#aside, this.#chat];
        return;
      case 'retry':
      case 'lose': {
        const { history } = this.#chat;
        const isOpen = itemsOf(history.slice(-1)).some((item) => item.kind === 'user' && item.unanswered);
        if (isOpen || step === 'retry')
          this.#chat = { ...this.#chat, history: history.slice(0, step === 'lose' ? -1 : -2) };
        return;
      }
      case 'set':
        pins.set('', pins.get('') === 'few' ? '' : 'few');
        return this.#window.pins.choose(pins.get('') || undefined);
      case 'newKey':
        return this.#useKey();
      case 'acceptChanged':
        source.acceptChanged(source.changed);
        this.broken.push(...source.changed.map(({ id }) => `${id} is still withheld after the user accepted it`));
        return;
      case 'restart':
      case 'restart first':
        return void (await source.startServers('byUser', this.#deps.servers.drawn.at(step === 'restart' ? -1 : 0)));
      case 'crowd':
        await this.#leave();
        this.broken.push(...this.#new(await crowd(() => this.#connect('many', false))));
        return this.#window.endIdleTurns();
      case 'comes':
      case 'goes': {
        this.#deps.servers.late(step === 'comes');
        await source.startServers('byUser', 'server100');
        const isOld = (id: string) => source.catalog.byId.has(id) !== (step === 'comes');
        const old = await leftAfter(this.#deps.settleMs, () => ['server0/late', 'server100/late'].filter(isOld));
        this.broken.push(...old.map((id) => `turn ${this.#turn}: ${id} ${step}, and the list is another`));
        return;
      }
      case 'pin':
        return this.#do(pins.get(PINNED) === 'off' ? `/unpin ${PINNED}` : `/pin ${PINNED} off`);
      case 'swap':
        // The second server ends, and comes back with other tools.
        this.#words = ` v${this.#turn} without picture`;
        this.#isSwapped = this.#deps.servers.swap(this.#words);
        return;
      case 'rejoin':
        return this.#leave();
      case 'reload': {
        this.broken.push(...this.#new(await this.#closeWindow()));
        this.#window = this.#newWindow();
        await this.#window.open();
        this.#useKey();
        this.#fold = new ViewFold();
        this.reloads++;
      }
    }
  }

  /** Whether a search or the inspector's page doesn't follow a pin at once, before any other change. */
  async #mispinned(id: string, isOff: boolean): Promise<readonly string[]> {
    const how = isOff ? 'off' : 'on';
    const isThere = this.#window.source.catalog.byId.has(id) && !(!isOff && this.#window.hides(id));
    await this.#search(id.replace('/', '_'));
    // The answer repeats the words of a search that finds nothing.
    const hits = eventsOf(this.#window.ledger.events, 'searched').at(-1)?.hits ?? [];
    const isFound = hits.some((hit) => hit.id === id);
    const shown = await leftAfter(this.#deps.settleMs, () => {
      const row = this.#window.page?.tools.find((tool) => tool.id === id);
      return row && (row.loading === 'omitted') !== isOff ? [row.loading] : [];
    });
    return [
      ...(isThere && isFound === isOff ? [`a tool is pinned ${how}, and a search differs`] : []),
      ...shown.map((loading) => `a tool is pinned ${how}, and the inspector shows it as ${loading}`),
    ];
  }

  /** The tools that no request may have: those that the user hid, and those that changed and wait for consent. */
  #off(plan: Plan): readonly string[] {
    const { tools } = this.#window.source.catalog;
    // A conversation may have got a tool before it changed.
    const asks = plan.settings.changedTools === 'ask' && this.#chatOf(plan).history.length === 0;
    const changed = asks ? this.#window.source.changed : [];
    return [...changed, ...tools.filter(({ id }) => this.#window.hides(id))].map(({ id }) => id);
  }

  /** @param place 1 for the question beside another one, which has a chat of its own */
  async #ask(
    turn: number,
    calls: TurnCalls,
    giveUp: AbortSignal,
    place: 0 | 1,
  ): Promise<readonly Omit<Happened, 'events' | 'report'>[]> {
    const { plan } = calls;
    const { signal, stop } = this.#cancelled(turn + place / 2, calls, giveUp);
    const first = this.#window.ledger.events.length;
    const chat = plan.chat === 'chat' ? 'agent' : place === 0 ? `agent ${turn}` : `beside ${turn}`;
    try {
      if (plan.asker !== 'user') {
        const asked = await (plan.asker === 'relay'
          ? this.#byRelay(calls, place, signal)
          : this.#byAgent(calls, chat, signal));
        const begun = eventsOf(this.#window.ledger.events.slice(first), 'turnStarted');
        const own = begun.filter(({ model }) => plan.asker !== 'client' || model.name === plan.client);
        const turns = own.map((event) => event.turn).sort((a, b) => a - b);
        // A cancelled call may never have begun.
        const number = turns[plan.asker === 'client' ? 0 : place];
        return number === undefined ? [] : [{ ...asked, plan, turn: number, ran: calls.ran }];
      }
      return await this.#inChat(calls, signal);
    } finally {
      stop();
    }
  }

  /** The chat of a user's question. All but some have a question alone. */
  #chatOf({ chat, asker }: Plan): Chat {
    if (goesOn(chat)) return this.#long.get(chat) ?? { name: chat, history: [] };
    return chat === 'chat' && asker === 'user' ? this.#chat : { name: chat, history: [] };
  }

  /** The long chat's new beginning, if nothing but its length is the reason. The service would read everything again. */
  #beganAnew({ beside }: Plan, turns: readonly { readonly turn: number }[]): readonly string[] {
    const { pins, ledger } = this.#window;
    if (beside?.chat !== LONG) return [];
    const [request] = turns.flatMap(({ turn }) => requestsOf(ledger, turn));
    if (!request) return [];
    const by = JSON.stringify([this.ports[beside.model]?.info, pins.current]);
    const before = this.#longBegan;
    this.#longBegan = { by, with: JSON.stringify([request.system, request.tools]) };
    const { with: now } = this.#longBegan;
    return before.by !== by || before.with === now
      ? []
      : [`a chat began with ${cut(before.with, 200)}, and now with ${cut(now, 200)}`];
  }

  /** What a user's question lacks by our own account of its chat. */
  #forgotten({ plan, made }: TurnCalls, prompts: Asking['prompts'], it: Partial<Happened> = {}, sent: Asking['sent']) {
    if (plan.asker !== 'user') return [];
    const [{ ledger }, { turn, status }, chat] = [this.#window, it, this.#chatOf(plan).name];
    const round = eventsOf(ledger.events, 'roundEnded').find((event) => event.turn === turn && event.round === 1);
    const [isAnswered, misses] = [status === 'answered', round?.prefix?.broke?.cause === 'model'];
    const [requests, window] = [requestsOf(ledger, turn ?? 0), this.reloads];
    return this.#account.note({ chat, prompts, turn, isAnswered, misses, made, sent, requests, window });
  }

  /** What is asked otherwise than before something was done and undone. */
  #undone({ course, sends }: Plan, turn: number): readonly string[] {
    const { ledger } = this.#window;
    const started = eventsOf(ledger.events, 'turnStarted').find((event) => event.turn === turn);
    const [request] = requestsOf(ledger, turn);
    const other = unlike({ course, sends }, request);
    if (!course || !request) return other;
    const own = request.tools.flatMap(({ server, name }) => (server === '' ? name : []));
    const before = this.#began;
    // The guidance keeps the number of tools with which a chat began.
    const system = request.system.replace(/^\d+ tools of [^.]+\./, '');
    this.#began = JSON.stringify([started?.strategy.name, started?.delivery.name, own, system]);
    return course === 'before' || this.#began === before
      ? other
      : [`something was undone, and a question is asked with ${this.#began}, where it was ${before}`];
  }

  /** Asks `@toolsearch`. A question that is stopped while it waits for servers makes no turn. */
  async #inChat({ plan, ran, answers, stopped }: TurnCalls, signal: AbortSignal) {
    const { prompt, command, model, inScript, tells, chat, refers } = plan;
    const { name, history } = this.#chatOf(plan);
    const shown = await this.#window.ask({ prompt, command, model, chat: name, history, refers }, signal);
    const { result, said } = shown;
    const [items, turn] = [keptItems(result.metadata), keptTurn(result.metadata)];
    const { events } = this.#window.ledger;
    const status = eventsOf(events, 'turnEnded').find((event) => event.turn === turn)?.status;
    const answer = new ChatResponseTurn([new ChatResponseMarkdownPart(said.join('\n'))], result);
    const turns = [new ChatRequestTurn(prompt, command), answer] as unknown as vscode.ChatContext['history'];
    if (chat === 'chat') this.#chat = { name, history: [...history, ...turns] };
    if (goesOn(chat)) this.#long.set(chat, { name, history: [...history, ...turns] });
    const failed = result.errorDetails !== undefined;
    const read = said
      .flatMap((part) => (part.startsWith('markdown: ') ? part.slice('markdown: '.length) : []))
      .join(' ');
    const isFresh = tells !== undefined && history.length === 0 && !plan.before.includes('retry');
    const wrong = misled(this.#window, shown);
    const kept = { plan, ran, answers, stopped, inScript, tells, items, failed, read, isFresh, misled: wrong };
    return turn === undefined ? [] : [{ ...kept, ...(status ? { status } : {}), turn }];
  }

  async #byAgent({ plan, answers }: TurnCalls, chat: string, signal: AbortSignal) {
    const { events } = this.#window.ledger;
    const first = events.length;
    const { tool, input } = plan.call;
    const inputs = plan.together ?? [input];
    let runs: readonly Pick<ToolRun, 'outcome' | 'parts'>[] = [];
    const client = this.#clients.get(plan.client);
    if (plan.asker === 'agent') {
      const call = (each: unknown) => this.#window.callAsAgent({ tool, input: each, chat }, signal);
      const texts = chat.startsWith('beside') ? [] : await Promise.all(inputs.map(call));
      // The other agent makes its calls one by one.
      if (texts.length === 0) for (const each of inputs) texts.push(await call(each));
      // VS Code passes on only text.
      const type = tool === 'run_code' ? 'scriptEnded' : 'called';
      const isBad = events.slice(first).some((event) => event.type === type && event.outcome !== 'ok');
      runs = texts.map((text) => ({ outcome: isBad ? 'failed' : 'ok', parts: [{ type: 'text', text }] }));
    } else {
      const leave = () => void (this.#clients.delete(plan.client) && client?.close());
      if (plan.chat === 'left') onAbort(signal, leave);
      // The client belongs to the test, not to the turn.
      const run = await this.#watch.outside(() =>
        client
          ?.callTool({ name: tool, arguments: asObject(input) }, undefined, { signal })
          .then(({ content, isError }) => asRun(content as CallToolResult['content'], isError === true))
          .catch(() => undefined),
      );
      runs = run ? [run] : [];
      // The list arrives after the call, which may not have begun yet.
      const listed = await this.#watch.outside(() => client?.listTools().catch(() => undefined));
      const runsCode = listed?.tools.some(({ name }) => name === 'run_code');
      if (runsCode === (plan.settings.codeMode === 'off'))
        this.broken.push(`a client ${runsCode ? 'has' : 'lacks'} run_code`);
      await this.#window.answered();
    }
    const offered = plan.settings.changedTools === 'ask' ? [] : this.#window.offered();
    if (runs[0] && offered.length > 0) this.broken.push(...rules.undescribed(plan, resultText(runs[0]), offered));
    const seen: Transcript = [
      { kind: 'assistant', text: '', calls: inputs.map((each, at) => ({ callId: `${at}`, name: tool, input: each })) },
      { kind: 'results', results: runs.map((run, at) => ({ callId: `${at}`, ...run })) },
    ];
    return { mayRun: plan.inScript, seen, answers, tells: plan.tells };
  }

  /** Asks as another agent with one of our models: it runs the calls that it gets, and returns with the results. */
  async #byRelay(calls: TurnCalls, place: number, signal: AbortSignal) {
    const { source } = this.#window;
    const { plan } = calls;
    const { tools } = source.catalog;
    const messages = [LanguageModelChatMessage.User(plan.prompt)];
    if (plan.chat === 'begun')
      messages.unshift(
        LanguageModelChatMessage.User(`This is agent ${place}.`),
        LanguageModelChatMessage.Assistant('Hello.'),
      );
    const [seen, got]: [(Transcript[number] & { readonly kind: 'assistant' })[], Transcript[number][]] = [[], []];
    // The second of two chats begins while the first waits for its call.
    const replies = (count: number) => leftAfter(3_000, () => (this.#replied < count ? [count] : []));
    if (place === 0) this.#replied = 0;
    else if (plan.chat === 'begun') await replies(1);
    let failed = false;
    for (let round = 0; round < RELAY_ROUNDS; round++) {
      const parts = await this.#window.relay(plan.model, messages, tools, signal).catch(() => undefined);
      failed = !parts;
      if (!parts) break;
      if (++this.#replied === 1 && plan.chat === 'begun' && plan.beside) await replies(2);
      const asked = parts.filter((part) => part instanceof LanguageModelToolCallPart);
      const text = parts.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
      seen.push({ kind: 'assistant', text, calls: asked });
      if (signal.aborted || asked.length === 0) break;
      const results = await Promise.all(
        asked.map(async ({ callId, name, input }) => {
          const tool = tools.find(({ invokeName }) => invokeName === name);
          const run = tool && (await this.#window.run(tool, input as { [name: string]: unknown }, place, signal));
          const text = run ? asVscodeTells(run, ` for agent ${place}`) : 'There is no such tool.';
          if (run) got.push({ kind: 'results', results: [{ callId, ...run }] });
          return new LanguageModelToolResultPart(callId, [new LanguageModelTextPart(text)]);
        }),
      );
      messages.push(
        LanguageModelChatMessage.Assistant(parts as never),
        LanguageModelChatMessage.User(results as never),
      );
    }
    const named = seen
      .flatMap((reply) => reply.calls)
      .map(({ name }) => source.catalog.tools.find(({ invokeName }) => invokeName === name)?.id ?? name);
    const ended = failed || seen.at(-1)?.calls.length === 0;
    const isOver = !signal.aborted && (failed || (!plan.fault && seen.at(-1)?.calls.length === 0));
    return {
      mayRun: rules.countOf(named),
      seen: [...seen, ...got],
      tells: plan.tells,
      ended,
      ...(isOver ? { status: failed ? ('failed' as const) : ('answered' as const) } : {}),
    };
  }

  async #connect(name: string, stays = true): Promise<Client> {
    const known = this.#clients.get(name);
    if (known) return known;
    this.#user.forget(name);
    const { url, headers } = this.#window.address;
    const client = new Client({ name, version: '0' });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } }));
    if (stays) this.#clients.set(name, client);
    const [told] = client.getInstructions()?.match(/^\d+ tools/) ?? [];
    const { length } = this.#window.offered();
    if (told !== `${length} tools`) this.broken.push(`a client is told of ${told}, of ${length}`);
    return client;
  }

  /** A signal that aborts when the user cancels. Only the turn may keep it alive. */
  #cancelled(turn: number, calls: TurnCalls, giveUp: AbortSignal) {
    const { cancel } = calls.plan;
    const { ledger } = this.#window;
    const abort = new AbortController();
    this.#perTurn.set(turn, new WeakRef(abort.signal));
    const cancelNow = () => {
      if (!abort.signal.aborted) calls.stopped.push(ledger.events.length);
      abort.abort();
    };
    const stops = [onAbort(giveUp, cancelNow)];
    if (cancel && 'afterMs' in cancel) stops.push(systemTimer(cancelNow, cancel.afterMs));
    if (cancel && 'orAt' in cancel)
      // A call takes a moment to reach its server.
      calls.onCall = () => stops.push(systemTimer(cancelNow, 100));
    let events = 0;
    if (cancel && 'afterEvents' in cancel)
      stops.push(ledger.onDidChange(() => void (++events >= cancel.afterEvents && cancelNow())));
    return { signal: abort.signal, stop: () => stops.forEach((stop) => void stop()) };
  }

  /** Features that were sent or offered again after they were refused, and those that were lost without that. */
  #unlearned({ cancel, beside }: Plan, streams: readonly StandInRequest[]): readonly string[] {
    const again = streams.flatMap(({ body, status = 0, error = '' }) => {
      const model = String(asObject(body)?.model);
      if (status >= 400) this.#refused.add(model);
      const what = `${model}: ${error.replaceAll(/\d+/g, '').slice(0, 60)}`;
      if (!FEATURE.test(error) || cancel || beside) return [];
      const isKnown = this.#refused.has(what);
      this.#refused.add(what);
      return isKnown ? [`the service had to refuse this again: ${what}`] : [];
    });
    const changed = this.ports.flatMap(({ info }) => {
      const isRefused = this.#refused.has(info.id);
      const able = JSON.stringify(info);
      const was = this.#able.get(info.id) ?? able;
      this.#able.set(info.id, able);
      const kept = LACKS.filter(
        ([key, words]) => info[key] && [...this.#refused].some((it) => it.startsWith(`${info.id}: `) && words.test(it)),
      );
      return [
        ...kept.map(([key]) => `${info.id} still has ${key}, which the service refused`),
        ...(isRefused || able === was ? [] : [`${info.id} lost a feature that the service hasn't refused`]),
      ];
    });
    return [...again, ...changed];
  }

  /** Listeners that a window's turns have added to lists that outlive them, and timers that outlive the turns. */
  #leftOver(): readonly string[] {
    const { listening } = this.#window;
    // The first turns begin what the whole window needs.
    const { timers } = this.#watch;
    if (++this.#played <= WARM) {
      this.#listening = Math.max(this.#listening, listening);
      this.#waiting = Math.max(this.#waiting, timers.length);
    }
    const [more, waiting] = [listening - this.#listening, timers.length - this.#waiting];
    return [
      ...(more > MORE_LISTENERS ? [`turns have left ${more} listeners`] : []),
      ...(waiting > MORE_TIMERS ? [`turns have left ${waiting} timers: ${mostOf(timers)}`] : []),
    ];
  }

  /** Listeners that turns have left on their signals, and signals that have to be collected like the turns' own. */
  async #heldSignals(turn: number): Promise<readonly string[]> {
    const { signals } = this.#window;
    const [left] = await leftAfter(this.#deps.settleMs, () => [leftOn(signals)].filter((count) => count > 0));
    signals.splice(0).forEach((signal, at) => void this.#perTurn.set(turn + at / 1_000 + 0.001, new WeakRef(signal)));
    return left ? [`${left} listeners are left on the turn's signal`] : [];
  }

  /** Earlier turns whose objects are still alive although they should be collected. */
  async #kept(turn: number): Promise<readonly string[]> {
    const turns = () => [...this.#perTurn].filter(([from]) => from < turn - FORGOTTEN);
    // A cancelled call may still be ending.
    const kept = await leftAfter(this.#deps.settleMs, () =>
      turns().flatMap(([from, ref]) => (ref.deref() === undefined ? [] : [from])),
    );
    for (const [from] of turns()) this.#perTurn.delete(from);
    return kept.map((from) => `turn ${Math.floor(from)} is still held on to`);
  }

  /** Tools whose definition differs from the first one of that name: all servers have the same tools. */
  #confused(): readonly string[] {
    return this.#window.source.catalog.tools.flatMap(({ id, name, server, description, inputSchema, annotations }) => {
      const said = JSON.stringify([description.replace(server, '').replace(/ v\d.*/, ''), inputSchema, annotations]);
      const first = this.#definitions.get(name) ?? said;
      this.#definitions.set(name, first);
      return said === first ? [] : [`${id} is defined as ${cut(said, 200)}, instead of ${cut(first, 200)}`];
    });
  }

  /** Tools that the window lists otherwise than their servers, whose calls have changed their lists. */
  async #outdated({ answers }: TurnCalls, served: readonly string[]): Promise<readonly string[]> {
    const gone = answers.filter(({ tool, answer }) => tool.name === 'change' && answer.outcome === 'ok');
    const has = (id: string) => this.#window.source.catalog.tools.some((tool) => tool.id === id);
    const wrong = await leftAfter(this.#deps.settleMs, () =>
      gone.flatMap(({ tool: { id, server } }) => {
        if (has(id)) return [`${id} is still listed, and its server no longer has it`];
        return has(`${server}/echo`) && !has(`${server}/brand_new`)
          ? [`${server} has a new tool, which isn't listed`]
          : [];
      }),
    );
    // The call has started the second server again.
    const isKnown = this.#isSwapped && served.some((call) => call.startsWith('server1/'));
    if (isKnown) this.#isSwapped = false;
    const old = await leftAfter(this.#deps.settleMs, () => {
      const { byId } = this.#window.source.catalog;
      const isNew = byId.get('server1/echo')?.description.endsWith(this.#words) && !byId.has('server1/picture');
      return isKnown && !isNew ? ['server1 is back with other tools, and the old ones are still used'] : [];
    });
    return [...old, ...(isKnown && old.length === 0 ? await this.#unsearchable() : []), ...wrong];
  }

  /** Whether a search finds the second server's newest words. */
  async #unsearchable(): Promise<readonly string[]> {
    const text = await this.#search(this.#words.trim());
    return text.includes('server1') ? [] : [`a search for ${this.#words} finds ${cut(text, 200)}`];
  }

  /** Searches as an agent does, in a turn of its own. */
  async #search(query: string): Promise<string> {
    const call = { tool: 'search_tools', input: { queries: [query] }, chat: 'agent' } as const;
    const text = await this.#window.callAsAgent(call, new AbortController().signal);
    this.#window.endIdleTurns();
    return text;
  }
}

/** Tools that a search found or suggests though nobody has them, or the user hid them. */
const wrongHits = (it: EventOf<'searched'>, off: readonly string[], listed: readonly string[]) => [
  ...it.hits.flatMap(({ id }) => [
    ...(listed.includes(id) ? [] : [`a search found ${id}, which nobody has`]),
    ...(off.includes(id) ? [`a search found ${id}, which the user hid or hasn't accepted`] : []),
  ]),
  ...named(it.note ?? '', off, it.query).map((id) => `a search suggests ${id}, which the user hid: ${it.note}`),
];

/** What the service refused. Other agents may send anything, even a megabyte, so some refusals are expected. */
function refusedIn(plan: Plan, requests: readonly StandInRequest[]): readonly string[] {
  if (plan.fault || plan.beside?.fault) return [];
  return requests.flatMap(({ service, path, status = 0, error }) =>
    status < 400 || (plan.asker === 'relay' && TOO_MUCH.test(String(error)))
      ? []
      : [`the service refused what we sent: ${service} ${path} ${status}: ${error}`],
  );
}

/** A chat as VS Code keeps it. */
interface Chat {
  readonly name: string;
  readonly history: vscode.ChatContext['history'];
}

/** What was called for questions of a chat whose answers VS Code doesn't have, the present question included. */
function cutOff(events: readonly LedgerEvent[], { name, history }: Chat, prompt: string): Transcript {
  const known = new Set(history.map((turn) => ('result' in turn ? keptTurn(turn.result.metadata) : undefined)));
  const newest = Math.max(0, ...[...known].map((turn) => turn ?? 0));
  const lost = history.flatMap((turn, at) =>
    'prompt' in turn && !('result' in (history[at + 1] ?? turn)) ? turn.prompt : [],
  );
  const attempts = eventsOf(events, 'turnStarted').filter(
    ({ chat, turn }) => chat === chatOf(tokenOf(name)) && !known.has(turn),
  );
  const statusOf = (turn: number) => eventsOf(events, 'turnEnded').find((it) => it.turn === turn)?.status;
  const retried = attempts.filter((it) => it.prompt === prompt && it.turn > newest);
  const answered = retried.findLast(({ turn }) => statusOf(turn) === 'answered')?.turn ?? 0;
  const all = [
    ...lost.flatMap((text) => attempts.findLast((it) => it.prompt === text && statusOf(it.turn) !== 'answered') ?? []),
    ...retried.filter(({ turn }) => turn > answered),
  ];
  return all.map(({ turn }) => {
    const own = events.filter((event) => event.turn === turn);
    const made = own.filter((it) => it.type === 'scriptStarted' || (it.type === 'called' && it.script === undefined));
    return {
      kind: 'results',
      results: made.map((it, at) => ({
        callId: `cut_${turn}_${at + 1}`,
        outcome: 'outcome' in it ? it.outcome : 'failed',
        parts: [],
      })),
    };
  });
}

const itemsOf = (history: vscode.ChatContext['history']): Transcript =>
  history.flatMap((turn) => ('result' in turn ? (keptItems(turn.result.metadata) ?? []) : []));

const promptsOf = (history: vscode.ChatContext['history']): readonly string[] =>
  history.map((turn) => ('prompt' in turn ? turn.prompt : ''));

/** The most frequent of these texts. */
function mostOf(texts: readonly string[]): string | undefined {
  return [...rules.countOf(texts)].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function newCalls(plan: Plan): TurnCalls {
  return { plan, ran: [], running: new Set(), beside: [], answers: [], made: [], stopped: [], late: [] };
}

/** The question beside another one. Only the long chat goes on. */
const besideOf = ({ settings, asker }: Plan, beside: Plan, turn: number): Plan =>
  asker === 'user' && beside.chat !== LONG ? { ...beside, settings, chat: `beside ${turn}` } : { ...beside, settings };

/** The requests of a turn, in the order of its rounds. */
function requestsOf({ exchanges }: Ledger, turn: number): readonly ModelRequest[] {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => exchanges.of(turn, round + 1)?.request);
  return rounds.filter((request) => request !== undefined);
}

/** A result over the endpoint as the result that it was made of. */
function asRun(content: CallToolResult['content'], failed: boolean): Pick<ToolRun, 'outcome' | 'parts'> {
  const parts = content.flatMap((part) =>
    part.type === 'image'
      ? { ...part, bytes: Buffer.byteLength(part.data, 'base64') }
      : part.type === 'text'
        ? part
        : [],
  );
  return { outcome: failed ? 'failed' : 'ok', parts };
}

/** The text that an agent gets for a call: VS Code passes on only text. */
function asVscodeTells(run: ToolRun, mark: string): string {
  if (run.outcome === 'refused') return 'The user chose to skip the tool call, they want to proceed without running it';
  return run.outcome === 'ok' ? resultText(run) + mark : `MCP error -32603: ${resultText(run)}`;
}
