import type { ResponseCreateParamsStreaming, Tool } from 'openai/resources/responses/responses';
import type { ToolDefinition } from '../../core/catalog/tool';
import type { ModelFeatures } from '../../core/models/types';
import type { ModelRequest } from '../../core/ports';
import { l10n } from '../../core/util/l10n';
import type { ModelAccess } from '../access';
import { WITHOUT_SEARCH } from '../capabilities';
import { Refusals, replanned } from '../refusals';
import {
  type Failure,
  isForeign,
  lacksCode,
  lacksEncryptedReasoning,
  lacksReturns,
  lacksToolSearch,
  refusesPart,
  rejectedFunction,
} from './errors';
import { isUnknown } from './input';
import { buildRequest } from './request';

// Learns from the service's refusals, so that requests leave out the parts that it refuses.

/** Fields that a service may not know. `words` matches the refusal of a field; `learned` is the correction. */
const MISSING: readonly {
  readonly field: 'prompt_cache_key' | 'prompt_cache_options' | 'tool_choice';
  readonly words: RegExp;
  readonly learned: Partial<ModelFeatures>;
}[] = [
  { field: 'prompt_cache_key', words: /prompt_cache_key/, learned: { cacheKey: false } },
  { field: 'prompt_cache_options', words: /prompt_cache_options|comparison_response/, learned: { diagnoses: false } },
  { field: 'tool_choice', words: /tool_choice/, learned: { forcesTools: false } },
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
    const sound = {
      ...request,
      tools: this.#refusals.kept(request.tools),
      deferred: this.#refusals.kept(request.deferred),
    };
    const isLoose = (tool: ToolDefinition) => this.#refusals.has('strict', tool);
    const isOpaque = (tool: ToolDefinition) => this.#refusals.has('returns', tool);
    const {
      forcesTools,
      code: runsCode,
      addsTools,
      cacheKey,
      diagnoses,
      encryptsReasoning,
    } = this.#access.capabilities.of('openai', this.#access.model);
    const callersOf = (tool: ToolDefinition) =>
      code && runsCode && !this.#refusals.has('callers', tool) ? tool.callers : undefined;
    return buildRequest(forcesTools ? sound : { ...sound, required: [] }, {
      model: this.#access.model,
      reasoning: encryptsReasoning,
      isLoose,
      isOpaque,
      callersOf,
      replaysCode: this.#replaysCode,
      replaysUnknown: this.#replaysUnknown,
      addsTools: addsTools !== false,
      runsCode: code && runsCode,
      cacheKey,
      diagnoses,
    });
  }

  /**
   * Learns from a refusal how to change the next request. Returns a sentence for the user, or '' if none is needed;
   * undefined if the request can't be corrected.
   */
  learn(failure: Failure, request: ModelRequest, body: ResponseCreateParamsStreaming): string | undefined {
    if (body.include && lacksEncryptedReasoning(failure)) {
      this.#access.capabilities.learn('openai', this.#access.model, { encryptsReasoning: false });
      return '';
    }
    const all = [...request.tools, ...request.deferred];
    if (lacksReturns(failure)) {
      const refused = all.filter(
        (it) => it.callers !== undefined && it.outputSchema && this.#refusals.add('returns', it),
      );
      if (refused.length > 0) return '';
    }
    if (request.deferred.length > 0 && lacksToolSearch(failure)) {
      this.#access.capabilities.learn('openai', this.#access.model, WITHOUT_SEARCH);
      throw replanned(l10n.t('{0} has no tool search of its own.', this.#access.name));
    }
    if (refusesPart(failure, /additional_tools/) && JSON.stringify(body.input).includes('"additional_tools"')) {
      this.#access.capabilities.learn('openai', this.#access.model, { addsTools: false });
      throw replanned(l10n.t('{0} does not accept new tools within a conversation.', this.#access.name));
    }
    const missing = MISSING.find(({ field, words }) => body[field] && refusesPart(failure, words));
    if (missing) {
      this.#access.capabilities.learn('openai', this.#access.model, missing.learned);
      return '';
    }
    if (lacksCode(failure) && this.#access.capabilities.of('openai', this.#access.model).code) {
      this.#access.capabilities.learn('openai', this.#access.model, { code: false });
      return `${this.#access.name} lets no program call tools after all, so they are called directly: ${failure.message}`;
    }
    if (this.#replaysUnknown && failure.param.startsWith('input') && hasUnknownItems(body)) {
      this.#replaysUnknown = false;
      return '';
    }
    if (isForeign(failure) && this.#replaysCode) {
      this.#replaysCode = false;
      return '';
    }
    const rejected = rejectedFunction(failure, body.tools ?? []);
    const tool = rejected && all.find(({ name }) => name === rejected.name);
    if (!rejected || !tool) return undefined;
    if (tool.callers !== undefined && tool.outputSchema && this.#refusals.add('returns', tool)) return '';
    if (sentStrict(body.tools ?? [], tool.name) && this.#refusals.add('strict', tool)) return '';
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
