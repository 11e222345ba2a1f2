// Chooses how found tools reach the model (the delivery) and which strategy searches them.

import { type DeliveryName, type ModelInfo, PROVIDER_STRATEGY } from '../ports';
import type { Settings } from '../settings/settings';
import { l10n } from '../util/l10n';

/** A named choice and the reason for it, in words for the inspector. */
export interface Choice<Name extends string = string> {
  readonly name: Name;
  readonly why: string;
}

/** `isDegraded`: tools aren't deferred, and `why` is a sentence that warns of it. */
export type Delivery = Choice<DeliveryName> & { readonly isDegraded?: true };

/** Number of our own tools in a request with delivery `bridge`. */
const BRIDGE_TOOLS = 3;

interface DeliveryInputs {
  readonly settings: Pick<Settings, 'delivery' | 'strategy' | 'mode'>;
  readonly model: ModelInfo;
  readonly eager: number;
  /** The number of deferred tools, discovered ones included. If it is 0, the request has no tool of ours. */
  readonly deferred: number;
  /** Whether the provider's code may call tools. It can call only tools that the request defines. */
  readonly providerCode: boolean;
  /** The delivery that the chat began with, if its beginning can be kept. */
  readonly began?: string | undefined;
}

/** Chooses the delivery for a turn. A string says why the one in the settings isn't possible, and the alternatives. */
export function chooseDelivery(inputs: DeliveryInputs): Delivery | string {
  const { settings, model, eager, deferred } = inputs;
  const native = model.native;
  const serverCan =
    native !== undefined &&
    native.strategies.length > 0 &&
    (settings.strategy === 'auto' || native.strategies.includes(settings.strategy));
  const others = ['auto', ...(native?.references ? ['client'] : []), l10n.t('local or bridge')].join(', ');
  const set = l10n.t('set in toolsearch.delivery');

  if (eager + (deferred > 0 ? BRIDGE_TOOLS : 0) > model.maxTools) {
    const advice =
      settings.mode === 'off'
        ? l10n.t(
            'Ask without /eager, or set the mode to auto or on, in toolsearch.mode or for this model in toolsearch.models.',
          )
        : l10n.t('Pin fewer tools as eager (always sent), or list fewer in toolsearch.eagerTools.');
    return `${l10n.t('{0} tools are eager, but {1} accepts at most {2} tools in a request.', eager, model.name, model.maxTools)} ${advice}`;
  }
  switch (settings.delivery) {
    case 'server':
      if (serverCan) return { name: 'server', why: set };
      return native && native.strategies.length > 0
        ? l10n.t(
            'toolsearch.delivery is server, but {0} can’t search with the strategy {1}. Set toolsearch.strategy to {2}, or toolsearch.delivery to {3}.',
            model.name,
            settings.strategy,
            strategyNames(native.strategies),
            others,
          )
        : l10n.t(
            'toolsearch.delivery is server, but {0} has no tool search of its own. Set it to {1}.',
            model.name,
            others,
          );
    case 'client':
      if (native?.references) return { name: 'client', why: set };
      return l10n.t(
        'toolsearch.delivery is client, but {0} takes no tool references. Set it to auto, local or bridge.',
        model.name,
      );
    case 'local':
      return { name: 'local', why: set };
    case 'bridge':
      return { name: 'bridge', why: set };
    case 'auto':
      return automatic(inputs, serverCan);
  }
}

/** Returns the delivery that a turn with the last model would have; without a model, what the setting says. */
export function deliveryBetweenTurns({
  model,
  ...inputs
}: Omit<DeliveryInputs, 'model'> & { readonly model: ModelInfo | undefined }): Choice {
  const name = inputs.settings.delivery;
  if (!model)
    return {
      name,
      why: name === 'auto' ? l10n.t('auto: decided when a model is chosen') : l10n.t('set in toolsearch.delivery'),
    };
  const choice = chooseDelivery({ ...inputs, model });
  return typeof choice === 'string' ? { name, why: choice } : choice;
}

/**
 * Returns the delivery of `auto`. `bridge` costs least in every chat of `npm run bench -- chats`: a search adds
 * signatures to the chat instead of definitions, and the request's tools stay the same.
 */
function automatic({ began, deferred, providerCode, model }: DeliveryInputs, serverCan: boolean): Delivery {
  const canHave = { server: serverCan, client: model.native?.references === true, local: true, bridge: true };
  const kept = (Object.keys(canHave) as DeliveryName[]).find((name) => name === began && canHave[name]);
  if (kept !== undefined) return { name: kept, why: l10n.t('auto: the chat began with it') };
  if (providerCode && (canHave.server || canHave.client))
    return {
      name: canHave.server ? 'server' : 'client',
      why: l10n.t('auto: code at the provider calls only tools that the request defines'),
    };
  if (deferred === 0) return { name: 'local', why: l10n.t('auto: no tool is deferred') };
  return { name: 'bridge', why: l10n.t('auto: costs least, because found tools add no definitions to the chat') };
}

function strategyNames(strategies: readonly string[]): string {
  return ['auto', ...strategies.filter((name) => name !== PROVIDER_STRATEGY)].join(' or ');
}

/** Returns the strategy that a turn runs with, and why. */
export function chooseStrategy(settings: Pick<Settings, 'strategy'>, delivery: string, model?: ModelInfo): Choice {
  if (settings.strategy !== 'auto') return { name: settings.strategy, why: l10n.t('set in toolsearch.strategy') };
  const own = delivery === 'server' ? model?.native?.strategies[0] : undefined;
  return own
    ? { name: own, why: l10n.t('auto: the provider’s own') }
    : { name: 'bm25', why: l10n.t('auto: ranks tools, for every model') };
}
