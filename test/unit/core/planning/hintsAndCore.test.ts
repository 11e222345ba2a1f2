import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { planLoading } from '../../../../src/core/planning/loading';
import { NO_PINS } from '../../../../src/core/settings/pins';
import { MODEL, makeCatalog, makeTool, SETTINGS } from '../turn/world';

function planOf(tools: readonly Tool[], settings: object) {
  return planLoading({
    catalog: makeCatalog(tools),
    pins: NO_PINS,
    references: new Set(),
    model: MODEL,
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
