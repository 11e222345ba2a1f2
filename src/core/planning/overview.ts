// Describes how all tools are loaded between turns, for the status bar, the inspector and `/tools`.

import type { Catalog } from '../catalog/catalog';
import type { Loading } from '../catalog/tool';
import type { ConversationPlan, Transcript } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import type { LoadingCounts } from '../usage/inRequest';
import type { TokenCounter } from '../usage/tokenCounter';
import { l10n } from '../util/l10n';
import { type Choice, chooseDelivery, chooseStrategy } from './delivery';
import { discoveredIds } from './discovery';
import { isSetMissing } from './hidden';
import type { LoadingDecision } from './ruleNumbers';
import { planTools, usesProviderCode } from './turnPlan';

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

/** Describes how a turn with the last model would begin now. */
export function describeNow(inputs: {
  readonly catalog: Catalog;
  /** The settings that hold for the model. */
  readonly settings: Settings;
  /** The pattern of `toolsearch.models` that changed these settings. */
  readonly rule?: string;
  readonly pins: Pins;
  /** The model of the last turn; undefined before the first. */
  readonly model?: ModelInfo;
  /** The last turn's conversation. */
  readonly transcript: Transcript;
  readonly counter: TokenCounter;
  /** The plan that the last turn's conversation began with. */
  readonly conversationPlan?: ConversationPlan | undefined;
}): Overview {
  const { catalog, settings, model, transcript } = inputs;
  const plan = planTools({ ...inputs, references: new Set() });
  const discovered = discoveredIds(transcript, catalog);
  const loading = new Map<string, OfferedTool>();
  const standing = new Map<string, OfferedTool | LoadingDecision>();
  const counts = { eager: 0, discovered: 0, deferred: 0 };
  for (const [id, decision] of plan.decisions) {
    if (decision.loading === 'omitted') {
      standing.set(id, decision);
      continue;
    }
    const effect: Loading = decision.loading === 'deferred' && discovered.has(id) ? 'discovered' : decision.loading;
    counts[effect]++;
    const how = { ...decision, loading: effect };
    loading.set(id, how);
    standing.set(id, how);
  }
  const delivery = deliveryNow(inputs, counts);
  return {
    loading,
    standing,
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

function deliveryNow(
  { catalog, settings, model }: { readonly catalog: Catalog; readonly settings: Settings; readonly model?: ModelInfo },
  { eager, deferred, discovered }: Overview['counts'],
): Overview['delivery'] {
  const name = settings.delivery;
  if (!model)
    return {
      name,
      why: name === 'auto' ? l10n.t('auto: decided when a model is chosen') : l10n.t('set in toolsearch.delivery'),
    };
  const providerCode = usesProviderCode({ catalog, settings, model });
  const choice = chooseDelivery({ settings, model, providerCode, eager, deferred: deferred + discovered });
  return choice.ok ? choice.delivery : { name, why: choice.message };
}
