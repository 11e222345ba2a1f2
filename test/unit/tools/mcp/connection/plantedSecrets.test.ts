import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { createAgentTools } from '../../../../../src/core/agents/agentTools';
import { Ledger } from '../../../../../src/core/ledger/ledger';
import { ModelError, type ModelPort } from '../../../../../src/core/ports';
import { SERVICES } from '../../../../../src/core/settings/modelServices';
import { Session } from '../../../../../src/core/turn/session';
import { systemTimer } from '../../../../../src/core/util/timers';
import { yieldToEventLoop } from '../../../../../src/core/util/yieldToEventLoop';
import { exportSession } from '../../../../../src/inspector/sessionFile/sessionFile';
import { NativeModels } from '../../../../../src/providers/native/nativeModels';
import { CatalogCache } from '../../../../../src/tools/catalogCache';
import { findInput, InputStore } from '../../../../../src/tools/mcp/config/inputs';
import { withoutSecrets } from '../../../../../src/tools/withoutSecrets';
import { ApiKeys } from '../../../../../src/ui/keys/apiKeys';
import { keepLedger } from '../../../../../src/vscode/ledgerStore';
import { secretFreeLog } from '../../../../../src/vscode/secretFreeLog';
import {
  call,
  choices,
  makeServices,
  SETTINGS,
  scriptHost,
  TestModel,
  TestRunner,
  TestSink,
} from '../../../core/turn/world';
import { useSandbox } from '../../../sandbox/builtSandbox';
import { SecretStorage } from '../../../shim/basics';
import { serveInTest } from '../serve';
import { TestWorld } from '../world';

const made = useSandbox();

const TOOLS = ['tell', 'fail', 'refuse', 'link', 'user', 'elicit', 'log', 'progress'];

const LEAKY = path.resolve(import.meta.dirname, '../../../../fixtures/leakyServer.mjs');

/** A different secret in each place. None of them looks like a secret. */
const PLANTED = {
  password: 'planted password’s "quoted" \\ one',
  envOfEnvironment: 'planted-in-env-of-environment-1',
  envOfArguments: 'planted+in/env=of arguments-2',
  envFile: 'planted-in-env-file-3',
  literal: 'planted-in-environment-itself-4',
  header: 'planted-in-a-header-5',
  brokenHeader: 'planted-in-a-broken-header-6',
  address: 'planted-in-an-address-7',
  stored: 'planted-in-secret-storage-8',
  environment: 'planted-in-our-environment-9',
  languageModels: 'planted-in-manage-language-models-10',
  argument: 'planted-in-an-argument-11',
  parameter: 'planted-in-a-parameter-12',
  basic: 'planted-in-basic-13',
};

/** Any part of one of the secrets, in upper or lower case. No text of the product resembles it. */
const PART = /planted[-+ %]/i;

const never = new AbortController().signal;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Puts all secrets together. */
const SCRIPT = `const texts = [];
for (const name of ${JSON.stringify(TOOLS)}) texts.push(await tools['leaky_' + name].text({}).catch((error) => error.message));
console.log(texts.join('\\n'));
return { all: texts.join(''), longest: texts.join('').repeat(20) };`;

const LEAKY_TOOL_CALLS = [
  ['search_tools', { queries: ['tell refuse fail'] }],
  ['describe_tool', { names: ['leaky_tell'] }],
  ['call_tool', { name: 'leaky_tell', arguments: {} }],
  ['call_tool', { name: 'leaky_refuse', arguments: {} }],
  ['run_code', { code: SCRIPT }],
  ['run_code', { code: 'return results.get("r1")' }],
] as const;

/** A world that knows the keys of all three places, and whose servers get secrets in every way. */
class LeakyWorld extends TestWorld {
  readonly written: unknown[] = [];
  readonly write = (...line: unknown[]) => void this.written.push(...line.map(String));
  readonly asked: unknown[] = [];
  readonly folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
  readonly secretStorage = new SecretStorage();
  readonly natives = new NativeModels(SERVICES.anthropic, this.secrets, {
    loadPorts:
      async () =>
      (_, { apiKey }) =>
        new TestModel([[new ModelError(`${apiKey} and ${PLANTED.stored} are refused`)]]),
    address: () => ({ url: 'http://127.0.0.1:9' }),
    now: Date.now,
  });

  /** Starts the servers. */
  async begin(): Promise<void> {
    closers.push(() => this.source.dispose());
    closers.push(() => rmSync(this.folder, { recursive: true }));
    await this.secretStorage.store('apiKey.anthropic', PLANTED.stored);
    const keys = new ApiKeys(this.secretStorage, { OPENAI_API_KEY: PLANTED.environment });
    // The last is a password that is also a tool's name.
    for (const key of [...(await keys.all()), 'refuse']) this.secrets.add(key);
    this.giveInputs();
    this.definitions = this.leakyServers(await this.serveEcho());
    this.ask = async (_, form) => {
      // Keeps only labels of choices, since their values are sent to the server.
      this.asked.push(
        form.message,
        ...form.fields.map((field) => ({
          ...field,
          ...('choices' in field ? { choices: field.choices.map(({ label }) => label) } : {}),
        })),
      );
      return { action: 'decline' };
    };
    this.source.follow();
    await this.ready();
  }

  private giveInputs(): void {
    writeFileSync(path.join(this.folder, 'secrets.env'), `LEAK_FILE="${PLANTED.envFile}"\n`);
    const store = new InputStore(
      this.secretStorage,
      { answer: async () => PLANTED.password, share: async () => true },
      (secret) => this.secrets.add(secret),
    );
    const inputs = [{ id: 'answer', type: 'promptString', password: true }];
    expect(findInput(inputs, 'answer')?.password).toBe(true);
    this.input = (_, id) => store.value({ file: 'file:///mcp.json', inputs, name: 'leaky', value: {} }, id);
    Object.assign(this.env, {
      PLANTED_1: PLANTED.envOfEnvironment,
      PLANTED_2: PLANTED.envOfArguments,
      PLANTED_5: PLANTED.header,
      PLANTED_6: PLANTED.brokenHeader,
      PLANTED_7: PLANTED.address,
    });
  }

  /** A server that fails and sends back what it was sent. */
  private serveEcho(): Promise<string> {
    return serveInTest((request, response) => {
      const basic = Buffer.from(String(request.headers['x-auth'] ?? '').replace('Basic ', ''), 'base64').toString();
      response.writeHead(500).end(`${'x'.repeat(400)}${basic} ${request.url} ${JSON.stringify(request.headers)}`);
    });
  }

  private leakyServers(origin: string) {
    const url = `${origin}/mcp?key=\${env:PLANTED_7}&token=${PLANTED.parameter}`;
    const http = (name: string, headers: { readonly [header: string]: string }) =>
      this.server(name, { type: 'http', url, headers });
    const leaky = {
      command: process.execPath,
      args: [LEAKY, '--with', '${env:PLANTED_2}', `--token=${PLANTED.argument}`, this.mark],
      env: { LEAK_INPUT: '${input:answer}', LEAK_ENV: '${env:PLANTED_1}', LEAK_TOKEN: PLANTED.literal },
      envFile: path.join(this.folder, 'secrets.env'),
    };
    return [
      this.server('leaky', leaky),
      this.server('dead', { ...leaky, args: [LEAKY, '--dead', '${env:PLANTED_2}', this.mark] }),
      http('refusing', { 'X-Sent': '${env:PLANTED_5}', Authorization: 'Bearer ${env:PLANTED_5}' }),
      http('basic', { 'X-Auth': `Basic ${Buffer.from(`me:${PLANTED.basic}`).toString('base64')}` }),
      http('broken', { Authorization: 'Bearer ${env:PLANTED_6}\n' }),
    ];
  }
}

/** Everything that the product shows, writes or sends in a session in which all tools leak. */
async function outputsOf(world: LeakyWorld) {
  const { secrets, write } = world;
  const ledger = new Ledger(secrets.redactIn);
  const file: string[] = [];
  const keep = async (kept: string) => void file.push(kept);
  const stopKeeping = keepLedger(ledger, { read: async () => undefined, write: keep, append: keep }, write);
  const clock = { now: Date.now, timer: systemTimer, yieldToEventLoop };
  const servicesIn = (mode: 'on' | 'off') =>
    makeServices(world.source, { ledger, clock, user: choices(() => ({ ...SETTINGS, mode })) });
  const session = new Session(servicesIn('off'));
  const progress: string[] = [];
  const onProgress = (line: string) => progress.push(line);
  const runner = new TestRunner((tool, input, signal) =>
    withoutSecrets(tool, world.source.run(tool, input, { signal, onProgress }), secrets),
  );
  const model = new TestModel([
    TOOLS.map((name) => call(`leaky_${name}`, {}, `call-${name}`)),
    [new ModelError('Failed.')],
  ]);
  const sink = new TestSink();
  const ask = (port: ModelPort) =>
    session.ask({ prompt: 'use them', history: [], references: new Set(), port, runner }, sink, never);
  await ask(model);
  const scripts = scriptHost(made.sandbox, secrets.redact);
  const agentTools = createAgentTools({ services: servicesIn('on'), warn: write, scripts });
  closers.push(() => agentTools.dispose());
  const agent: unknown[] = [];
  for (const [tool, input] of LEAKY_TOOL_CALLS) {
    const asked = { tool, input, chat: 'c', by: { client: 'x' } };
    agent.push(await agentTools.answer(asked, { runner, asking: () => 'never' }, never));
  }
  const [offered] = await world.natives.offer(PLANTED.languageModels, 2);
  const refused = await ask(world.natives.port(offered?.offeredId ?? '') as ModelPort);
  expect(refused.status).toBe('failed');
  const log = { info: write, warn: write, error: write } as unknown as vscode.LogOutputChannel;
  secretFreeLog(log, secrets.redact).warn(`Leaked ${Object.values(PLANTED).join(' , ')}`, new Error(PLANTED.stored));
  await stopKeeping();
  return {
    chat: [sink.said, ...sink.events, ...sink.warnings, refused.message, ...progress],
    model: model.requests,
    log: [...world.log, ...world.written],
    ledger: ledger.events,
    file,
    catalog: [world.source.catalog.tools, world.source.catalog.servers],
    report: session.lastReport,
    asked: world.asked,
    agent,
    cached: await cachedCatalog(world),
    exported: exportsOf(world, session, ledger),
  };
}

async function cachedCatalog({ source, write }: LeakyWorld): Promise<readonly string[]> {
  const cached: string[] = [];
  const cache = new CatalogCache({ read: async () => undefined, write: async (text) => void cached.push(text) }, write);
  cache.save(source.catalog.servers, source.given);
  await cache.flush();
  return cached;
}

function exportsOf({ source, secrets }: LeakyWorld, session: Session, ledger: Ledger): readonly string[] {
  return (['json', 'otlp'] as const).map((format) =>
    [
      ...exportSession(
        format,
        {
          ...session.overview(),
          events: ledger.events,
          catalog: source.catalog,
          loading: new Map(),
          tokensOf: session.tokensOf,
          pins: { tools: {}, servers: {} },
          mode: 'auto',
          maxResults: 5,
          strategy: { name: 'bm25', why: '' },
          delivery: { name: 'local', why: '' },
        },
        { contents: true, at: 0, productVersion: '1.0.0', secrets },
      ),
    ].join(''),
  );
}

/** The forms in which a secret could be in a text. */
const formsOf = (secret: string) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  encodeURIComponent(secret),
];

it('planted secrets never leave the extension', async () => {
  const world = new LeakyWorld();
  await world.begin();
  const outputs = Object.entries(await outputsOf(world));

  expect(world.source.catalog.byId.has('leaky/refuse')).toBe(true);
  // All of these outputs contained a secret, and it was hidden.
  for (const [place, output] of outputs) expect(`${place} ${JSON.stringify(output)}`).toContain('[secret]');
  expect(world.source.catalog.servers.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'basic failed',
    'broken failed',
    'dead failed',
    'leaky running',
    'refusing failed',
  ]);
  for (const [place, output] of outputs) {
    const decoded = JSON.stringify(output).replace(
      /[A-Za-z0-9+/_-]{16,}={0,2}/g,
      (run) => `${run} ${Buffer.from(run, 'base64').toString('utf8')}`,
    );
    const found = PART.exec(decoded)?.index ?? 0;
    expect(PART.test(decoded), `a part of one in ${place}: ${decoded.slice(found).slice(0, 100)}`).toBe(false);
    for (const [where, secret] of Object.entries(PLANTED))
      for (const form of formsOf(secret)) expect(decoded.includes(form), `${where} in ${place} as ${form}`).toBe(false);
  }
});
