import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ModelPort } from '../../src/core/ports';
import type { Settings } from '../../src/core/settings/settings';
import type { Transcript } from '../../src/core/transcript/transcript';
import { createAnthropicPort } from '../../src/models/anthropic/port';
import { Capabilities } from '../../src/models/capabilities';
import { createOpenaiPort } from '../../src/models/openai/port';
import { KEYS } from '../standin/server.mjs';
import { type Chance, createChance } from './chance';
import { brokenIn } from './invariants';
import { BAD_CALLS, GOOD_CALLS, SERVICE_FAULTS, startServers, startService, WAITING_FAULTS } from './servers';
import { openWindow, type Window } from './window';

export interface SoakOptions {
  readonly seed: number;
  readonly turns: number;
  readonly servers: number;
  /** The folder of the tests. */
  readonly tests: string;
  /** Hears what happens, a line a turn. */
  readonly say: (line: string) => void;
}

export interface SoakResult {
  readonly turns: number;
  readonly reloads: number;
  readonly cancelled: number;
  readonly calls: number;
  readonly byStatus: { readonly [status: string]: number };
  /** Megabytes of the heap after so many turns. */
  readonly memory: ReadonlyMap<number, number>;
  readonly broken: readonly string[];
}

/** A conversation is left after so many turns: its transcript grows with each. */
const CONVERSATION = 8;
/** How long something may go on after its turn, in milliseconds: what was cancelled has to be told. */
const SETTLE_MS = 4_000;
/** Turns after which the memory is measured, and how much more it may be after the last one. */
const WARM = 100;
const GROWTH = 1.2;

/** A session in which everything goes wrong that can; the same for the same seed, but for what two processes do at once. */
export async function soak({ seed, turns, servers: count, tests, say }: SoakOptions): Promise<SoakResult> {
  const chance = createChance(seed);
  let served = 0;
  const hear = (line: string) => {
    // A log's last line is told once more where its server dies.
    if (/^\w+: \w+ is asked for tools\/call$/.test(line)) served++;
  };
  const servers = await startServers(count, path.join(tests, 'fixtures'), hear);
  const service = await startService(path.join(tests, 'standin/main.mjs'));
  let ports = createPorts(service.url);
  const broken: string[] = [];
  const byStatus: { [status: string]: number } = {};
  const memory = new Map<number, number>();
  let window = openWindow(servers.definitions, undefined, hear);
  let history: Transcript = [];
  let reloads = 0;
  let calls = 0;
  try {
    await window.source.whenReady({ timeoutMs: 20_000, signal: new AbortController().signal, onWait: () => {} });
    for (let turn = 1; turn <= turns; turn++) {
      if (chance.happens(0.04)) {
        window = await reload(window, servers.definitions, hear);
        ports = createPorts(service.url);
        reloads++;
      }
      if (turn % CONVERSATION === 0) history = [];
      const plan = drawTurn(chance, window);
      const { outcome, ran } = await ask(window, chance.one(ports), plan, history);
      history = [...history, ...outcome.items];
      calls += ran.length;
      byStatus[outcome.status] = (byStatus[outcome.status] ?? 0) + 1;
      const found = [
        ...brokenIn({ outcome, events: window.ledger.events, report: window.session.lastReport, ran }),
        ...(await stillPending(window)),
      ];
      broken.push(...found.map((what) => `turn ${turn} (${plan.prompt}): ${what}`));
      say(
        `${turn} ${plan.prompt} → ${outcome.status}${outcome.message ? `: ${outcome.message}` : ''}${found.map((what) => `\n  ✗ ${what}`).join('')}`,
      );
      if (turn === WARM || turn === turns) memory.set(turn, usedMegabytes());
    }
  } finally {
    await window.close();
    await Promise.all([servers.stop(), service.stop()]);
  }
  if (served > calls) broken.push(`servers were asked for ${served} calls, where ${calls} were made`);
  const [first, last] = [memory.get(WARM), memory.get(turns)];
  if (first && last && turns > WARM && last > first * GROWTH) broken.push(`memory grew from ${first} MB after ${WARM} turns to ${last} MB`);
  return { turns, reloads, cancelled: byStatus.cancelled ?? 0, calls, byStatus, memory, broken };
}

interface Plan {
  readonly prompt: string;
  readonly settings: Partial<Settings>;
  /** Milliseconds after which the user cancels; undefined for never. */
  readonly cancelAfter: number | undefined;
}

function drawTurn(chance: Chance, { source }: Window): Plan {
  const names = [...new Set(source.catalog.tools.map((tool) => tool.server))];
  const server = names.length > 0 ? chance.one(names) : 'nobody';
  const call = chance.happens(0.7) ? chance.one(GOOD_CALLS) : chance.one(BAD_CALLS);
  const waits = chance.happens(0.04);
  const fault = waits ? chance.one(WAITING_FAULTS) : chance.happens(0.35) ? chance.one(SERVICE_FAULTS) : undefined;
  return {
    prompt: `${server} ${call}${fault ? ` [[fault:${fault}${chance.happens(0.5) && !waits ? '*1' : ''}]]` : ''}`,
    settings: {
      mode: chance.one(['auto', 'on', 'off'] as const),
      delivery: chance.one(['auto', 'server', 'client', 'local', 'bridge'] as const),
      strategy: chance.one(['auto', 'bm25', 'regex', 'keywords', 'exact'] as const),
    },
    cancelAfter: waits ? 200 + 500 * chance.next() : chance.happens(0.15) ? 400 * chance.next() : undefined,
  };
}

async function ask(window: Window, port: ModelPort, { prompt, settings, cancelAfter }: Plan, history: Transcript) {
  window.settings = settings;
  const ran: string[] = [];
  const abort = new AbortController();
  const timer = cancelAfter === undefined ? undefined : setTimeout(() => abort.abort(), cancelAfter);
  const silent = () => {};
  const outcome = await window.session.ask(
    { prompt, history, references: new Set(), port: window.watched(port), runner: window.runner(ran) },
    { text: silent, searching: silent, found: silent, calling: silent, warning: silent, waiting: silent },
    abort.signal,
  );
  clearTimeout(timer);
  return { outcome, ran };
}

/** A window that is closed, and one that is opened over what was kept. */
async function reload(window: Window, definitions: Parameters<typeof openWindow>[0], hear: (line: string) => void): Promise<Window> {
  const cached = new Map(
    window.source.catalog.servers.flatMap(({ name }) => {
      const fingerprint = window.source.fingerprintOf(name);
      const tools = window.source.given.filter((tool) => tool.server === name);
      return fingerprint && tools.length > 0 ? [[name, { fingerprint, tools }] as const] : [];
    }),
  );
  await window.close();
  return openWindow(definitions, { events: JSON.parse(JSON.stringify(window.ledger.events)), cached }, hear);
}

async function stillPending({ pending }: Window): Promise<readonly string[]> {
  const left = () => [...pending].filter(([, count]) => count > 0);
  const deadline = Date.now() + SETTLE_MS;
  while (left().length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  return left().map(([name, count]) => `${count} × ${name} still pending`);
}

function createPorts(url: string): readonly ModelPort[] {
  const capabilities = new Capabilities();
  return [
    createAnthropicPort({ model: 'claude-sonnet-4-6', name: 'Claude', apiKey: KEYS.anthropic, baseUrl: url, capabilities }),
    createOpenaiPort({ model: 'gpt-5.4', name: 'GPT', apiKey: KEYS.openai, baseUrl: `${url}/v1`, capabilities }),
  ];
}

function usedMegabytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  return Math.round(process.memoryUsage().heapUsed / 1e5) / 10;
}
