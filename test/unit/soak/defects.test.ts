import path from 'node:path';
import { expect, it } from 'vitest';
import { DEFECTS, type Defect } from '../../soak/defects';
import type { Plan } from '../../soak/plan';
import { soak } from '../../soak/soak';

/** Plain turns, in which only the planted defect goes wrong. */
function planOf(turn: number, consents: boolean): Plan {
  const call = turn % 2 === 0 ? 'write_note text=x' : `echo text=${turn}`;
  return {
    asker: 'user',
    prompt: `server0 ${call} [[turn ${turn}]]`,
    call: { tool: 'search_tools', input: {} },
    inScript: new Map(),
    model: 0,
    settings: { mode: 'on', delivery: 'local', codeMode: 'off' },
    fault: undefined,
    cancel: undefined,
    answers: 'accept',
    consents,
    before: [],
  };
}

const soakWith = (defect: Defect | undefined) =>
  soak({
    seed: 1,
    turns: defect === 'a turn is held on to' ? 5 : 2,
    servers: 1,
    tests: path.resolve(import.meta.dirname, '../..'),
    say: () => {},
    ...(defect ? { defect } : {}),
    planOf: (turn) => planOf(turn, defect !== 'a skipped call runs'),
    warm: 1,
    settleMs: 300,
  });

it('a session without a planted defect keeps every rule', async () => {
  expect((await soakWith(undefined)).broken).toEqual([]);
}, 120_000);

it.each(Object.keys(DEFECTS) as Defect[])(
  'the soak finds that %s',
  async (defect) => {
    const { broken } = await soakWith(defect);
    expect(broken.join('\n')).toMatch(DEFECTS[defect]);
  },
  120_000,
);
