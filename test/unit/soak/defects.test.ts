import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
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

const ALL = Object.keys(DEFECTS) as Defect[];
/** A turn without a defect comes first, then one with each. */
const defectOf = (turn: number) => ALL[turn - 2];
let broken: readonly string[];
beforeAll(async () => {
  const tests = path.resolve(import.meta.dirname, '../..');
  const plain = { seed: 1, servers: 1, tests, say: () => {}, warm: 1, settleMs: 300 };
  const planned = (turn: number) => planOf(turn, defectOf(turn));
  ({ broken } = await soak({ ...plain, turns: ALL.length + 1, defectOf, planOf: planned }));
}, 240_000);

it('a turn without a planted defect keeps every rule', () => {
  expect(broken.filter((line) => line.startsWith('turn 1 ('))).toEqual([]);
});

it.each(ALL)('the soak finds that %s', (defect) => {
  const turn = ALL.indexOf(defect) + 2;
  const own = broken.filter((line) => !/^turn \d+ \(/.test(line) || line.startsWith(`turn ${turn} (`));
  const held = broken.filter((line) => line.includes(`: turn ${turn} is still`));
  expect([...own, ...held].join('\n')).toMatch(DEFECTS[defect]);
});
