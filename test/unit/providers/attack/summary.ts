import type { JudgedTurn } from './figures';

const off = (claimed: number, real: number) => (real === 0 ? (claimed === 0 ? 0 : 1) : Math.abs(claimed - real) / real);

export function summary(all: readonly JudgedTurn[]): string {
  const whole = all.filter(({ status }) => status === 'answered' || status === 'cancelled');
  const near = whole.filter(({ claimed, real }) => off(claimed.baseline, real.baseline) <= 0.02);
  const nearTokens = whole.filter(({ claimed, real }) => off(claimed.tokens, real.tokens) <= 0.02);
  const sentRight = whole.filter(({ claimed, real }) => off(claimed.sent, real.sent) <= 0.001);
  const wrong = whole.filter(({ claimed, real }) => {
    const truth = real.baseline - real.sent;
    return Math.abs(truth) > 0.03 * real.baseline && Math.sign(claimed.baseline - claimed.sent) !== Math.sign(truth);
  });
  const sum = (pick: (turn: JudgedTurn) => number) => Math.round(whole.reduce((total, turn) => total + pick(turn), 0));
  const far = [...whole].filter((turn) => !near.includes(turn));
  return [
    `${all.length} turns, ${whole.length} whole`,
    `baseline cost within 2 %: ${near.length} (${((100 * near.length) / whole.length).toFixed(1)} %); tokens: ${nearTokens.length}; sent cost right: ${sentRight.length}; wrong sign: ${wrong.length}`,
    `sums: sent ${sum((t) => t.claimed.sent)} / ${sum((t) => t.real.sent)}, baseline ${sum((t) => t.claimed.baseline)} / ${sum((t) => t.real.baseline)}`,
    `failed turns that claim a saving: ${all.filter(({ status, claimed }) => status === 'failed' && claimed.baseline > claimed.sent).length}; misses ${all.reduce((n, t) => n + t.misses, 0)}, sent far: ${whole.filter(({ claimed, real }) => off(claimed.sent, real.sent) > 0.02).length}; hidden ${all.flatMap((t) => t.hidden).length}, invented ${all.flatMap((t) => t.invented).length}; negative ${all.flatMap((t) => t.negative).length}`,
    ...far
      .slice(0, Number(process.env.SHOW ?? 25))
      .map(
        (t) =>
          `  ${t.seed}.${t.turn} ${t.what} ${t.status}: baseline ${t.claimed.baseline} / ${Math.round(t.real.baseline)}, tokens ${t.claimed.tokens} / ${t.real.tokens}, sent ${t.claimed.sent} / ${Math.round(t.real.sent)} (${t.claimed.sentTokens} / ${t.real.sentTokens})`,
      ),
    ...all
      .flatMap((t) => [
        ...t.hidden.map((h) => `  hidden ${t.seed}.${t.turn} ${t.what}: ${h}`),
        ...t.invented.map((h) => `  invented ${t.seed}.${t.turn} ${t.what}: ${h}`),
      ])
      .slice(0, Number(process.env.SHOW ?? 25)),
  ].join('\n');
}
