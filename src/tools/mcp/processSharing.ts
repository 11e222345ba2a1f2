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
import { type Line, MAX_LINE, SharedProcess, writeLine } from './sharedProcess';
import type { Target } from './target';

/** How long two windows may take to prove who they are, in milliseconds, and the longest line of that, in bytes. */
const GREETING_MS = 3_000;
const MAX_GREETING = 500;
/** How many windows may be connected to a process, strangers included. */
const MAX_CONNECTIONS = 64;
/** Tries to reach the window that another one has just become, and the time between them in milliseconds. */
const TRIES = 5;
const TRY_PAUSE_MS = 100;
/** How long a process may take to end, in milliseconds: its own two limits and some more. */
const END_MS = 3_000;
/** The longest path of a socket, in bytes. macOS takes 103. */
const MAX_PATH = 100;
/** Variables that differ between two shells, and that a server has no use for. */
const OF_A_SHELL = ['_', 'PWD', 'OLDPWD', 'SHLVL', 'WINDOWID', 'TERM_SESSION_ID', 'XDG_ACTIVATION_TOKEN'];

/** A server's process, as a window wants it. */
interface Wanted {
  readonly target: Target & { kind: 'stdio' };
  /** Makes the process if no other window has it. */
  readonly make: (log: (line: string) => void) => ProcessTransport;
  /** URIs of the window's folders. */
  readonly roots: readonly string[];
  readonly log: (line: string) => void;
  /** Other windows came or went. */
  readonly changed: () => void;
}

/**
 * The processes that this window shares with the others of its user. Two windows know each other by a key in a folder
 * that only the user can read. The name of a socket is made with that key, and so reveals nothing of the server.
 */
export class ProcessSharing {
  readonly #folder: string;
  readonly #version: string;
  readonly #own = new Set<SharedProcess>();

  /**
   * @param folder a folder that is made if need be
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
      // A server that asked for folders has one process for each choice of them.
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
  return l10n.t('The window that ran it was closed.');
}

/** The socket of a process, and the key by which its windows know each other. */
interface Place {
  readonly address: string;
  readonly key: string;
}

function placeOf(folder: string, key: string, identity: string): Place {
  const name = createHmac('sha256', key).update(identity).digest('base64url').slice(0, 22);
  if (process.platform === 'win32') return { address: `\\\\.\\pipe\\tool-search-${name}`, key };
  const address = path.join(folder, name);
  if (Buffer.byteLength(address) > MAX_PATH) throw new Error(`the path of its socket is too long: ${address}`);
  return { address, key };
}

/** Reads the user's key, or makes it. Rejects if others could read it too. */
async function readKey(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await lstat(folder).then((it) => (it.isDirectory() ? it : Promise.reject(notOwn(folder))));
  if (process.getuid && (uid !== process.getuid() || (mode & 0o077) !== 0)) throw notOwn(folder);
  const file = path.join(folder, 'key');
  const fresh = `${file}.${randomBytes(8).toString('hex')}`;
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known !== '') return known;
  await writeFile(fresh, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  // Whole at once, and never in place of another window's.
  await link(fresh, file).catch(() => {});
  await rm(fresh);
  return readFile(file, 'utf8');
}

function notOwn(folder: string): Error {
  return new Error(`${folder} is no folder of this user alone.`);
}

/** Joins the window that has the process, or becomes it. Rejects if neither is possible. */
async function joinOrListen(
  place: Place,
  roots: string,
  make: (onEnd: () => void) => SharedProcess,
): Promise<Duplex | 'other folders'> {
  for (let tries = 0; tries < TRIES; tries++) {
    const socket = await reach(place.address);
    if (socket) {
      const joining = greetOwner(socket, place, roots).catch(() => 'gone' as const);
      if (!(await isOverWithin(GREETING_MS, joining))) socket.destroy();
      const answer = await joining;
      if (answer === 'joined') return socket;
      socket.destroy();
      if (answer !== 'gone') return answer;
    } else {
      const server = await listen(place.address);
      if (server) return joinHere(serve(server, place, make), roots);
    }
    // It is ending, or another window was faster.
    await pause(TRY_PAUSE_MS);
  }
  throw new Error('the window that has its socket doesn’t answer.');
}

/** Connects to a socket; undefined if no window has it. The socket of one that was killed is removed. */
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

/** Takes a socket; undefined if another window has it. */
async function listen(address: string): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true });
  server.maxConnections = MAX_CONNECTIONS;
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

/** Lets windows that have the key use a process, until it ends. */
function serve(server: Server, place: Place, make: (onEnd: () => void) => SharedProcess): SharedProcess {
  const strangers = new Set<Socket>();
  const process = make(() => {
    server.close();
    for (const stranger of strangers) stranger.destroy();
  });
  server.on('connection', async (socket) => {
    strangers.add(socket);
    socket.on('error', () => {});
    const greeting = greetMember(socket, place, process).catch(() => false);
    const isMember = (await isOverWithin(GREETING_MS, greeting)) && (await greeting);
    strangers.delete(socket);
    if (!isMember) socket.destroy();
  });
  return process;
}

/** Joins a process of this window, and starts it. */
function joinHere(process: SharedProcess, roots: string): Duplex {
  const [ours, its] = duplexPair();
  process.join(its, roots);
  process.start();
  return ours;
}

/** Proves to the owner of a process that this window has the key, once the owner has proved it. */
async function greetOwner(socket: Socket, { key }: Place, roots: string): Promise<'joined' | 'other folders' | 'gone'> {
  const ours = randomBytes(32).toString('hex');
  writeGreeting(socket, [ours]);
  const [theirs, claim] = await readGreeting(socket);
  if (!isProof(claim, key, ['owner', ours, theirs])) return 'gone';
  writeGreeting(socket, [proof(key, ['member', ours, theirs]), roots]);
  const [answer] = await readGreeting(socket);
  return answer === 'joined' || answer === 'other folders' ? answer : 'gone';
}

/** Lets a window join if it has the key and the right folders. */
async function greetMember(socket: Socket, { key }: Place, process: SharedProcess): Promise<boolean> {
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

/** Reads one line of texts, and leaves what follows it in the stream. */
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

/** A window's end of a process that several windows may use. */
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

  /** Resolves once the process has ended, if no other window uses it. */
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

  /** Takes a line of the window that runs the process. It has proved that it is a window of this user. */
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
