// Describes how all tools are loaded between turns, for the status bar, the inspector and `/tools`.

import type { Loading } from '../catalog/tool';
import type { ModelInfo } from '../ports';
import type { Pins } from '../settings/pins';
import type { LoadingCounts } from '../usage/toolsInRequest';
import { l10n } from '../util/l10n';
import { usesProviderCode } from './codeMode';
import { type Choice, chooseStrategy, deliveryBetweenTurns } from './delivery';
import { discoveredIds } from './discovery';
import { isSetMissing } from './hidden';
import type { LoadingDecision } from './loadingDecision';
import { type PlanInputs, planTools } from './turnPlan';

/** How an offered tool is loaded, and why. */
type OfferedTool = Omit<LoadingDecision, 'loading'> & { readonly loading: Loading };

/** The state between turns, as the status bar, the inspector and `/tools` show it. */
export interface Overview {
  readonly loading: ReadonlyMap<string, OfferedTool>;
  /** Like `loading`, plus the omitted tools. */
  readonly standing: ReadonlyMap<string, OfferedTool | LoadingDecision>;
  readonly counts: LoadingCounts;
  /** The number of VS Code's tools that requests don't contain and no search finds. */
  readonly unsent: number;
  readonly strategy: Choice;
  /** The delivery. If the settings aren't possible with this model, `why` reports that. */
  readonly delivery: Choice;
  /** One sentence if VS Code has too many core tools to be eager. */
  readonly coreNote?: string;
  /** One or two sentences if the chosen set of tools isn't in the settings. */
  readonly setNote?: string;
  /** The pattern of `toolsearch.models` that applies to the last turn's model. */
  readonly modelRule?: string;
}

/** The inputs of the next turn's plan, as far as the last turn and the settings give them. */
type NowInputs = Pick<PlanInputs, 'catalog' | 'settings' | 'pins' | 'transcript' | 'counter' | 'conversationPlan'> & {
  /** The model of the last turn; undefined before the first. */
  readonly model?: ModelInfo;
  /** The pattern of `toolsearch.models` that changed the settings. */
  readonly rule?: string;
};

/** Describes how a turn with the last model would begin now. */
export function describeNow(inputs: NowInputs): Overview {
  const { catalog, settings, model, transcript } = inputs;
  const plan = planTools({ ...inputs, references: new Set() });
  const discovered = discoveredIds(transcript, catalog);
  const loading = new Map<string, OfferedTool>();
  const counts = { eager: 0, discovered: 0, deferred: 0 };
  for (const [id, decision] of plan.decisions) {
    if (decision.loading === 'omitted') continue;
    const effect: Loading = decision.loading === 'deferred' && discovered.has(id) ? 'discovered' : decision.loading;
    counts[effect]++;
    loading.set(id, { ...decision, loading: effect });
  }
  const delivery = deliveryBetweenTurns({
    settings,
    model,
    eager: counts.eager,
    deferred: counts.deferred + counts.discovered,
    providerCode: model !== undefined && usesProviderCode({ catalog, settings, model }),
  });
  return {
    loading,
    standing: new Map<string, OfferedTool | LoadingDecision>([...plan.decisions, ...loading]),
    counts,
    unsent: plan.unsent,
    strategy: chooseStrategy(settings, delivery.name, model),
    delivery,
    ...(plan.coreNote ? { coreNote: plan.coreNote } : {}),
    ...(isSetMissing(inputs) ? { setNote: missingSetNote(inputs.pins) } : {}),
    ...(inputs.rule === undefined ? {} : { modelRule: inputs.rule }),
  };
}

function missingSetNote({ set = '' }: Pins): string {
  return l10n.t(
    'The chosen set “{0}” isn’t in toolsearch.sets, so models can use no tool of an MCP server. Choose another set.',
    set,
  );
}
