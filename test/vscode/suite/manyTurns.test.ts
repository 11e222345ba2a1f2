import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Ledger } from '../../../src/core/ledger';
import type { ModelEvent, ModelPort, ModelRequest, ToolRunner } from '../../../src/core/ports';
import { ResultRenderers } from '../../../src/core/resultRenderer';
import { ToolIndex } from '../../../src/core/search/index';
import { createSearchPort } from '../../../src/core/search/port';
import { StrategyRegistry } from '../../../src/core/search/registry';
import { Session } from '../../../src/core/session';
import { DEFAULT_SETTINGS, NO_PINS } from '../../../src/core/settings';
import { TurnTools } from '../../../src/core/turnTools';
import type { CatalogHost } from '../../../src/tools/catalogHost';
import { CatalogSource } from '../../../src/tools/catalogSource';
import { createCallRunner } from '../../../src/tools/invoke';
import { InputStore } from '../../../src/tools/mcp/inputs';
import { McpSource } from '../../../src/tools/mcp/mcpSource';
import { createArgumentCheck } from '../../../src/tools/validateArguments';
import { createVscodeRunner } from '../../../src/tools/vscodeInvoke';
import { VscodeMcpConfig } from '../../../src/tools/vscodeMcpConfig';
import { createMcpWorld } from '../../../src/tools/vscodeMcpWorld';
import { createVscodeToolHost } from '../../../src/tools/vscodeTools';
import { mcpJson, write } from './mcpJson';
import { Responsiveness } from './responsiveness';
import { activateToolSearch, until } from './toolSearch';

const TURNS = 10;
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));
const SETTINGS = { ...DEFAULT_SETTINGS, mode: 'on' as const };
const NUMBERED = ['1', '2', '3', '4', '5'];

/** Twenty servers: four of those that real people run, and one with sixty tools, each under five names. */
function servers(): { readonly [name: string]: unknown } {
  const { extensionPath } = vscode.extensions.getExtension('tool-search.tool-search') ?? assert.fail('not installed');
  const official = (name: string) => path.join(extensionPath, `sample/node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  const folder = path.dirname(path.dirname(mcpJson().fsPath));
  const run = (...args: string[]) => ({ command: process.execPath, args });
  return Object.fromEntries(
    NUMBERED.flatMap((n): [string, unknown][] => [
      [`everything${n}`, run(official('everything'))],
      [`files${n}`, run(official('filesystem'), folder)],
      [`memory${n}`, { ...run(official('memory')), env: { MEMORY_FILE_PATH: path.join(folder, `memory${n}.jsonl`) } }],
      [`crowd${n}`, run(path.join(extensionPath, 'test/vscode/fixtures/crowd/server.mjs'), `crowd${n}`)],
    ]),
  );
}

/** A model that searches for these tools, then calls them all at once, then says what they returned. */
class Scripted implements ModelPort {
  readonly info = { id: 'scripted', vendor: 'test', name: 'Scripted', maxInputTokens: 200_000, toolCalling: true, maxTools: 128 };
  readonly #calls: readonly { readonly name: string; readonly input: unknown }[];
  constructor(calls: readonly { readonly name: string; readonly input: unknown }[]) {
    this.#calls = calls;
  }
  async *send({ transcript }: ModelRequest): AsyncIterable<ModelEvent> {
    const results = transcript.filter((item) => item.kind === 'results');
    if (results.length === 0) {
      const queries = this.#calls.map(({ name }) => name);
      yield { type: 'call', callId: 'search', name: 'search_tools', input: { queries } };
    } else if (results.length === 1) {
      for (const [index, call] of this.#calls.entries()) yield { type: 'call', callId: `call${index}`, ...call };
    } else {
      const texts = results[1]?.results.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')));
      yield { type: 'text', text: texts?.join('\n') ?? '' };
    }
  }
  async countTokens(): Promise<number> {
    throw new Error('no tokeniser');
  }
}

/** Who runs the servers, and how they are started and called. */
interface Running {
  readonly source: CatalogHost;
  readonly runner: ToolRunner;
  start(): void;
}

function inVscode(config: VscodeMcpConfig): Running {
  return {
    source: new CatalogSource(
      createVscodeToolHost(config, () => SETTINGS),
      () => {},
    ),
    runner: createVscodeRunner(undefined),
    start: () => void vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true }),
  };
}

function inTheExtension(config: VscodeMcpConfig): Running {
  const secrets = { get: async () => undefined, store: async () => {}, delete: async () => {} };
  const inputs = new InputStore(secrets, () => assert.fail('No server here asks for anything.'));
  const host = createVscodeToolHost(config, () => SETTINGS);
  const source = new McpSource(createMcpWorld(config, inputs, host, '0.0.0', () => {}));
  return {
    source,
    runner: { run: (tool, input, signal) => source.run(tool, input, { signal, onProgress: () => {} }) },
    start: () => void source.startServers('byQuestion'),
  };
}

const HOSTS = { 'VS Code': inVscode, 'the extension': inTheExtension };
const figures: unknown[] = [];

for (const [host, run] of Object.entries(HOSTS)) {
  describe(`ten turns at once over twenty real servers of ${host}`, () => {
    const responsiveness = new Responsiveness();
    let config: VscodeMcpConfig;
    let source: CatalogHost;
    let runner: ToolRunner;
    let kept: Uint8Array;

    before(async function () {
      this.timeout(120_000);
      await activateToolSearch();
      kept = await vscode.workspace.fs.readFile(mcpJson());
      responsiveness.begin('servers start');
      await write(mcpJson(), JSON.stringify({ servers: servers() }));
      config = new VscodeMcpConfig(vscode.Uri.joinPath(mcpJson(), '..', 'many'));
      await config.load();
      const running = run(config);
      ({ source, runner } = running);
      source.follow();
      const up = () => source.catalog.servers.filter(({ name, state }) => /\d$/.test(name) && state === 'running').length;
      await until(
        'twenty servers',
        () => {
          running.start();
          source.refresh();
          return up() === 20;
        },
        100_000,
      );
    });
    after(async () => {
      await source.dispose();
      config.dispose();
      await vscode.workspace.fs.writeFile(mcpJson(), kept);
      responsiveness.end();
      const results = process.env.TOOLSEARCH_HOST_RESULTS;
      figures.push(...responsiveness.figures.map((each) => ({ host, ...each })));
      if (results) writeFileSync(path.join(path.dirname(results), 'responsiveness.json'), JSON.stringify(figures));
    });

    it('all end with their own answers', async function () {
      this.timeout(60_000);
      const index = new ToolIndex();
      index.setTools(source.catalog.tools);
      const ledger = new Ledger();
      const checkArguments = createArgumentCheck((message) => assert.fail(message), breathe);
      const session = new Session({
        source,
        search: createSearchPort(index, new StrategyRegistry()),
        ledger,
        renderers: new ResultRenderers(),
        settings: () => SETTINGS,
        pins: () => NO_PINS,
        turnTools: new TurnTools(),
        now: Date.now,
        breathe,
      });
      const name = (id: string) => source.catalog.byId.get(id)?.modelName ?? assert.fail(`There is no tool ${id}.`);
      const sink = {
        text: () => {},
        searching: () => {},
        found: () => {},
        calling: () => {},
        warning: (message: string) => assert.fail(message),
      };
      responsiveness.begin('turns run');
      const outcomes = await Promise.all(
        Array.from({ length: TURNS }, (_, turn) => {
          const n = NUMBERED[turn % NUMBERED.length];
          const calls = [
            { name: name(`everything${n}/get-sum`), input: { a: turn, b: 1_000 } },
            { name: name(`crowd${n}/get_invoice`), input: { number: `I-${turn}` } },
            { name: name(`memory${n}/read_graph`), input: {} },
            { name: name(`files${n}/list_allowed_directories`), input: {} },
          ];
          const safe = createCallRunner(runner, {
            settings: SETTINGS,
            checkArguments,
            mayAsk: () => false,
            onSlow: ({ id }) => assert.fail(`${id} was slow.`),
          });
          return session.ask(
            { prompt: `turn ${turn}`, history: [], references: new Set(), port: new Scripted(calls), runner: safe },
            sink,
            new AbortController().signal,
          );
        }),
      );
      responsiveness.end();
      for (const [turn, { status, answer }] of outcomes.entries()) {
        const n = NUMBERED[turn % NUMBERED.length];
        assert.equal(status, 'answered');
        assert.match(answer, new RegExp(`\\b${1_000 + turn}\\b`));
        assert.match(answer, new RegExp(`crowd${n} did get_invoice I-${turn}\\b`));
        assert.match(answer, /"entities"/);
        assert.match(answer, /Allowed directories/);
      }
      const called = ledger.events.filter((event) => event.type === 'called');
      assert.equal(called.length, 4 * TURNS);
      assert.deepEqual(
        called.filter((event) => event.outcome !== 'ok' || event.withoutDiscovery),
        [],
      );
    });
  });
}
