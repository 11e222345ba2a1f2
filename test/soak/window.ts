import { type AgentCall, type AgentTools, createAgentTools } from '../../src/core/agents/agentTools';
import type { Endpoint } from '../../src/core/agents/endpointPort';
import { relay } from '../../src/core/agents/relay';
import type { RelayRequest, RelaySink } from '../../src/core/agents/relayRequest';
import { RelayTurns } from '../../src/core/agents/relayTurns';
import type { Tool } from '../../src/core/catalog/tool';
import { codeDepsOf, type ScriptHost } from '../../src/core/code/codeDeps';
import { Exchanges } from '../../src/core/ledger/exchanges';
import { Ledger } from '../../src/core/ledger/ledger';
import { type ModelPort, type PendingCall, type ToolRun, type ToolRunner, toolMessage } from '../../src/core/ports';
import { createSearchPort } from '../../src/core/search/searchPort';
import { StrategyRegistry } from '../../src/core/search/strategies/registry';
import { ToolIndex } from '../../src/core/search/toolIndex';
import { DEFAULT_SETTINGS, type Settings } from '../../src/core/settings/settings';
import { Session } from '../../src/core/turn/session';
import type { TurnOutcome, TurnQuestion } from '../../src/core/turn/turn';
import type { TurnServices } from '../../src/core/turn/turnServices';
import { LastRequests } from '../../src/core/usage/cacheMiss';
import { KnownSecrets } from '../../src/core/util/knownSecrets';
import { systemTimer, type Timer } from '../../src/core/util/signals';
import { yieldToEventLoop } from '../../src/core/util/yieldToEventLoop';
import { openEndpoint } from '../../src/endpoint/endpoint';
import type { Sandbox } from '../../src/sandbox/sandbox';
import { createArgumentCheck } from '../../src/tools/arguments/validateArguments';
import { createTimeGate } from '../../src/tools/callTime';
import { CatalogCache } from '../../src/tools/catalogCache';
import { SeenTools } from '../../src/tools/changes/seenTools';
import type { DefinedServer } from '../../src/tools/mcp/config/definition';
import { type Form, type FormAnswer, fillForm } from '../../src/tools/mcp/connection/elicitationForm';
import type { McpToolProvider } from '../../src/tools/mcp/servers/mcpToolProvider';
import { outcomeOf } from '../../src/tools/outcome';
import { ProviderSwitch } from '../../src/tools/providerSwitch';
import { withoutSecrets } from '../../src/tools/withoutSecrets';
import { ConfirmationQueue } from '../../src/ui/confirmations/confirmationQueue';
import { keepLedger, readLedger } from '../../src/vscode/ledgerStore';
import type { StoredFile } from '../../src/vscode/storedData';
import { choices, makeServices, runCall, scriptHost, TestSink } from '../unit/core/turn/world';
import { TestWorld } from '../unit/tools/mcp/world';
import type { Plant } from './defects';
import { type Answer, CALLS_PER_SCRIPT, isRun, SECRET } from './invariants';
import type { Plan } from './plan';
import type { PromiseWatch } from './promises';

/** Settings of every turn, so that tools that never answer and scripts that never end don't take long. */
const LIMITS: Partial<Settings> = { toolTimeoutSeconds: 1, scriptSeconds: 1, callsPerScript: CALLS_PER_SCRIPT };
/** Milliseconds that a window's first question, and each later one, waits at most for servers that are starting. */
const READY_MS = { first: 20_000, later: 1_000 };
const TOKEN = 'a token of the soak';

/** Storage that survives a reload, like files and VS Code's own storage. */
export class Storage {
  /** Buffers, since they are outside the heap, as a disk is. */
  readonly #texts = new Map<string, Buffer>();

  file(name: string): StoredFile {
    return {
      read: async () => this.#texts.get(name)?.toString(),
      write: async (text) => void this.#texts.set(name, Buffer.from(text)),
      append: async (text) =>
        void this.#texts.set(name, Buffer.concat([this.#texts.get(name) ?? Buffer.alloc(0), Buffer.from(text)])),
    };
  }

  /** Size of all files, which count as disk and not as memory. */
  get bytes(): number {
    return [...this.#texts.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

/** The dependencies of a window. */
export interface WindowDeps {
  readonly definitions: readonly DefinedServer[];
  readonly storage: Storage;
  readonly sandbox: Sandbox;
  readonly watch: PromiseWatch;
  readonly log: (line: string) => void;
  readonly plant: Plant;
}

/** The calls of one turn. `ran` collects the id of each tool that is passed to a server, `answers` the answers. */
export interface TurnCalls {
  readonly plan: Plan;
  readonly ran: string[];
  /** Calls that ran at the same time, each with the others. */
  readonly running: Set<string>;
  readonly beside: (readonly string[])[];
  readonly answers: Answer[];
  /** Calls that the user agreed to and that haven't begun yet, and calls that ran without a question. */
  readonly agreed: string[];
  readonly unasked: string[];
  /** The number of events when the user stopped the turn. */
  readonly stopped: number[];
  /** Is called when a call begins. */
  onCall?: () => void;
}

type Asked = Pick<TurnQuestion, 'prompt' | 'history' | 'port'>;

/** A window without VS Code: all of the product between the questions and the servers and services. */
export class Window {
  readonly #deps: WindowDeps;
  readonly #secrets = new KnownSecrets();
  readonly #services: TurnServices;
  readonly #session: Session;
  readonly #agents: AgentTools;
  readonly #relayTurns: RelayTurns;
  readonly #checkArguments: ReturnType<typeof createArgumentCheck>;
  readonly #scripts: ScriptHost;
  readonly #own: McpToolProvider;
  readonly #idle = new Set<() => void>();
  readonly #chats = new Set<string>();
  #answering: Promise<unknown> = Promise.resolve();
  #stop: (() => unknown)[] = [];
  /**
   * The current turn. Its plan answers servers' questions, and supplies settings and the results of an agent's call.
   */
  #now: TurnCalls | undefined;
  readonly ledger = new Ledger(this.#secrets.redactIn);
  readonly source: ProviderSwitch<'extension'>;
  endpoint: Endpoint | undefined;

  constructor(deps: WindowDeps) {
    this.#deps = deps;
    const { log, storage, watch, plant } = deps;
    plant.ledger(this.ledger);
    this.#secrets.add(SECRET);
    const world = new TestWorld(1_000, (open) => watch.outside(async () => plant.connection(await open())));
    Object.assign(world, {
      secrets: this.#secrets,
      definitions: deps.definitions,
      ask: (_: string, form: Form, signal: AbortSignal) => this.#answerForm(form, signal),
      // The test's own record would grow with each turn.
      log: { push: log },
    });
    this.#own = world.source;
    const source = this.#own;
    const cache = new CatalogCache(storage.file('catalog'), log, (server) => source.fingerprintOf(server));
    const seen = new SeenTools(storage.file('seen'), log);
    this.source = new ProviderSwitch(
      () => ({ source, cache, seen }),
      () => this.#settings().changedTools === 'ask',
    );
    const index = new ToolIndex();
    this.source.onDidChange((catalog) => index.follow(catalog.tools));
    this.#checkArguments = createArgumentCheck(log);
    this.#scripts = scriptHost(deps.sandbox, this.#secrets.redact);
    const timer: Timer = (run) => {
      this.#idle.add(run);
      return () => this.#idle.delete(run);
    };
    this.#services = makeServices(this.source, {
      search: createSearchPort(index, new StrategyRegistry()),
      ledger: this.ledger,
      user: choices(() => this.#settings()),
      clock: { now: Date.now, timer: systemTimer, yieldToEventLoop },
    });
    this.#session = new Session(this.#services);
    // Turns of agents end when the soak ends them.
    const services = { ...this.#services, clock: { ...this.#services.clock, timer } };
    this.#agents = createAgentTools({ services, warn: log, scripts: this.#scripts });
    this.#relayTurns = new RelayTurns(this.ledger, { now: Date.now, timer });
  }

  /** Reads the stored data, and starts to follow the servers. */
  async open(): Promise<void> {
    const { storage, log } = this.#deps;
    this.ledger.restore(await readLedger(storage.file('turns'), log));
    this.#stop = [keepLedger(this.ledger, storage.file('turns'), log)];
    await this.source.use('extension');
    const tools = {
      definitions: (client?: string) => this.#agents.definitions(client),
      guidance: () => this.#agents.guidance(),
      answer: (call: AgentCall, signal: AbortSignal) => this.answer(call, signal),
    };
    this.endpoint = await openEndpoint({ tools, token: TOKEN, port: 0, version: '0.0.0', log });
  }

  /** Address and headers for a client of the endpoint. */
  get address(): { readonly url: URL; readonly headers: { readonly [name: string]: string } } {
    return { url: new URL(this.endpoint?.url ?? ''), headers: { Authorization: `Bearer ${TOKEN}` } };
  }

  /**
   * Characters that are kept on purpose: results for scripts, as the product promises, and the servers' current tool
   * lists.
   */
  get meantChars(): number {
    const all = [...this.#chats].flatMap((chat) => this.#scripts.kept.of(chat).list());
    const listed = this.source.catalog.tools.map(({ description, inputSchema }) =>
      JSON.stringify([description, inputSchema]),
    );
    return [...all.map(({ text }) => text), ...listed].reduce((sum, { length }) => sum + length, 0);
  }

  /** Drops the newest requests. Their number is bounded, but not their size, so memory in use would depend on them. */
  forgetRequests(): void {
    Object.assign(this.ledger, { exchanges: new Exchanges() });
    Object.assign(this.#services, { requests: new LastRequests() });
  }

  /** Uses a turn's calls and settings from here on. */
  begin(calls: TurnCalls): void {
    this.#now = calls;
    this.source.refresh();
  }

  /** Asks a user's question as the chat participant does. */
  async ask(
    { prompt, history, port }: Asked,
    calls: TurnCalls,
    chat: string,
    signal: AbortSignal,
  ): Promise<TurnOutcome> {
    const timeoutMs = this.#chats.size === 0 ? READY_MS.first : READY_MS.later;
    this.#chats.add(chat);
    // Servers continue to start, however the turn ends.
    await this.#deps.watch.outside(() => this.source.whenReady({ timeoutMs, signal, onWait: () => {} }));
    return this.#session.ask(
      {
        prompt,
        history,
        references: new Set(),
        port,
        code: codeDepsOf(this.#scripts, chat, (tool) => asking(tool)),
        runner: this.#runner(calls),
      },
      new TestSink(),
      signal,
    );
  }

  /** Answers a call of an agent, through VS Code or the endpoint. */
  answer(call: AgentCall, signal: AbortSignal): Promise<ToolRun> {
    const calls = this.#now;
    this.#chats.add(call.chat);
    if (!calls) return Promise.resolve(toolMessage('failed', 'No turn has begun.'));
    const how = { runner: this.#runner(calls), asking: (tool: Tool) => asking(tool) };
    const answer = this.#deps.watch.during(() => this.#agents.answer(call, how, signal));
    this.#answering = Promise.all([this.#answering, answer]);
    return answer;
  }

  /** Resolves once all calls of agents are answered. A client that cancelled a call doesn't see this answer. */
  async answered(): Promise<void> {
    await this.#answering;
  }

  /** Sends a request of another agent to one of our models. */
  relay(port: ModelPort, asked: Pick<RelayRequest, 'transcript' | 'tools'>, sink: RelaySink, signal: AbortSignal) {
    const { log } = this.#deps;
    return relay(
      { services: this.#services, turns: this.#relayTurns, log, outcomeOf },
      { ...asked, port, system: 'You are another agent.', mustCall: false },
      sink,
      signal,
    );
  }

  /** Runs a call that a relayed agent got. */
  run(tool: Tool, input: { readonly [name: string]: unknown }, calls: TurnCalls, signal: AbortSignal) {
    return runCall(this.#runner(calls), tool, input, signal);
  }

  /** Ends the turns of idle agents, since agents don't report the end of a turn. */
  endIdleTurns(): void {
    for (const end of [...this.#idle]) end();
    this.#idle.clear();
  }

  async close(): Promise<void> {
    this.endIdleTurns();
    this.#agents.dispose();
    this.#relayTurns.dispose();
    for (const stop of this.#stop) await stop();
    await this.endpoint?.close();
    await this.source.dispose();
  }

  #settings(): Settings {
    const { settings } = this.#deps.plant;
    return { ...DEFAULT_SETTINGS, mcpHost: 'extension', ...LIMITS, ...this.#now?.plan.settings, ...settings };
  }

  /** The runner as `ToolRunners` creates it if the extension's own client runs the servers. */
  #runner(calls: TurnCalls): ToolRunner {
    const { plan, ran, running, beside, answers, agreed, unasked } = calls;
    const { plant } = this.#deps;
    const skipped = toolMessage('refused', 'The user chose to skip the tool call.');
    // A question names one tool, so the user agrees to no other.
    const agrees = ({ tool, input }: PendingCall, named: Tool | undefined) =>
      plant.consents || (isRun(plan, input) && tool === named);
    const line = new ConfirmationQueue(async (calls) =>
      plan.consents || plant.consents
        ? Promise.all(calls.map(({ call, run }) => (agrees(call, calls[0]?.call.tool) ? run() : skipped)))
        : skipped,
    );
    return plant.runner({
      // No closure here may hold the turn's signal, since a cancelled call can stay pending for long.
      invoke: ({ tool, input, signal, refusal }) => {
        ran.push(tool.id);
        calls.onCall?.();
        const allowed = agreed.indexOf(questionOf(tool, input));
        if (allowed >= 0) agreed.splice(allowed, 1);
        else if (asking(tool) !== 'never') unasked.push(`${tool.id} ran without a question`);
        const call = `${tool.id} ${ran.length}`;
        running.add(call);
        if (running.size > 1) beside.push([...running]);
        const asks = this.#settings().changedTools === 'ask';
        const run = this.#own.run(tool, input, { signal, onProgress: () => {}, ...(asks && { refusal }) });
        return withoutSecrets(tool, run, this.#secrets).then((answer) => {
          running.delete(call);
          answers.push({ tool, input, answer });
          return answer;
        });
      },
      checkArguments: this.#checkArguments,
      refusalOf: (tool) => this.source.refusalOf(tool),
      consent: (call, goOn) => {
        const run = () => {
          agreed.push(questionOf(call.tool, call.input));
          return goOn(call);
        };
        return asking(call.tool) === 'together' ? line.add({ call, run }) : goOn(call);
      },
      time: createTimeGate({
        settings: this.#settings(),
        isAsking: (tool) => this.#own.isAsking(tool),
        limitSecondsOf: (tool) => this.#own.timeoutSecondsOf(tool),
        mayAsk: () => false,
        onSlow: () => {},
      }),
      changedSince: () => undefined,
    });
  }

  async #answerForm(form: Form, signal: AbortSignal): Promise<FormAnswer> {
    const how = this.#now?.plan.answers ?? 'cancel';
    if (how === 'accept') return fillForm(form, async (field) => field.fallback);
    if (how !== 'silent') return { action: how };
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true }),
    );
  }
}

const questionOf = ({ id }: Tool, input: unknown) => `${id} ${JSON.stringify(input)}`;

/** How the user is asked about a tool's calls. */
export function asking(tool: Tool): 'never' | 'together' {
  return tool.annotations?.readOnlyHint === true ? 'never' : 'together';
}
