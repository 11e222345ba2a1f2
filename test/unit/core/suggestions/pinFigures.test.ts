import { describe, expect, it } from 'vitest';
import { pinFigures } from '../../../../src/core/suggestions/pinFigures';
import { lastTurns } from '../../../../src/core/suggestions/turnFacts';
import { TurnScript } from './script';

const DEFINITION = { value: 336, certainty: 'estimated' as const };
/** A turn, up to what its first round answers. */
const asked = (turn = 1, delivery?: string) => new TurnScript(turn, delivery).round(600);
const figures = (...scripts: TurnScript[]) =>
  pinFigures('a/x', DEFINITION, lastTurns(scripts.flatMap((script) => script.end())));

describe('what pinning a tool would have come to', () => {
  it('is the growth of the overhead, less its own missing definition', () => {
    // Round 1 searches (600 → 1,400: the search's call and result are 800 tokens), and rounds 2 and 3 repeat these
    // tokens. If pinned, 2 × 800 = 1,600 are saved. The definition of 336 is in rounds 2 and 3 anyway, so it costs 336
    // in round 1.
    const turn = asked().search(['a/x', 'a/y']).found('a/x', 'a/y').round(1400).call('a/x').round(1400);
    expect(figures(turn)).toMatchObject({
      turns: 1,
      of: 1,
      cost: { value: 336 },
      saved: { value: 1600 },
      net: { value: 1264, certainty: 'estimated' },
      calls: 1,
    });
  });

  it('counts no turn that only saw the tool among the hits', () => {
    const turn = (used: string) => asked().search(['a/x', 'a/y']).round(1400).call(used);
    expect(['a/x', 'a/y'].map((used) => figures(turn(used)).turns)).toEqual([1, 0]);
    expect(figures(turn('a/x').call('a/y')).turns).toBe(1);
  });

  it('is a mean over all turns, with those without the tool', () => {
    // Turn 1 as above: +1,264. Turn 2 has two rounds without it: −672. (1,264 − 672) / 2 = 296.
    const one = asked().search(['a/x']).found('a/x').round(1400).call('a/x').round(1400);
    const two = asked(2).call('a/z').round(600);
    const { turns, of, cost, saved, net } = figures(one, two);
    expect([turns, of, cost.value, saved.value, net.value]).toEqual([1, 2, 504, 800, 296]);
  });

  it('adds up after rounding', () => {
    // Saved: 2 / 3 ≈ 1. Cost: 4 × 100 / 3 ≈ 133. Their exact difference is −132.67.
    const one = asked().search(['a/x']).found('a/x').round(602).call('a/x');
    const two = asked(2).call('a/z').round(600);
    const three = asked(3).call('a/z');
    const definition = { value: 100, certainty: 'estimated' as const };
    const turns = lastTurns([one, two, three].flatMap((script) => script.end()));
    const { saved, cost, net } = pinFigures('a/x', definition, turns);
    expect([saved.value, cost.value, net.value]).toEqual([1, 133, -132]);
  });

  const other = asked().search(['a/x', 'a/y']).found('a/x', 'a/y').round(1400).call('a/x').call('a/y').round(1400);
  const both = asked().search(['a/x']).search(['b/y']).found('a/x', 'b/y').round(1400);
  // Each search adds 400 tokens. Two rounds follow the first one.
  const apart = asked().search(['a/x']).round(1000).search(['b/y']).round(1400).call('a/x').call('b/y');
  const place = { callId: 's' };
  const together = asked().search(['a/x'], place).search(['b/y'], place).round(1400).call('a/x').call('b/y');
  const bridge = asked(1, 'bridge').search(['a/x']).found('a/x').round(1400).call('a/x').round(1400);
  it.each<[string, TurnScript, { [name in 'cost' | 'saved' | 'net' | 'calls' | 'turns']?: number }]>([
    ['no search that another tool was called of', other, { saved: 0, net: -336, calls: 0 }],
    ['its share of a shared round, and no call', both.call('a/x').call('b/y').round(1400), { saved: 800, calls: 0 }],
    ['a search in its own round beside others', apart, { saved: 800, calls: 1 }],
    ['several queries of one call together', together.round(1400), { saved: 0 }],
    ['nothing if an earlier turn had found it', asked().call('a/x').round(600), { turns: 0, cost: 0, saved: 0 }],
    ['its definition in every round of a bridge', bridge, { cost: 1008, saved: 1600, net: 592 }],
  ])('counts %s', (_, turn, expected) => {
    const { cost, saved, net, calls, turns } = figures(turn);
    expect({ cost: cost.value, saved: saved.value, net: net.value, calls, turns }).toMatchObject(expected);
  });
});

it('the last twenty ended turns that called a model are looked at', () => {
  const events = Array.from({ length: 30 }, (_, index) => asked(index + 1).end()).flat();
  const silent = new TurnScript(31).end();
  const running = asked(32).events;
  const numbers = lastTurns([...events, ...silent, ...running]).map((turn) => turn.turn);
  expect(numbers).toHaveLength(20);
  expect(numbers.at(0)).toBe(11);
  expect(numbers.at(-1)).toBe(30);
});
