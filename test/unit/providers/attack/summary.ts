import type { JudgedTurn } from './figures';

const off = (claimed: number, real: number) => (real === 0 ? Math.min(1, claimed) : Math.abs(claimed - real) / real);
const isWhole = ({ status }: JudgedTurn) => status !== 'failed';
/** Whether a turn's baseline costs what a plain client pays, within 2 %. */
const isNear = ({ claimed, real }: JudgedTurn) => off(claimed.baseline, real.baseline) <= 0.02;

/** The figures by which random conversations are judged. */
export function summary(turns: readonly JudgedTurn[]) {
  const whole = turns.filter(isWhole);
  const hasWrongSign = ({ claimed, real }: JudgedTurn) => {
    const saved = real.baseline - real.sent;
    return Math.abs(saved) > 0.03 * real.baseline && Math.sign(claimed.baseline - claimed.sent) !== Math.sign(saved);
  };
  const sum = (of: (turn: JudgedTurn) => number) => Math.round(whole.reduce((total, turn) => total + of(turn), 0));
  return {
    near: whole.filter(isNear).length / whole.length,
    wrongSigns: whole.filter(hasWrongSign).length,
    sent: sum(({ claimed }) => claimed.sent) / sum(({ real }) => real.sent),
    baseline: sum(({ claimed }) => claimed.baseline) / sum(({ real }) => real.baseline),
    failedThatSave: turns.filter((turn) => !isWhole(turn) && turn.claimed.baseline > turn.claimed.sent).length,
    negative: turns.flatMap(({ negative }) => negative).length,
    misses: turns.reduce((total, { misses }) => total + misses, 0),
    hidden: turns.flatMap(({ hidden }) => hidden).length,
    invented: turns.flatMap(({ invented }) => invented).length,
  };
}

/** One line for each turn that is far from the truth, and for each cache miss that is hidden or invented. */
export function farTurns(turns: readonly JudgedTurn[]): readonly string[] {
  return turns
    .filter((turn) => (isWhole(turn) && !isNear(turn)) || turn.hidden.length + turn.invented.length > 0)
    .map(({ negative: _, ...turn }) => JSON.stringify(turn));
}
