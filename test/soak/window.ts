import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';
import { composeEndpoint } from '../../src/compose/endpoint';
import { composeInspector } from '../../src/compose/inspector';
import type { Models } from '../../src/compose/models';
import { createTurnServices } from '../../src/compose/services';
import { createStored, type Shared } from '../../src/compose/shared';
import { composeTools, type Tools } from '../../src/compose/tools';
import { composeTurns, type Turns } from '../../src/compose/turns';
import { AGENT_PREFIX, type AgentCall, type AgentTools } from '../../src/core/agents/agentTools';
import { RelayTurns } from '../../src/core/agents/relayTurns';
import type { Tool } from '../../src/core/catalog/tool';
import { KeptResults } from '../../src/core/code/keptResults';
import { Exchanges } from '../../src/core/ledger/exchanges';
import type { ModelPort, ToolRun, ToolRunner } from '../../src/core/ports';
import type { SearchOutcome, SearchRequest } from '../../src/core/search/types';
import { compileGlobs, compileIdGlobs } from '../../src/core/settings/glob';
import { fieldOf, SETTING_KEYS, type Settings } from '../../src/core/settings/settings';
import { LastRequests } from '../../src/core/usage/cacheMiss';
import { KnownSecrets } from '../../src/core/util/knownSecrets';
import { Listeners } from '../../src/core/util/listeners';
import { onAbort } from '../../src/core/util/signals';
import type { ToWebview } from '../../src/inspector/protocol/messages';
import { applyPatch } from '../../src/inspector/protocol/patch';
import type { ToHost } from '../../src/inspector/protocol/requests';
import type { ViewState } from '../../src/inspector/protocol/view';
import { RelayProvider } from '../../src/providers/vscodeLm/relayProvider';
import { outcomeOf } from '../../src/tools/callOutcome';
import { SdkConnection } from '../../src/tools/mcp/connection/sdkConnection';
import { McpToolProvider } from '../../src/tools/mcp/servers/mcpToolProvider';
import type { CallSource } from '../../src/tools/vscode/consent';
import { chatOf } from '../../src/ui/agents/languageModelTools';
import type { McpEndpoint } from '../../src/ui/agents/mcpEndpoint';
import type { TurnReport } from '../../tool-search';
import { FakePanel } from '../unit/inspector/host/fakePanel';
import { CancellationTokenSource, EventEmitter, type Memento, type SecretStorage, Uri } from '../unit/shim/basics';
import { host } from '../unit/shim/host';
import { type LanguageModelChatMessage, LanguageModelTextPart } from '../unit/shim/parts';
import { TestStream } from '../unit/ui/chat/stream';
import type { Made } from './account';
import type { Plant } from './defects';
import { type Answer, CALLS_PER_SCRIPT, SECRET } from './invariants';
import type { Plan } from './plan';
import type { PromiseWatch } from './promises';
import type { Servers } from './servers';
import type { User } from './user';

/** Settings of every turn, so that tools that never answer and scripts that never end don't take long. */
const LIMITS: Partial<Settings> = {
  mcpHost: 'extension',
  mcpEndpoint: true,
  mcpIdleMinutes: 0,
  toolTimeoutSeconds: 1,
  scriptSeconds: 1,
  callsPerScript: CALLS_PER_SCRIPT,
};
/** Tools that nobody gets: a known answer needs all tools of the first two servers, which these calls would replace. */
const KEPT = ['server0/change', 'server1/change'];
/** A set that the user chooses at times. */
const SETS: Settings['sets'] = { few: ['server0/*', 'server1/*', 'server3/*'] };
/** The vendor of the models, whose ids are the numbers of their ports. */
const VENDOR = 'soak';

/** The calls of one question. `ran` and `made` collect what is passed to a server, `answers` the answers. */
export interface TurnCalls {
  readonly plan: Plan;
  readonly ran: string[];
  /** Calls that ran at the same time, each with the others. */
  readonly running: Set<string>;
  readonly beside: (readonly string[])[];
  readonly answers: Answer[];
  readonly made: Made[];
  /** The number of events when the user stopped the turn, and the tools that were passed to a server after that. */
  readonly stopped: number[];
  readonly late: string[];
  /** Is called when a call begins. */
  onCall?: () => void;
}

/** What survives a reload: VS Code's own storage and the folders on the disk. */
export interface Profile {
  readonly folder: string;
  readonly secrets: SecretStorage;
  readonly states: readonly [Memento, Memento];
  /** The number of windows that were closed, and the user's pins by tool or server, with the set under the empty name. */
  windows: number;
  readonly pins: Map<string, string>;
}

export interface WindowDeps {
  readonly servers: Pick<Servers, 'definitions'>;
  readonly profile: Profile;
  readonly watch: PromiseWatch;
  readonly plant: Plant;
  readonly user: User;
}

/** Counts what the product's own code adds and removes, and keeps connections out of the watch of turns. */
class Probe {
  /** The results that the window keeps for scripts. */
  kept: KeptResults | undefined;
  readonly chats = new Set<string>();
  /** The number of listeners of the product's own lists. */
  listening = 0;
  readonly end: () => void;

  constructor({ watch, plant }: Pick<WindowDeps, 'watch' | 'plant'>) {
    const probe = this;
    const [{ of }, { add }] = [KeptResults.prototype, Listeners.prototype];
    const [{ open }, { startServers }] = [SdkConnection, McpToolProvider.prototype];
    KeptResults.prototype.of = function (chat) {
      probe.kept = this;
      probe.chats.add(chat);
      return of.call(this, chat);
    };
    Listeners.prototype.add = function (listener) {
      // What a change leads to belongs to no turn: the inspector draws, the ledger is written.
      const stop = add.call(this, (value) => watch.outside(() => listener(value))) as () => boolean;
      probe.listening++;
      return () => {
        if (stop()) probe.listening--;
      };
    };
    SdkConnection.open = (...given) =>
      watch.outside(async () => plant.connection(await open.apply(SdkConnection, given)));
    // Servers continue to start, however a turn ends.
    McpToolProvider.prototype.startServers = function (...given) {
      return watch.outside(() => startServers.apply(this, given));
    };
    this.end = () => {
      KeptResults.prototype.of = of;
      Listeners.prototype.add = add;
      SdkConnection.open = open;
      McpToolProvider.prototype.startServers = startServers;
    };
  }
}

/** A window of VS Code's shim with the whole product in it, composed as in `src/extension.ts` but for the models. */
export class Window {
  readonly #deps: WindowDeps;
  readonly #probe: Probe;
  readonly #services: ReturnType<typeof createTurnServices>;
  readonly #tools: Tools;
  readonly #turns: Turns;
  readonly #shared: Shared;
  readonly #endpoint: McpEndpoint;
  readonly #relayTurns: RelayTurns;
  readonly #relay: RelayProvider;
  #ports: readonly ModelPort[] = [];
  /** The settings that the user has chosen, as JSON, and those of the workspace. */
  #asked = '';
  #workspace: Partial<Settings> = {};
  #answering: Promise<unknown> = Promise.resolve();
  /** The calls of the present question, and of the one beside it. */
  #now: TurnCalls | undefined;
  #beside: TurnCalls | undefined;
  /** Which of both questions a relayed agent's call belongs to. The product's promises may keep this value for long. */
  readonly #relayed = new AsyncLocalStorage<number>();
  /** What the inspector's page shows. */
  page: ViewState | undefined;
  closeInspector = () => {};
  /** Asks as the inspector's page does. */
  inquire = async (_: ToHost): Promise<ToWebview | undefined> => undefined;
  /** The reports of turns that other extensions got. */
  readonly told: TurnReport[] = [];
  readonly pinned: Profile['pins'];
  /** The settings of the present question. */
  settings: Partial<Settings> = {};
  /** The signals of turns that have begun. */
  readonly signals: AbortSignal[] = [];

  constructor(deps: WindowDeps) {
    this.#deps = deps;
    const { profile, watch, plant } = deps;
    this.#probe = new Probe(deps);
    this.pinned = profile.pins;
    host.isTrusted = true;
    host.folders = [{ name: 'work', uri: Uri.file(profile.folder) as unknown as vscode.Uri, index: 0 }];
    const servers = Object.fromEntries(deps.servers.definitions.map(({ name, value }) => [name, value]));
    const file = Uri.joinPath(Uri.file(profile.folder), '.vscode', 'mcp.json');
    host.files.set(file.toString(), Buffer.from(JSON.stringify({ servers })));
    deps.user.attach();
    this.#set({});
    this.#shared = sharedOf(profile);
    this.#tools = composeTools(this.#shared);
    this.#services = createTurnServices(this.#shared, this.#tools);
    plant.ledger(this.ledger);
    const { runners } = this.#tools;
    const runnerFor = runners.runnerFor.bind(runners);
    runners.runnerFor = (source, options) => plant.runner(this.#observed(runnerFor(source, options), source));
    const port = (id: string) => this.#ports[Number(id)];
    const models = { own: [{ vendor: VENDOR, port }], keys: { all: async () => [] } } as unknown as Models;
    this.#turns = composeTurns(this.#shared, this.#tools, models, this.#services);
    const { session, agents } = this.#turns;
    session.onDidEndTurn((report) => void this.told.push(report));
    session.onDidEndTurn((report) => void this.told.push(report))();
    const ask = session.ask.bind(session);
    session.ask = (question, sink, signal) => {
      this.signals.push(signal);
      return ask(question, sink, signal);
    };
    // The client belongs to the test, not to the turn.
    const answer: typeof agents.answer = (call, signal) => {
      const answered = watch.during(() => agents.answer(call, signal));
      this.#answering = Promise.all([this.#answering, answered]);
      return answered;
    };
    this.#endpoint = composeEndpoint(this.#shared, this.#tools, { ...this.#turns, agents: { ...agents, answer } });
    this.#relayTurns = new RelayTurns(this.ledger, this.#services.clock);
    const relay = { services: this.#services, turns: this.#relayTurns, log: () => {}, outcomeOf };
    const onDidChange = new EventEmitter<void>().event;
    const list = async () => [];
    this.#relay = new RelayProvider({ relay, models: { list, port }, onDidChange, ready: async () => {} });
    const parts = { shared: this.#shared, tools: this.#tools, turns: this.#turns, models, ledger: this.ledger };
    composeInspector({ ...parts, endpoint: this.#endpoint });
  }

  get ledger() {
    return this.#services.ledger;
  }

  get source(): Tools['source'] {
    return this.#tools.source;
  }

  get pins(): Tools['pins'] {
    return this.#tools.pins;
  }

  /** Why no model gets a tool, by a setting, a pin or a set; undefined if models get it. */
  whyHidden(id: string): string | undefined {
    const [server = '', name = ''] = id.split('/');
    const hidden = [this.settings, this.#workspace].flatMap(({ hiddenTools }) => hiddenTools?.['*'] ?? []);
    const isInSet = compileIdGlobs(SETS[this.pinned.get('') ?? ''] ?? ['*']);
    if (compileGlobs(hidden)(name) || KEPT.includes(id)) return 'hiddenTools';
    if ((this.pinned.get(id) || this.pinned.get(server)) === 'off') return 'pinned: off';
    return isInSet(id) ? undefined : `not in the set ${this.pinned.get('')}`;
  }

  readonly hides = (id: string): boolean => this.whyHidden(id) !== undefined;

  /** The tools that models can get, of all servers or of one. */
  offered(server?: string): readonly Tool[] {
    return this.source.catalog.tools.filter((tool) => tool.server === (server ?? tool.server) && !this.hides(tool.id));
  }

  search(request: SearchRequest): Promise<SearchOutcome> {
    return this.#tools.search.search(request, new AbortController().signal);
  }

  /** Answers a command of the chat, which asks no model. */
  async tell(typed: string): Promise<string> {
    const [, command, prompt = ''] = /^\/(\w+) ?(.*)$/.exec(typed) ?? [];
    const asked = { prompt, command, model: 0, chat: 'commands', history: [] };
    const { said } = await this.ask(asked, new AbortController().signal);
    return said.map((part) => part.replace(/^\w+: /, '')).join('');
  }

  /** The number of listeners that wait for changes of this window. */
  get listening(): number {
    return this.#probe.listening + EventEmitter.listening;
  }

  /** Reads the stored data, starts to follow the servers, and opens endpoint and inspector. */
  async open(): Promise<void> {
    await Promise.all([this.#tools.load(), this.#turns.load()]);
    await this.#endpoint.apply();
    await this.#inspect();
  }

  async #inspect(): Promise<void> {
    const panel = new FakePanel();
    let answer = (_: ToWebview) => {};
    this.inquire = (message) =>
      new Promise((resolve) => {
        answer = resolve;
        panel.ask(message);
      });
    const { plant } = this.#deps;
    panel.webview.postMessage = async (message: ToWebview) => {
      if ('request' in message) answer(message);
      if (message.type === 'state') this.page = message.state;
      if (message.type === 'patch' && this.page) this.page = plant.page(applyPatch(this.page, message));
      return 0;
    };
    host.makePanel = () => panel as unknown as vscode.WebviewPanel;
    this.closeInspector = () => {
      panel.dispose();
      this.page = undefined;
    };
    await host.registered.get('toolsearch.openInspector')?.();
    await panel.ask({ type: 'ready' });
  }

  /** Address and headers for a client of the endpoint. */
  get address(): { readonly url: URL; readonly headers: { readonly [name: string]: string } } {
    const { url = '', authorization = '' } = this.#endpoint.address ?? {};
    return { url: new URL(url), headers: { Authorization: authorization } };
  }

  /** Characters that are kept on purpose: results for scripts, as the product promises, and the servers' tool lists. */
  get meantChars(): number {
    const { kept, chats } = this.#probe;
    const all = [...chats].flatMap((chat) => kept?.of(chat).list() ?? []);
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

  useModels(ports: readonly ModelPort[]): void {
    this.#ports = ports;
  }

  /** Uses the calls and settings of a turn from here on. */
  begin(calls: TurnCalls, beside: TurnCalls | undefined): void {
    this.#now = calls;
    this.#beside = beside;
    this.#deps.user.plan = calls.plan;
    const { settings, hides, workspace = {}, listed = [] } = calls.plan;
    this.#workspace = workspace;
    host.listed = listed;
    this.#set(settings);
    // The call has begun by then.
    const hide = () => this.#set({ ...settings, hiddenTools: { '*': [hides ?? ''] } });
    if (hides !== undefined) calls.onCall = () => void setImmediate(hide);
    this.source.refresh();
  }

  /** Asks `@toolsearch` in a chat. Resolves with what VS Code keeps of the answer, and what the user reads. */
  async ask(
    asked: {
      prompt: string;
      command?: string | undefined;
      model: number;
      chat: string;
      history: vscode.ChatContext['history'];
      refers?: string | undefined;
    },
    signal: AbortSignal,
  ) {
    const stream = new TestStream();
    const request = {
      prompt: asked.prompt,
      command: asked.command,
      references: [],
      toolReferences: this.source.catalog.tools.flatMap(({ id, invokeName: name }) =>
        id === asked.refers ? { name } : [],
      ),
      model: { vendor: VENDOR, id: String(asked.model) },
      toolInvocationToken: tokenOf(asked.chat),
    };
    const participant = host.participants.get('toolsearch.chat');
    const result = (await withToken(signal, async (token) =>
      participant?.requestHandler(request as never, { history: asked.history }, stream.asVscode, token),
    )) as vscode.ChatResult;
    const next = await participant?.followupProvider?.provideFollowups(result, { history: [] }, {} as never);
    return { result, said: stream.parts, next: next ?? [], buttons: stream.buttons };
  }

  /** Makes a call of an agent in VS Code. */
  async callAsAgent(
    { tool, input, chat }: Pick<AgentCall, 'tool' | 'input' | 'chat'>,
    signal: AbortSignal,
  ): Promise<string> {
    const registered = host.tools.get(`${AGENT_PREFIX}${tool}`);
    const options = { input, toolInvocationToken: tokenOf(chat) } as never;
    const result = await withToken(signal, async (token) => registered?.invoke(options, token));
    return (result?.content ?? []).map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('\n');
  }

  /** Resolves once all calls of agents are answered. A client that cancelled a call doesn't see this answer. */
  async answered(): Promise<void> {
    await this.#answering;
  }

  /** Sends a request of another agent to one of our models. Resolves with all parts of the reply. */
  async relay(
    model: number,
    messages: readonly LanguageModelChatMessage[],
    tools: readonly Tool[],
    signal: AbortSignal,
  ): Promise<readonly vscode.LanguageModelResponsePart[]> {
    const parts: vscode.LanguageModelResponsePart[] = [];
    const offered = tools.map(({ invokeName: name, description, inputSchema }) => ({ name, description, inputSchema }));
    const asked = { id: String(model), name: '' } as vscode.LanguageModelChatInformation;
    await withToken(signal, (token) =>
      this.#relay.provideLanguageModelChatResponse(
        asked,
        messages as never,
        { tools: offered, toolMode: 1 },
        { report: (part) => void parts.push(part) },
        token,
      ),
    );
    return parts;
  }

  /** Runs a call that a relayed agent got. */
  run(tool: Tool, input: { readonly [name: string]: unknown }, place: number, signal: AbortSignal): Promise<ToolRun> {
    return this.#relayed.run(place, () => this.#turns.readItem(tool, input, signal));
  }

  /** Ends the turns of idle agents, since agents don't report the end of a turn. */
  endIdleTurns(): void {
    const isAgents = (it: object): it is AgentTools => 'guidance' in it && 'dispose' in it;
    this.#shared.context.subscriptions.find(isAgents)?.dispose();
    this.#relayTurns.dispose();
  }

  /** Closes the window as VS Code does. Returns what is left of it. */
  async close(): Promise<readonly string[]> {
    this.endIdleTurns();
    await Promise.allSettled(this.#shared.closing.map((close) => close()));
    // What is written later is lost, since VS Code ends the process.
    const { profile } = this.#deps;
    const storage = storageOf(profile);
    profile.windows++;
    renameSync(storage, storageOf(profile));
    for (const { dispose } of this.#shared.context.subscriptions
      .splice(0)
      .map((it) => ({ dispose: () => it.dispose() })))
      dispose();
    this.#probe.end();
    const left = { 'a tool': host.tools, 'a command': host.registered, 'the participant': host.participants };
    const events = [host.settingsChanged, host.foldersChanged, host.trusted, host.filesChanged, host.documentClosed];
    const waiting = events.reduce((sum, { size }) => sum + size, 0);
    return [
      ...Object.entries(left).flatMap(([what, { size }]) => (size > 0 ? [`a closed window leaves ${what}`] : [])),
      ...(waiting > 0 ? [`a closed window leaves ${waiting} listeners of VS Code's events`] : []),
    ];
  }

  /** Changes settings as the user does. */
  #set(chosen: Partial<Settings>): void {
    this.settings = chosen;
    const kept = KEPT.map((id) => id.split('/') as [string, string]);
    const hiddenTools = {
      ...chosen.hiddenTools,
      ...Object.fromEntries(kept.map(([server, tool]) => [server, [tool]])),
    };
    const user = { ...LIMITS, sets: SETS, ...chosen, hiddenTools, ...this.#deps.plant.settings };
    const all = { user, workspace: this.#workspace };
    if (JSON.stringify(all) === this.#asked) return;
    this.#asked = JSON.stringify(all);
    for (const scope of ['user', 'workspace'] as const)
      for (const key of SETTING_KEYS) {
        delete host.settings[scope][`toolsearch.${key}`];
        if (fieldOf(key) in all[scope]) host.settings[scope][`toolsearch.${key}`] = all[scope][fieldOf(key)];
      }
    host.settings.user['chat.mcp.autostart'] = 'never';
    host.settingsChanged.fire({ affectsConfiguration: (section) => section === 'toolsearch' });
  }

  /** A runner whose calls are noted. No closure here may hold the turn's signal: a cancelled call can stay pending. */
  #observed(runner: ToolRunner, { token, client }: CallSource): ToolRunner {
    const isOther = isBeside(token) || (client !== undefined && client.name === this.#beside?.plan.client);
    const calls = (this.#relayed.getStore() ?? Number(isOther)) === 1 ? this.#beside : this.#now;
    if (!calls) return runner;
    const { ran, running, beside, answers, made } = calls;
    return {
      ...runner,
      consent: (asked, goOn) => {
        this.signals.push(asked.signal);
        this.#deps.user.waiting.add(`${chatOf(token)} ${asked.tool.id} ${JSON.stringify(asked.input)}`);
        return runner.consent(asked, goOn);
      },
      invoke: (asked) => {
        const { tool, input, callId, by } = asked;
        ran.push(tool.id);
        made.push({ tool: tool.id, callId, script: by === 'script' ? asked.script : undefined });
        if (calls.stopped.length > 0 && calls.plan.asker !== 'client') calls.late.push(tool.id);
        calls.onCall?.();
        const call = `${tool.id} ${ran.length}`;
        running.add(call);
        if (running.size > 1) beside.push([...running]);
        return runner.invoke(asked).then((answer) => {
          running.delete(call);
          answers.push({ tool, input, answer });
          return answer;
        });
      },
    };
  }
}

const storageOf = ({ folder, windows }: Profile) => path.join(folder, 'workspaceStorage', `soak${windows}`);

/** The objects of a window that VS Code makes. */
function sharedOf(profile: Profile): Shared {
  const { folder, secrets, states } = profile;
  const storage = storageOf(profile);
  mkdirSync(storage, { recursive: true });
  const context = {
    subscriptions: [],
    secrets,
    workspaceState: states[0],
    globalState: states[1],
    storageUri: Uri.file(storage),
    globalStorageUri: Uri.file(path.join(folder, 'User', 'globalStorage', 'soak')),
    extensionUri: Uri.file(folder),
    extensionPath: folder,
    extension: { id: 'soak', packageJSON: { version: '0.0.0' } },
  } as unknown as vscode.ExtensionContext;
  const [write, known] = [() => {}, new KnownSecrets()];
  known.add(SECRET);
  return {
    context,
    stored: createStored(context),
    log: { info: write, warn: write, error: write, show: write } as unknown as vscode.LogOutputChannel,
    secrets: known,
    warn: write,
    started: async () => {},
    closing: [],
  };
}

/** The number of listeners that a turn has left on its signals. */
export function leftOn(signals: readonly AbortSignal[]): number {
  return [...new Set(signals)].reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0);
}

/** Runs work with a token of VS Code, whose listeners the work itself removes. */
async function withToken<Value>(signal: AbortSignal, work: (token: vscode.CancellationToken) => PromiseLike<Value>) {
  const source = new CancellationTokenSource();
  const stop = onAbort(signal, () => source.cancel());
  return Promise.resolve(work(source.token)).finally(stop);
}

export const tokenOf = (chat: string) =>
  ({ sessionResource: { scheme: 'soak', authority: '', path: `/${chat}`, query: '' } }) as never;

const isBeside = (token: unknown) =>
  (token as { readonly sessionResource?: { readonly path?: string } } | undefined)?.sessionResource?.path?.startsWith(
    '/beside',
  );
