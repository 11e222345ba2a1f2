import type { ModelInfo } from './ports';
import type { Settings } from './settings';

/** How a found tool reaches the model. `server` and `client` need a provider that knows tool references. */
export type DeliveryName = 'server' | 'client' | 'local' | 'bridge';

/** A named choice and the reason for it, in words for the inspector. */
export interface Choice<Name extends string = string> {
  readonly name: Name;
  readonly why: string;
}

export type DeliveryChoice =
  | { readonly ok: true; readonly delivery: Choice<DeliveryName> }
  | { readonly ok: false; readonly message: string };

/** How many found tools a turn should be able to take in before `local` counts as fitting. */
const HEADROOM = 20;

/** How many tools of our own each delivery puts into a request. */
export const OWN_TOOLS: { readonly [name in DeliveryName]: number } = { server: 1, client: 1, local: 1, bridge: 3 };

/**
 * Chooses the delivery for a turn. A delivery that was named and can't be had is an error that names the alternatives,
 * never a silent replacement.
 */
export function chooseDelivery(inputs: {
  readonly settings: Pick<Settings, 'delivery' | 'strategy'>;
  readonly model: ModelInfo;
  readonly eager: number;
  /** Deferred tools, discovered ones among them; with none there is nothing to deliver, and no tool of ours in the request. */
  readonly deferred: number;
  readonly discovered: number;
}): DeliveryChoice {
  const { settings, model, eager, deferred, discovered } = inputs;
  const native = model.native;
  const serverCan = native !== undefined && (settings.strategy === 'auto' || native.strategies.includes(settings.strategy));
  const localFits = eager + discovered + OWN_TOOLS.local + HEADROOM <= model.maxTools;
  const set = 'set in toolsearch.delivery';
  const refuse = (message: string): DeliveryChoice => ({ ok: false, message });
  const choose = (name: DeliveryName, why: string): DeliveryChoice => ({ ok: true, delivery: { name, why } });

  if (eager + (deferred > 0 ? OWN_TOOLS.bridge : 0) > model.maxTools) {
    return refuse(
      `${eager} tools are eager, but ${model.name} takes ${model.maxTools} tools in a request. Set toolsearch.mode to auto or on, or pin fewer tools eager.`,
    );
  }
  switch (settings.delivery) {
    case 'server':
      return serverCan
        ? choose('server', set)
        : refuse(
            `toolsearch.delivery is server, but ${model.name} has no tool search of its own for the strategy ${settings.strategy}. Set it to auto, local or bridge.`,
          );
    case 'client':
      return native?.references
        ? choose('client', set)
        : refuse(`toolsearch.delivery is client, but ${model.name} takes no tool references. Set it to auto, local or bridge.`);
    case 'local':
      return choose('local', set);
    case 'bridge':
      return choose('bridge', set);
    case 'auto':
      if (serverCan) return choose('server', 'auto: the provider searches');
      if (native?.references) return choose('client', 'auto: the provider takes references');
      if (localFits || deferred === 0) return choose('local', 'auto: works with any model');
      return choose('bridge', `auto: found tools would pass this model’s ${model.maxTools} tools`);
  }
}

/** The strategy that a turn runs with, and why. */
export function chooseStrategy(settings: Pick<Settings, 'strategy'>): Choice {
  return settings.strategy === 'auto'
    ? { name: 'bm25', why: 'auto: ranks for every model' }
    : { name: settings.strategy, why: 'set in toolsearch.strategy' };
}
