// Finds the process of a server that another window runs, or starts it for all windows of this user.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { link, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { l10n } from '../../core/util/l10n';
import { messageOf } from '../../core/util/messageOf';
import { isObject, parseJson } from '../../core/util/objects';
import { isOverWithin, pause } from '../../core/util/signals';
import type { ServerProcess } from '../toolProvider';
import { LineReader } from './lineReader';
import type { ProcessTransport } from './processTransport';
import type { Target } from './resolveEntry';
import { type Line, MAX_LINE, SharedProcess, writeLine } from './sharedProcess';

/**
 * The time that two windows have to prove that they belong to the same user, in milliseconds, and the maximum length of
 * a line of this proof, in bytes.
 */
const GREETING_MS = 3_000;
const MAX_GREETING = 500;
/**
 * The maximum number of connections that haven't proved yet that they have the key. If there are too many, the oldest of
 * them is closed, so that a window can always join.
 */
const MAX_STRANGERS = 64;
/** The number of attempts to reach a process or to start it, and the pause between them in milliseconds. */
const TRIES = 5;
const TRY_PAUSE_MS = 100;
/** The time that a process has to end, in milliseconds: a little more than its own two limits. */
const END_MS = 3_000;
/** The maximum length of a socket's path, in bytes. macOS allows 103. */
const MAX_PATH = 100;
/**
 * Environment variables that differ between shells and that no server needs. Windows share a process even if these
 * differ.
 */
const OF_A_SHELL = ['_', 'PWD', 'OLDPWD', 'SHLVL', 'WINDOWID', 'TERM_SESSION_ID', 'XDG_ACTIVATION_TOKEN'];

/** The process that a window needs for a server. */
interface Wanted {
  readonly target: Target & { kind: 'stdio' };
  /** Creates the process if no other window runs it. */
  readonly make: (log: (line: string) => void) => ProcessTransport;
  /** URIs of the window's folders. */
  readonly roots: readonly string[];
  readonly log: (line: string) => void;
  /** Called when other windows begin or stop using the process. */
  readonly changed: () => void;
}

/**
 * The processes that this window shares with other windows of the same user. Windows recognize each other by a key in a
 * folder that only the user can read. The name of a socket is derived from that key, so it reveals nothing about the
 * server.
 */
export class ProcessSharing {
  readonly #folder: string;
  readonly #version: string;
  readonly #own = new Set<SharedProcess>();

  /**
   * @param folder the folder for the key and the sockets; created if it doesn't exist
   * @param version windows with another version of the extension have processes of their own
   */
  constructor(folder: string, version: string) {
    this.#folder = folder;
    this.#version = version;
  }

  transport(wanted: Wanted): ProcessTransport {
    return new SharedTransport(() => this.#open(wanted), wanted);
  }

  /** Ends the processes that this window runs, for all windows. */
  async end(): Promise<void> {
    await Promise.all([...this.#own].map((process) => process.end(windowClosed())));
  }

  async #open({ target, make, roots, log }: Wanted): Promise<Duplex> {
    const own = (onEnd = () => {}): SharedProcess => {
      const process = new SharedProcess(make, () => {
        this.#own.delete(process);
        onEnd();
      });
      this.#own.add(process);
      return process;
    };
    try {
      const key = await readKey(this.#folder);
      const { command, args, cwd, env } = target;
      const variables = Object.entries(env).filter(([name]) => !OF_A_SHELL.includes(name));
      const identity = [this.#version, command, args, cwd, variables.sort()];
      const hashed = createHash('sha256').update(JSON.stringify(roots)).digest('base64url');
      // A server that asked for folders has one process for each set of open folders.
      for (const parts of [identity, [...identity, hashed]]) {
        const place = placeOf(this.#folder, key, JSON.stringify(parts));
        const joined = await joinOrListen(place, hashed, own);
        if (joined !== 'other folders') return joined;
      }
    } catch (error) {
      log(`Its process isn't shared with other windows: ${messageOf(error)}`);
    }
    return joinHere(own(), '');
  }
}

function windowClosed(): string {
  return l10n.t('The window that ran the server was closed.');
}

/** The socket of a process, and the key by which its windows recognize each other. */
interface SocketPlace {
  readonly address: string;
  readonly key: string;
}

function placeOf(folder: string, key: string, identity: string): SocketPlace {
  const name = createHmac('sha256', key).update(identity).digest('base64url').slice(0, 22);
  if (process.platform === 'win32') return { address: `\\\\.\\pipe\\tool-search-${name}`, key };
  const address = path.join(folder, name);
  if (Buffer.byteLength(address) > MAX_PATH) throw new Error(`the path of its socket is too long: ${address}`);
  return { address, key };
}

/** Reads the user's key, or creates it. Rejects if other users could read the key. */
async function readKey(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await lstat(folder).then((it) => (it.isDirectory() ? it : Promise.reject(notOwn(folder))));
  if (process.getuid && (uid !== process.getuid() || (mode & 0o077) !== 0)) throw notOwn(folder);
  const file = path.join(folder, 'key');
  const fresh = `${file}.${randomBytes(8).toString('hex')}`;
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known !== '') return known;
  await writeFile(fresh, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  // The link makes the complete file visible at once, and never replaces the key of another window.
  await link(fresh, file).catch(() => {});
  await rm(fresh);
  return readFile(file, 'utf8');
}

function notOwn(folder: string): Error {
  return new Error(`${folder} is no folder of this user alone.`);
}

/**
 * Joins the window that runs the process, or runs it in this window. Returns `other folders` if the process serves
 * windows with other folders. Rejects if the other window doesn't answer.
 */
async function joinOrListen(
  place: SocketPlace,
  roots: string,
  make: (onEnd: () => void) => SharedProcess,
): Promise<Duplex | 'other folders'> {
  for (let tries = 0; tries < TRIES; tries++) {
    const socket = await reach(place.address);
    if (socket) {
      const joining = greetOwner(socket, place, roots).catch(() => 'gone' as const);
      if (!(await isOverWithin(GREETING_MS, joining))) {
        socket.destroy();
        break;
      }
      const answer = await joining;
      if (answer === 'joined') return socket;
      socket.destroy();
      if (answer !== 'gone') return answer;
    } else {
      const server = await listen(place.address);
      if (server) return joinHere(serve(server, place, make), roots);
    }
    // The process is ending, or another window was faster.
    await pause(TRY_PAUSE_MS);
  }
  throw new Error('the window that has its socket doesn’t answer.');
}

/** Connects to a socket; undefined if no window listens on it. The socket of a window that was killed is removed. */
async function reach(address: string): Promise<Socket | undefined> {
  const socket = connect({ path: address, allowHalfOpen: true });
  try {
    await once(socket, 'connect');
    socket.on('error', () => {});
    return socket;
  } catch (error) {
    const code = isObject(error) ? error.code : undefined;
    if (code !== 'ENOENT' && code !== 'ECONNREFUSED') throw error;
    if (code === 'ECONNREFUSED') await rm(address, { force: true });
    return undefined;
  }
}

/** Listens on a socket; undefined if another window already does. */
async function listen(address: string): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(address);
  try {
    await once(server, 'listening');
    server.on('error', () => {});
    return server.unref();
  } catch (error) {
    if (isObject(error) && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Creates a process, and lets windows that have the key use it until it ends. */
function serve(server: Server, place: SocketPlace, make: (onEnd: () => void) => SharedProcess): SharedProcess {
  const strangers = new Set<Socket>();
  const process = make(() => {
    server.close();
    for (const stranger of strangers) stranger.destroy();
  });
  server.on('connection', async (socket) => {
    const [oldest] = strangers;
    strangers.add(socket);
    if (oldest && strangers.size > MAX_STRANGERS) {
      strangers.delete(oldest);
      oldest.destroy();
    }
    socket.on('error', () => {});
    const greeting = greetMember(socket, place, process).catch(() => false);
    const isMember = (await isOverWithin(GREETING_MS, greeting)) && (await greeting);
    strangers.delete(socket);
    if (!isMember) socket.destroy();
  });
  return process;
}

/** Starts a process of this window, and connects this window to it. */
function joinHere(process: SharedProcess, roots: string): Duplex {
  const [ours, its] = duplexPair();
  process.join(its, roots);
  process.start();
  return ours;
}

/** Proves to the window that runs a process that this window has the key. The other window must prove that first. */
async function greetOwner(
  socket: Socket,
  { key }: SocketPlace,
  roots: string,
): Promise<'joined' | 'other folders' | 'gone'> {
  const ours = randomBytes(32).toString('hex');
  writeGreeting(socket, [ours]);
  const [theirs, claim] = await readGreeting(socket);
  if (!isProof(claim, key, ['owner', ours, theirs])) return 'gone';
  writeGreeting(socket, [proof(key, ['member', ours, theirs]), roots]);
  const [answer] = await readGreeting(socket);
  return answer === 'joined' || answer === 'other folders' ? answer : 'gone';
}

/**
 * Handles another window's wish to use a process. A window without the key is refused. Returns whether the connection
 * may stay open.
 */
async function greetMember(socket: Socket, { key }: SocketPlace, process: SharedProcess): Promise<boolean> {
  const ours = randomBytes(32).toString('hex');
  const [theirs] = await readGreeting(socket);
  writeGreeting(socket, [ours, proof(key, ['owner', theirs, ours])]);
  const [claim, roots] = await readGreeting(socket);
  if (!isProof(claim, key, ['member', theirs, ours])) return false;
  if (process.isOver) return false;
  if (!process.accepts(roots)) {
    socket.end(`${JSON.stringify(['other folders'])}\n`);
    return true;
  }
  writeGreeting(socket, ['joined']);
  process.join(socket, roots);
  return true;
}

function proof(key: string, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
}

function isProof(claim: string, key: string, parts: readonly string[]): boolean {
  const [one, other] = [Buffer.from(claim), Buffer.from(proof(key, parts))];
  return one.length === other.length && timingSafeEqual(one, other);
}

function writeGreeting(socket: Socket, texts: readonly string[]): void {
  socket.write(`${JSON.stringify(texts)}\n`);
}

/** Reads one line with a list of texts. Data after that line stays in the stream. */
async function readGreeting(socket: Socket): Promise<readonly [string, string]> {
  let read = Buffer.alloc(0);
  const line = await new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error('It isn’t greeted by another window.'));
    const take = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf('\n');
      if (end < 0 && read.length <= MAX_GREETING) return;
      socket.off('data', take).off('close', fail).off('end', fail).pause();
      if (end < 0) return fail();
      if (end + 1 < read.length) socket.unshift(read.subarray(end + 1));
      resolve(read.toString('utf8', 0, end));
    };
    socket.on('data', take).on('close', fail).on('end', fail).resume();
  });
  const [one = '', other = ''] = Array.isArray(parseJson(line)) ? (parseJson(line) as unknown[]).map(String) : [];
  return [one, other];
}

/** A window's connection to a process that several windows may use. */
class SharedTransport implements ProcessTransport {
  readonly #open: () => Promise<Duplex>;
  readonly #wanted: Pick<Wanted, 'log' | 'changed'>;
  #stream: Duplex | undefined;
  #started = () => {};
  #isClosed = false;
  process: ServerProcess | undefined;
  ending: string | undefined;
  readonly stderr = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(open: () => Promise<Duplex>, wanted: Pick<Wanted, 'log' | 'changed'>) {
    this.#open = open;
    this.#wanted = wanted;
  }

  get pid(): number | null {
    return this.process?.pid ?? null;
  }

  async start(): Promise<void> {
    const stream = await this.#open();
    this.#stream = stream;
    const reader = new LineReader(MAX_LINE, (line) => this.#read(line));
    stream.on('data', (chunk: Buffer) => {
      if (!reader.add(chunk)) stream.destroy();
    });
    stream.on('error', (error) => this.onerror?.(error));
    stream.on('end', () => stream.end());
    if (this.#isClosed) stream.destroy();
    await new Promise<void>((resolve, reject) => {
      this.#started = resolve;
      stream.on('close', () => {
        const reason = this.ending ?? windowClosed();
        if (!this.process) {
          this.ending = undefined;
          reject(new Error(reason));
          return;
        }
        if (!this.#isClosed) this.ending = reason;
        this.onclose?.();
      });
      stream.resume();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.#stream?.writable) return Promise.reject(new Error(this.ending ?? l10n.t("It doesn't run.")));
    writeLine(this.#stream, message);
    return Promise.resolve();
  }

  /** Stops using the process. If no other window uses it, resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const stream = this.#stream;
    if (!stream || stream.closed) return;
    stream.end();
    if (!(await isOverWithin(END_MS, once(stream, 'close')))) stream.destroy();
  }

  stop(reason: string): void {
    this.ending ??= reason;
    this.#wanted.log(reason);
    this.#stream?.destroy();
  }

  /** Reads a line from the window that runs the process. That window has proved that it belongs to this user. */
  #read(line: string): void {
    const value = parseJson(line) as Line | undefined;
    if (!Array.isArray(value)) {
      if (isObject(value) && this.process) this.onmessage?.(value as JSONRPCMessage);
      return;
    }
    const [kind, said] = value as Exclude<Line, JSONRPCMessage>;
    if (kind === 'log') this.#wanted.log(said);
    else if (kind === 'ended') this.ending ??= said ?? l10n.t('It closed the connection.');
    else {
      this.process = said;
      this.#started();
      this.#wanted.changed();
    }
  }
}
