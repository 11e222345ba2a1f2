import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { DefinedServer } from '../../src/tools/mcp/config/definition';
import type { StandInRequest } from '../standin/server.mjs';
import { isAlive } from '../vscode/harness/processes.mjs';

/** Faults of servers before a call. Most servers have none. */
const FAULTS = [
  ...[undefined, undefined, 'noise', 'slow', undefined, 'twins', undefined, 'mangled', 'dead', undefined],
  ...['dying', 'huge', undefined, 'slow', 'circle', 'mute', 'silent', 'refuse', undefined, undefined],
] as const;
/** With these, a server never has a tool. */
const NEVER = new Set<(typeof FAULTS)[number]>(['dead', 'dying', 'circle', 'mute', 'silent', 'refuse']);
/** The number of a server that has no tool at first. */
const BARE = 100;
/** Seconds that a server may take to start or to answer; the first two, whose answers are known, have more. */
const TIMEOUT_SECONDS = 3;

export interface Servers {
  readonly definitions: readonly DefinedServer[];
  /** All calls that servers got, as `server/tool arguments`. */
  readonly served: () => readonly string[];
  /** Calls of a tool that never answers, at which servers still are. The client has given up on each. */
  readonly unending: () => readonly string[];
  /**
   * Ends the second server if it has been called since its start, and returns whether it has. When it runs again, it
   * has this text in its definitions, and a tool less.
   */
  swap(words: string): boolean;
  /** The first server and `server100`, which had no tool, get the tool `late`, or lose it. */
  late(has: boolean): void;
  /** The servers to draw from: those that work are drawn more often. */
  readonly drawn: readonly string[];
  /** Ends the HTTP servers that were started here. */
  stop(): Promise<void>;
}

/**
 * Starts this many servers, one in seven of them over HTTP. An HTTP server is started again when it ends.
 * @param calls the file to which each server writes its calls
 */
export async function startServers(count: number, fixtures: string, calls: string): Promise<Servers> {
  const children = new Map<string, ChildProcess>();
  const faulty = `${fixtures}/faultyServer.mjs`;
  const [work, words, late] = [`${calls}.work`, `${calls}.words`, `${calls}.late`];
  for (const file of [work, words, late]) writeFileSync(file, '');
  let stopping = false;
  const listen = async (name: string, args: readonly string[], port = '0'): Promise<string> => {
    const child = spawn(process.execPath, [faulty, name, '--http', '--port', port, ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    children.set(name, child);
    const [taken] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    child.once('exit', () => {
      if (!stopping) void listen(name, args, taken);
    });
    return taken;
  };
  const define = async (index: number): Promise<DefinedServer> => {
    const name = `server${index}`;
    const fault = FAULTS[index % FAULTS.length];
    const files = { 0: ['--late', late], 1: ['--words', words], [BARE]: ['--late', late, '--bare'] }[index] ?? [];
    const args = ['--calls', calls, '--work', work, ...files, ...(fault ? ['--fault', fault, '--delay', '300'] : [])];
    const timeoutSeconds = index < 2 ? 30 : TIMEOUT_SECONDS;
    const common = { name, inputs: [], file: 'file:///mcp.json', folder: fixtures };
    if (index % 7 !== 6)
      return {
        ...common,
        value: { command: process.execPath, args: [faulty, name, ...args], env: {}, timeoutSeconds },
      };
    const port = await listen(name, args);
    return { ...common, value: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, timeoutSeconds } };
  };
  const definitions: DefinedServer[] = [];
  for (const index of [...Array(count).keys(), BARE]) definitions.push(await define(index));
  return {
    definitions,
    served: () => readFileSync(calls, 'utf8').split('\n').filter(Boolean),
    unending: () => {
      const at = new Map<string, string>();
      for (const line of readFileSync(work, 'utf8').split('\n')) {
        const [what = '', pid, id] = line.split(' ');
        if (what.endsWith('/hang') && isAlive(Number(pid))) at.set(`${pid} ${id}`, what);
        else if (what === 'done') at.delete(`${pid} ${id}`);
      }
      return [...at.values()];
    },
    swap(text) {
      writeFileSync(words, text);
      const [, pid] = /^server1\/\S+ (\d+) .*$(?![\s\S]*^server1\/)/m.exec(readFileSync(work, 'utf8')) ?? [];
      const runs = pid !== undefined && isAlive(Number(pid));
      if (runs) process.kill(Number(pid), 'SIGKILL');
      return runs;
    },
    late: (has) => writeFileSync(late, has ? 'late' : ''),
    drawn: definitions.slice(0, count).flatMap(({ name }, index) => {
      const isRare = index < 2 || NEVER.has(FAULTS[index % FAULTS.length]);
      return isRare ? name : [name, name, name, name];
    }),
    async stop() {
      stopping = true;
      for (const child of children.values()) {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
    },
  };
}

/** The id of the tool in a line that a server writes for a call. */
export const toolOf = (call: string) => call.split(' ', 1)[0] ?? '';

export interface Service {
  readonly url: string;
  /** The requests since the last call. */
  requests(): Promise<readonly StandInRequest[]>;
  stop(): Promise<void>;
}

/** A stand-in for both services in its own process, so that its memory isn't measured. */
export async function startService(standIn: string): Promise<Service> {
  const child = spawn(process.execPath, [standIn], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let url: string | undefined;
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (url) break;
  }
  if (!url) throw new Error('The stand-in told no address.');
  const address = `${url}/__requests`;
  // Each request has its own connection, since a kept connection may close just as it is used again.
  const ask = async (method: 'GET' | 'DELETE'): Promise<string> => {
    const sent = request(address, { method, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return text(response);
  };
  return {
    url,
    async requests() {
      const requests = JSON.parse(await ask('GET'));
      await ask('DELETE');
      return requests;
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
