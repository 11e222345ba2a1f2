import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitId } from '../../../../src/core/catalog/tool';
import type { Settings } from '../../../../src/core/settings/settings';
import { groupBy } from '../../../../src/core/util/groupBy';
import type { Change } from '../../../../src/core/whatIf/table';
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
  model: fc.constantFrom<0 | 1>(0, 0, 0, 1),
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

/**
 * The largest error of a row. With the same searches the figures are almost the service's. Under another delivery the
 * wire adds texts that the session never had, and what the provider's own search finds isn't known.
 */
function tolerance({ kind, ...change }: Change): number {
  switch (kind) {
    case 'eager':
      return 0.05;
    case 'delivery':
      return 'to' in change && change.to === 'server' ? 0.25 : 0.1;
    default:
      return 0.02;
  }
}

/** A few tokens decide whether a request is long enough for the cache, or has one more step in it. */
const AT_LIMITS = 0.05;
const off = (value: number, truth: number) => Math.abs(value - truth) / Math.max(1, truth);
/** `WHAT_IF_RUNS=300 WHAT_IF_SEED=1` tries others. */
const RUNS = Number(process.env.WHAT_IF_RUNS ?? 2);
const SEED = Number(process.env.WHAT_IF_SEED ?? 5);

describe('a row of what if', () => {
  it('is what the service reports under that setting', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(course, async (each) => {
        const was = await playChat(each);
        const { rows, leftOut } = await tableOf(was.events, { mode: 'on', delivery: each.delivery });
        expect(leftOut).toEqual([]);
        expect(rows[0]).toMatchObject({ requests: was.reported.requests, tokens: was.reported.tokens });
        // A question that was asked with every tool has no recorded searches.
        for (const row of rows.slice(1).filter(({ change }) => change.kind !== 'deferred')) {
          const { reported: real } = await playChat({ ...each, settings: settingsOf(row.change) });
          // A model that searched more or less often did something else.
          if (row.requests !== real.requests) continue;
          const line = `${row.id}: ${row.tokens} ${row.cost}, really ${real.tokens} ${real.cost}`;
          expect(off(row.tokens, real.tokens), line).toBeLessThanOrEqual(tolerance(row.change));
          expect(off(row.cost ?? 0, real.cost), line).toBeLessThanOrEqual(tolerance(row.change) + AT_LIMITS);
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  });
});
