import type { ServerInfo } from '../../core/catalog/catalog';
import type { Tool, UnnamedTool } from '../../core/catalog/tool';
import { CANCELLED_MEANWHILE, type ToolRun, toolMessage } from '../../core/ports';
import { l10n } from '../../core/util/l10n';
import { messageOf } from '../../core/util/messageOf';
import { backgroundTimer, isOverWithin, untilAborted } from '../../core/util/signals';
import type { ServerProcess } from '../toolProvider';
import type { Connection, ConnectionEvents, RunOptions, SignInRequest } from './connection';
import { type DefinedServer, fingerprint, readLaunch, timeoutSecondsOf } from './definition';
import { ServerFailure, ServerGone } from './failure';
import type { Form, FormAnswer, UserAnswer } from './form';
import { KnownItems } from './knownItems';
import { KnownTools } from './knownTools';
import { contentsToRun, promptToRun, toRun } from './result';

/** How long a server may take to start if its definition doesn't say, in seconds. */
const START_SECONDS = 30;
/** After so many questions of a server while its calls run, the user can end them. */
const QUESTIONS_UNTIL_END = 3;
/** The shortest time between two lists of one that says again and again that its tools changed, in milliseconds. */
const LIST_PAUSE_MS = 500;

/** The functions and limits that a server gets from outside. */
export interface ServerDeps {
  /** Rejects with a {@link ServerFailure} if the server can't be started. */
  connect(
    server: DefinedServer,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
    events: ConnectionEvents,
  ): Promise<Connection>;
  /**
   * Asks the user what the server wants to know. The signal takes the question back; `canEnd` offers to end all of
   * them.
   */
  ask(form: Form, signal: AbortSignal, canEnd: boolean): Promise<UserAnswer>;
  /** Asks the user, if need be, whether the server may start. */
  allow(server: DefinedServer, signal: AbortSignal): Promise<boolean>;
  /** Asks whether the user signs in, and opens the page. */
  signIn(request: SignInRequest, signal: AbortSignal): Promise<boolean>;
  changed(): void;
  log(line: string): void;
  now(): number;
  /** How long a server that was started to list its tools waits for a call before it is stopped. In milliseconds. */
  readonly idleMs: number;
  /** How long a server that was called waits for its next call before it is stopped, in minutes; 0 for ever. */
  idleMinutes(): number;
}

/** Runs a tool, or reads what isn't one. */
async function ask(
  connection: Connection,
  { name, item }: Tool,
  input: { readonly [name: string]: unknown },
  options: RunOptions,
): Promise<ToolRun> {
  switch (item?.kind) {
    case undefined:
      return toRun(await connection.callTool(name, input, options));
    case 'linked':
      return contentsToRun(await connection.readResource(String(input.uri), options));
    case 'resource':
      return contentsToRun(await connection.readResource(item.address, options));
    case 'template':
      return contentsToRun(await connection.readTemplate(item.address, input, options));
    case 'prompt':
      return promptToRun(await connection.getPrompt(item.address, input, options));
  }
}

const NOT_ALLOWED = 'You haven’t allowed it to start. Start it in the inspector to be asked again.';

/** The opening of a start that has not been made yet. */
const NEVER = new Promise<Connection>(() => {});

type Life =
  /** `why` says what went wrong, if anything did. */
  | { readonly state: 'stopped'; readonly why?: string }
  | {
      readonly state: 'starting';
      readonly since: number;
      readonly abort: AbortController;
      opening: Promise<Connection>;
    }
  | { readonly state: 'running'; readonly connection: Connection; readonly since: number }
  | { readonly state: 'failed'; readonly why: string };

/**
 * One server: started when one of its tools is called, or once to list them. A server that was only listed is stopped
 * soon; one that was called runs on for a while, since it may hold what the next call builds on.
 */
export class ManagedServer {
  readonly definition: DefinedServer;
  readonly fingerprint: string;
  readonly #deps: ServerDeps;
  #life: Life = { state: 'stopped' };
  readonly #known: KnownTools;
  readonly #items: KnownItems;
  #reading: Promise<void> | undefined;
  /** The server reported a change of its tools, and has not listed them since. */
  #isOutdated = false;
  #listedAt = Number.NEGATIVE_INFINITY;
  #listAgain: (() => void) | undefined;
  #called = false;
  /** Calls that run now. */
  #running = 0;
  /** Questions that are open, and all since no call ran. */
  #asking = 0;
  #questions = 0;
  /** Takes back all questions: once no call runs, or if the user wants no more of them. */
  #noQuestions = new AbortController();
  #disposed = false;
  /** Resolves once the processes that were stopped have ended. */
  #closing: Promise<unknown> = Promise.resolve();
  #idle: (() => void) | undefined;

  /** @param cached its tools, resources and prompts in the last session; undefined if it has to list them */
  constructor(definition: DefinedServer, cached: readonly UnnamedTool[] | undefined, deps: ServerDeps) {
    this.definition = definition;
    this.fingerprint = fingerprint(definition);
    this.#deps = deps;
    this.#known = new KnownTools(
      definition,
      cached?.filter(({ item }) => !item),
    );
    this.#items = new KnownItems(definition.name, cached?.filter(({ item }) => item) ?? [], deps);
  }

  get name(): string {
    return this.definition.name;
  }

  get tools(): readonly UnnamedTool[] {
    return this.#known.tools;
  }

  get items(): readonly UnnamedTool[] {
    return this.#items.items;
  }

  /** Its tools are known, or it has been asked for them in vain. */
  get settled(): boolean {
    return this.#known.from !== 'nowhere' || this.#life.state === 'failed';
  }

  get startingSince(): number | undefined {
    return this.#life.state === 'starting' ? this.#life.since : undefined;
  }

  /** The process that runs; undefined if none does on this machine. */
  get process(): ServerProcess | undefined {
    const life = this.#life;
    if (life.state !== 'running' || life.connection.pid === undefined) return undefined;
    return { pid: life.connection.pid, since: life.since };
  }

  get info(): ServerInfo {
    const { name } = this;
    const { problems } = this.#known;
    const isKnown = this.#known.from !== 'nowhere';
    const cached = this.#known.from === 'cache' ? { cached: true } : {};
    switch (this.#life.state) {
      case 'failed':
        return { name, state: 'failed', detail: this.#life.why, problems, ...cached };
      case 'stopped': {
        const next = isKnown
          ? l10n.t('It starts when one of its tools is called.')
          : l10n.t('Not started yet: it starts with the first question.');
        return {
          name,
          state: 'stopped',
          detail: this.#life.why ? `${this.#life.why} ${next}` : next,
          problems,
          ...cached,
        };
      }
      default:
        // A server that starts only to list its tools does not count as running.
        return {
          name,
          state: this.#life.state === 'running' && isKnown ? 'running' : 'starting',
          problems,
          ...cached,
        };
    }
  }

  /** The user is being asked what it wants to know: its calls have no clock meanwhile. */
  get isAsking(): boolean {
    return this.#asking > 0;
  }

  /** How long one of its calls may take, in seconds; undefined if its definition doesn't say. */
  get timeoutSeconds(): number | undefined {
    return timeoutSecondsOf(this.definition);
  }

  /** Starts it if need be and reads its tools. Never rejects. */
  async list(): Promise<void> {
    await this.#open().then(
      () => this.#reading ?? this.#read(),
      () => {},
    );
  }

  /** Runs one of its tools; it is started for that if need be. Never rejects. */
  async call(tool: Tool, input: { readonly [name: string]: unknown }, options: RunOptions): Promise<ToolRun> {
    this.#called = true;
    this.#stayOn();
    const again = this.#life.state === 'running';
    this.#running++;
    try {
      const connection = await untilAborted(this.#open(), options.signal);
      if (this.#known.isStale(this.#deps.now())) void this.#read();
      // A server may list other tools when it starts.
      if (options.refusal) await untilAborted(this.#listed(), options.signal);
      const refusal = options.refusal?.();
      if (refusal) return refusal;
      return await ask(connection, tool, input, options);
    } catch (error) {
      if (options.signal.aborted) return CANCELLED_MEANWHILE;
      if (error instanceof ServerGone && again) return this.call(tool, input, options);
      if (this.#life.state === 'failed')
        return toolMessage(
          'failed',
          `${tool.modelName} can't be called: its server “${this.name}” can't be started. ${messageOf(error)}`,
        );
      return toolMessage(
        'failed',
        `${tool.modelName} ${error instanceof ServerFailure ? '' : 'failed: '}${messageOf(error)}`,
      );
    } finally {
      this.#running--;
      if (this.#running === 0) {
        this.#noQuestions.abort();
        this.#noQuestions = new AbortController();
        this.#questions = 0;
        this.#restAfterCalls();
      }
    }
  }

  /** Ends it, and whatever it is doing. `why` is a sentence for the user. */
  async stop(why?: string): Promise<void> {
    this.#stayOn();
    this.#listAgain?.();
    this.#listAgain = undefined;
    this.#isOutdated = false;
    this.#items.stop();
    const life = this.#life;
    this.#life = { state: 'stopped', ...(why === undefined ? {} : { why }) };
    this.#called = false;
    if (life.state === 'running') this.#close(life.connection);
    if (life.state === 'starting') {
      life.abort.abort();
      await life.opening.catch(() => {});
    }
    // Also a process that an earlier stop is ending.
    await this.#closing;
    this.#deps.changed();
  }

  /** Ends its process. {@link stop} waits for it. */
  #close(connection: Connection): void {
    this.#closing = Promise.all([this.#closing, connection.close()]);
  }

  /** Ends it for good. */
  dispose(): Promise<void> {
    this.#disposed = true;
    return this.stop();
  }

  get #startLimitMs(): number {
    return (this.timeoutSeconds ?? START_SECONDS) * 1000;
  }

  #open(): Promise<Connection> {
    if (this.#disposed)
      return Promise.reject(new ServerFailure('can’t be called any more: its server was taken out of mcp.json.'));
    if (this.#life.state === 'running') return Promise.resolve(this.#life.connection);
    if (this.#life.state === 'starting') return this.#life.opening;
    const life = { state: 'starting' as const, since: this.#deps.now(), abort: new AbortController(), opening: NEVER };
    this.#life = life;
    life.opening = this.#start(life);
    // The callers get the error. A start that no caller waits for is no error.
    life.opening.catch(() => {});
    this.#deps.changed();
    return life.opening;
  }

  async #start(life: Life & { state: 'starting' }): Promise<Connection> {
    let opened: Connection | undefined;
    let over: string | undefined;
    const events: ConnectionEvents = {
      toolsChanged: () => this.#outdate(),
      itemsChanged: () => opened && this.#items.outdate(opened),
      asked: (form, asked) => this.#ask(form, asked),
      signIn: (request, signal) => {
        this.#known.userChanges();
        this.#items.userChanges();
        return this.#whileAsking(() => this.#deps.signIn(request, signal));
      },
      ended: (reason) => {
        over = reason;
        this.#deps.log(reason);
        if (this.#life.state !== 'running' || this.#life.connection !== opened) return;
        this.#life = this.#over(reason);
        this.#deps.changed();
      },
      log: (line) => this.#deps.log(line),
    };
    try {
      const { signal } = life.abort;
      if (!(await this.#whileAsking(() => this.#deps.allow(this.definition, signal))))
        throw new ServerFailure(NOT_ALLOWED);
      opened = await this.#deps.connect(this.definition, { timeoutMs: this.#startLimitMs, signal }, events);
    } catch (error) {
      if (this.#life !== life) throw new ServerFailure('was cut off: its server was stopped.');
      this.#life = { state: 'failed', why: messageOf(error) };
      this.#deps.log(`It can't be started. ${messageOf(error)}`);
      this.#deps.changed();
      throw error;
    }
    if (this.#life !== life) {
      await opened.close();
      throw new ServerFailure('was cut off: its server was stopped.');
    }
    this.#life =
      over === undefined ? { state: 'running', connection: opened, since: this.#deps.now() } : this.#over(over);
    this.#deps.changed();
    if (this.#known.isFresh(this.#deps.now())) this.#restWhenIdle();
    else void this.#read();
    void this.#readItems();
    return opened;
  }

  /** The user is asked only during a call: otherwise the question has no context. */
  async #ask(form: Form, signal: AbortSignal): Promise<FormAnswer> {
    if (this.#running === 0) return { action: 'cancel' };
    const canEnd = ++this.#questions > QUESTIONS_UNTIL_END;
    const until = AbortSignal.any([signal, this.#noQuestions.signal]);
    const answer = await this.#whileAsking(() => this.#deps.ask(form, until, canEnd));
    if (answer.action !== 'end') return answer;
    this.#noQuestions.abort();
    return { action: 'cancel' };
  }

  async #whileAsking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.#asking++;
    try {
      return await ask();
    } finally {
      this.#asking--;
    }
  }

  /** The state after a server ended by itself. A server that has never listed its tools is of no use. */
  #over(why: string): Life {
    return { state: this.#known.from === 'nowhere' ? 'failed' : 'stopped', why };
  }

  /** Marks the tools as outdated. A server that reports changes all the time is listed now and then. */
  #outdate(): void {
    this.#isOutdated = true;
    if (this.#reading || this.#listAgain) return;
    const again = () => {
      this.#listAgain = undefined;
      if (this.#isOutdated) void this.#read();
    };
    this.#listAgain = backgroundTimer(again, Math.max(0, this.#listedAt + LIST_PAUSE_MS - this.#deps.now()));
  }

  /** Resolves once all changes reported so far are read. Never rejects. */
  async #listed(): Promise<void> {
    await this.#reading;
    if (this.#isOutdated) await this.#read();
  }

  /** Reads the tools again, if the server runs. Never rejects. */
  #read(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
      this.#listedAt = this.#deps.now();
      if (this.#isOutdated) this.#outdate();
    });
    return this.#reading;
  }

  async #readNow(): Promise<void> {
    const life = this.#life;
    this.#isOutdated = false;
    if (life.state !== 'running') return;
    try {
      await this.#known.read(life.connection, this.#deps.now());
      this.#restWhenIdle();
    } catch (error) {
      const why = messageOf(error);
      this.#deps.log(why);
      // One that is called is of use without a list.
      if (this.#life === life && !this.#called) {
        this.#life = { state: 'failed', why };
        this.#close(life.connection);
        await this.#closing;
      }
    }
    this.#deps.changed();
  }

  /** Lists resources and prompts once the tools are known: those come first. */
  async #readItems(): Promise<void> {
    await this.#reading;
    if (this.#life.state === 'running') this.#items.read(this.#life.connection);
  }

  #stayOn(): void {
    this.#idle?.();
    this.#idle = undefined;
  }

  /** However often it is listed meanwhile. */
  #restWhenIdle(): void {
    if (this.#called || this.#idle) return;
    const rest = async () => {
      await isOverWithin(this.#startLimitMs, this.#items.reading);
      if (this.#idle === cancel) await this.stop();
    };
    const cancel = backgroundTimer(() => void rest(), this.#deps.idleMs);
    this.#idle = cancel;
  }

  /** A server over HTTP runs somewhere else: nothing is saved by leaving it. */
  #restAfterCalls(): void {
    const minutes = this.#deps.idleMinutes();
    const read = readLaunch(this.definition);
    if (minutes === 0 || this.#life.state !== 'running' || !read.ok || read.launch.kind !== 'stdio') return;
    this.#stayOn();
    const why = `It was stopped after ${minutes} minutes without a call.`;
    this.#idle = backgroundTimer(() => void this.stop(why), minutes * 60_000);
  }
}
