// Random sessions, for the tests of session files.
import fc from 'fast-check';
import { createCatalog, type ServerInfo } from '../../../../src/core/catalog/catalog';
import { type Tool, toolId } from '../../../../src/core/catalog/tool';
import type { LedgerEntry, LedgerEvent, LoggedHit } from '../../../../src/core/ledger/ledger';
import { LOADING_RULES } from '../../../../src/core/planning/ruleNumbers';
import type { RoundTokens, Tokens } from '../../../../src/core/usage/types';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import type { ViewInputs } from '../../../../src/inspector/protocol/inputs';
import { viewInputs } from '../../../data/viewInputs';

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const count = fc.nat({ max: 100_000 });
const tokens = fc.record<Tokens>({ value: count, certainty: fc.constantFrom('measured', 'estimated') });
const counts = fc.record({ eager: count, discovered: count, deferred: count });
const choice = fc.record({ name: text, why: text });
const server = fc.constantFrom('a', 'b', 'com.example/c');
const name = fc.constantFrom('read', 'write', 'list_all', 'delete', 'ask');
const id = fc.tuple(server, name).map(([of, tool]) => toolId(of, tool));
const round = fc.integer({ min: 1, max: 4 });
const hit = fc.record<LoggedHit>({
  id,
  // JSON has no −0.
  score: fc.double({ noNaN: true, noDefaultInfinity: true }).map((score) => score + 0),
  matchType: text,
  terms: fc.array(text),
});
const roundTokens = fc.record<RoundTokens>(
  {
    promptAndHistory: tokens,
    eager: tokens,
    discovered: tokens,
    searchOverhead: tokens,
    sent: tokens,
    baseline: tokens,
    cacheRead: count,
    cacheWrite: count,
  },
  { requiredKeys: ['promptAndHistory', 'eager', 'discovered', 'searchOverhead', 'sent', 'baseline'] },
);

const outcome = fc.constantFrom('ok' as const, 'failed' as const, 'refused' as const, 'cancelled' as const);

const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc.record({ type: fc.constant('roundStarted' as const), round, counts }),
  fc.record(
    { type: fc.constant('roundEnded' as const), round, ms: count, tokens: roundTokens, outputTokens: tokens },
    { requiredKeys: ['type', 'round', 'ms', 'tokens'] },
  ),
  fc.record(
    {
      type: fc.constant('searched' as const),
      round,
      callId: text,
      query: text,
      strategy: text,
      server: text,
      ms: count,
      searched: count,
      matched: count,
      limit: count,
      hits: fc.array(hit, { maxLength: 4 }),
      below: fc.array(hit, { maxLength: 3 }),
      note: text,
      failed: fc.boolean(),
      script: text,
    },
    {
      requiredKeys: [
        'type',
        'round',
        'callId',
        'query',
        'strategy',
        'ms',
        'searched',
        'matched',
        'limit',
        'hits',
        'below',
        'failed',
      ],
    },
  ),
  fc.record({ type: fc.constant('discovered' as const), round, ids: fc.uniqueArray(id, { maxLength: 4 }), tokens }),
  fc.record(
    {
      type: fc.constant('called' as const),
      round,
      callId: text,
      tool: fc.oneof(id, text),
      known: fc.boolean(),
      args: text,
      outcome,
      summary: text,
      resultBytes: count,
      withoutDiscovery: fc.boolean(),
      retry: fc.nat({ max: 3 }),
      ms: count,
      script: text,
    },
    {
      requiredKeys: [
        'type',
        'round',
        'callId',
        'tool',
        'known',
        'args',
        'outcome',
        'summary',
        'resultBytes',
        'withoutDiscovery',
        'retry',
        'ms',
      ],
    },
  ),
  fc.record(
    {
      type: fc.constant('scriptStarted' as const),
      round,
      callId: text,
      title: text,
      code: text,
      where: fc.constant('provider' as const),
    },
    { requiredKeys: ['type', 'round', 'callId', 'title', 'code'] },
  ),
  fc.record(
    {
      type: fc.constant('scriptEnded' as const),
      round,
      callId: text,
      outcome,
      ms: count,
      computeMs: count,
      calls: count,
      failed: count,
      servers: fc.uniqueArray(server),
      returnedChars: count,
      countedChars: count,
      outputChars: count,
      output: text,
      note: text,
      line: fc.integer({ min: 1 }),
    },
    {
      requiredKeys: [
        'type',
        'round',
        'callId',
        'outcome',
        'ms',
        'computeMs',
        'calls',
        'failed',
        'servers',
        'returnedChars',
        'countedChars',
        'outputChars',
        'output',
      ],
    },
  ),
  fc.record({ type: fc.constant('warned' as const), message: text }),
);

const turn = fc.record({
  start: fc.record({
    type: fc.constant('turnStarted' as const),
    prompt: text,
    model: fc.record({ id: text, vendor: text, name: text }),
    strategy: choice,
    delivery: choice,
    counts,
  }),
  entries: fc.array(entry, { maxLength: 12 }),
  end: fc.option(
    fc.record(
      {
        type: fc.constant('turnEnded' as const),
        status: fc.constantFrom('answered' as const, 'failed' as const, 'cancelled' as const),
        ms: count,
        message: text,
      },
      { requiredKeys: ['type', 'status', 'ms'] },
    ),
  ),
});

const events = fc
  .array(turn, { maxLength: 4 })
  .map((turns): LedgerEvent[] =>
    turns
      .flatMap(({ start, entries, end }, index) =>
        [start, ...entries, ...(end ? [end] : [])].map((each) => ({ each, turn: index + 1 })),
      )
      .map(
        ({ each, turn: number }, index) =>
          ({ ...each, seq: index + 1, at: 1_900_000_000_000 + index * 1000, turn: number }) as LedgerEvent,
      ),
  );

const tool = fc
  .record({
    server,
    name,
    description: text,
    title: fc.option(text, { nil: undefined }),
    inputSchema: fc.dictionary(text, fc.jsonValue()),
  })
  .map(
    (parts): Tool => ({
      ...parts,
      id: toolId(parts.server, parts.name),
      modelName: `${parts.server}_${parts.name}`.replace(/\W/g, '_'),
      invokeName: 'invoke',
      origin: 'mcp',
      annotations: { readOnlyHint: true },
      examples: [{ args: { path: 'the user’s own' } }],
    }),
  );
const state = fc.constantFrom(
  'running' as const,
  'starting' as const,
  'stopped' as const,
  'failed' as const,
  'untrusted' as const,
);
const servers = fc.uniqueArray(
  fc.record<ServerInfo>({ name: server, state, problems: fc.array(text, { maxLength: 2 }) }),
  {
    selector: (each) => each.name,
  },
);

/** Any session, as the inspector's host reads it. */
export const sessions: fc.Arbitrary<ViewInputs> = fc
  .record({
    events,
    tools: fc.uniqueArray(tool, { selector: (each) => each.id, maxLength: 8 }),
    servers,
    price: tokens,
    strategy: choice,
    delivery: choice,
    mode: fc.constantFrom('auto' as const, 'on' as const, 'off' as const),
    maxResults: fc.integer({ min: 1, max: 9 }),
    rule: fc.constantFrom(...LOADING_RULES),
    pinned: fc.array(id, { maxLength: 2 }),
  })
  .map(({ tools, price, rule, pinned, servers: named, ...parts }) =>
    viewInputs({
      ...parts,
      catalog: createCatalog(1, tools, named),
      loading: new Map(
        tools.map((each) => [each.id, { loading: 'deferred', reason: each.name, reasonLong: 'rule', rule }]),
      ),
      tokensOf: () => price,
      pins: { tools: Object.fromEntries(pinned.map((each) => [each, 'eager'])), servers: { a: 'deferred' } },
      now: 1_900_000_100_000,
    }),
  );

export const OPTIONS = { contents: true, at: 1_900_000_100_000, productVersion: '1.2.3', secrets: new KnownSecrets() };
