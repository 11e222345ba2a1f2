import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { ConversationPlan } from '../../../../src/core/conversation/transcript';
import {
  changedPlanInputs,
  conversationPlanOf,
  countByServer,
  planInputsHash,
} from '../../../../src/core/planning/conversationPlan';
import type { LoadingPlan } from '../../../../src/core/planning/loading';
import { noteOnNewTools } from '../../../../src/core/planning/newToolsNote';
import { type PlanInputs, planTools, planTurn } from '../../../../src/core/planning/turnPlan';
import { said } from '../../../data/items';
import { holds } from '../../property';
import { coreTools, filler, MODEL, makeCatalog, makeTool, planInputs, SETTINGS } from '../turn/world';

const INPUTS = planInputs(filler('a', 3));
/** What a conversation keeps of the decisions on these inputs. */
const decided = (inputs: PlanInputs) => ({
  ...{ inputHashes: planInputsHash(inputs), announced: {} },
  ...planTools(inputs).kept,
});
const conversationPlan: ConversationPlan = { inputHashes: planInputsHash(INPUTS), announced: {} };

describe('what a conversation’s decisions rest on', () => {
  it('is no server’s list of tools', () => {
    const more = makeCatalog([...filler('a', 3), makeTool('a', 'new', 'Came later')]);
    expect(changedPlanInputs(conversationPlan, planInputsHash({ ...INPUTS, catalog: more }))).toEqual([]);
  });

  it('is the settings, the pins, the servers and the model', () => {
    const others = [
      [{ settings: { ...SETTINGS, autoMaxTools: 7 } }, 'settings'],
      [{ pins: { tools: {}, servers: { a: 'eager' as const } } }, 'pins'],
      [{ model: { ...MODEL, id: 'other' } }, 'model'],
      [{ catalog: makeCatalog([...filler('a', 3), ...filler('b', 1)]) }, 'servers'],
    ] as const;
    for (const [other, words] of others)
      expect(changedPlanInputs(conversationPlan, planInputsHash({ ...INPUTS, ...other }))).toEqual([words]);
  });
});

describe('mode auto in a conversation', () => {
  const inputs = (tools: number, before?: ConversationPlan, budget = SETTINGS.autoContextPercent) => ({
    ...planInputs(filler('a', tools)),
    settings: { ...SETTINGS, autoContextPercent: budget },
    conversationPlan: before,
  });

  const whyOf = ({ decisions }: LoadingPlan) => [...decisions.values()][0]?.reasonLong;

  it('decides once, whatever the estimates become', async () => {
    const { counter, ...rest } = inputs(20);
    const first = planTools({ ...rest, counter });
    expect(first.deferred).toEqual([]);
    const kept = { ...conversationPlan, inputHashes: planInputsHash(rest), ...first.kept };
    // A count of ten tokens per character. With it, the same definitions exceed the limit.
    await counter.count('definitions', 'x'.repeat(3_000), async () => 30_000, new AbortController().signal);
    expect(planTools({ ...rest, counter }).deferred).toHaveLength(20);
    const later = planTools({ ...rest, counter, conversationPlan: kept });
    expect(later.deferred).toEqual([]);
    expect(whyOf(later)).toBe(whyOf(first));
  });

  it('decides again if its inputHashes changed, and says so', () => {
    const anew = planTools({ ...inputs(20, decided(inputs(20))), settings: { ...SETTINGS, autoMaxTools: 10 } });
    expect(anew.deferred).toHaveLength(20);
    expect(whyOf(anew)).toMatch(
      /20 tools are more than auto\.maxTools \(10\); decided again in this conversation because of a change: settings$/,
    );
  });

  it.each([
    ['bridge', 20],
    ['server', 0],
  ])('goes on deferring over %s after a server went: %i', (delivery, deferred) => {
    const many = inputs(40);
    const { kept } = planTools({ ...many, catalog: makeCatalog([...filler('a', 20), ...filler('b', 20)]) });
    const began = { inputHashes: { ...planInputsHash(many), servers: 'both' }, ...kept, announced: {} };
    const now = inputs(20, { ...began, guidance: { delivery, text: '' } });
    expect(planTools(now).deferred).toHaveLength(deferred);
  });
});

describe('whether core tools are too many, in a conversation', () => {
  const inputs = (tools: number, conversationPlan?: ConversationPlan) => ({
    ...planInputs(coreTools(tools)),
    settings: { ...SETTINGS, mode: 'on' as const, scope: 'all' as const, coreTools: ['core*'] },
    conversationPlan,
  });

  it.each([
    [SETTINGS.autoMaxTools, 1, 0],
    [SETTINGS.autoMaxTools + 1, -1, SETTINGS.autoMaxTools],
  ])('is decided once: %i of them, then %i more', (first, more, deferred) => {
    expect(planTools(inputs(first + more)).deferred).not.toHaveLength(deferred);
    expect(planTools(inputs(first + more, decided(inputs(first)))).deferred).toHaveLength(deferred);
  });

  it('is decided again if the user names fewer of them', () => {
    const many = inputs(SETTINGS.autoMaxTools + 1);
    const settings = { ...many.settings, coreTools: ['core1'] };
    const fewer = planTools({ ...many, settings, conversationPlan: decided(many) });
    expect(fewer.eager).toHaveLength(1);
    expect(fewer.coreNote).toBeUndefined();
  });
});

describe('what is new for the model', () => {
  it('is said once, with the servers that it is of', () => {
    expect(noteOnNewTools({ github: 2 }, { github: 3, linear: 4 })).toBe(
      '(Tools have come since this conversation began: 1 more of "github", 4 of "linear". A search finds them too.)',
    );
  });

  it('is a note on one question, not on the next', () => {
    let kept: ConversationPlan | undefined;
    const noteWith = (...tools: readonly Tool[]) => {
      const settings = { ...SETTINGS, mode: 'on', delivery: 'local' } as const;
      const setup = planTurn({ ...planInputs(tools), settings, conversationPlan: kept });
      if (typeof setup === 'string') throw new Error(setup);
      kept = setup.conversationPlan ?? kept;
      return setup.note;
    };
    const [few, more] = [filler('a', 20), filler('b', 2)];
    const notes = [noteWith(...few), noteWith(...few, ...more), noteWith(...few, ...more)];
    expect(notes).toEqual([undefined, expect.stringContaining('2 of "b"'), undefined]);
  });

  it('is nothing if nothing came', () => {
    const counts = fc.dictionary(fc.string(), fc.nat(50));
    holds([counts, counts], (announced, now) => {
      const note = noteOnNewTools(announced, now);
      const came = Object.entries(now).some(
        ([server, count]) => count > (Object.hasOwn(announced, server) ? (announced[server] ?? 0) : 0),
      );
      expect(note !== undefined).toBe(came);
    });
  });

  it('counts each server’s tools', () => {
    expect(countByServer([...filler('a', 2), ...filler('b', 1)])).toEqual({ a: 2, b: 1 });
  });
});

it('a conversation’s plan is the newest of this model, or of any', () => {
  const item = (of?: ConversationPlan) => said('x', [], of && { conversationPlan: of });
  const newer = { ...conversationPlan, announced: { a: 1 } };
  expect(conversationPlanOf([item(conversationPlan), item(newer), item()], MODEL)).toBe(newer);
  expect(conversationPlanOf([item()], MODEL)).toBeUndefined();
  const other = { ...newer, inputHashes: { ...newer.inputHashes, model: 'other/model' } };
  expect(conversationPlanOf([item(newer), item(other)], MODEL)).toBe(newer);
  expect(conversationPlanOf([item(other), item()], MODEL)).toBe(other);
});
