import path from 'node:path';
import { expect, it } from 'vitest';
import { DEFECTS, type Defect } from '../../soak/defects';
import { type Plan, SCRIPTS } from '../../soak/plan';
import { soak } from '../../soak/soak';

/** The defects that only a script shows, with the number of calls by which it is known. */
const IN_SCRIPTS: { readonly [defect in Defect]?: number } = {
  'a script gets the result of another call': 9,
  'a script makes too many calls': 40,
};

/** Plain turns, in which only the planted defect goes wrong. */
function planOf(turn: number, defect: Defect | undefined): Plan {
  const call = turn % 2 === 0 ? 'write_note text=x' : `echo text=${turn}`;
  const count = defect && IN_SCRIPTS[defect];
  const script = SCRIPTS.find(({ calls }) => calls[0]?.[2] === count);
  const code = script && count ? `run: ${script.code.replaceAll('tools.A_', 'tools.server0_')} // ` : undefined;
  return {
    asker: 'user',
    prompt: `${code ?? `server0 ${call}`} [[turn ${turn}]]`,
    call: { tool: 'search_tools', input: {} },
    inScript: new Map([['server0/add', count ?? 0]]),
    model: 0,
    settings: { mode: 'on', delivery: 'local', codeMode: code === undefined ? 'off' : 'on' },
    fault: undefined,
    cancel: undefined,
    answers: 'accept',
    consents: defect !== 'a skipped call runs',
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
    planOf: (turn) => planOf(turn, defect),
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
