/**
 * Learns the number of characters per token of definitions from recorded turns: the ledger has the tokens of a turn's
 * definitions, and the catalog has their texts.
 */
import { countsInBaseline, planLoading } from '../planning/loading';
import { EMPTY_REQUEST, type ModelInfo } from '../ports';
import { settingsFor } from '../settings/forModel';
import { charsOf, segmentsOf } from '../usage/requestShape';
import { DEFAULT_CHARS_PER_TOKEN, definitionOf, definitionsLength } from '../usage/tokens';
import { memoize } from '../util/memoize';
import type { CharsPerToken } from './calibration';
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

/** The number of definitions whose lengths on the wire are compared with those of their texts. */
const COMPARED = 50;

/** Returns a function that gives a turn's characters per token. The catalog may have changed since the turn. */
export function createCharsPerToken({
  catalog,
  settings,
  pins,
  models,
}: Pick<ReplayDeps, 'catalog' | 'settings' | 'pins' | 'models'>): (turn: RecordedTurn) => CharsPerToken {
  const compared = catalog.tools.slice(0, COMPARED);
  const wireShare = memoize<number>();
  /** Returns how much longer a model's wire writes definitions than their texts are. */
  const wireShareOf = (model: ModelInfo) =>
    wireShare([model.vendor, model.id], () => {
      const tools = compared.map((tool) => definitionOf(tool).definition);
      const { definitions } = models.viewRequest({ ...EMPTY_REQUEST, tools }, model);
      return definitions > 0 ? definitions / Math.max(1, charsOf(segmentsOf({ ...EMPTY_REQUEST, tools }))) : 1;
    });
  const known = new Map<string, Offered>();
  const offeredTo = ({ model, allEager }: RecordedTurn): Offered => {
    const info = models.of(model);
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
    const definitionChars = ratio > MIN_RATIO && ratio < MAX_RATIO ? ratio : DEFAULT_CHARS_PER_TOKEN;
    return { definitions: definitionChars, wire: definitionChars * wireShareOf(models.of(turn.model)) };
  };
}
