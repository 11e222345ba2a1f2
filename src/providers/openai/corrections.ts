import type { ResponseCreateParamsStreaming, Tool } from 'openai/resources/responses/responses';
import type { ToolDefinition } from '../../core/catalog/tool';
import type { ModelFeatures } from '../../core/models/types';
import type { ModelRequest } from '../../core/ports';
import { l10n } from '../../core/util/l10n';
import { WITHOUT_SEARCH } from '../capabilities';
import type { Failure } from '../failures';
import type { ModelAccess } from '../modelAccess';
import { Refusals, replanned } from '../refusals';
import { isUnknown } from './input';
import {
  isForeign,
  lacksCode,
  lacksEncryptedReasoning,
  lacksReturns,
  lacksToolSearch,
  refusesPart,
  rejectedFunction,
} from './recognizeRefusal';
import { buildRequest } from './request';

// Learns from the service's refusals, so that requests leave out the parts that it refuses.

/** Features of requests that a model or a gateway may lack, by the field that its refusal names. */
const FEATURES: readonly {
  readonly isUsed: (body: ResponseCreateParamsStreaming, request: ModelRequest, features: ModelFeatures) => boolean;
  readonly lacks: (failure: Failure) => boolean;
  readonly learned: Partial<ModelFeatures>;
  /** What the user is told before the turn is planned again; if absent, the request is sent again without the feature. */
  readonly replanned?: (name: string) => string;
  readonly told?: (name: string, why: string) => string;
}[] = [
  { isUsed: ({ include }) => Boolean(include), lacks: lacksEncryptedReasoning, learned: { encryptsReasoning: false } },
  {
    isUsed: (_, { deferred }) => deferred.length > 0,
    lacks: lacksToolSearch,
    learned: WITHOUT_SEARCH,
    replanned: (name) => l10n.t('{0} has no tool search of its own.', name),
  },
  {
    isUsed: ({ input }) => JSON.stringify(input).includes('"additional_tools"'),
    lacks: refusesPart(/additional_tools/),
    learned: { addsTools: false },
    replanned: (name) => l10n.t('{0} does not accept new tools within a conversation.', name),
  },
  {
    isUsed: (body) => Boolean(body.prompt_cache_key),
    lacks: refusesPart(/prompt_cache_key/),
    learned: { cacheKey: false },
  },
  {
    isUsed: (body) => Boolean(body.prompt_cache_options),
    lacks: refusesPart(/prompt_cache_options|comparison_response/),
    learned: { diagnoses: false },
  },
  {
    isUsed: (body) => Boolean(body.tool_choice),
    lacks: refusesPart(/tool_choice/),
    learned: { forcesTools: false },
  },
  {
    isUsed: (_body, _request, { code }) => code,
    lacks: lacksCode,
    learned: { code: false },
    told: (name, why) =>
      l10n.t('{0} lets no program call tools after all, so they are called directly: {1}', name, why),
  },
];

/** The parts that the service has refused for one model. Requests are built without them. */
export class Corrections {
  readonly #access: Pick<ModelAccess, 'model' | 'name' | 'capabilities'>;
  readonly #refusals = new Refusals();
  /** Whether the service accepts programs of earlier replies. It refuses the programs of another account. */
  #replaysCode = true;
  /** Whether the service accepts items of unknown kinds in earlier replies. */
  #replaysUnknown = true;

  constructor(access: Pick<ModelAccess, 'model' | 'name' | 'capabilities'>) {
    this.#access = access;
  }

  /** @param code false if the request can't contain programs, as in a count */
  build(request: ModelRequest, { code = true }: { readonly code?: boolean } = {}): ResponseCreateParamsStreaming {
    const { model, capabilities } = this.#access;
    const features = capabilities.of('openai', model);
    const sound = {
      ...request,
      tools: this.#refusals.kept(request.tools),
      deferred: this.#refusals.kept(request.deferred),
      required: features.forcesTools ? request.required : [],
    };
    return buildRequest(sound, {
      model,
      features: code ? features : { ...features, code: false },
      refusals: this.#refusals,
      replaysCode: this.#replaysCode,
      replaysUnknown: this.#replaysUnknown,
    });
  }

  /**
   * Learns from a refusal how to change the next request. Returns a sentence for the user, or '' if none is needed;
   * undefined if the request can't be corrected.
   */
  learn(failure: Failure, request: ModelRequest, body: ResponseCreateParamsStreaming): string | undefined {
    const all = [...request.tools, ...request.deferred];
    return (
      this.#withoutReturns(failure, all) ??
      this.#withoutFeature(failure, request, body) ??
      this.#withoutReplay(failure, body) ??
      this.#withoutPartOfTool(failure, all, body)
    );
  }

  #withoutReturns(failure: Failure, all: readonly ToolDefinition[]): string | undefined {
    if (!lacksReturns(failure)) return undefined;
    const refused = all.filter(
      (it) => it.callers !== undefined && it.outputSchema && this.#refusals.add('returns', it),
    );
    return refused.length > 0 ? '' : undefined;
  }

  #withoutFeature(failure: Failure, request: ModelRequest, body: ResponseCreateParamsStreaming): string | undefined {
    const { model, name, capabilities } = this.#access;
    const features = capabilities.of('openai', model);
    const feature = FEATURES.find((each) => each.lacks(failure) && each.isUsed(body, request, features));
    if (!feature) return undefined;
    capabilities.learn('openai', model, feature.learned);
    if (feature.replanned) throw replanned(feature.replanned(name));
    return feature.told?.(name, failure.message) ?? '';
  }

  #withoutReplay(failure: Failure, body: ResponseCreateParamsStreaming): string | undefined {
    if (this.#replaysUnknown && failure.param.startsWith('input') && hasUnknownItems(body)) {
      this.#replaysUnknown = false;
      return '';
    }
    if (!isForeign(failure) || !this.#replaysCode) return undefined;
    this.#replaysCode = false;
    return '';
  }

  #withoutPartOfTool(
    failure: Failure,
    all: readonly ToolDefinition[],
    { tools = [] }: ResponseCreateParamsStreaming,
  ): string | undefined {
    const rejected = rejectedFunction(failure, tools);
    const tool = rejected && all.find(({ name }) => name === rejected.name);
    if (!rejected || !tool) return undefined;
    if (tool.callers !== undefined && tool.outputSchema && this.#refusals.add('returns', tool)) return '';
    if (sentStrict(tools, tool.name) && this.#refusals.add('strict', tool)) return '';
    return this.#refusals.leaveOut(tool, 'OpenAI', rejected.why);
  }
}

function sentStrict(tools: readonly Tool[], name: string): boolean {
  return tools.some((tool) =>
    tool.type === 'namespace'
      ? sentStrict(tool.tools as readonly Tool[], name)
      : tool.type === 'function' && tool.name === name && tool.strict,
  );
}

function hasUnknownItems({ input }: ResponseCreateParamsStreaming): boolean {
  return Array.isArray(input) && input.some((item) => 'type' in item && isUnknown(item));
}
