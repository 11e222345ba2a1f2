// The result of turns in words, the same for the list, the story and screen readers.

import type { SumsView, TurnView, Unit } from '../src/inspector/protocol/view';
import type { Text } from '../src/inspector/text/text';

interface Amounts {
  readonly sent: number;
  readonly baseline: number;
  /** Both amounts as texts, with `≈` if they are estimated. */
  readonly texts: { readonly sent: string; readonly baseline: string };
  /** `$0.0059 instead of ≈ $0.0208` */
  readonly sentence: string;
}

/** Returns what was sent and what would have been sent with every definition, in a unit. */
export function amountsOf({ sent, baseline, usd }: SumsView, unit: Unit, text: Text): Amounts {
  const values = unit === 'usd' && usd ? usd : { sent: sent.value, baseline: baseline.value };
  const texts = {
    sent: amount(values.sent, sent.certainty, unit, text),
    baseline: amount(values.baseline, baseline.certainty, unit, text),
  };
  // The unit is named once.
  const first = unit === 'tokens' ? text.tokens(sent) : texts.sent;
  return { ...values, texts, sentence: text.t('amounts', { sent: first, baseline: texts.baseline }) };
}

/** Formats an amount in a unit: `$0.0059` or `≈ 1,341 tokens`. */
export function amount(value: number, certainty: SumsView['sent']['certainty'], unit: Unit, text: Text): string {
  if (unit === 'tokens') return text.n('amount.tokens', value, { tokens: text.tokens({ value, certainty }) });
  return certainty === 'estimated' ? `≈\u00a0${text.usd(value)}` : text.usd(value);
}

/** Like {@link amount}, with a sign: `+ $0.063`. */
export function signed(value: number, unit: Unit, text: Text): string {
  return `${value < 0 ? '\u2212' : '+'} ${amount(Math.abs(value), 'measured', unit, text)}`;
}

/** Returns the difference in words: `72% cheaper`, `5% more tokens`. */
export function differenceOf(sums: SumsView, unit: Unit, text: Text): string {
  const { sent, baseline } = amountsOf(sums, unit, text);
  const share = Math.abs(baseline - sent) / (baseline || 1);
  if (share < 0.005) return text.t(`verdict.${unit}.same`);
  return text.t(`verdict.${unit}.${sent > baseline ? 'more' : 'less'}`, { share: text.percent(share) });
}

interface Verdict {
  readonly icon: string;
  readonly tone: string;
  readonly words: string;
}

/** Returns how a turn went. A saving is claimed only for an answered turn. */
export function verdictOf(turn: TurnView, unit: Unit, text: Text): Verdict {
  const { t } = text;
  if (turn.running) return { icon: 'loading', tone: 'codicon-modifier-spin', words: t('turns.running') };
  if (turn.end?.status === 'failed') return { icon: 'error', tone: 'err', words: t('verdict.failed') };
  if (turn.end?.status === 'cancelled') return { icon: 'circle-slash', tone: '', words: t('verdict.stopped') };
  if (!turn.compared)
    return { icon: 'pass', tone: 'ok', words: t(turn.withModel ? 'verdict.noModel' : 'timeline.answered') };
  const more = costsMore(turn, unit);
  return { icon: more ? 'warning' : 'pass', tone: more ? 'warn' : 'ok', words: differenceOf(turn, unit, text) };
}

/** Whether a compared turn cost more than with every definition. */
export function costsMore({ compared, sent, baseline, usd }: TurnView, unit: Unit): boolean {
  return compared && (unit === 'usd' && usd ? usd.sent > usd.baseline : sent.value > baseline.value);
}

/** Returns how many calls of a turn failed, in words; empty if none did. */
export function failedCalls({ calls: { total, failed } }: TurnView, { n }: Text): string {
  return failed > 0 ? n('verdict.calls', total, { failed }) : '';
}

/** Returns a turn's result as sentences, for screen readers. */
export function spoken(turn: TurnView, unit: Unit, text: Text): string {
  const { words } = verdictOf(turn, unit, text);
  const failed = failedCalls(turn, text);
  return [
    text.t('live.turn', { turn: turn.turn, verdict: words }),
    turn.end?.status === 'failed' ? (turn.end.message ?? '') : '',
    turn.compared ? `${amountsOf(turn, unit, text).sentence}.` : '',
    failed && `${failed}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
