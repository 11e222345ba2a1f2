import { afterEach, expect, it, vi } from 'vitest';
import { toolMessage } from '../../../../../src/core/ports';
import { ServerFailure, ServerGone } from '../../../../../src/tools/mcp/config/serverFailure';
import type { Connection, ConnectionEvents } from '../../../../../src/tools/mcp/connection/connection';
import { ManagedServer, type ServerDeps } from '../../../../../src/tools/mcp/servers/managedServer';
import { makeTool } from '../../../core/turn/world';

const TOOL = makeTool('s', 'a');

/**
 * What happens to a server: what the user and VS Code do (`list`, `call`, `abort`, `stop`), what the server does
 * (`changed`, `ended`, `asks`), the time that passes (`pass`), and how something ends that is held (`hold`): as it should
 * (`give`) or not (`fail`).
 */
const PLAYS = `
is listed and rests: list, pass 1999, pass 1, list
is listed while it is listed: hold tools, list, list, give tools, hold items, pass 2000, give items
rests after its items: hold items, list, pass 2000, give items
is called and rests: call, give call, pass 59999, call, give call, pass 60000, list, pass 2000, call
is called after a list: list, call, give call, pass 2000
works for long: call, give call, pass 30000, call, pass 90000, give call, pass 60000
is over HTTP: http, call, give call, pass 60000
never rests: minutes 0, call, give call, pass 60000
isn’t allowed: hold allow, list, give allow no, call, give allow, give call
doesn’t start: hold connect, call, fail connect No., list, give connect
is stopped at its start: hold connect, call, list, stop, give connect
is stopped, and starts again: hold connect, call, stop, call, fail connect Late., give connect, give call
is stopped in a call: call, stop By you., fail call Closed.
stops slowly: hold close, list, stop, list, stop, give close, give close
is taken out: list, dispose, call, list
is known: cached, list, pass 2000, call, ended Dead., fail call Dead.
ends: list, ended Dead., list
ends at its start: hold connect, list, ended Dead., give connect
ends unlisted: hold tools, list, ended Dead., fail tools Gone., list, give tools
doesn’t list: hold tools, list, fail tools No., call, fail tools No., give call
is gone: call, fail call gone, call, fail call gone, give call
fails: call, fail call No., call, abort, give call, hold connect, stop, call, abort, give connect
changes: list, pass 400, changed, changed, pass 99, pass 1, pass 500, changed, stop, pass 500
changes meanwhile: hold tools, list, changed, give tools, pass 499, pass 1, give tools, pass 500
changes before it rests: list, pass 1700, changed, pass 100, changed, pass 200, pass 500
changes before it stops: call, give call, pass 59700, changed, pass 100, changed, pass 200, pass 500
changes before a call: list, hold tools, changed, check, changed, give tools, give tools, give call
is refused: refused, list, check
has other items: call, give call, others change, others change, pass 999, hold items, pass 1, others change, pass 1000, give items, pass 999, pass 1, fail items No., others change, stop, pass 1000
holds for a second: ttl 1000, list, stop, call, give call, pass 999, call, give call, pass 1, call
holds till its next start: ttl 1000, list, stop, pass 999, call, give call, stop, pass 1, call
has another user: ttl 1000, list, call, signs in, give signIn, give call, stop, call, give call
is for any user: public, ttl 1000, list, call, signs in, give signIn, give call, stop, call, give call
asks outside: list, asks
asks on and on: call, asks, give ask accept, asks, give ask decline, asks, call, give call, asks, give ask decline, give ask end, asks, give ask cancel, give call, call, asks, give call, give ask decline`;

const told: string[] = [];
let waiting: { readonly what: string; readonly end: (how: string, value: string) => void }[];
afterEach(() => vi.useRealTimers());

const LIST = { problems: ['p'] };
/** What is answered to the server, or by it. */
const ANSWERS: { readonly [what: string]: (value: string, hints: object) => unknown } = {
  allow: (value) => value !== 'no',
  tools: (_, hints) => ({ ...LIST, entries: [{ name: 'a', inputSchema: { type: 'object' } }], ...hints }),
  items: (_, hints) => ({ ...LIST, entries: [{ kind: 'prompt', address: 'p', about: {} }], ...hints }),
  call: () => ({ content: [{ type: 'text', text: 'done' }] }),
  ask: (action) => ({ action }),
  signIn: () => true,
};

function playServer(happens: readonly string[]) {
  const held = new Set(['call', 'ask', 'signIn']);
  const set = new Map(happens.map((it) => it.split(' ') as [string, string]));
  let events: ConnectionEvents | undefined;
  let stop = new AbortController();
  const wait = (what: string, signal?: AbortSignal, ...more: readonly unknown[]): Promise<never> => {
    told.push(
      [`  ${what}`, ...more.map((it) => JSON.stringify(it)), ...(signal?.aborted ? ['aborted'] : [])].join(' '),
    );
    signal?.addEventListener('abort', () => told.push(`  ${what} aborted`));
    return new Promise((resolve, reject) => {
      const end = (how: string, given: string) => {
        const answer =
          what === 'connect'
            ? connection
            : ANSWERS[what]?.(given, { ttlMs: Number(set.get('ttl') ?? 0), isPublic: set.has('public') });
        if (how === 'give') resolve(answer as never);
        else reject(given === 'gone' ? new ServerGone('failed: gone') : new ServerFailure(given));
      };
      if (held.has(what)) waiting.push({ what, end });
      else end('give', '');
    });
  };
  const connection: Connection = {
    listTools: () => wait('tools'),
    listItems: () => wait('items'),
    call: (tool, input, { signal }) => wait('call', signal, tool.name, input),
    close: () => wait('close'),
  };
  const deps: ServerDeps = {
    connect: (_, { timeoutMs, signal }, given) => {
      events = given;
      return wait('connect', signal, timeoutMs);
    },
    user: {
      allow: (_, signal) => wait('allow', signal),
      ask: (name, form, signal, canEnd) => wait('ask', signal, name, form, canEnd),
      signIn: (name, request, signal) => wait('signIn', signal, name, request),
    },
    idle: { listedMs: 2_000, minutes: () => Number(set.get('minutes') ?? 1) },
    changed: () => told.push('  changed'),
    log: (...line) => told.push(`  log ${line.join(': ')}`),
    now: Date.now,
  };
  const value = set.has('http') ? { url: 'https://a.example' } : { command: 'x', timeoutSeconds: 7 };
  const known = set.has('cached')
    ? [TOOL, makeTool('s', 'p', '', { item: { kind: 'prompt', address: 'p' } })]
    : undefined;
  const server = new ManagedServer({ name: 's', value, inputs: [], file: 'f' }, known, deps);
  const tell = (what: string, work?: Promise<unknown>) =>
    void work?.then((result) => told.push(`  ${what} ends ${JSON.stringify(result) ?? ''}`.trimEnd()));
  const refusal = () => {
    told.push('  checked');
    return set.has('refused') ? toolMessage('refused', 'No.') : undefined;
  };
  const call = (more: object) => {
    stop = new AbortController();
    tell('call', server.call(TOOL, { x: 1 }, { signal: stop.signal, onProgress: () => {}, ...more }));
  };
  const request = { issuer: 'i', page: new URL('https://a.example'), scopes: [] };
  const does: { readonly [word: string]: (rest: string) => unknown } = {
    list: () => tell('list', server.list()),
    call: () => call({}),
    check: () => call({ refusal }),
    abort: () => stop.abort(),
    stop: (why) => tell('stop', server.stop(why || undefined)),
    dispose: () => tell('dispose', server.dispose()),
    changed: () => events?.toolsChanged(),
    others: () => events?.itemsChanged(),
    ended: (why) => events?.ended(why),
    asks: () => tell('question', events?.asked({ message: 'Who?', fields: [] }, stop.signal)),
    signs: () => tell('sign-in', events?.signIn(request, stop.signal)),
    hold: (what) => held.add(what),
    free: (what) => held.delete(what),
    pass: (ms) => vi.advanceTimersByTimeAsync(Number(ms)),
  };
  return { server, does };
}

async function play(line: string): Promise<void> {
  told.push(`# ${line}`);
  waiting = [];
  const happens = line.split(': ')[1]?.split(', ') ?? [];
  const { server, does } = playServer(happens);
  let before = '';
  for (const happening of happens) {
    const [word = '', what = ''] = happening.split(' ');
    const rest = happening.slice(word.length + 1);
    told.push(happening);
    const at = waiting.findIndex((it) => it.what === what);
    if (word === 'give' || word === 'fail') waiting.splice(at, 1)[0]?.end(word, rest.slice(what.length + 1));
    else await does[word]?.(rest);
    await vi.advanceTimersByTimeAsync(0);
    await vi.dynamicImportSettled();
    const { info, tools, items, settled, isAsking, startingSince } = server;
    const now = JSON.stringify([info, tools.length, items.length, { settled, isAsking, startingSince }]);
    if (now !== before) told.push(`  ${now}`);
    before = now;
  }
}

it('a server starts, lists, asks and stops as its file says', async () => {
  for (const line of PLAYS.trim().split('\n')) {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    await play(line);
    vi.useRealTimers();
  }
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('lives.txt');
});
