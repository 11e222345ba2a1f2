import { describe, expect, it } from 'vitest';
import { chooseDelivery } from '../../../../src/core/planning/delivery';
import { type NativeSearch, PROVIDER_STRATEGY } from '../../../../src/core/ports';
import { MODEL } from '../turn/world';

const choose = (over: {
  readonly delivery?: 'auto' | 'server' | 'client' | 'local' | 'bridge';
  readonly strategy?: string;
  readonly maxTools?: number;
  readonly eager?: number;
  readonly deferred?: number;
  readonly discovered?: number;
  readonly native?: NativeSearch;
  readonly code?: boolean;
  readonly mode?: 'auto' | 'on' | 'off';
}) => {
  const {
    delivery = 'auto',
    strategy = 'auto',
    maxTools = 128,
    eager = 0,
    deferred = 100,
    discovered = 0,
    native,
    code = false,
    mode = 'auto',
  } = over;
  const choice = chooseDelivery({
    settings: { delivery, strategy, mode },
    model: { ...MODEL, maxTools, native },
    eager,
    deferred,
    discovered,
    code,
  });
  return choice.ok ? choice.delivery.name : choice.message;
};

describe('the delivery', () => {
  it('is the provider’s own if it has the strategy, then references, local', () => {
    const native = { strategies: ['bm25', 'regex'], references: true, maxDeferred: 10_000 };
    expect(choose({ native })).toBe('server');
    expect(choose({ native, strategy: 'regex' })).toBe('server');
    expect(choose({ native, strategy: 'keywords' })).toBe('client');
    expect(choose({})).toBe('local');
  });

  it('is a bridge if found tools would pass the model’s limit', () => {
    expect(choose({ eager: 106 })).toBe('local');
    expect(choose({ eager: 107 })).toBe('bridge');
    expect(choose({ eager: 50, discovered: 60 })).toBe('bridge');
  });

  it('is a bridge beside scripts if the provider has no search', () => {
    const native = { strategies: ['bm25'], references: true, maxDeferred: 10_000 };
    expect(choose({ code: true })).toBe('bridge');
    expect(choose({ code: true, deferred: 0 })).toBe('local');
    expect(choose({ code: true, delivery: 'local' })).toBe('local');
    expect(choose({ code: true, native })).toBe('server');
  });

  it('that is named and can’t be had is refused with the alternatives', () => {
    expect(choose({ delivery: 'server' })).toMatch(/auto, local or bridge/);
    expect(choose({ delivery: 'client' })).toMatch(/auto, local or bridge/);
  });

  it('names what a provider can do when its search lacks the strategy', () => {
    const native = { strategies: [PROVIDER_STRATEGY], references: true, maxDeferred: 10_000 };
    expect(choose({ native, strategy: 'regex' })).toBe('client');
    expect(choose({ native, delivery: 'server', strategy: 'regex' })).toMatch(
      /can’t search with the strategy regex. Set toolsearch.strategy to auto, or toolsearch.delivery to auto, client, local or bridge/,
    );
    const other = { ...native, strategies: ['bm25', PROVIDER_STRATEGY] };
    expect(choose({ native: other, delivery: 'server', strategy: 'regex' })).toContain('strategy to auto or bm25,');
    expect(choose({ native: { ...native, strategies: [] } })).toBe('client');
  });

  it('needs no room for tools of ours if nothing is deferred', () => {
    expect(choose({ eager: 128, deferred: 0 })).toBe('local');
    expect(choose({ delivery: 'local', eager: 128, deferred: 0 })).toBe('local');
    expect(choose({ eager: 129, deferred: 0 })).toMatch(/129 tools are eager.*accepts at most 128.*Pin fewer/);
    expect(choose({ eager: 129, deferred: 0, mode: 'off' })).toMatch(
      /Ask without \/eager, or set the mode .* toolsearch\.mode or for this model in toolsearch\.models/,
    );
    expect(choose({ eager: 126, deferred: 1 })).toMatch(/126 tools are eager/);
  });

  it('is said to be a makeshift only if something is deferred', () => {
    const settings = { delivery: 'auto', strategy: 'auto', mode: 'auto' } as const;
    const inputs = { settings, model: { ...MODEL, degraded: 'No search.' }, eager: 1, discovered: 0, code: false };
    const choose = (deferred: number) => chooseDelivery({ ...inputs, deferred });
    expect(choose(1)).toMatchObject({ delivery: { degraded: 'No search.' } });
    expect(choose(0)).not.toHaveProperty('delivery.degraded');
  });
});
