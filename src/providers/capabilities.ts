import { modelFacts } from '../core/models/modelFacts';
import type { ModelFeatures } from '../core/models/types';
import type { ModelInfo, NativeSearch } from '../core/ports';
import type { ServiceId } from '../core/settings/modelServices';

/** The maximum number of deferred tools in one request. Both services document this limit or name it in an error. */
const MAX_DEFERRED = 10_000;

/** The abilities of models: the table, and the corrections from refusals in this session. */
export class Capabilities {
  readonly #learned = new Map<string, Partial<ModelFeatures>>();

  of(provider: ServiceId, model: string): ModelFeatures {
    return { ...modelFacts(provider, model).features, ...this.#learned.get(`${provider}/${model}`) };
  }

  learn(provider: ServiceId, model: string, correction: Partial<ModelFeatures>): void {
    const key = `${provider}/${model}`;
    this.#learned.set(key, { ...this.#learned.get(key), ...correction });
  }

  /** Returns a model's description, with which the core plans requests. */
  describe(
    vendor: ServiceId,
    { model, name }: { readonly model: string; readonly name: string },
    maxTools: number,
  ): ModelInfo {
    const capability = this.of(vendor, model);
    const native = nativeSearch(capability);
    return {
      id: model,
      vendor,
      name,
      maxInputTokens: capability.maxInputTokens,
      toolCalling: true,
      runsCode: capability.code,
      addsTools: capability.addsTools !== false,
      // Claude's cache holds messages for one `tool_choice` only.
      forcesCalls: vendor === 'openai' && capability.forcesTools,
      removesTools: vendor === 'anthropic' && capability.addsTools !== false,
      maxTools,
      ...(capability.retires ? { retires: capability.retires } : {}),
      ...(native ? { native: { ...native, describesServers: vendor === 'openai' } } : {}),
    };
  }
}

/** The correction for a model that turns out to have no tool search of its own. */
export const WITHOUT_SEARCH: Partial<ModelFeatures> = { strategies: [], references: false };

/** Returns the provider's own search as the core needs it to choose a delivery; undefined if the model has none. */
export function nativeSearch(capability: ModelFeatures): NativeSearch | undefined {
  const { strategies, references } = capability;
  return strategies.length > 0 || references ? { strategies, references, maxDeferred: MAX_DEFERRED } : undefined;
}
