import { describe, expect, it } from 'vitest';
import { NO_PINS } from '../../../../src/core/settings/pins';
import type { WhatIf } from '../../../../src/core/whatIf/types';
import type { WhatIfInputs } from '../../../../src/core/whatIf/whatIf';
import { WhatIfTable } from '../../../../src/inspector/suggestions/whatIfTable';
import { makeCatalog, SETTINGS, searchOver, TestSource } from '../../core/turn/world';

const source = new TestSource(makeCatalog([]));
const row = (kind: 'recorded' | 'today' | 'allEager', tokens: number, cost: number) => ({
  id: kind,
  change: { kind },
  requests: 4,
  tokens,
  cost,
  missed: [],
  turns: [],
});
const TABLE: WhatIf = {
  rows: [row('recorded', 900, 900), row('today', 900, 900), row('allEager', 1_000, 400)],
  measured: true,
  turns: [1, 2, 3].map((turn) => ({ turn, prompt: '' })),
  leftOut: [],
  earlier: 0,
  rankedBy: [],
  ranks: [],
  best: 'allEager',
  running: false,
};

/** A table whose replay ends when the test ends it. */
function makeTable() {
  const session = {
    events: [],
    catalog: source.catalog,
    settings: SETTINGS,
    pins: NO_PINS,
    scripts: false,
    search: searchOver(source),
  };
  const asked: { readonly all: boolean; readonly signal: AbortSignal; end(table?: WhatIf): void }[] = [];
  const replayTable = ({ all }: Pick<WhatIfInputs, 'all'>, signal: AbortSignal, progress: (table: WhatIf) => void) =>
    new Promise<WhatIf>((resolve, reject) => {
      progress({ ...TABLE, running: true });
      signal.addEventListener('abort', () => reject(signal.reason));
      asked.push({ all, signal, end: (table = TABLE) => resolve(table) });
    });
  const mutable = { session };
  return {
    asked,
    mutable,
    table: new WhatIfTable(
      () => mutable.session,
      async () => ({ replayTable }),
    ),
  };
}
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('the table of replays', () => {
  it('answers row by row, and once more from memory while nothing changes', async () => {
    const { table, asked } = makeTable();
    const answers: WhatIf[] = [];
    const done = table.ask({ all: false }, (part) => answers.push(part));
    await soon();
    asked[0]?.end();
    await done;
    await table.ask({ all: false }, (part) => answers.push(part));
    expect(answers.map(({ running }) => running)).toEqual([true, false, false]);
    expect(asked).toHaveLength(1);
  });

  it('ends a replay that nobody waits for, without an error', async () => {
    const { table, asked } = makeTable();
    const first = table.ask({ all: false }, () => {});
    await soon();
    const second = table.ask({ all: true }, () => {});
    await first;
    expect(asked[0]?.signal.aborted).toBe(true);
    await soon();
    table.stop();
    await second;
    expect(asked.map(({ all, signal }) => [all, signal.aborted])).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(table.suggestions()).toEqual([]);
  });

  it('suggests its best row by cost until settings or pins change', async () => {
    const { table, asked, mutable } = makeTable();
    const done = table.ask({ all: false }, () => {});
    await soon();
    asked[0]?.end();
    await done;
    expect(table.suggestions()).toEqual([
      {
        id: 'whatIf allEager',
        kind: 'whatIf',
        change: { kind: 'allEager' },
        by: 'cost',
        turns: 3,
        requests: { before: 4, after: 4 },
        before: { value: 900, certainty: 'estimated' },
        after: { value: 400, certainty: 'estimated' },
        net: { value: 500, certainty: 'estimated' },
      },
    ]);
    mutable.session = { ...mutable.session, settings: { ...SETTINGS, mode: 'off' } };
    expect(table.suggestions()).toEqual([]);
  });
});
