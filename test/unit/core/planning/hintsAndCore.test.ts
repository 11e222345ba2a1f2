import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { planInputsHash } from '../../../../src/core/planning/conversationPlan';
import { planLoading } from '../../../../src/core/planning/loading';
import { NO_PINS } from '../../../../src/core/settings/pins';
import { MODEL, makeCatalog, makeTool, planInputs, SETTINGS } from '../turn/world';

function planOf(tools: readonly Tool[], settings: object) {
  return planLoading({
    ...planInputs(tools),
    definitionTokens: (some) => ({ value: some.length * 100, certainty: 'estimated' }),
    settings: { ...SETTINGS, ...settings },
  });
}

function decisionOn(tool: Tool, settings: object, more: readonly Tool[] = []): unknown {
  const { loading, rule } = planOf([tool, ...more], settings).decisions.get(tool.id) ?? {};
  return { loading, rule };
}

describe('loading', () => {
  it('follows alwaysLoad in both directions', () => {
    const tool = (alwaysLoad: boolean) => makeTool('a', 'b', '', { alwaysLoad });
    expect(decisionOn(tool(false), { mode: 'off' })).toEqual({ loading: 'deferred', rule: 'hint' });
    expect(decisionOn(tool(true), { mode: 'on' })).toEqual({ loading: 'eager', rule: 'hint' });
  });

  describe('lets servers’ wishes yield', () => {
    const wishing = (count: number) =>
      Array.from({ length: count }, (_, index) => makeTool('greedy', `t${index}`, '', { alwaysLoad: true }));
    const limits = { autoMaxTools: 30, autoContextPercent: 10 };

    it.each(['auto', 'on'] as const)('if they are more than the limit, with mode %s', (mode) => {
      const made = planOf(wishing(126), { ...limits, mode });
      expect([made.eager.length, made.deferred.length]).toEqual([0, 126]);
      expect(made.decisions.get('greedy/t0')?.reasonLong).toMatch(/server greedy sets alwaysLoad.*126 tools.*30/);
      expect(planOf(wishing(30), { ...limits, mode }).eager).toHaveLength(30);
    });

    it('if their definitions take more than the share of the window', () => {
      const share = { ...limits, mode: 'on', autoContextPercent: (20 * 100 * 100) / MODEL.maxInputTokens };
      expect(planOf(wishing(20), share).eager).toHaveLength(20);
      expect(planOf(wishing(21), share).eager).toHaveLength(0);
    });

    it('if they grow during a conversation that began with few', () => {
      const catalogOf = (count: number) => ({
        catalog: makeCatalog(wishing(count)),
        settings: { ...SETTINGS, ...limits },
      });
      const inputs = { pins: NO_PINS, references: new Set<string>(), model: MODEL };
      const definitionTokens = () => ({ value: 1, certainty: 'estimated' as const });
      const first = planLoading({ ...inputs, definitionTokens, ...catalogOf(5) });
      const inputHashes = planInputsHash({ ...inputs, ...catalogOf(5) });
      const conversationPlan = { ...first.kept, inputHashes, announced: {} };
      expect(planLoading({ ...inputs, definitionTokens, conversationPlan, ...catalogOf(6) }).eager).toHaveLength(6);
      expect(planLoading({ ...inputs, definitionTokens, conversationPlan, ...catalogOf(126) }).eager).toEqual([]);
    });

    it('but not to pins or mode off', () => {
      expect(planOf(wishing(126), { ...limits, mode: 'off' }).eager).toHaveLength(126);
      const eagerTools = { greedy: ['t1', 't2'] };
      expect(planOf(wishing(126), { ...limits, mode: 'on', eagerTools }).eager.map(({ name }) => name)).toEqual([
        't1',
        't2',
      ]);
    });
  });

  it('keeps core tools eager with mode off, however many there are', () => {
    const core = (name: string) => makeTool('vscode', name, '', { origin: 'vscode', referenceName: 'readFile' });
    const many = Array.from({ length: 40 }, (_, index) => core(`read${index}`));
    expect(decisionOn(core('read'), { scope: 'all', mode: 'off' }, many)).toEqual({ loading: 'eager', rule: 'core' });
    expect(decisionOn(core('read'), { scope: 'all', mode: 'on' }, many)).toEqual({ loading: 'deferred', rule: 'mode' });
  });

  it('decides nothing about core tools if there are none', () => {
    expect(planOf([makeTool('a', 'b')], { mode: 'on' }).kept).toEqual({});
  });
});
