import { ResultRenderers } from '../../src/core/hooks/resultRenderer';
import { TurnTools } from '../../src/core/hooks/turnTools';
import { Ledger, type LedgerEvent } from '../../src/core/ledger/ledger';
import type { ModelPort, ToolRun } from '../../src/core/ports';
import { ToolIndex } from '../../src/core/search/index';
import { createSearchPort } from '../../src/core/search/port';
import { StrategyRegistry } from '../../src/core/search/registry';
import { NO_PINS } from '../../src/core/settings/pins';
import { DEFAULT_SETTINGS, type Settings } from '../../src/core/settings/settings';
import { KnownSecrets } from '../../src/core/text/knownSecrets';
import { TokenCounters } from '../../src/core/tokens/tokenCounter';
import { Session } from '../../src/core/turn/session';
import type { CachedTools } from '../../src/tools/catalogHost';
import { createCallRunner } from '../../src/tools/invoke';
import { connectServer } from '../../src/tools/mcp/connectServer';
import type { DefinedServer } from '../../src/tools/mcp/definition';
import { McpSource } from '../../src/tools/mcp/mcpSource';
import { createArgumentCheck } from '../../src/tools/validateArguments';

/** Seconds that a tool has: some never answer. */
const TOOL_SECONDS = 2;
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What a window of VS Code would be, without VS Code: all of the product between a question and the servers and services. */
export interface Window {
  readonly session: Session;
  readonly ledger: Ledger;
  readonly source: McpSource;
  settings: Partial<Settings>;
  /** Runs calls; `ran` grows by the id of each tool that it handed to a server. */
  runner(ran: string[]): ReturnType<typeof createCallRunner>;
  /** The same port; what it is asked counts as pending until it is answered. */
  watched(port: ModelPort): ModelPort;
  /** What has begun and isn't over, by name. */
  readonly pending: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** What outlives a reload. */
export interface Kept {
  readonly events: readonly LedgerEvent[];
  readonly cached: CachedTools;
}

export function openWindow(definitions: readonly DefinedServer[], kept: Kept | undefined, log: (line: string) => void): Window {
  const secrets = new KnownSecrets();
  const pending = new Map<string, number>();
  const count = (name: string, by: number) => pending.set(name, (pending.get(name) ?? 0) + by);
  const track = async <Result>(name: string, work: Promise<Result>): Promise<Result> => {
    count(name, 1);
    try {
      return await work;
    } finally {
      count(name, -1);
    }
  };
  const world = {
    folders: () => new Map(),
    home: '/',
    env: process.env,
    input: async () => '',
    roots: () => [],
    version: '0.0.0',
    secrets,
  };
  const source = new McpSource({
    connect: (server, options, events) => connectServer(world, server, options, events),
    now: Date.now,
    idleMs: 1000,
    definitions: () => definitions,
    otherTools: () => [],
    exampleRules: () => DEFAULT_SETTINGS,
    trusted: () => true,
    diagnostics: () => [],
    log: (server, line) => log(`${server}: ${line}`),
    ask: async () => ({ action: 'cancel' }),
  });
  if (kept) source.useCached(kept.cached);
  source.follow();
  const index = new ToolIndex();
  source.onDidChange((catalog) => index.follow(catalog.tools, breathe));
  const ledger = new Ledger(secrets.hideIn);
  if (kept) ledger.restore(kept.events);
  const window: Window = {
    session: new Session({
      source,
      search: createSearchPort(index, new StrategyRegistry()),
      ledger,
      renderers: new ResultRenderers(),
      turnTools: new TurnTools(),
      counters: new TokenCounters(),
      settings: () => ({ ...DEFAULT_SETTINGS, toolTimeoutSeconds: TOOL_SECONDS, ...window.settings }),
      pins: () => NO_PINS,
      now: Date.now,
      breathe,
    }),
    ledger,
    source,
    settings: {},
    pending,
    runner: (ran) =>
      createCallRunner(
        {
          run: (tool, input, signal): Promise<ToolRun> => {
            ran.push(tool.id);
            return track('call', source.run(tool, input, { signal, onProgress: () => {} }));
          },
        },
        {
          settings: { ...DEFAULT_SETTINGS, toolTimeoutSeconds: TOOL_SECONDS },
          checkArguments: createArgumentCheck(log, breathe),
          secrets,
          mayAsk: () => false,
          onSlow: () => {},
        },
      ),
    watched: (port) => ({
      get info() {
        return port.info;
      },
      async *send(request, signal) {
        count('reply', 1);
        try {
          yield* port.send(request, signal);
        } finally {
          count('reply', -1);
        }
      },
      countTokens: (text, signal) => track('count', port.countTokens(text, signal)),
      ...(port.countDefinitions
        ? { countDefinitions: (tools, signal) => track('count', port.countDefinitions?.(tools, signal) ?? Promise.reject()) }
        : {}),
      ...(port.countRequest
        ? { countRequest: (request, signal) => track('count', port.countRequest?.(request, signal) ?? Promise.reject()) }
        : {}),
    }),
    close: () => source.dispose(),
  };
  return window;
}
