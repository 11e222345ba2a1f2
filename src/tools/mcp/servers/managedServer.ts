// Manages the life of one MCP server: starts, lists, calls, questions to the user, idle times and stops.

import type { ServerInfo } from '../../../core/catalog/catalog';
import type { Tool, UnnamedTool } from '../../../core/catalog/tool';
import { CANCELLED_MEANWHILE, type ToolRun, toolMessage } from '../../../core/ports';
import { l10n } from '../../../core/util/l10n';
import { messageOf } from '../../../core/util/messageOf';
import { untilAborted } from '../../../core/util/signals';
import { backgroundTimer, isOverWithin } from '../../../core/util/timers';
import { type DefinedServer, fileOf, fingerprint, readLaunch, timeoutSecondsOf } from '../config/definition';
import { ServerFailure, ServerGone } from '../config/serverFailure';
import { toRun } from '../connection/callResult';
import type { Connection, ConnectionEvents, RunOptions } from '../connection/connection';
import type { Form, FormAnswer, UserAnswer } from '../connection/elicitationForm';
import { KnownItems } from '../lists/knownItems';
import { KnownTools } from '../lists/knownTools';
import type { SignInRequest } from '../signIn/serverSignIn';

const START_SECONDS = 30;
/** After this number of questions from a server during its calls, the user can refuse further ones. */
const QUESTIONS_UNTIL_END = 3;
/** The minimum time between two lists. Some servers report changes all the time. */
const LIST_PAUSE_MS = 500;

export interface ServerDeps {
  /** Starts a server. Rejects with a {@link ServerFailure} if that fails. */
  connect(
    server: DefinedServer,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
    events: ConnectionEvents,
  ): Promise<Connection>;
  readonly user: ServerQuestions;
  readonly idle: {
    /** The idle time after which a server that was started only to list its tools is stopped. */
    readonly listedMs: number;
    /** Returns the idle time after which a server that was called is stopped; 0 for never. */
    minutes(): number;
  };
  changed(): void;
  log(server: string, line: string): void;
  now(): number;
}

/** The questions to the user that a server leads to. `signal` closes a question. */
interface ServerQuestions {
  /** Returns whether the server may start. Asks the user if necessary. */
  allow(server: DefinedServer, signal: AbortSignal): Promise<boolean>;
  /**
   * Asks the user for information that the server wants during a call.
   * @param canEnd whether to offer to refuse further questions
   */
  ask(server: string, form: Form, signal: AbortSignal, canEnd: boolean): Promise<UserAnswer>;
  /** Asks the user to sign in to the server, and opens the page in the browser. */
  signIn(server: string, request: SignInRequest, signal: AbortSignal): Promise<boolean>;
}

/** The placeholder for a connection while a start is being prepared. */
const NEVER = new Promise<Connection>(() => {});

type Life =
  /** `why` is the reason, if the server stopped because of a problem. */
  | { readonly state: 'stopped'; readonly why?: string }
  | {
      readonly state: 'starting';
      readonly since: number;
      readonly abort: AbortController;
      opening: Promise<Connection>;
    }
  | { readonly state: 'running'; readonly connection: Connection }
  | { readonly state: 'failed'; readonly why: string };

/**
 * Starts and stops one server. It starts when one of its tools is called, or once to list its tools. If it was only
 * listed, it is stopped soon. If it was called, it keeps running for a while, since the next call may depend on its
 * state.
 */
export class ManagedServer {
  readonly definition: DefinedServer;
  readonly fingerprint: string;
  readonly #deps: ServerDeps;
  #life: Life = { state: 'stopped' };
  readonly #known: KnownTools;
  readonly #items: KnownItems;
  #reading: Promise<void> | undefined;
  /** Whether the server has reported a change since its tools were last listed. */
  #isOutdated = false;
  #listedAt = Number.NEGATIVE_INFINITY;
  #listAgain: (() => void) | undefined;
  #called = false;
  /** The number of calls that are running. */
  #running = 0;
  /** The number of open questions, and the number of questions since the last time that no call was running. */
  #asking = 0;
  #questions = 0;
  /** Closes all questions: when no call is running, or when the user refuses further ones. */
  #noQuestions = new AbortController();
  #disposed = false;
  /** Resolves when the stopped processes have ended. */
  #closing: Promise<unknown> = Promise.resolve();
  #idle: (() => void) | undefined;

  /** @param cached the server's tools, resources and prompts in the last session; undefined if they aren't known */
  constructor(definition: DefinedServer, cached: readonly UnnamedTool[] | undefined, deps: ServerDeps) {
    this.definition = definition;
    this.fingerprint = fingerprint(definition);
    this.#deps = deps;
    const tools = cached?.filter(({ item }) => !item);
    const items = cached?.filter(({ item }) => item) ?? [];
    this.#known = new KnownTools(definition, tools);
    this.#items = new KnownItems(definition.name, items, deps);
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

  /** Whether the tools are known, or a request for them has failed. */
  get settled(): boolean {
    return this.#known.from !== 'nowhere' || this.#life.state === 'failed';
  }

  get startingSince(): number | undefined {
    return this.#life.state === 'starting' ? this.#life.since : undefined;
  }

  get info(): ServerInfo {
    const { problems, from } = this.#known;
    const isKnown = from !== 'nowhere';
    const base = { name: this.name, problems, ...(from === 'cache' ? { cached: true } : {}) };
    switch (this.#life.state) {
      case 'failed':
        return { ...base, state: 'failed', detail: this.#life.why };
      case 'stopped': {
        const next = isKnown
          ? l10n.t('It starts when one of its tools is called.')
          : l10n.t('Not started yet: it starts with the first question.');
        return { ...base, state: 'stopped', detail: this.#life.why ? `${this.#life.why} ${next}` : next };
      }
      default:
        // A server that was started only to list its tools is not shown as running.
        return { ...base, state: this.#life.state === 'running' && isKnown ? 'running' : 'starting' };
    }
  }

  /** Whether the user is being asked something. The time limit of its calls is suspended meanwhile. */
  get isAsking(): boolean {
    return this.#asking > 0;
  }

  /** The maximum time of a call, in seconds; undefined if the definition doesn't set it. */
  get timeoutSeconds(): number | undefined {
    return timeoutSecondsOf(this.definition);
  }

  /** Starts the server if necessary and requests its tools. Never rejects. */
  async list(): Promise<void> {
    await this.#open().then(
      () => this.#reading ?? this.#read(),
      () => {},
    );
  }

  /** Runs one of the server's tools, and starts the server if necessary. Never rejects. */
  async call(tool: Tool, input: { readonly [name: string]: unknown }, options: RunOptions): Promise<ToolRun> {
    this.#called = true;
    this.#clearIdleTimer();
    const again = this.#life.state === 'running';
    this.#running++;
    try {
      const connection = await untilAborted(this.#open(), options.signal);
      if (this.#known.isStale(this.#deps.now())) void this.#read();
      // At its start, the server may have listed changed tools. The check below needs the new list.
      if (options.refusal) await untilAborted(this.#listed(), options.signal);
      const refusal = options.refusal?.();
      if (refusal) return refusal;
      return toRun(await connection.call(tool, input, options), tool.item);
    } catch (error) {
      if (options.signal.aborted) return CANCELLED_MEANWHILE;
      if (error instanceof ServerGone && again) return this.call(tool, input, options);
      const why = messageOf(error);
      const server = `its server “${this.name}” of ${fileOf(this.definition)}`;
      if (this.#life.state === 'failed')
        return toolMessage('failed', `${tool.modelName} can't be called: ${server} can't be started. ${why}`);
      return toolMessage('failed', `${tool.modelName} ${error instanceof ServerFailure ? '' : 'failed: '}${why}`);
    } finally {
      this.#running--;
      if (this.#running === 0) {
        this.#noQuestions.abort();
        this.#noQuestions = new AbortController();
        this.#questions = 0;
        this.#stopAfterCalls();
      }
    }
  }

  /** Stops the server and everything that it is doing. `why` is a sentence for the user. */
  async stop(why?: string): Promise<void> {
    this.#clearIdleTimer();
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
    // An earlier stop may still be ending a process.
    await this.#closing;
    this.#deps.changed();
  }

  /** Closes a connection. {@link stop} waits for this. */
  #close(connection: Connection): void {
    this.#closing = Promise.all([this.#closing, connection.close()]);
  }

  /** Stops the server and prevents further starts. */
  dispose(): Promise<void> {
    this.#disposed = true;
    return this.stop();
  }

  get #startLimitMs(): number {
    return (this.timeoutSeconds ?? START_SECONDS) * 1000;
  }

  #open(): Promise<Connection> {
    if (this.#disposed)
      return Promise.reject(
        new ServerFailure(`can’t be called any more: its server was taken out of ${fileOf(this.definition)}.`),
      );
    if (this.#life.state === 'running') return Promise.resolve(this.#life.connection);
    if (this.#life.state === 'starting') return this.#life.opening;
    const life = { state: 'starting' as const, since: this.#deps.now(), abort: new AbortController(), opening: NEVER };
    this.#life = life;
    life.opening = this.#start(life);
    // Callers get this error from the returned promise. Without a caller, the error is ignored.
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
        return this.#whileAsking(() => this.#deps.user.signIn(this.name, request, signal));
      },
      ended: (reason) => {
        over = reason;
        this.#deps.log(this.name, reason);
        if (this.#life.state !== 'running' || this.#life.connection !== opened) return;
        this.#life = this.#over(reason);
        this.#deps.changed();
      },
      log: (line) => this.#deps.log(this.name, line),
    };
    try {
      const { signal } = life.abort;
      if (!(await this.#whileAsking(() => this.#deps.user.allow(this.definition, signal))))
        throw new ServerFailure(
          l10n.t('You haven’t allowed it to start. Start it in the inspector to be asked again.'),
        );
      opened = await this.#deps.connect(this.definition, { timeoutMs: this.#startLimitMs, signal }, events);
    } catch (error) {
      if (this.#life !== life) throw new ServerFailure('was cut off: its server was stopped.');
      this.#life = { state: 'failed', why: messageOf(error) };
      this.#deps.log(this.name, `It can't be started. ${messageOf(error)}`);
      this.#deps.changed();
      throw error;
    }
    if (this.#life !== life) {
      await opened.close();
      throw new ServerFailure('was cut off: its server was stopped.');
    }
    this.#life = over === undefined ? { state: 'running', connection: opened } : this.#over(over);
    this.#deps.changed();
    if (this.#known.isFresh(this.#deps.now())) this.#stopWhenIdle();
    else void this.#read();
    void this.#readItems();
    return opened;
  }

  /** Shows a server's form. The user is asked only during a call, since there is no context otherwise. */
  async #ask(form: Form, signal: AbortSignal): Promise<FormAnswer> {
    if (this.#running === 0) return { action: 'cancel' };
    const canEnd = ++this.#questions > QUESTIONS_UNTIL_END;
    const until = AbortSignal.any([signal, this.#noQuestions.signal]);
    const answer = await this.#whileAsking(() => this.#deps.user.ask(this.name, form, until, canEnd));
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

  /** Returns the state after a server has ended by itself. It has failed if its tools aren't known at all. */
  #over(why: string): Life {
    return { state: this.#known.from === 'nowhere' ? 'failed' : 'stopped', why };
  }

  /** Called when the tools have changed. If that happens often, the tools are listed only after a pause. */
  #outdate(): void {
    this.#isOutdated = true;
    if (this.#reading || this.#listAgain) return;
    const again = () => {
      this.#listAgain = undefined;
      if (this.#isOutdated) void this.#read();
    };
    this.#listAgain = backgroundTimer(again, Math.max(0, this.#listedAt + LIST_PAUSE_MS - this.#deps.now()));
  }

  /** Resolves when all changes reported so far have been read. Never rejects. */
  async #listed(): Promise<void> {
    await this.#reading;
    if (this.#isOutdated) await this.#read();
  }

  /** Lists the tools again if the server is running. Never rejects. */
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
      this.#stopWhenIdle();
    } catch (error) {
      const why = messageOf(error);
      this.#deps.log(this.name, why);
      // If the server has been called, it works without a list.
      if (this.#life === life && !this.#called) {
        this.#life = { state: 'failed', why };
        this.#close(life.connection);
        await this.#closing;
      }
    }
    this.#deps.changed();
  }

  /** Requests resources and prompts after the tools. */
  async #readItems(): Promise<void> {
    await this.#reading;
    if (this.#life.state === 'running') this.#items.read(this.#life.connection);
  }

  #clearIdleTimer(): void {
    this.#idle?.();
    this.#idle = undefined;
  }

  /** Stops the server after the idle time, unless it has been called. Further lists don't extend the time. */
  #stopWhenIdle(): void {
    if (!this.#called && !this.#idle) this.#stopAfter(this.#deps.idle.listedMs);
  }

  /** Stops the server after a time. What it is listing, or has reported as changed, is read before. */
  #stopAfter(ms: number, why?: string): void {
    const stop = async () => {
      await isOverWithin(this.#startLimitMs, Promise.all([this.#items.reading, this.#listed()]));
      if (this.#idle === cancel) await this.stop(why);
    };
    const cancel = backgroundTimer(() => void stop(), ms);
    this.#idle = cancel;
  }

  /** Stops the server after the idle time since its last call. Servers over HTTP don't run on this machine and stay. */
  #stopAfterCalls(): void {
    const minutes = this.#deps.idle.minutes();
    const read = readLaunch(this.definition);
    if (minutes === 0 || this.#life.state !== 'running' || !read.ok || read.launch.kind !== 'stdio') return;
    this.#clearIdleTimer();
    this.#stopAfter(minutes * 60_000, l10n.t('It was stopped after {0} min without a call.', minutes));
  }
}
