// Random sessions, for the tests of session files.
import fc from 'fast-check';
import { createCatalog, type ServerInfo } from '../../../../src/core/catalog/catalog';
import { type Tool, toolId } from '../../../../src/core/catalog/tool';
import type { LedgerEntry, LedgerEvent, LoggedHit } from '../../../../src/core/ledger/ledger';
import { LOADING_RULES } from '../../../../src/core/planning/loadingDecision';
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

/** An entry of one type, with none, some or all of its optional fields. */
const entryOf = (
  type: LedgerEntry['type'],
  always: { readonly [field: string]: fc.Arbitrary<unknown> },
  maybe: { readonly [field: string]: fc.Arbitrary<unknown> } = {},
): fc.Arbitrary<LedgerEntry> =>
  fc
    .tuple(fc.record(always), fc.record(maybe, { requiredKeys: [] }))
    .map(([own, more]) => ({ type, ...own, ...more }) as LedgerEntry);

const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  entryOf('roundStarted', { round, counts }),
  entryOf('roundEnded', { round, ms: count, tokens: roundTokens }, { outputTokens: tokens }),
  entryOf(
    'searched',
    {
      round,
      callId: text,
      query: text,
      strategy: text,
      ms: count,
      searched: count,
      matched: count,
      limit: count,
      hits: fc.array(hit, { maxLength: 4 }),
      below: fc.array(hit, { maxLength: 3 }),
      failed: fc.boolean(),
    },
    { server: text, note: text, script: text },
  ),
  entryOf('discovered', { round, ids: fc.uniqueArray(id, { maxLength: 4 }), tokens }),
  entryOf(
    'called',
    {
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
    },
    { script: text },
  ),
  entryOf(
    'scriptStarted',
    { round, callId: text, title: text, code: text },
    { where: fc.constant('provider' as const) },
  ),
  entryOf(
    'scriptEnded',
    {
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
    },
    { note: text, line: fc.integer({ min: 1 }) },
  ),
  entryOf('warned', { message: text }),
);

const turn = fc.record({
  start: entryOf('turnStarted', {
    prompt: text,
    model: fc.record({ id: text, vendor: text, name: text }),
    strategy: choice,
    delivery: choice,
    counts,
  }),
  entries: fc.array(entry, { maxLength: 12 }),
  end: fc.option(
    entryOf(
      'turnEnded',
      { status: fc.constantFrom('answered' as const, 'failed' as const, 'cancelled' as const), ms: count },
      { message: text },
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
  { selector: (each) => each.name },
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
