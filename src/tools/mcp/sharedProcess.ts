// One server process that several windows use: their messages go through the window that started it.

import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, RequestId } from '@modelcontextprotocol/client';
import { l10n } from '../../core/util/l10n';
import { messageOf } from '../../core/util/messageOf';
import { isObject, parseJson } from '../../core/util/objects';
import type { ServerProcess } from '../toolProvider';
import { LineReader } from './lineReader';
import { MAX_MESSAGE, type ProcessTransport } from './processTransport';

/** The longest line between two windows, in characters: a message may be longer once it is written again. */
export const MAX_LINE = 2 * MAX_MESSAGE;
/** How much may wait for a window that doesn't read, in bytes. */
const MAX_UNREAD = 2 * MAX_LINE;
/** How many requests of one window, or of the server, may be open. */
const MAX_OPEN = 1_000;

/** A line to a window: a message of the server, or something about its process, which is an array. */
export type Line =
  | JSONRPCMessage
  | readonly ['process', ServerProcess]
  | readonly ['log', string]
  /** It has ended, or this window has to leave it; null if there is no reason to give. */
  | readonly ['ended', string | null];

/** Writes a line. A window that doesn't read is disconnected. */
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
  /** Its requests that have no answer yet, by the window's own id. */
  readonly open: Map<RequestId, Request>;
}

/** A window's request. */
interface Request {
  readonly member: Member;
  /** As the window numbers it, and as the server sees it. */
  readonly id: RequestId;
  readonly sentId: RequestId;
  readonly message: JSONRPCRequest;
}

type Answer = { readonly result: unknown } | { readonly error: unknown };

/** A greeting that was sent to the server once, and the answer for all windows. */
interface Greeting {
  answer?: Answer;
  readonly waiting: Request[];
}

/** Requests in the middle of which a server may ask the user something. */
const CALLS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);
const GREETINGS: ReadonlySet<string> = new Set(['server/discover', 'initialize']);
/** How the key of an older greeting begins. */
const OLD_GREETING = '["initialize"';
/** The key of a notification's metadata that names the request which subscribed to it. */
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const UNKNOWN_METHOD = -32601;
const FAILED = -32000;

const failure = (message: string, code = FAILED): Answer => ({ error: { code, message } });
const reply = (id: RequestId, answer: Answer) => ({ jsonrpc: '2.0', id, ...answer }) as JSONRPCMessage;

/**
 * Passes messages between one process and several windows. Each request gets an id of its own; the server is greeted
 * once. A server doesn't say which call a question of its own belongs to. It is sent to the only window with a running
 * call, or waits until there is only one; from the first question on, calls of different windows run one after the
 * other. A server that asks for folders is used only by windows that have the same ones.
 */
export class SharedProcess {
  readonly #process: ProcessTransport;
  readonly #onEnd: () => void;
  readonly #members = new Set<Member>();
  readonly #sent = new Map<RequestId, Request>();
  readonly #greetings = new Map<string, Greeting>();
  /** Calls that wait for those of other windows to end. */
  #waiting: Request[] = [];
  /** Questions of the server that wait until their window is known, and the windows that have the others. */
  #questions: JSONRPCRequest[] = [];
  readonly #asked = new Map<RequestId, Member>();
  #hasAsked = false;
  #roots: string | undefined;
  #isInitialized = false;
  #isRunning = false;
  /** No window can join any more. */
  isOver = false;
  #count = 0;

  /**
   * @param make makes the process, which gets the log
   * @param onEnd is called when no window can join any more
   */
  constructor(make: (log: (line: string) => void) => ProcessTransport, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#process = make((line) => this.#tellAll(['log', line]));
    this.#process.onmessage = (message: JSONRPCMessage) => this.#fromServer(message);
    this.#process.onerror = (error) => this.#tellAll(['log', messageOf(error)]);
    this.#process.onclose = () => this.#over(this.#process.ending ?? null);
  }

  /** Starts the process. Its windows hear whether that succeeds. */
  start(): void {
    this.#process.start().then(
      () => {
        this.#isRunning = true;
        this.#tellProcess();
      },
      (error: unknown) => this.#over(messageOf(error)),
    );
  }

  /** Whether a window with these folders may use it. */
  accepts(roots: string): boolean {
    return this.#roots === undefined || this.#roots === roots;
  }

  /** Adds a window. It leaves when its stream ends. The last one ends the process. */
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
    // It was paused while the window was greeted.
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
    // Of the same type: some servers take only numbers.
    const sentId = typeof id === 'string' ? `shared-${++this.#count}` : ++this.#count;
    const request: Request = { member, id, sentId, message };
    member.open.set(id, request);
    if (GREETINGS.has(method)) this.#greet(request);
    else if (CALLS.has(method)) {
      this.#waiting.push(request);
      this.#proceed();
    } else this.#sendRequest(request);
  }

  /** Greets the server, or gives a further window the answer that the first one got. */
  #greet(request: Request): void {
    const { method, params } = request.message;
    const key = JSON.stringify([method, params]);
    const greeting = this.#greetings.get(key);
    const isOld = method === 'server/discover' && [...this.#greetings.keys()].some((it) => it.startsWith(OLD_GREETING));
    if (greeting?.answer) this.#settle(request, greeting.answer);
    // One that knows the old greeting alone may end when it hears the other.
    else if (isOld) this.#settle(request, failure('It was greeted the old way.', UNKNOWN_METHOD));
    else if (greeting) greeting.waiting.push(request);
    else {
      this.#greetings.set(key, { waiting: [request] });
      this.#sendRequest(request);
    }
  }

  #sendRequest(request: Request): void {
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

  /** Gives a window the answer to its request, under its own id. */
  #settle({ member, id }: Request, answer: Answer): void {
    member.open.delete(id);
    writeLine(member.stream, reply(id, answer));
  }

  #answered(request: Request, answer: Answer): void {
    const { message, sentId } = request;
    if (!this.#sent.delete(sentId)) return;
    const greeting = this.#greetings.get(JSON.stringify([message.method, message.params]));
    if (greeting) greeting.answer = answer;
    for (const waiting of greeting?.waiting.splice(0) ?? [request]) this.#settle(waiting, answer);
    this.#proceed();
  }

  /** Gives up a window's request, which then has no answer. Greetings go on: others may wait for them. */
  #cancel(request: Request): void {
    const { member, id, sentId, message } = request;
    if (GREETINGS.has(message.method)) return;
    member.open.delete(id);
    this.#waiting = this.#waiting.filter((it) => it !== request);
    if (this.#sent.delete(sentId))
      this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: sentId } });
  }

  /** Windows whose calls run now. */
  get #callers(): ReadonlySet<Member> {
    return new Set([...this.#sent.values()].filter(({ message }) => CALLS.has(message.method)).map((it) => it.member));
  }

  /** Hands out the questions whose window is known, and sends the calls that needn't wait any more. */
  #proceed(): void {
    const callers = this.#callers;
    if (callers.size <= 1) {
      const [asked] = callers.size > 0 ? callers : this.#members;
      for (const question of this.#questions.splice(0)) this.#ask(asked, question);
    } else if (this.#questions.length >= callers.size) {
      // Each call may wait for its own question: none of them would ever end.
      for (const { id } of this.#questions.splice(0))
        this.#answer(id, failure('Two windows called at once, so nobody could be asked. Call again.'));
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

  #answer(id: RequestId, answer: Answer): void {
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

  /** From now on it knows the folders of one window: those that have others must leave. */
  #askForRoots(question: JSONRPCRequest): void {
    const [asked] = this.#callers.size > 0 ? this.#callers : this.#members;
    if (!asked) return;
    this.#roots = asked.roots;
    const reason = l10n.t('It asked for the folders of another window, so this window gets a process of its own.');
    for (const member of this.#members) {
      if (member.roots === asked.roots) continue;
      writeLine(member.stream, ['ended', reason]);
      member.stream.end();
      void this.#leave(member);
    }
    this.#ask(asked, question);
  }

  /** Passes a notification on: to the window that it belongs to, or to all. */
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

  /** The server takes back a question, or ends a subscription. */
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
