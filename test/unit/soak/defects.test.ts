import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Defect } from '../../soak/defects';
import DEFECTS from '../../soak/defects.json';
import { KNOWN, knownPlan, type Plan, SCRIPTS } from '../../soak/plan';
import { soak } from '../../soak/soak';

/** The known answers and other scripts that a defect needs, by the number of their calls. */
const IN_SCRIPTS: { readonly [defect in Defect]?: number } = {
  'a script gets the result of another call': 9,
  'a script makes too many calls': 40,
};

/** Plain turns, in which only the planted defect goes wrong. */
function planOf(turn: number, defect: Defect | undefined): Plan {
  const call = turn % 2 === 1 ? 'write_note text=x' : `echo text=${turn}`;
  const count = defect && IN_SCRIPTS[defect];
  const script = [...KNOWN, ...SCRIPTS.map((it) => ({ ...it, code: `run: ${it.code}` }))].find(
    ({ calls }) => count !== undefined && Object.values(calls).includes(count),
  );
  const { settings, ...plan } = knownPlan(['server0'], turn, 2, script ?? { code: `A ${call}`, calls: {} });
  return {
    ...plan,
    settings: { ...settings, codeMode: script ? 'on' : 'off', scriptSeconds: 10 },
    consents: defect !== 'a skipped call runs',
    before: [],
  };
}

const ALL = Object.keys(DEFECTS) as Defect[];
const defectOf = (turn: number) => ALL[turn - 1];
let broken: readonly string[];
beforeAll(async () => {
  const tests = path.resolve(import.meta.dirname, '../..');
  // Short: what a defect leaves behind never goes away.
  const plain = { seed: 1, servers: 1, tests, say: () => {}, settleMs: 200 };
  const planned = (turn: number) => planOf(turn, defectOf(turn));
  ({ broken } = await soak({ ...plain, turns: ALL.length, defectOf, planOf: planned }));
}, 480_000);

it.each(ALL)('the soak finds that %s', (defect) => {
  const turn = ALL.indexOf(defect) + 1;
  const own = broken.filter((line) => !/^turn \d+ \(/.test(line) || line.startsWith(`turn ${turn} (`));
  const held = broken.filter((line) => line.includes(`: turn ${turn} is still`));
  expect([...own, ...held].join('\n')).toMatch(new RegExp(DEFECTS[defect]));
});
