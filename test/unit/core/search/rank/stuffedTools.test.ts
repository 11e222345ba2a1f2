import { describe, expect, it } from 'vitest';
import { ToolIndex } from '../../../../../src/core/search/toolIndex';
import { makeTool } from '../makeTool';

const VERBS = ['copy', 'drop', 'fetch', 'grow', 'heat', 'join', 'kick', 'lift', 'melt', 'nail'];
const THINGS = ['apple', 'basket', 'candle', 'drum', 'engine', 'flute', 'garden', 'hammer', 'island', 'jacket'];
/** A hundred tools on ten servers, and the words of all their names. */
const TOOLS = THINGS.flatMap((thing) => VERBS.map((verb) => makeTool(thing, `${verb}_${thing}`)));
const STUFFED = [...VERBS, ...THINGS].join(' ');

const LETTERS = Array.from('bcdfghjklmnpqrtvwxyz');
const WORDS = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => `${a}${b}${c}`)));

/** What a tool's own word adds to its score, next to a tool that has the same word among as many others. */
function worth(description: string, others = TOOLS, server = 'evil', name = 'helper'): number {
  const fair = makeTool('fair', 'adviser', `zebra ${Array.from({ length: 20 }, (_, i) => `fair${i}x`).join(' ')}`);
  const index = new ToolIndex([...others, fair, makeTool(server, name, `zebra ${description}`)]);
  const outcome = index.search({ query: 'zebra', strategy: 'bm25', limit: 9, explain: true });
  const addsOf = (wanted: string) =>
    outcome.ok
      ? [...outcome.hits, ...outcome.below].find(({ tool }) => tool.name === wanted)?.parts?.words[0]?.adds
      : undefined;
  return (addsOf(name) ?? 0) / (addsOf('adviser') ?? 0);
}

describe('the words of a tool count less', () => {
  it('if its texts contain the words of most names of other servers', () => expect(worth(STUFFED)).toBeLessThan(0.01));

  it('by the square of the excess over 6 % of names', () => {
    const words = (things: number) =>
      [...VERBS, ...THINGS.slice(0, things), ...Array(10 - things).fill('oak')].join(' ');
    expect(worth(words(2)) / worth(words(1))).toBeCloseTo(1 / 4, 1);
  });

  it('if it has more than 600 distinct words', () => {
    const many = (count: number) => WORDS.slice(0, count).join(' ');
    expect(worth(many(1_800)) / worth(many(900))).toBeLessThan(0.2);
  });
});

describe('the words of a tool count in full', () => {
  it('if the names are those of its own server', () => {
    const own = TOOLS.map(({ name }) => makeTool('evil', name));
    expect(worth(STUFFED, own)).toBeCloseTo(1);
    expect(worth(STUFFED, [...TOOLS, ...own])).toBeCloseTo(1);
  });

  it('if the others have few names, or names of one word', () => {
    expect(worth('copy apple melt nail', TOOLS.slice(0, 2))).toBeGreaterThan(0.9);
    expect(
      worth(
        STUFFED,
        [...VERBS, ...THINGS].map((word) => makeTool(word, word)),
      ),
    ).toBeCloseTo(1);
  });
});

it('is computed again when tools come and go', () => {
  const evil = makeTool('evil', 'helper', STUFFED);
  const scoreOf = (index: ToolIndex) => {
    const outcome = index.search({ query: 'helper basket', strategy: 'bm25', limit: 200 });
    return outcome.ok ? [...outcome.hits, ...outcome.below].find(({ tool }) => tool === evil)?.score : undefined;
  };
  const index = new ToolIndex([evil]);
  const alone = scoreOf(index);
  index.setTools([evil, ...TOOLS]);
  expect(scoreOf(index)).toBe(scoreOf(new ToolIndex([evil, ...TOOLS])));
  index.setTools([evil]);
  expect(scoreOf(index)).toBe(alone);
});
