import { describe, expect, it } from 'vitest';
import { bestRow } from '../../../../src/core/whatIf/bestRow';
import type { RecordedTurn } from '../../../../src/core/whatIf/recordedTurns';
import type { WhatIfRow } from '../../../../src/core/whatIf/types';
import { MODEL, SETTINGS } from '../turn/world';

const row = (id: 'recorded' | 'today' | 'delivery', tokens: number, rest: Partial<WhatIfRow> = {}): WhatIfRow => ({
  id,
  change: id === 'delivery' ? { kind: id, to: 'bridge' } : { kind: id },
  requests: 3,
  tokens,
  missed: [],
  turns: [],
  ...rest,
});

function best(tokens: number, rest: Partial<WhatIfRow> = {}, { turns = 3, models = {}, today = 5_000 } = {}) {
  const { id, vendor, name } = MODEL;
  const recorded = Array.from({ length: turns }, () => ({ model: { id, vendor, name } }) as RecordedTurn);
  const rows = [row('recorded', 1), row('today', today), row('delivery', tokens, rest)];
  return bestRow(rows, recorded, { settings: { ...SETTINGS, models }, models: { of: () => MODEL, viewRequest } }).best;
}
const viewRequest = () => ({ definitions: 0, head: [], chars: 0, references: [] });

describe('the best row', () => {
  it('saves at least a hundred tokens a turn and five percent', () => {
    expect(best(4_700)).toBe('delivery');
    expect(best(4_701)).toBeUndefined();
    expect(best(19_000, {}, { today: 20_000 })).toBe('delivery');
    expect(best(19_001, {}, { today: 20_000 })).toBeUndefined();
  });

  it('is none of two turns', () => {
    expect(best(1_000, {}, { turns: 2 })).toBeUndefined();
  });

  it('is sure, and needs no further searches', () => {
    expect(best(1_000, { missed: ['math/get-sum'] })).toBeUndefined();
    expect(best(1_000, { rough: 'texts' })).toBeUndefined();
  });

  it('is no setting that a rule for the model decides', () => {
    expect(best(1_000, {}, { models: { '*': { delivery: 'local' } } })).toBeUndefined();
    expect(best(1_000, {}, { models: { '*': { strategy: 'regex' } } })).toBe('delivery');
  });
});
