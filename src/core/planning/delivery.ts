import { type DeliveryName, type ModelInfo, PROVIDER_STRATEGY } from '../ports';
import type { Settings } from '../settings/settings';

/** A named choice and the reason for it, in words for the inspector. */
export interface Choice<Name extends string = string> {
  readonly name: Name;
  readonly why: string;
}

/** `degraded`: one sentence on why a better delivery wasn't to be had. */
export type Delivery = Choice<DeliveryName> & { readonly degraded?: string };

type DeliveryChoice =
  | { readonly ok: true; readonly delivery: Delivery }
  | { readonly ok: false; readonly message: string };

/** How many found tools a turn should be able to take in before `local` counts as fitting. */
const HEADROOM = 20;

/** How many tools of our own each delivery puts into a request. */
const OWN_TOOLS: { readonly [name in DeliveryName]: number } = { server: 1, client: 1, local: 1, bridge: 3 };

/** As {@link OWN_TOOLS}, with `run_code` where it is offered: in a bridge it takes the place of `describe_tool`. */
export function ownToolCount(delivery: DeliveryName, code: boolean): number {
  return OWN_TOOLS[delivery] + (code && delivery !== 'bridge' ? 1 : 0);
}

/**
 * Chooses the delivery for a turn. A delivery that was named and can't be had is an error that names the alternatives,
 * never a silent replacement.
 */
export function chooseDelivery(inputs: {
  readonly settings: Pick<Settings, 'delivery' | 'strategy' | 'mode'>;
  readonly model: ModelInfo;
  readonly eager: number;
  /** Deferred tools, discovered ones among them; with none there is nothing to deliver, and no tool of ours in the request. */
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
  const localFits = eager + discovered + ownToolCount('local', true) + HEADROOM <= model.maxTools;
  const set = 'set in toolsearch.delivery';
  const refuse = (message: string): DeliveryChoice => ({ ok: false, message });
  const choose = (name: DeliveryName, why: string): DeliveryChoice => ({ ok: true, delivery: { name, why } });

  if (eager + (deferred > 0 ? OWN_TOOLS.bridge : 0) > model.maxTools) {
    const advice =
      settings.mode === 'off'
        ? 'Ask without /eager, or set the mode to auto or on, in toolsearch.mode or for this model in toolsearch.models.'
        : 'Pin fewer tools eager, or list fewer in toolsearch.eagerTools.';
    return refuse(
      `${eager} tools are eager, but ${model.name} accepts at most ${model.maxTools} tools in a request. ${advice}`,
    );
  }
  switch (settings.delivery) {
    case 'server':
      return serverCan
        ? choose('server', set)
        : refuse(
            native && native.strategies.length > 0
              ? `toolsearch.delivery is server, but ${model.name} can't search with the strategy ${settings.strategy}. Set toolsearch.strategy to ${strategyNames(native.strategies)}, or toolsearch.delivery to ${others}.`
              : `toolsearch.delivery is server, but ${model.name} has no tool search of its own. Set it to ${others}.`,
          );
    case 'client':
      return native?.references
        ? choose('client', set)
        : refuse(
            `toolsearch.delivery is client, but ${model.name} takes no tool references. Set it to auto, local or bridge.`,
          );
    case 'local':
      return choose('local', set);
    case 'bridge':
      return choose('bridge', set);
    case 'auto':
      if (serverCan) return choose('server', 'auto: the provider searches');
      if (native?.references) return choose('client', 'auto: the provider takes references');
      return withDegraded(
        ownDelivery(localFits || deferred === 0, code && deferred > 0, model),
        deferred > 0 ? model.degraded : undefined,
      );
  }
}

/**
 * Where the provider knows nothing of tool search. A model with scripts needs no definitions: nine tasks over real servers
 * (`npm run bench -- code`) take 24 % less with a bridge beside `run_code` than with found tools in the request, and direct
 * calls over a bridge no more than without one. Without scripts a tool of its own is what models know best.
 */
function ownDelivery(localFits: boolean, code: boolean, model: ModelInfo): Choice<DeliveryName> {
  if (code) return { name: 'bridge', why: 'auto: scripts need signatures alone, no definitions' };
  if (localFits) return { name: 'local', why: 'auto: works with any model' };
  return { name: 'bridge', why: `auto: found tools would pass this model’s ${model.maxTools} tools` };
}

function withDegraded(delivery: Delivery, degraded: string | undefined): DeliveryChoice {
  return { ok: true, delivery: degraded === undefined ? delivery : { ...delivery, degraded } };
}

function strategyNames(strategies: readonly string[]): string {
  return ['auto', ...strategies.filter((name) => name !== PROVIDER_STRATEGY)].join(' or ');
}

/** The strategy that a turn runs with, and why. */
export function chooseStrategy(settings: Pick<Settings, 'strategy'>, delivery: string, model?: ModelInfo): Choice {
  if (settings.strategy !== 'auto') return { name: settings.strategy, why: 'set in toolsearch.strategy' };
  const own = delivery === 'server' ? model?.native?.strategies[0] : undefined;
  return own ? { name: own, why: 'auto: the provider’s own' } : { name: 'bm25', why: 'auto: ranks for every model' };
}
