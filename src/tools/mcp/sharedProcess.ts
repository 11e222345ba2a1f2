// One server process that several windows use. Their messages go through the window that started it.

import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, RequestId } from '@modelcontextprotocol/client';
import { l10n } from '../../core/util/l10n';
import { messageOf } from '../../core/util/messageOf';
import { isObject, parseJson } from '../../core/util/objects';
import type { ServerProcess } from '../toolProvider';
import { LineReader } from './lineReader';
import { MAX_MESSAGE, type ProcessTransport } from './processTransport';

/**
 * The maximum length of a line between two windows, in characters. A message can become longer when it is written as
 * JSON again.
 */
export const MAX_LINE = 2 * MAX_MESSAGE;
/** The maximum amount of data that waits for a window that doesn't read, in bytes. */
const MAX_UNREAD = 2 * MAX_LINE;
/** The maximum number of open requests of one window, or of the server. */
const MAX_OPEN = 1_000;

/** A line to a window: a message of the server, or an array with news about its process. */
export type Line =
  | JSONRPCMessage
  | readonly ['process', ServerProcess]
  | readonly ['log', string]
  /** The process has ended, or this window must stop using it. The text is the reason; null if there is none. */
  | readonly ['ended', string | null];

/** Writes a line. A window that doesn't read its lines is disconnected. */
export function writeLine(stream: Duplex, line: Line): void {
  if (!stream.writable) return;
  if (stream.writableLength > MAX_UNREAD) stream.destroy();
  else stream.write(`${JSON.stringify(line)}\n`);
}

/** A window that uses the process. */
interface Member {
  readonly stream: Duplex;
  /** Identifies the folders that the window has open. */
  readonly roots: string;
  /** The window's requests that have no answer yet, by the window's own ids. */
  readonly open: Map<RequestId, WindowRequest>;
}

/** A window's request. */
interface WindowRequest {
  readonly member: Member;
  /** The id that the window uses, and the id that the server sees. */
  readonly id: RequestId;
  readonly sentId: RequestId;
  readonly message: JSONRPCRequest;
}

type ProcessAnswer = { readonly result: unknown } | { readonly error: unknown };

/** A greeting that was sent to the server once. All windows get its answer. */
interface Greeting {
  answer?: ProcessAnswer;
  readonly waiting: WindowRequest[];
}

/** The requests during which a server may ask the user something. */
const CALLS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);
const GREETINGS: ReadonlySet<string> = new Set(['server/discover', 'initialize']);
/** The beginning of the key of a greeting in the older form. */
const OLD_GREETING = '["initialize"';
/** The key of a notification's metadata that has the id of the request that subscribed to it. */
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const UNKNOWN_METHOD = -32601;
const FAILED = -32000;

const failure = (message: string, code = FAILED): ProcessAnswer => ({ error: { code, message } });
const reply = (id: RequestId, answer: ProcessAnswer) => ({ jsonrpc: '2.0', id, ...answer }) as JSONRPCMessage;

/**
 * Passes messages between one process and several windows. Each request gets a new id, and the server is greeted only
 * once. A server's question to the user doesn't name the call that led to it. The question therefore goes to the only
 * window with a running call, or waits until there is only one such window. After the first question, calls of
 * different windows run one after another. If a server asks for folders, only windows with the same folders can use its
 * process.
 */
export class SharedProcess {
  readonly #process: ProcessTransport;
  readonly #onEnd: () => void;
  readonly #members = new Set<Member>();
  readonly #sent = new Map<RequestId, WindowRequest>();
  readonly #greetings = new Map<string, Greeting>();
  /** Calls that wait until the calls of other windows have ended. */
  #waiting: WindowRequest[] = [];
  /** Questions of the server that wait until their window is known, and the windows that got the other questions. */
  #questions: JSONRPCRequest[] = [];
  readonly #asked = new Map<RequestId, Member>();
  #hasAsked = false;
  #roots: string | undefined;
  #isInitialized = false;
  #isRunning = false;
  /** Whether no further window can join. */
  isOver = false;
  #count = 0;

  /**
   * @param make creates the process and gets its log
   * @param onEnd called when no further window can join
   */
  constructor(make: (log: (line: string) => void) => ProcessTransport, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#process = make((line) => this.#tellAll(['log', line]));
    this.#process.onmessage = (message: JSONRPCMessage) => this.#fromServer(message);
    this.#process.onerror = (error) => this.#tellAll(['log', messageOf(error)]);
    this.#process.onclose = () => this.#over(this.#process.ending ?? null);
  }

  /** Starts the process, and reports success or failure to its windows. */
  start(): void {
    this.#process.start().then(
      () => {
        this.#isRunning = true;
        this.#tellProcess();
      },
      (error: unknown) => this.#over(messageOf(error)),
    );
  }

  /** Whether a window with these folders may use the process. */
  accepts(roots: string): boolean {
    return this.#roots === undefined || this.#roots === roots;
  }

  /** Adds a window. The window leaves when its stream ends. When the last window leaves, the process ends. */
  join(stream: Duplex, roots: string): void {
    const member: Member = { stream, roots, open: new Map() };
    this.#members.add(member);
    const reader = new LineReader(MAX_LINE, (line) => this.#fromMember(member, line));
    stream.on('data', (chunk: Buffer) => {
      if (!reader.add(chunk)) stream.destroy();
    });
    stream.on('error', () => {});
    stream.on('end', () => void this.#leave(member).then(() => stream.end()));
    stream.on('close', () => void this.#leave(member));
    // The stream was paused after the greeting.
    stream.resume();
    this.#tellProcess();
  }

  /** Ends the process for all windows. */
  async end(reason: string | null): Promise<void> {
    this.#over(reason);
    await this.#process.close();
  }

  #over(reason: string | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#onEnd();
    for (const { stream } of this.#members) {
      writeLine(stream, ['ended', reason]);
      stream.end();
    }
    this.#members.clear();
  }

  async #leave(member: Member): Promise<void> {
    if (!this.#members.delete(member)) return;
    for (const request of member.open.values()) this.#cancel(request);
    for (const [id, asked] of this.#asked) if (asked === member) this.#answer(id, failure('The window was closed.'));
    if (this.#members.size === 0) await this.end(null);
    else {
      this.#tellProcess();
      this.#proceed();
    }
  }

  #tellAll(line: Line): void {
    for (const { stream } of this.#members) writeLine(stream, line);
  }

  #tellProcess(): void {
    const { process } = this.#process;
    if (this.#isRunning && process) this.#tellAll(['process', { ...process, windows: this.#members.size }]);
  }

  #fromMember(member: Member, line: string): void {
    if (!this.#members.has(member)) return;
    const message = parseJson(line) as JSONRPCMessage | undefined;
    if (!isObject(message)) {
      member.stream.destroy();
    } else if (!('method' in message)) {
      if (message.id !== undefined && this.#asked.get(message.id) === member) {
        this.#asked.delete(message.id);
        this.#send(message);
      }
    } else if ('id' in message) {
      this.#request(member, message);
    } else if (message.method === 'notifications/cancelled') {
      const request = member.open.get(message.params?.requestId as RequestId);
      if (request) this.#cancel(request);
      this.#proceed();
    } else if (message.method === 'notifications/initialized' && !this.#isInitialized) {
      this.#isInitialized = true;
      this.#send(message);
    }
  }

  #request(member: Member, message: JSONRPCRequest): void {
    const { id, method } = message;
    if (member.open.size >= MAX_OPEN || member.open.has(id)) {
      writeLine(member.stream, reply(id, failure('Too many requests at once.')));
      return;
    }
    // The new id has the same type as the window's id, since some servers accept only numbers.
    const sentId = typeof id === 'string' ? `shared-${++this.#count}` : ++this.#count;
    const request: WindowRequest = { member, id, sentId, message };
    member.open.set(id, request);
    if (GREETINGS.has(method)) this.#greet(request);
    else if (CALLS.has(method)) {
      this.#waiting.push(request);
      this.#proceed();
    } else this.#sendRequest(request);
  }

  /** Greets the server for the first window. Further windows get the same answer. */
  #greet(request: WindowRequest): void {
    const { method, params } = request.message;
    const key = JSON.stringify([method, params]);
    const greeting = this.#greetings.get(key);
    const isOld = method === 'server/discover' && [...this.#greetings.keys()].some((it) => it.startsWith(OLD_GREETING));
    if (greeting?.answer) this.#settle(request, greeting.answer);
    // A server that knows only the older greeting may end when it gets the newer one.
    else if (isOld) this.#settle(request, failure('It was greeted the old way.', UNKNOWN_METHOD));
    else if (greeting) greeting.waiting.push(request);
    else {
      this.#greetings.set(key, { waiting: [request] });
      this.#sendRequest(request);
    }
  }

  #sendRequest(request: WindowRequest): void {
    const { sentId, message } = request;
    const { params } = message;
    const meta = params?._meta;
    this.#sent.set(sentId, request);
    this.#send({
      ...message,
      id: sentId,
      ...(meta?.progressToken !== undefined && {
        params: { ...params, _meta: { ...meta, progressToken: sentId } },
      }),
    }).catch((error: unknown) => this.#answered(request, failure(messageOf(error))));
  }

  #send(message: JSONRPCMessage): Promise<void> {
    const sent = this.#process.send(message);
    sent.catch(() => {});
    return sent;
  }

  /** Sends a window the answer to its request, with the window's own id. */
  #settle({ member, id }: WindowRequest, answer: ProcessAnswer): void {
    member.open.delete(id);
    writeLine(member.stream, reply(id, answer));
  }

  #answered(request: WindowRequest, answer: ProcessAnswer): void {
    const { message, sentId } = request;
    if (!this.#sent.delete(sentId)) return;
    const greeting = this.#greetings.get(JSON.stringify([message.method, message.params]));
    if (greeting) greeting.answer = answer;
    for (const waiting of greeting?.waiting.splice(0) ?? [request]) this.#settle(waiting, answer);
    this.#proceed();
  }

  /**
   * Cancels a window's request, which then gets no answer. Greetings continue, since other windows may wait for them.
   */
  #cancel(request: WindowRequest): void {
    const { member, id, sentId, message } = request;
    if (GREETINGS.has(message.method)) return;
    member.open.delete(id);
    this.#waiting = this.#waiting.filter((it) => it !== request);
    if (this.#sent.delete(sentId))
      this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: sentId } });
  }

  /** The windows with running calls. */
  get #callers(): ReadonlySet<Member> {
    return new Set([...this.#sent.values()].filter(({ message }) => CALLS.has(message.method)).map((it) => it.member));
  }

  /** Sends questions to their windows if these are known, and starts the calls that no longer have to wait. */
  #proceed(): void {
    const callers = this.#callers;
    if (callers.size <= 1) {
      const [asked] = callers.size > 0 ? callers : this.#members;
      for (const question of this.#questions.splice(0)) this.#ask(asked, question);
    } else if (this.#questions.length >= callers.size) {
      // Each call may wait for the answer to its own question, so none of them would ever end.
      for (const { id } of this.#questions.splice(0))
        this.#answer(
          id,
          failure('Two windows called this server at the same time, so its question was not shown. Call again.'),
        );
    }
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const { member } = next;
      if (this.#hasAsked && [...this.#callers].some((caller) => caller !== member)) return;
      this.#waiting.shift();
      this.#sendRequest(next);
    }
  }

  #ask(member: Member | undefined, question: JSONRPCRequest): void {
    if (!member) return;
    this.#asked.set(question.id, member);
    writeLine(member.stream, question);
  }

  #answer(id: RequestId, answer: ProcessAnswer): void {
    this.#asked.delete(id);
    this.#send(reply(id, answer));
  }

  #fromServer(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      const request = message.id === undefined ? undefined : this.#sent.get(message.id);
      if (request) this.#answered(request, 'error' in message ? { error: message.error } : { result: message.result });
    } else if (!('id' in message)) this.#notify(message);
    else if (message.method === 'ping') this.#answer(message.id, { result: {} });
    else if (this.#asked.size + this.#questions.length >= MAX_OPEN)
      this.#answer(message.id, failure('Too many requests at once.'));
    else if (message.method === 'roots/list') this.#askForRoots(message);
    else {
      this.#hasAsked = true;
      this.#questions.push(message);
      this.#proceed();
    }
  }

  /**
   * Lets one window answer the server's question for folders. From now on, windows with other folders can't use the
   * process and must leave.
   */
  #askForRoots(question: JSONRPCRequest): void {
    const [asked] = this.#callers.size > 0 ? this.#callers : this.#members;
    if (!asked) return;
    this.#roots = asked.roots;
    const reason = l10n.t(
      'The server asked for the folders of another window, so this window starts a process of its own.',
    );
    for (const member of this.#members) {
      if (member.roots === asked.roots) continue;
      writeLine(member.stream, ['ended', reason]);
      member.stream.end();
      void this.#leave(member);
    }
    this.#ask(asked, question);
  }

  /** Passes a notification to the window that it belongs to, or to all windows. */
  #notify(message: JSONRPCNotification): void {
    const { method, params } = message;
    const subscription = params?._meta?.[SUBSCRIPTION] as RequestId | undefined;
    if (method === 'notifications/progress') {
      const request = this.#sent.get(params?.progressToken as RequestId);
      const progressToken = request?.message.params?._meta?.progressToken;
      if (request) writeLine(request.member.stream, { ...message, params: { ...params, progressToken } });
    } else if (method === 'notifications/cancelled') this.#cancelled(message);
    else if (subscription !== undefined) {
      const request = this.#sent.get(subscription);
      const meta = { ...params?._meta, [SUBSCRIPTION]: request?.id };
      if (request) writeLine(request.member.stream, { ...message, params: { ...params, _meta: meta } });
    } else this.#tellAll(message);
  }

  /** Handles a server's cancellation: it withdraws a question, or ends a subscription. */
  #cancelled(message: JSONRPCNotification): void {
    const requestId = message.params?.requestId as RequestId;
    const subscriber = this.#sent.get(requestId);
    if (subscriber?.message.method === 'subscriptions/listen') {
      this.#sent.delete(requestId);
      subscriber.member.open.delete(subscriber.id);
      writeLine(subscriber.member.stream, { ...message, params: { ...message.params, requestId: subscriber.id } });
      return;
    }
    this.#questions = this.#questions.filter(({ id }) => id !== requestId);
    const member = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    if (member) writeLine(member.stream, message);
  }
}
