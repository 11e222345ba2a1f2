// Chooses how found tools reach the model (the delivery) and which strategy searches them.

import { type DeliveryName, type ModelInfo, PROVIDER_STRATEGY } from '../ports';
import type { Settings } from '../settings/settings';
import { l10n } from '../util/l10n';

/** A named choice and the reason for it, in words for the inspector. */
export interface Choice<Name extends string = string> {
  readonly name: Name;
  readonly why: string;
}

/** `degraded`: one sentence on why a better delivery isn't possible. */
export type Delivery = Choice<DeliveryName> & { readonly degraded?: string };

type DeliveryChoice =
  | { readonly ok: true; readonly delivery: Delivery }
  | { readonly ok: false; readonly message: string };

/** Number of found tools for which a request must still have room before `local` is chosen. */
const HEADROOM = 20;

/** Number of our own tools in a request with delivery `bridge`. */
const BRIDGE_TOOLS = 3;

/** Returns the number of our own tools in a request with delivery `local`, with `run_code` if `code` is set. */
export function localToolCount(code: boolean): number {
  return code ? 2 : 1;
}

/**
 * Chooses the delivery for a turn. If the settings name a delivery that isn't possible, the result is an error that
 * names the alternatives, never a silent replacement.
 */
export function chooseDelivery(inputs: {
  readonly settings: Pick<Settings, 'delivery' | 'strategy' | 'mode'>;
  readonly model: ModelInfo;
  readonly eager: number;
  /**
   * Number of deferred tools, including discovered ones. If it is 0, nothing has to be delivered and the request has no
   * tool of ours.
   */
  readonly deferred: number;
  readonly discovered: number;
  /** Whether the model is offered scripts. */
  readonly code: boolean;
}): DeliveryChoice {
  const { settings, model, eager, deferred, discovered, code } = inputs;
  const native = model.native;
  const serverCan =
    native !== undefined &&
    native.strategies.length > 0 &&
    (settings.strategy === 'auto' || native.strategies.includes(settings.strategy));
  const others = ['auto', ...(native?.references ? ['client'] : []), 'local or bridge'].join(', ');
  const localFits = eager + discovered + localToolCount(true) + HEADROOM <= model.maxTools;
  const set = l10n.t('set in toolsearch.delivery');
  const refuse = (message: string): DeliveryChoice => ({ ok: false, message });
  const choose = (name: DeliveryName, why: string): DeliveryChoice => ({ ok: true, delivery: { name, why } });

  if (eager + (deferred > 0 ? BRIDGE_TOOLS : 0) > model.maxTools) {
    const advice =
      settings.mode === 'off'
        ? l10n.t(
            'Ask without /eager, or set the mode to auto or on, in toolsearch.mode or for this model in toolsearch.models.',
          )
        : l10n.t('Pin fewer tools as eager (always sent), or list fewer in toolsearch.eagerTools.');
    return refuse(
      `${l10n.t('{0} tools are eager, but {1} accepts at most {2} tools in a request.', eager, model.name, model.maxTools)} ${advice}`,
    );
  }
  switch (settings.delivery) {
    case 'server':
      return serverCan
        ? choose('server', set)
        : refuse(
            native && native.strategies.length > 0
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
                ),
          );
    case 'client':
      return native?.references
        ? choose('client', set)
        : refuse(
            l10n.t(
              'toolsearch.delivery is client, but {0} takes no tool references. Set it to auto, local or bridge.',
              model.name,
            ),
          );
    case 'local':
      return choose('local', set);
    case 'bridge':
      return choose('bridge', set);
    case 'auto':
      if (serverCan) return choose('server', l10n.t('auto: the provider searches'));
      if (native?.references) return choose('client', l10n.t('auto: the provider takes references'));
      return withDegraded(
        ownDelivery(localFits || deferred === 0, code && deferred > 0, model),
        deferred > 0 ? model.degraded : undefined,
      );
  }
}

/**
 * Returns the delivery for a provider without tool search of its own. A model with scripts needs no definitions: nine
 * tasks over real servers (`npm run bench -- code`) take 45 % fewer tokens with `bridge` and `run_code` than with found
 * tools in the request. Direct calls over `bridge` save nothing, so without scripts a found tool becomes a tool of the
 * request, as models are trained for.
 */
function ownDelivery(localFits: boolean, code: boolean, model: ModelInfo): Choice<DeliveryName> {
  if (code) return { name: 'bridge', why: l10n.t('auto: scripts need only signatures, no definitions') };
  if (localFits) return { name: 'local', why: l10n.t('auto: works with any model') };
  return {
    name: 'bridge',
    why: l10n.t('auto: with the found tools, a request could exceed this model’s limit of {0} tools', model.maxTools),
  };
}

function withDegraded(delivery: Delivery, degraded: string | undefined): DeliveryChoice {
  return { ok: true, delivery: degraded === undefined ? delivery : { ...delivery, degraded } };
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
