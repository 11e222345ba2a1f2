import { describe, expect, it } from 'vitest';
import { describeNow } from '../../../../src/core/planning/loadingOverview';
import { NO_PINS } from '../../../../src/core/settings/pins';
import { said, searchOf } from '../../../data/items';
import { filler, MODEL, makeCatalog, makeTool, planInputs, SETTINGS } from '../turn/world';

const OWN = makeTool('vscode', 'fetch', '', { origin: 'vscode' });
const now = (over: Partial<Parameters<typeof describeNow>[0]> = {}) =>
  describeNow({
    ...planInputs([...filler('a', 3), OWN]),
    model: undefined,
    settings: { ...SETTINGS, mode: 'on', scope: 'mcp' },
    pins: { ...NO_PINS, tools: { 'a/zz0': 'eager' } },
    transcript: [said('', [], { searches: [searchOf('a/zz1')] })],
    ...over,
  });

describe('the state between turns', () => {
  it('counts eager, discovered and deferred tools, not omitted ones', () => {
    const { counts, loading, standing } = now();
    expect(counts).toEqual({ eager: 1, discovered: 1, deferred: 1 });
    expect([...loading].map(([id, how]) => [id, how.loading])).toEqual([
      ['a/zz0', 'eager'],
      ['a/zz1', 'discovered'],
      ['a/zz2', 'deferred'],
    ]);
    expect(standing.get(OWN.id)).toMatchObject({ loading: 'omitted', rule: 'scope' });
  });

  it('says that core tools are too many, and what hides tools', () => {
    const core = Array.from({ length: 40 }, (_, at) =>
      makeTool('vscode', `read${at}`, '', { origin: 'vscode', referenceName: 'readFile' }),
    );
    const settings = { ...SETTINGS, mode: 'on' as const, scope: 'all' as const, hiddenTools: { a: ['zz2'] } };
    const { coreNote, standing } = now({ settings, catalog: makeCatalog([...filler('a', 3), ...core]) });
    expect(coreNote).toContain('VS Code’s core tools are deferred');
    expect(now()).not.toHaveProperty('coreNote');
    expect(standing.get('a/zz2')).toMatchObject({ rule: 'hidden', reason: 'hiddenTools' });
  });

  it('says that the chosen set is gone', () => {
    const settings = { ...SETTINGS, sets: { Web: ['*'] } };
    const of = (set: string) => now({ settings, pins: { ...NO_PINS, set } }).setNote;
    expect(of('toString')).toMatch(/^The chosen set “toString” isn’t in toolsearch\.sets/);
    expect([of('Web'), now().setNote]).toEqual([undefined, undefined]);
  });

  it('says before the first turn whether the delivery is set', () => {
    expect(now({ settings: { ...SETTINGS, delivery: 'auto' } }).delivery).toEqual({
      name: 'auto',
      why: 'auto: decided when a model is chosen',
    });
    const settings = { ...SETTINGS, delivery: 'local' as const };
    expect(now({ settings }).delivery).toEqual({ name: 'local', why: 'set in toolsearch.delivery' });
  });

  it('says why a delivery isn’t possible with the last model', () => {
    const settings = { ...SETTINGS, mode: 'on' as const, delivery: 'server' as const };
    expect(now({ settings, model: MODEL }).delivery).toEqual({
      name: 'server',
      why: expect.stringContaining('has no tool search of its own'),
    });
    expect(now({ model: MODEL }).delivery.name).toBe('local');
  });

  it('counts deferred and discovered tools for the delivery', () => {
    const model = { ...MODEL, maxTools: 3 };
    const pins = { ...NO_PINS, tools: { 'a/zz0': 'eager' as const, 'a/zz2': 'eager' as const } };
    expect(now({ pins, model }).delivery.why).toContain('2 tools are eager');
  });
});
