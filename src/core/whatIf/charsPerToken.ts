/**
 * Learns the number of characters per token of definitions from recorded turns: the ledger has the tokens of a turn's
 * definitions, and the catalog has their texts.
 */
import { countsInBaseline, planLoading } from '../planning/loading';
import { settingsFor } from '../settings/forModel';
import { DEFAULT_CHARS_PER_TOKEN, definitionsLength } from '../usage/tokens';
import type { RecordedTurn } from './recordedTurns';
import type { ReplayDeps } from './replay';

/** The credible range of characters per token. */
const MIN_RATIO = 1.5;
const MAX_RATIO = 8;

/** The offered tools of a catalog: their number, and the number of characters of the definitions in a baseline. */
interface Offered {
  readonly tools: number;
  readonly chars: number;
}

/** Returns a function that gives a turn's characters per token. The catalog may have changed since the turn. */
export function createCharsPerToken({
  catalog,
  settings,
  pins,
  modelOf,
}: Pick<ReplayDeps, 'catalog' | 'settings' | 'pins' | 'modelOf'>): (turn: RecordedTurn) => number {
  const known = new Map<string, Offered>();
  const offeredTo = ({ model, allEager }: RecordedTurn): Offered => {
    const info = modelOf(model);
    const own = settingsFor(settings, info);
    const key = `${own.rule ?? ''} ${allEager}`;
    const before = known.get(key);
    if (before) return before;
    const plan = planLoading({
      catalog,
      settings: { ...own.settings, mode: allEager ? 'off' : 'on' },
      pins,
      references: new Set(),
      model: info,
      definitionTokens: (tools) => ({
        value: definitionsLength(tools) / DEFAULT_CHARS_PER_TOKEN,
        certainty: 'estimated',
      }),
    });
    const tools = [...plan.eager, ...plan.deferred];
    const offered = { tools: tools.length, chars: definitionsLength(tools.filter(countsInBaseline(plan))) };
    known.set(key, offered);
    return offered;
  };
  return (turn) => {
    const { tools, chars } = offeredTo(turn);
    const { definitions } = turn;
    const ratio = (chars / Math.max(1, tools)) * (definitions.tools / Math.max(1, definitions.tokens));
    return ratio > MIN_RATIO && ratio < MAX_RATIO ? ratio : DEFAULT_CHARS_PER_TOKEN;
  };
}
