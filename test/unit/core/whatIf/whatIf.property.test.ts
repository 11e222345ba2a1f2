import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitId } from '../../../../src/core/catalog/tool';
import type { Settings } from '../../../../src/core/settings/settings';
import { groupBy } from '../../../../src/core/util/groupBy';
import type { Change, WhatIfRow } from '../../../../src/core/whatIf/types';
import type { Step } from '../usage/twinConversations';
import { type ChatCourse, playChat, tableOf } from './tableOf';

const words = fc.integer({ min: 100, max: 500 }).map((count) => 'some words of a message '.repeat(count / 5));
const prompt = fc.oneof(
  fc.tuple(fc.nat(999), fc.nat(999)).map(([a, b]) => `get-sum a=${a} b=${b}`),
  words.map((message) => `echo message="${message}"`),
  fc.constant('nothing that any of these could do'),
);
const ask = fc.record({
  kind: fc.constant('ask' as const),
  prompt,
  model: fc.constantFrom<0 | 1 | 2>(0, 0, 0, 1, 2),
  eager: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  stop: fc.constant(false),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: ask },
  { weight: 1, arbitrary: fc.constant({ kind: 'newChat' as const }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4, 40).map((minutes) => ({ kind: 'pause' as const, minutes })) },
);
const delivery = fc.constantFrom('server' as const, 'client' as const, 'local' as const, 'bridge' as const);
const course: fc.Arbitrary<ChatCourse> = fc
  .record({
    wire: fc.constantFrom('claude' as const, 'gpt' as const),
    delivery,
    steps: fc.tuple(ask, fc.array(step, { minLength: 2, maxLength: 6 })).map(([first, rest]) => [first, ...rest]),
  })
  .map(({ steps, ...rest }) => ({
    ...rest,
    steps: steps.map((each, n) => (each.kind === 'ask' ? { ...each, prompt: `${each.prompt} n=${n}` } : each)),
  }));

/** The settings that a user would write for a row. */
function settingsOf(change: Change): Partial<Settings> {
  switch (change.kind) {
    case 'recorded':
    case 'today':
      return {};
    case 'allEager':
      return { mode: 'off' };
    case 'deferred':
      return { mode: 'on' };
    case 'eager':
      return {
        eagerTools: Object.fromEntries(
          [...groupBy(change.tools.map(splitId), (id) => id?.server ?? '')].map(([server, ids]) => [
            server,
            ids.map((id) => id?.name ?? ''),
          ]),
        ),
      };
    case 'delivery':
      return { delivery: change.to as Settings['delivery'] };
    case 'strategy':
      return { strategy: change.to };
    case 'maxResults':
      return { maxResults: change.to };
  }
}

/** The largest error of a row in tokens and in cost, as a share: what docs/what-if.md promises. */
function tolerance({ change: { kind } }: WhatIfRow): number {
  return kind === 'allEager' ? 0.07 : kind === 'delivery' ? 0.06 : kind === 'eager' ? 0.05 : 0.03;
}

/** `WHAT_IF_RUNS=40 WHAT_IF_SEED=11 WHAT_IF_ROWS=20` tries others. */
const RUNS = Number(process.env.WHAT_IF_RUNS ?? 10);
const SEED = Number(process.env.WHAT_IF_SEED ?? 5);
/** The rows of each table that are played for real. */
const ROWS = Number(process.env.WHAT_IF_ROWS ?? 3);

/** Returns some of the rows to check. A question that was asked with every tool has no recorded searches. */
function some(rows: readonly WhatIfRow[], pick: number): readonly WhatIfRow[] {
  const others = rows.slice(1).filter(({ change }) => change.kind !== 'deferred');
  return Array.from(
    { length: Math.min(ROWS, others.length) },
    (_, index) => others[(pick + index) % others.length],
  ).filter((row) => row !== undefined);
}

/** The numbers of rows that were compared, of those that say that they are rough, and of sessions with a turn left out. */
const seen = { sure: 0, rough: 0, leftOut: 0 };

async function check(each: ChatCourse, pick: number): Promise<void> {
  const was = await playChat(each);
  const { rows, leftOut } = await tableOf(was.events, { mode: 'on', delivery: each.delivery });
  expect(leftOut.filter(({ why }) => why !== 'differs')).toEqual([]);
  if (leftOut.length > 0) {
    seen.leftOut++;
    return;
  }
  expect(rows[0]).toMatchObject({ requests: was.reported.requests, tokens: was.reported.tokens });
  for (const row of some(rows, pick)) {
    seen[row.rough ? 'rough' : 'sure']++;
    // A row whose searches would have failed names the tools.
    if (row.rough || row.missed.length > 0) continue;
    const { reported: real } = await playChat({ ...each, settings: settingsOf(row.change) });
    const line = `${row.id}: ${row.requests} ${row.tokens} ${row.cost}, really ${Object.values(real).join(' ')}`;
    const off = (value: number, truth: number) => Math.abs(value - truth) / Math.max(1, truth);
    expect(row.requests, line).toBe(real.requests);
    expect(off(row.tokens, real.tokens), line).toBeLessThanOrEqual(tolerance(row));
    expect(off(row.cost ?? 0, real.cost), line).toBeLessThanOrEqual(tolerance(row));
  }
}

const long = (letters: number) => `echo message="${'some words of a message '.repeat(letters / 24)}"`;
const question = (text: string, model: 0 | 1, eager = false): Step => ({
  kind: 'ask',
  prompt: text,
  model,
  eager,
  stop: false,
});
const NOTHING = 'nothing that any of these could do';
/** Conversations whose turns were once left out, since their replay differed. */
const EXAMPLES: readonly ChatCourse[] = [
  {
    wire: 'claude',
    delivery: 'server',
    steps: [question(NOTHING, 1), question(long(2400), 0), question('get-sum a=69 b=503 n=3', 1, true)],
  },
  {
    wire: 'gpt',
    delivery: 'bridge',
    steps: [question(NOTHING, 0), question('get-sum a=61 b=884', 0, true), question('get-sum a=3 b=4 n=6', 1)],
  },
];

describe('a row of what if', () => {
  it('is what the service reports under that setting', { timeout: 3_600_000 }, async () => {
    await fc.assert(fc.asyncProperty(course, fc.nat(99), check), {
      numRuns: RUNS,
      seed: SEED,
      endOnFailure: true,
      examples: EXAMPLES.map((each): [ChatCourse, number] => [each, 0]),
    });
    expect(seen.sure).toBeGreaterThan(1.5 * seen.rough);
    expect(seen.leftOut).toBeLessThanOrEqual(RUNS / 10);
  });
});
