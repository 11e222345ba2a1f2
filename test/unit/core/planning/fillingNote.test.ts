import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { type PlanInputs, planTurn } from '../../../../src/core/planning/turnPlan';
import { said, user } from '../../../data/items';
import { MODEL, makeTool, planInputs, SETTINGS } from '../turn/world';

/** Caches from 2,048 tokens on. */
const SONNET = { ...MODEL, vendor: 'toolsearch-anthropic', id: 'claude-sonnet-4-6' };
/** Caches from 1,024 tokens on. */
const OPUS = { ...SONNET, id: 'claude-opus-5-5' };
const GPT = { ...MODEL, vendor: 'toolsearch-openai', id: 'gpt-6-sol' };

const tools = (server: string, count: number): readonly Tool[] =>
  Array.from({ length: count }, (_, at) =>
    makeTool(server, `do_${at}`, `Archives the invoices of branch ${at}. More.`),
  );
const MANY = [...tools('books', 80), ...tools('shop', 40)];

const CALLS = Array.from({ length: 40 }, (_, at) => ({ callId: `${at}`, name: 'x', input: {} }));

/** A conversation whose earlier questions have about `tokens` tokens each, and a new question. */
function asked(earlier: readonly number[]): Transcript {
  return [...earlier.flatMap((tokens) => [user('word'.repeat(tokens * 0.9)), said('ok')]), user('And now?')];
}

/** Returns the note with which a question begins. */
function noteFor(earlier: readonly number[], change: Partial<PlanInputs> = {}, all: readonly Tool[] = MANY) {
  const setup = planTurn({
    ...planInputs(all),
    settings: { ...SETTINGS, delivery: 'bridge', mode: 'on' },
    model: SONNET,
    transcript: asked(earlier),
    ...change,
  });
  return typeof setup === 'string' ? setup : setup.note;
}

describe('a conversation that is too short to be cached', () => {
  it('is filled to the minimum with tools of each server', () => {
    const note = noteFor([400, 400]) ?? '';
    expect(note).toMatch(/^\(Some of the tools that a search finds:\n"books"\n- books_do_0: Archives the invoices/);
    expect(note).toMatch(/\n"shop"\n- shop_do_0: .*\)$/s);
    // The minimum and 10 %, without 800 tokens of the earlier questions and about 300 of the beginning.
    expect(note.length / 3.6).toBeGreaterThan(1_100);
    expect(note.length / 3.6).toBeLessThan(1_300);
  });

  it.each([
    ['at its first question', [], {}],
    ['while it is too short to pay for the note', [400], {}],
    ['if this question brings it to the minimum', [800, 800], {}],
    ['if it has the minimum', [2_000, 400], {}],
    ['if its calls bring it to the minimum', [], { transcript: [said('', CALLS), ...asked([400, 400])] }],
    ['if its model caches shorter conversations', [400, 400], { model: OPUS }],
    ['if nobody knows from which length its model caches', [400, 400], { model: MODEL }],
    [
      'if the guidance is off',
      [400, 400],
      { settings: { ...SETTINGS, delivery: 'bridge' as const, mode: 'on' as const, guidance: 'off' as const } },
    ],
  ])('is not filled %s', (_, earlier, change) => expect(noteFor(earlier, change)).toBeUndefined());

  it('is filled early if its model’s cache ends at marks', () => {
    expect(noteFor([430], { model: OPUS })).toBeDefined();
    expect(noteFor([430], { model: GPT })).toBeUndefined();
  });

  it('is not filled with another delivery', () => {
    expect(noteFor([400, 400], { settings: { ...SETTINGS, delivery: 'local', mode: 'on' } })).toBeUndefined();
  });

  it('is not filled if there are too few tools', () => {
    expect(noteFor([400, 400], {}, tools('books', 12))).toBeUndefined();
  });
});
