import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { DefinedServer } from '../../src/tools/mcp/definition';

/** What servers of a session do wrong before anything is called: most of them nothing. */
const FAULTS = [
  undefined,
  undefined,
  'noise',
  'slow',
  undefined,
  'twins',
  'mangled',
  'dead',
  undefined,
  'dying',
  'huge',
  undefined,
] as const;

/** Name → what a call is for; those that go wrong are drawn less often. */
export const GOOD_CALLS = [
  'echo text=hello',
  'add a=2 b=40',
  'write_note text=x',
  'structured',
  'picture',
  'linked',
  'progress ms=1',
] as const;
export const BAD_CALLS = ['die', 'hang', 'garbage', 'nonsense', 'megabytes', 'change', 'refuse', 'own_code'] as const;

export interface Servers {
  readonly definitions: readonly DefinedServer[];
  /** Ends those that were started here. */
  stop(): Promise<void>;
}

/**
 * So many servers of the test's own, one in seven of them over HTTP. Each writes into its log what it is asked for.
 * @param hear hears the logs of those over HTTP: nobody else does
 */
export async function startServers(count: number, fixtures: string, hear: (line: string) => void): Promise<Servers> {
  const children: ChildProcess[] = [];
  const faulty = `${fixtures}/faultyServer.mjs`;
  const define = async (index: number): Promise<DefinedServer> => {
    const name = `server${index}`;
    const fault = FAULTS[index % FAULTS.length];
    const more = fault ? ['--fault', fault, '--delay', '300'] : [];
    const common = { name, inputs: [], file: 'file:///mcp.json', folder: fixtures };
    if (index % 7 !== 6) return { ...common, value: { command: process.execPath, args: [faulty, name, '--tell', ...more], env: {} } };
    const child = spawn(process.execPath, [faulty, name, '--http', '--tell'], { stdio: 'pipe' });
    children.push(child);
    createInterface({ input: child.stderr }).on('line', (line) => hear(`${name}: ${line}`));
    const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { ...common, value: { type: 'http', url: `http://127.0.0.1:${port}/mcp` } };
  };
  const definitions: DefinedServer[] = [];
  for (let index = 0; index < count; index++) definitions.push(await define(index));
  return {
    definitions,
    async stop() {
      for (const child of children) {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
    },
  };
}

/** A stand-in for both services in a process of its own: what it keeps isn't our memory. */
export async function startService(standIn: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [standIn], { stdio: ['ignore', 'pipe', 'inherit'] });
  let url: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (url) break;
  }
  if (!url) throw new Error('The stand-in told no address.');
  return {
    url,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** What the stand-in can do wrong; those that wait for long are only asked for where the turn is cancelled. */
export const SERVICE_FAULTS = [
  ...['400', '401', '403', '413', '429', '500', '529', 'retry', 'quota', 'odd', 'html', 'notoolsearch', 'regexonly', 'cut', 'early'],
  ...['unknown', 'error', 'searcherror', 'pause', 'late', 'refusal', 'length', 'twice', 'reject:server0_echo'],
] as const;
export const WAITING_FAULTS = ['stall', 'wait'] as const;
