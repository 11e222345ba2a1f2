// Decides whether a conversation's beginning (its instructions and tools) stays the same in this turn's requests.

import type { Catalog } from '../catalog/catalog';
import type { ConversationPlan } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import type { Settings } from '../settings/settings';
import type { CallingAgent } from './agentRules';
import type { Choice } from './delivery';
import { beganWithHidden, type HidingChoices } from './hidden';
import type { LoadingPlan } from './loading';

interface BeginningInputs extends HidingChoices {
  readonly catalog: Catalog;
  readonly model?: ModelInfo | undefined;
  readonly agent?: CallingAgent;
  readonly conversationPlan?: ConversationPlan | undefined;
}

/** Returns the conversation's beginning if this turn's requests can keep it: not with another model or delivery. */
export function keptBase(
  { plan, delivery }: { readonly plan: Pick<LoadingPlan, 'deferred'>; readonly delivery: Choice },
  inputs: BeginningInputs & { readonly settings: Pick<Settings, 'delivery'> },
): ConversationPlan['base'] | undefined {
  const base = fixedBase(inputs);
  const began = base?.delivery;
  const { delivery: set } = inputs.settings;
  const now = plan.deferred.length > 0 ? delivery.name : set;
  return began === undefined || began === now || now === 'auto' ? base : undefined;
}

/** Returns the conversation's beginning with this model; undefined if it may change, or no request has fixed it yet. */
export function fixedBase(inputs: BeginningInputs): ConversationPlan['base'] | undefined {
  const { conversationPlan, model, agent, catalog } = inputs;
  if (!model || !isFixed({ model, agent }) || conversationPlan?.inputHashes.model !== `${model.vendor}/${model.id}`)
    return undefined;
  const { base } = conversationPlan;
  // If the model has `removesTools`, a note at the conversation's end removes a hidden tool instead.
  if (base && !model.removesTools && beganWithHidden(conversationPlan, inputs)) return undefined;
  if (!base || !agent) return base;
  // Another agent may change its instructions or remove tools.
  const isTheirs =
    model.removesTools === true || base.tools.every(({ id, server }) => server === '' || catalog.byId.has(id));
  return isTheirs && base.system.startsWith(agent.system) ? base : undefined;
}

/** Whether the conversation's beginning stays the same. If a call is demanded, every tool must be in the list. */
export function isFixed({ model, agent }: Pick<BeginningInputs, 'agent'> & { readonly model: ModelInfo }): boolean {
  return model.addsTools === true && agent?.mustCall !== true;
}
