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

  it.each<[string, string, Parameters<typeof choose>[0]]>([
    ['is a bridge, since that costs least', 'bridge', {}],
    ['is a bridge for every model', 'bridge', { native }],
    ['is a bridge for every model', 'bridge', { native, strategy: 'regex' }],
    ['sends definitions if code at the provider may call tools', 'server', { native, providerCode: true }],
    ['sends definitions for such code', 'client', { native, providerCode: true, strategy: 'keywords' }],
    ['is what the settings name', 'bridge', { native, providerCode: true, delivery: 'bridge' }],
    ['stays as the chat began', 'server', { native, began: 'server' }],
    ['stays only if the model can', 'bridge', { native: { ...native, strategies: [] }, began: 'server' }],
    ['stays as the chat began', 'bridge', { native, began: 'bridge', providerCode: true }],
    ['is what the settings name', 'bridge', { native, began: 'server', delivery: 'bridge' }],
    ['is what the settings name', 'server', { native, delivery: 'server' }],
    ['is what the settings name', 'client', { native, delivery: 'client' }],
    ['is what the settings name', 'local', { delivery: 'local' }],
  ])('%s: %s of %j', (_, delivery, over) => expect(choose(over)).toBe(delivery));

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
