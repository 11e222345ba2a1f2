// Doubles for tests of turns: tools, a source, a model that plays a script, a sink, and a window's services.
import { type Catalog, createCatalog, type ServerInfo } from '../../../../src/core/catalog/catalog';
import { type JsonSchema, type Tool, toolId } from '../../../../src/core/catalog/tool';
import { type CodeDeps, codeDepsOf, type ScriptHost } from '../../../../src/core/code/codeDeps';
import { KeptResults } from '../../../../src/core/code/keptResults';
import type { SandboxPort } from '../../../../src/core/code/sandboxPort';
import { Ledger } from '../../../../src/core/ledger/ledger';
import type { PlanInputs } from '../../../../src/core/planning/turnPlan';
import {
  type Call,
  CountRefused,
  type Gate,
  type ModelEvent,
  type ModelInfo,
  type ModelPort,
  type ModelRequest,
  type ToolRun,
  type ToolRunner,
  type ToolSource,
} from '../../../../src/core/ports';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import type { SearchPort } from '../../../../src/core/search/types';
import { NO_PINS, type Pins } from '../../../../src/core/settings/pins';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import { CallLimits } from '../../../../src/core/turn/callLimits';
import { BEFORE_GATES, runForUser } from '../../../../src/core/turn/gates';
import { runTurn, type TurnOutcome, type TurnRequest, type TurnSink } from '../../../../src/core/turn/turn';
import type { TurnServices, UserChoices } from '../../../../src/core/turn/turnServices';
import { LastRequests } from '../../../../src/core/usage/cacheMiss';
import { TokenCounter, TokenCounters } from '../../../../src/core/usage/tokenCounter';
import type { Redact } from '../../../../src/core/util/knownSecrets';
import { systemTimer } from '../../../../src/core/util/timers';

/** The default settings, but found tools are in the request. Tests of another delivery name it. */
export const SETTINGS: Settings = { ...DEFAULT_SETTINGS, delivery: 'local' };

export const MODEL: ModelInfo = {
  id: 'scripted',
  vendor: 'test',
  name: 'Scripted',
  maxInputTokens: 100_000,
  toolCalling: true,
  maxTools: 128,
};

/** A tool of an MCP server; `extra` overrides any property. */
export function makeTool(server: string, name: string, description = '', extra: Partial<Tool> = {}): Tool {
  const modelName = `${server}_${name}`;
  return {
    id: toolId(server, name),
    server,
    name,
    modelName,
    invokeName: `mcp_${modelName}`,
    description,
    inputSchema: { type: 'object', properties: {} },
    origin: 'mcp',
    ...extra,
  };
}

export function schema(
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, required };
}

/** `count` tools that no sensible query matches. */
export function filler(server: string, count: number): Tool[] {
  return Array.from({ length: count }, (_, index) => makeTool(server, `zz${index}`, `Filler number ${index}.`));
}

export function makeCatalog(tools: readonly Tool[], servers?: readonly ServerInfo[], revision = 1): Catalog {
  const names = [...new Set(tools.map((tool) => tool.server))];
  return createCatalog(revision, tools, servers ?? names.map((name) => ({ name, state: 'running', problems: [] })));
}

/** What a plan is made of: the default settings, no pins, and an empty conversation. */
export function planInputs(tools: readonly Tool[]): PlanInputs {
  return {
    ...{ catalog: makeCatalog(tools), settings: SETTINGS, pins: NO_PINS, references: new Set(), model: MODEL },
    ...{ counter: new TokenCounter(), transcript: [] },
  };
}

/** A source whose catalog a test can replace in mid-turn. */
export class TestSource implements ToolSource {
  constructor(public catalog: Catalog) {}
  onDidChange(): () => void {
    return () => {};
  }
  refresh(): Catalog {
    return this.catalog;
  }
  async whenReady(): Promise<Catalog> {
    return this.catalog;
  }
}

/** The output of a scripted model in one round: events, or an error to throw after them. */
export type Script = readonly (ModelEvent | Error)[] | ((request: ModelRequest) => readonly (ModelEvent | Error)[]);

/** A model that plays a script, a step a round, and keeps every request. */
export class TestModel implements ModelPort {
  readonly requests: ModelRequest[] = [];
  readonly info: ModelInfo;

  constructor(
    private readonly script: readonly Script[],
    private readonly options: { readonly info?: Partial<ModelInfo>; readonly count?: (text: string) => number } = {},
  ) {
    this.info = { ...MODEL, ...options.info };
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const step = this.script[this.requests.length];
    this.requests.push(request);
    if (!step) throw new Error(`The script has no round ${this.requests.length}`);
    for (const event of typeof step === 'function' ? step(request) : step) {
      await Promise.resolve();
      if (signal.aborted) return;
      if (event instanceof Error) throw event;
      yield event;
    }
  }

  async countTokens(text: string): Promise<number> {
    if (!this.options.count) throw new CountRefused('no tokeniser');
    return this.options.count(text);
  }
}

export const text = (value: string): ModelEvent => ({ type: 'text', text: value });
export const call = (name: string, input: unknown, callId = `call-${name}`): ModelEvent => ({
  type: 'call',
  callId,
  name,
  input,
});

/** Runs a call of a tool. */
export type Answer = (
  tool: Tool,
  input: { readonly [name: string]: unknown },
  signal: AbortSignal,
) => ToolRun | Promise<ToolRun>;

export class TestRunner implements ToolRunner {
  readonly ran: { readonly id: string; readonly input: unknown }[] = [];
  readonly consent = pass;
  readonly time = pass;
  constructor(private readonly answer: Answer = () => ok('done')) {}
  refusalOf(): undefined {}
  async checkArguments(): Promise<readonly string[]> {
    return [];
  }
  changedSince(): undefined {}
  async invoke({ tool, input, signal, refusal }: Call): Promise<ToolRun> {
    const refused = refusal();
    if (refused) return refused;
    this.ran.push({ id: tool.id, input });
    return this.answer(tool, input, signal);
  }
}

/** A gate that all calls pass. */
export const pass: Gate = (call, goOn) => goOn(call);

/** A call that has passed no gate. */
export function callOf(tool: Tool, asked: unknown = {}, signal = new AbortController().signal): Call {
  const made = { by: 'user', round: 1, callId: 'call', since: 0, retry: 0, withoutDiscovery: false } as const;
  return { ...BEFORE_GATES, ...made, tool, asked, signal };
}

/** Passes a call through all gates of a runner, outside of a turn. */
export function runCall(runner: ToolRunner, tool: Tool, asked: unknown, signal: AbortSignal): Promise<ToolRun> {
  const clock = { timer: systemTimer, now: () => 0 };
  const turn = { settings: SETTINGS, limits: new CallLimits(SETTINGS), services: { clock } };
  return runForUser(runner, { tool, asked, signal }, turn);
}

export const ok = (value: string): ToolRun => ({ outcome: 'ok', parts: [{ type: 'text', text: value }] });
export const fails = (value: string): ToolRun => ({ outcome: 'failed', parts: [{ type: 'text', text: value }] });

/** A sink that keeps everything that a turn writes to it. */
export class TestSink implements TurnSink {
  said = '';
  readonly events: string[] = [];
  readonly warnings: string[] = [];
  text(delta: string): void {
    this.said += delta;
  }
  searching(queries: readonly string[]): void {
    this.events.push(`searching ${queries.join('; ')}`);
  }
  found(tools: readonly Tool[]): void {
    this.events.push(`found ${tools.map((tool) => tool.id).join(', ')}`);
  }
  calling(tool: Tool): void {
    this.events.push(`calling ${tool.id}`);
  }
  warning(message: string): void {
    this.warnings.push(message);
  }
  waiting(models: string, seconds: number): void {
    this.events.push(`waiting ${seconds} s for ${models}`);
  }
}

/** The real index over the tools that the source has at each search. */
export function searchOver(source: ToolSource): SearchPort {
  const index = new ToolIndex();
  return {
    async search(request) {
      index.setTools(source.catalog.tools);
      return index.search(request);
    },
  };
}

/** The choices of a user with these settings and pins. */
export function choices(settings: () => Settings = () => SETTINGS, pins = () => NO_PINS): UserChoices {
  return { settings, pins, workspace: () => [], missingStrategy: () => undefined };
}

/** Tools of VS Code with the reference names core0, core1 and so on. */
export const coreTools = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    makeTool('vscode', `copilot_tool${at}`, '', { origin: 'vscode', referenceName: `core${at}` }),
  );

/** The choices of a user who never changes them. */
export const chosen = (settings: Settings, pins = NO_PINS) =>
  choices(
    () => settings,
    () => pins,
  );

/** The services of a window over a source. The clock starts at 1,000 ms and advances by one with each reading. */
export function makeServices(source: ToolSource, rest: Partial<TurnServices> = {}): TurnServices {
  let now = 1_000;
  return {
    source,
    search: searchOver(source),
    ledger: new Ledger(),
    user: choices(),
    counters: new TokenCounters(),
    requests: new LastRequests(),
    clock: { now: () => now++, timer: systemTimer, yieldToEventLoop: async () => {} },
    ...rest,
  };
}

export function makeWorld(tools: readonly Tool[] | Catalog): TurnServices & { readonly source: TestSource } {
  const source = new TestSource('byId' in tools ? tools : makeCatalog(tools));
  return { ...makeServices(source), source };
}

/** The parts of a question that differ from the usual one. */
type Rest = Partial<Omit<TurnRequest, 'settings' | 'pins'>> & {
  readonly settings?: Partial<Settings>;
  readonly pins?: Pins;
};

export function makeRequest(port: ModelPort, rest: Rest = {}): TurnRequest {
  return {
    prompt: 'do it',
    history: [],
    references: new Set(),
    port,
    runner: new TestRunner(),
    ...rest,
    settings: { ...SETTINGS, ...rest.settings },
    pins: rest.pins ?? NO_PINS,
  };
}

/** Asks one question, and plays its turn to the end. */
export function playTurn(
  services: TurnServices,
  port: ModelPort,
  {
    sink = new TestSink(),
    signal = new AbortController().signal,
    ...rest
  }: Rest & { readonly sink?: TurnSink; readonly signal?: AbortSignal } = {},
): Promise<TurnOutcome> {
  return runTurn(services, makeRequest(port, rest), sink, signal);
}

/** Runs no script. */
export const NO_SANDBOX: SandboxPort = { unavailable: 'none here', run: () => Promise.reject(new Error('not asked')) };

/** The services of scripts, with a sandbox in which they run. */
export function scriptHost(sandbox: SandboxPort = NO_SANDBOX, redact: Redact = (words) => words): ScriptHost {
  return { sandbox, shapes: new Map(), kept: new KeptResults(), redact };
}

/** The services of one chat's scripts. Their calls are never asked about. */
export function scriptsIn(sandbox: SandboxPort, redact?: Redact): CodeDeps {
  return codeDepsOf(scriptHost(sandbox, redact), 'chat', () => 'never');
}
