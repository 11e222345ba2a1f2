import { describe, expect, it } from 'vitest';
import { chooseDelivery } from '../../../../src/core/planning/delivery';
import { type DeliveryName, type NativeSearch, PROVIDER_STRATEGY } from '../../../../src/core/ports';
import { MODEL } from '../turn/world';

const choose = (over: {
  readonly delivery?: 'auto' | 'server' | 'client' | 'local' | 'bridge';
  readonly strategy?: string;
  readonly eager?: number;
  readonly deferred?: number;
  readonly native?: NativeSearch;
  readonly providerCode?: boolean;
  readonly began?: DeliveryName;
  readonly mode?: 'auto' | 'on' | 'off';
}) => {
  const { delivery = 'auto', strategy = 'auto', mode = 'auto', eager = 0, deferred = 100, native } = over;
  const choice = chooseDelivery({
    settings: { delivery, strategy, mode },
    model: { ...MODEL, native },
    eager,
    deferred,
    providerCode: over.providerCode === true,
    began: over.began,
  });
  return typeof choice === 'string' ? choice : choice.name;
};

describe('the delivery', () => {
  const native = { strategies: ['bm25', 'regex'], references: true, maxDeferred: 10_000 };

  it('is a bridge for every model, since that costs least', () => {
    expect(choose({})).toBe('bridge');
    expect(choose({ native })).toBe('bridge');
    expect(choose({ native, strategy: 'regex' })).toBe('bridge');
  });

  it('sends definitions if code at the provider may call tools', () => {
    expect(choose({ native, providerCode: true })).toBe('server');
    expect(choose({ native, providerCode: true, strategy: 'keywords' })).toBe('client');
    expect(choose({ native, providerCode: true, delivery: 'bridge' })).toBe('bridge');
  });

  it('stays as the chat began, if the model can still do it', () => {
    expect(choose({ native, began: 'server' })).toBe('server');
    expect(choose({ native: { ...native, strategies: [] }, began: 'server' })).toBe('bridge');
    expect(choose({ native, began: 'bridge', providerCode: true })).toBe('bridge');
    expect(choose({ native, began: 'server', delivery: 'bridge' })).toBe('bridge');
  });

  it('that the settings name is chosen if the model can do it', () => {
    expect(choose({ native, delivery: 'server' })).toBe('server');
    expect(choose({ native, delivery: 'client' })).toBe('client');
    expect(choose({ delivery: 'local' })).toBe('local');
  });

  it('that is named and can’t be had is refused with the alternatives', () => {
    expect(choose({ delivery: 'server' })).toMatch(/auto, local or bridge/);
    expect(choose({ delivery: 'client' })).toMatch(/auto, local or bridge/);
  });

  it('names what a provider can do when its search lacks the strategy', () => {
    const ownOnly = { ...native, strategies: [PROVIDER_STRATEGY] };
    expect(choose({ native: ownOnly, delivery: 'server', strategy: 'regex' })).toMatch(
      /can’t search with the strategy regex. Set toolsearch.strategy to auto, or toolsearch.delivery to auto, client, local or bridge/,
    );
    const both = { ...native, strategies: ['bm25', PROVIDER_STRATEGY] };
    expect(choose({ native: both, delivery: 'server', strategy: 'regex' })).toContain('strategy to auto or bm25,');
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
});
