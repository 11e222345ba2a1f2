import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../../../src/core/ledger/events';
import { holds } from '../../property';
import { useSandbox } from '../../sandbox/builtSandbox';
import { type Course, play, type Step } from './twinConversations';

const made = useSandbox();
const number = fc.integer({ min: 1, max: 999 });
const prompt = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(number, number).map(([a, b]) => `get-sum a=${a} b=${b}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('hello', 'good morning', 'well done').map((message) => `echo message="${message}"`),
  },
  { weight: 1, arbitrary: fc.constantFrom('cat', 'dog').map((thing) => `draw thing=${thing}`) },
  { weight: 1, arbitrary: fc.constant('nothing that any of these could do') },
  { weight: 1, arbitrary: fc.constantFrom('cut', '500', '400').map((fault) => `get-sum a=1 b=2 [[fault:${fault}]]`) },
);
const ask = fc.record({
  kind: fc.constant('ask' as const),
  prompt,
  model: fc.constantFrom<0 | 1 | 2>(0, 0, 0, 1, 2, 2),
  eager: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  stop: fc.integer({ min: 0, max: 14 }).map((n) => n === 0),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: ask },
  { weight: 1, arbitrary: fc.constant({ kind: 'newChat' as const }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4, 7, 40).map((minutes) => ({ kind: 'pause' as const, minutes })) },
);
/** The question that lets code make the same call, if the question is a call. */
function asCode(prompt: string, code: Course['code']): string {
  const [, a, b] = /^get-sum a=(\d+) b=(\d+)/.exec(prompt) ?? [];
  if (code === 'none' || a === undefined || prompt.includes('fault')) return prompt;
  return code === 'provider'
    ? `code: get-sum a=${a} b=${b} & get-sum a=${b} b=2; get-sum a=${b} b=1`
    : `run: return [await tools.math_get_sum.text({ a: ${a}, b: ${b} }), await tools.talk_echo.text({ message: "x" })];`;
}

/**
 * Makes each question unique, since a repeated question would continue from its earlier calls. Turns code off if it
 * can't run: an agent offers no code, and the provider's code can only call tools that the request holds.
 */
function asNewQuestions({ steps, code, ...rest }: Course): Course {
  const offersCode = rest.driver === 'chat' && (code === 'script' || ['server', 'client'].includes(rest.delivery));
  const played = { ...rest, code: offersCode ? code : ('none' as const) };
  const asked = steps.map((each, index) => {
    if (each.kind !== 'ask') return each;
    // The first of GPT's models runs no code.
    const runsCode = played.code !== 'provider' || rest.wire === 'claude' || each.model > 0;
    const prompt = runsCode ? asCode(each.prompt, played.code) : each.prompt;
    return { ...each, prompt: prompt.startsWith('run:') ? `${prompt} // ${index}` : `${prompt} n=${index}` };
  });
  return { ...played, steps: asked };
}
/** `TWIN_CODE=script` plays only conversations with one kind of code. */
const CODES = process.env.TWIN_CODE ? [process.env.TWIN_CODE as Course['code']] : (['script', 'provider'] as const);
const course: fc.Arbitrary<Course> = fc
  .record({
    wire: fc.constantFrom('claude' as const, 'gpt' as const),
    driver: fc.constantFrom('chat' as const, 'agent' as const),
    delivery: fc.constantFrom('server' as const, 'client' as const, 'local' as const, 'bridge' as const),
    code: fc.constantFrom('none' as const, 'none' as const, ...CODES),
    steps: fc.tuple(ask, fc.array(step, { maxLength: 6 })).map(([first, rest]) => [first, ...rest]),
  })
  .map(asNewQuestions);

/** Whether all turns of a course may save: they defer tools, and are answered. */
const saves = ({ steps }: Course) =>
  steps.every((each) => each.kind !== 'ask' || !(each.eager || each.stop || each.prompt.includes('fault')));
const off = (value: number, truth: number) => Math.abs(value - truth) / Math.max(1, truth);

describe('the baseline of a conversation', () => {
  it('contains thinking that is bound to what was sent', async () => {
    // The stand-in's model thinks as much as it is asked.
    const steps = [1, 2, 3, 4].map((n) => ({
      kind: 'ask' as const,
      prompt: `echo message="${'some words '.repeat(150)}" n=${n}`,
      model: 2 as const,
      eager: false,
      stop: false,
    }));
    const course: Course = { wire: 'claude', driver: 'chat', delivery: 'local', code: 'none', steps };
    const [{ sums }, twin] = await Promise.all([play(course, false, made.sandbox), play(course, true, made.sandbox)]);
    expect(sums.baseline.certainty).toBe('estimated');
    expect(off(sums.baseline.value, twin.reported.tokens)).toBeLessThan(0.05);
    expect(off(sums.cost?.baseline ?? 0, twin.reported.cost)).toBeLessThan(0.05);
  });

  it('has the cache of three days, recomputed by hand', async () => {
    const ask = (n: number, model: 0 | 1 = 0, stop = false): Step => {
      return { kind: 'ask', prompt: `get-sum a=${n} b=${n + 1}`, model, eager: false, stop };
    };
    const pause = (minutes: number): Step => ({ kind: 'pause', minutes });
    const days: Step[][] = [
      [ask(1), ask(2), pause(4), ask(3), { kind: 'newChat' }, ask(4), pause(900)],
      [ask(5), ask(6, 1), ask(7), pause(900)],
      [{ kind: 'firstChat' }, ask(8), ask(9, 0, true), ask(10)],
    ];
    // The part of each request of the baseline that Claude Sonnet 4.6 reads from its cache, which lives for five minutes:
    // nothing, the definitions, or the whole request before with the same model.
    const read = [
      ...['nothing', 'last', 'last', 'last', 'last', 'last', 'definitions', 'last'],
      ...['nothing', 'last', 'nothing', 'last', 'last but two', 'last'],
      ...['nothing', 'last', 'last', 'last', 'last'],
    ];
    const course: Course = { wire: 'claude', driver: 'chat', delivery: 'bridge', code: 'none', steps: days.flat() };
    const { events } = await play(course, false, made.sandbox);
    const rounds = eventsOf(events, 'roundEnded').flatMap(({ tokens }) => (tokens.baseline.value > 0 ? tokens : []));
    const sizes = rounds.map(({ baseline }) => baseline.value);
    const byHand = sizes.map((size, index) => {
      const [first = 0, last = 0, earlier = 0] = [sizes[0], sizes[index - 1], sizes[index - 3]];
      // The question of a new chat has 21 tokens.
      const cached = { nothing: 0, definitions: first - 21, last, 'last but two': earlier }[read[index] ?? ''] ?? 0;
      return 0.1 * cached + 1.25 * (size - cached);
    });
    expect(rounds.map(({ cost }) => cost?.baseline)).toEqual(byHand.map((cost) => expect.closeTo(cost, -0.3)));
  });

  it('is what its twin without deferral really takes', { timeout: 600_000 }, async () => {
    await holds(
      fc.asyncProperty(course, async (each) => {
        const [deferred, twin] = await Promise.all([play(each, false, made.sandbox), play(each, true, made.sandbox)]);
        const { sums } = deferred;
        const within = sums.baseline.certainty === 'measured' ? 0.02 : 0.1;
        expect(sums.sent.certainty === 'measured' ? sums.sent.value : deferred.reported.tokens).toBe(
          deferred.reported.tokens,
        );
        if (saves(each))
          expect(
            off(sums.baseline.value, twin.reported.tokens),
            `${sums.baseline.value} ${twin.reported.tokens}`,
          ).toBeLessThanOrEqual(within);
        if (sums.sent.certainty === 'measured') {
          expect(sums.cacheRead ?? 0).toBe(deferred.reported.cached);
          if (sums.cost) expect(off(sums.cost.sent, deferred.reported.cost)).toBeLessThan(0.002);
        }
        if (sums.cost && saves(each))
          expect(
            off(sums.cost.baseline, twin.reported.cost),
            `cost ${sums.cost.baseline} ${twin.reported.cost}`,
          ).toBeLessThanOrEqual(within);
      }),
      { numRuns: 100 },
    );
  });
});
