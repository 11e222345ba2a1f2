import { settingsFor } from '../settings/forModel';
import type { RecordedTurn } from './recordedTurns';
import type { ReplayDeps } from './replay';
import type { Change, WhatIf, WhatIfRow } from './types';

/**
 * A change is suggested only if at least this many turns were replayed, and if it saves at least this share of the cost
 * and this many tokens per turn.
 */
const MIN_TURNS = 3;
const MIN_SHARE = 0.05;
const MIN_SAVED = 100;
/** Returns the setting that a change writes; undefined for pins, which aren't a setting. */
function settingOf({ kind }: Change): string | undefined {
  return kind === 'allEager' || kind === 'deferred' ? 'mode' : kind === 'eager' ? undefined : kind;
}

/**
 * Returns the best row, if its saving against today's settings is large enough: by cost if the cost is known for all
 * turns, otherwise by tokens. Rows with failed searches are excluded, and so are rows whose setting `toolsearch.models`
 * overrides.
 */
export function bestRow(
  rows: readonly WhatIfRow[],
  turns: readonly RecordedTurn[],
  { settings, models }: Pick<ReplayDeps, 'settings' | 'models'>,
): Pick<WhatIf, 'best'> {
  const today = rows.find(({ change }) => change.kind === 'today');
  if (!today || today.rough || turns.length < MIN_TURNS) return {};
  const rules = turns.map(({ model }) => settings.models[settingsFor(settings, models.of(model)).rule ?? ''] ?? {});
  const isFree = (change: Change) => !rules.some((rule) => Object.hasOwn(rule, settingOf(change) ?? ''));
  const spent = (row: WhatIfRow) => row.cost ?? row.tokens;
  const sure = rows.filter(
    ({ change, missed, rough }) => change.kind !== 'recorded' && missed.length === 0 && !rough && isFree(change),
  );
  const best = sure.reduce((least, row) => (spent(row) < spent(least) ? row : least), today);
  const saved = spent(today) - spent(best);
  const isWorth = saved >= MIN_SHARE * spent(today) && saved >= MIN_SAVED * turns.length;
  return isWorth ? { best: best.id } : {};
}
