import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { createAgentTools } from '../../../../src/core/agents/agentTools';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { ModelError } from '../../../../src/core/ports';
import { SERVICES } from '../../../../src/core/settings/services';
import { Session } from '../../../../src/core/turn/session';
import { systemTimer } from '../../../../src/core/util/signals';
import { yieldToEventLoop } from '../../../../src/core/util/yieldToEventLoop';
import { exportSession } from '../../../../src/inspector/sessionFile/sessionFile';
import { NativeModels } from '../../../../src/providers/native/nativeModels';
import { CatalogCache } from '../../../../src/tools/catalogCache';
import { createCallRunner } from '../../../../src/tools/invoke';
import { findInput, InputStore } from '../../../../src/tools/mcp/inputs';
import { ApiKeys } from '../../../../src/ui/keys/apiKeys';
import { keepLedger } from '../../../../src/vscode/ledgerStore';
import { secretFreeLog } from '../../../../src/vscode/secretFreeLog';
import { call, choices, makeServices, ScriptedModel, SETTINGS, scriptHost, TestSink } from '../../core/turn/world';
import { useSandbox } from '../../sandbox/builtSandbox';
import { SecretStorage } from '../../shim/basics';
import { serveInTest } from './serve';
import { TestWorld } from './world';

const made = useSandbox();

const TOOLS = ['tell', 'fail', 'refuse', 'link', 'user', 'elicit', 'log', 'progress'];

const LEAKY = path.resolve(import.meta.dirname, '../../../fixtures/leakyServer.mjs');

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

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

it('never leave by any way', async () => {
  const world = new TestWorld();
  const { secrets } = world;
  closers.push(() => world.source.dispose());
  const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'secrets.env'), `LEAK_FILE="${PLANTED.envFile}"\n`);

  // The keys of all three places.
  const written: unknown[] = [];
  const write = (...line: unknown[]) => void written.push(...line.map(String));
  const log = secretFreeLog(
    { info: write, warn: write, error: write } as unknown as vscode.LogOutputChannel,
    secrets.redact,
  );
  const secretStorage = new SecretStorage();
  await secretStorage.store('apiKey.anthropic', PLANTED.stored);
  const keys = new ApiKeys(secretStorage, { OPENAI_API_KEY: PLANTED.environment });
  for (const key of await keys.all()) secrets.add(key);
  const natives = new NativeModels(SERVICES.anthropic, secrets, {
    loadPorts:
      async () =>
      (_, { apiKey }) =>
        new ScriptedModel([[new ModelError(`${apiKey} and ${PLANTED.stored} are refused`)]]),
    address: () => ({ url: 'http://127.0.0.1:9' }),
    now: Date.now,
  });
  const [offered] = await natives.offer(PLANTED.languageModels, 2);

  // Servers that get secrets in every way.
  const inputs = new InputStore(
    secretStorage,
    { answer: async () => PLANTED.password, share: async () => true },
    (secret) => secrets.add(secret),
  );
  const mcpInputs = [{ id: 'answer', type: 'promptString', password: true }];
  expect(findInput(mcpInputs, 'answer')?.password).toBe(true);
  world.input = (_, id) => inputs.value({ file: 'file:///mcp.json', inputs: mcpInputs, name: 'leaky', value: {} }, id);
  Object.assign(world.env, {
    PLANTED_1: PLANTED.envOfEnvironment,
    PLANTED_2: PLANTED.envOfArguments,
    PLANTED_5: PLANTED.header,
    PLANTED_6: PLANTED.brokenHeader,
    PLANTED_7: PLANTED.address,
  });
  const origin = await serveInTest((request, response) => {
    const basic = Buffer.from(String(request.headers['x-auth'] ?? '').replace('Basic ', ''), 'base64').toString();
    response.writeHead(500).end(`${'x'.repeat(400)}${basic} ${request.url} ${JSON.stringify(request.headers)}`);
  });
  const url = `${origin}/mcp?key=\${env:PLANTED_7}&token=${PLANTED.parameter}`;
  const leaky = {
    command: process.execPath,
    args: [LEAKY, '--with', '${env:PLANTED_2}', `--token=${PLANTED.argument}`, world.mark],
    env: { LEAK_INPUT: '${input:answer}', LEAK_ENV: '${env:PLANTED_1}', LEAK_TOKEN: PLANTED.literal },
    envFile: path.join(folder, 'secrets.env'),
  };
  world.definitions = [
    world.server('leaky', leaky),
    world.server('dead', { ...leaky, args: [LEAKY, '--dead', '${env:PLANTED_2}', world.mark] }),
    world.server('refusing', {
      type: 'http',
      url,
      headers: { 'X-Sent': '${env:PLANTED_5}', Authorization: 'Bearer ${env:PLANTED_5}' },
    }),
    world.server('basic', {
      type: 'http',
      url,
      headers: { 'X-Auth': `Basic ${Buffer.from(`me:${PLANTED.basic}`).toString('base64')}` },
    }),
    world.server('broken', { type: 'http', url, headers: { Authorization: 'Bearer ${env:PLANTED_6}\n' } }),
  ];
  const asked: unknown[] = [];
  world.ask = async (_, form) => {
    // Keeps only labels of choices, since their values are sent to the server.
    asked.push(
      form.message,
      ...form.fields.map((field) => ({
        ...field,
        ...('choices' in field ? { choices: field.choices.map(({ label }) => label) } : {}),
      })),
    );
    return { action: 'decline' };
  };
  world.source.follow();
  await world.ready();

  // A turn in which the user's question contains a secret too, and the model fails.
  const ledger = new Ledger(secrets.redactIn);
  const file: string[] = [];
  const stopKeeping = keepLedger(
    ledger,
    {
      read: async () => undefined,
      write: async (kept) => void file.push(kept),
      append: async (kept) => void file.push(kept),
    },
    write,
  );
  const clock = { now: Date.now, timer: systemTimer, yieldToEventLoop };
  const servicesIn = (mode: 'on' | 'off') =>
    makeServices(world.source, { ledger, clock, user: choices(() => ({ ...SETTINGS, mode })) });
  const session = new Session(servicesIn('off'));
  const progress: string[] = [];
  const runner = createCallRunner(
    {
      run: (tool, input, signal) =>
        world.source.run(tool, input, { signal, onProgress: (line) => progress.push(line) }),
    },
    { settings: SETTINGS, checkArguments: async () => undefined, secrets, mayAsk: () => false, onSlow: () => {} },
  );
  const model = new ScriptedModel([
    TOOLS.map((name) => call(`leaky_${name}`, {}, `call-${name}`)),
    [new ModelError('Failed.')],
  ]);
  const sink = new TestSink();
  const ask = (port: ConstructorParameters<typeof Object>[0]) =>
    session.ask(
      { prompt: 'use them', history: [], references: new Set(), port: port as ScriptedModel, runner },
      sink,
      new AbortController().signal,
    );
  await ask(model);
  // Another agent, with a script that puts all secrets together.
  const agentTools = createAgentTools({
    services: servicesIn('on'),
    warn: write,
    scripts: scriptHost(made.sandbox, secrets.redact),
  });
  closers.push(() => agentTools.dispose());
  const code = `const told = [];
for (const name of ${JSON.stringify(TOOLS)}) told.push(await tools['leaky_' + name].text({}).catch((error) => error.message));
console.log(told.join('\\n'));
return { all: told.join(''), longest: told.join('').repeat(20) };`;
  const answers: unknown[] = [];
  for (const [tool, input] of [
    ['search_tools', { queries: ['tell refuse fail'] }],
    ['describe_tool', { names: ['leaky_tell'] }],
    ['call_tool', { name: 'leaky_tell', arguments: {} }],
    ['call_tool', { name: 'leaky_refuse', arguments: {} }],
    ['run_code', { code }],
    ['run_code', { code: 'return results.get("r1")' }],
  ] as const)
    answers.push(
      await agentTools.answer(
        { tool, input, chat: 'c', by: { client: 'x' } },
        { runner, asking: () => 'never' },
        new AbortController().signal,
      ),
    );
  const cached: string[] = [];
  const cache = new CatalogCache({ read: async () => undefined, write: async (text) => void cached.push(text) }, write);
  cache.save(world.source.catalog.servers, world.source.given);
  await cache.flush();
  const native = natives.port(offered?.offeredId ?? '');
  const refused = await ask(native);
  log.warn(`Told ${Object.values(PLANTED).join(' , ')}`, new Error(PLANTED.stored));
  await stopKeeping();

  const exported = (['json', 'otlp'] as const).map((format) =>
    [
      ...exportSession(
        format,
        {
          ...session.overview(),
          events: ledger.events,
          catalog: world.source.catalog,
          loading: new Map(),
          tokensOf: session.tokensOf,
          pins: { tools: {}, servers: {} },
          mode: 'auto',
          maxResults: 5,
          maxResultsLimit: 20,
          strategy: { name: 'bm25', why: '' },
          delivery: { name: 'local', why: '' },
        },
        { contents: true, at: 0, productVersion: '1.0.0', secrets },
        (bytes) => 'a'.repeat(2 * bytes),
      ),
    ].join(''),
  );
  const outputs = {
    chat: [sink.said, ...sink.events, ...sink.warnings, refused.message, ...progress],
    model: model.requests,
    log: [...world.log, ...written],
    ledger: ledger.events,
    file,
    catalog: [world.source.catalog.tools, world.source.catalog.servers],
    report: session.lastReport,
    asked,
    agent: answers,
    cached,
    exported,
  };

  // All of these outputs contained a secret, and it was hidden.
  for (const [place, output] of Object.entries(outputs))
    expect(`${place} ${JSON.stringify(output)}`).toContain('[secret]');
  expect(world.source.catalog.servers.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'basic failed',
    'broken failed',
    'dead failed',
    'leaky running',
    'refusing failed',
  ]);
  expect(refused.status).toBe('failed');
  for (const [place, output] of Object.entries(outputs)) {
    const told = JSON.stringify(output);
    const decoded = told.replace(
      /[A-Za-z0-9+/_-]{16,}={0,2}/g,
      (run) => `${run} ${Buffer.from(run, 'base64').toString('utf8')}`,
    );
    for (const [where, secret] of Object.entries(PLANTED)) {
      const forms = [
        secret,
        JSON.stringify(secret).slice(1, -1),
        JSON.stringify(JSON.stringify(secret)).slice(3, -3),
        encodeURIComponent(secret),
      ];
      expect(
        PART.exec(decoded)?.index,
        `a part of one in ${place}: ${decoded.slice((PART.exec(decoded)?.index ?? 0) - 40).slice(0, 100)}`,
      ).toBeUndefined();
      for (const form of forms) expect(decoded.includes(form), `${where} in ${place} as ${form}`).toBe(false);
    }
  }
});
