import { expect, it } from 'vitest';
import { recordCall, recordCallStarted } from '../../../../src/core/turn/recordCall';
import { callOf, makeTool, ok } from './world';

const CALL = { round: 2, callId: 'c1' };

/** Returns what the ledger gets of a call with this input and text. */
function recorded(input: unknown, text: string) {
  const entries: { readonly [key: string]: unknown }[] = [];
  const call = { ...callOf(makeTool('a', 'b'), input), ...CALL };
  recordCall((entry) => entries.push(entry), call, ok(text), 5);
  return entries;
}

it('keeps of a call its arguments, one line and the bytes', () => {
  expect(recorded({ a: 1 }, ' It is\n\n \t3 €. ')).toEqual([
    {
      ...CALL,
      type: 'called',
      tool: 'a/b',
      known: true,
      outcome: 'ok',
      withoutDiscovery: false,
      retry: 0,
      ms: 5,
      args: '{"a":1}',
      summary: 'It is 3 €.',
      resultBytes: 17,
    },
  ]);
});

it('bounds arguments and summary, but not the bytes', () => {
  const [entry] = recorded('x'.repeat(5_000), 'y'.repeat(5_000));
  expect(entry?.resultBytes).toBe(5_000);
  expect(String(entry?.args).length).toBeLessThanOrEqual(2_001);
  expect(String(entry?.args).length).toBeGreaterThan(1_990);
  expect(String(entry?.summary)).toMatch(/^y{199,200}…?$/);
});

it.each([
  [{ readOnlyHint: true }, 0],
  [{ readOnlyHint: false }, 1],
  [{}, 1],
  [undefined, 1],
])('records the start of a call with %o %i times', (annotations, times) => {
  const entries: object[] = [];
  const tool = makeTool('a', 'b', '', annotations ? { annotations } : {});
  recordCallStarted((entry) => entries.push(entry), { ...callOf(tool, { to: 'me' }), ...CALL, script: 's' });
  const start = { ...CALL, type: 'callStarted', script: 's', tool: 'a/b', args: '{"to":"me"}' };
  expect(entries).toEqual(Array(times).fill(start));
});
