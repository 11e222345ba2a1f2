import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import type { ModelRequest } from '../../core/ports';
import { longHash } from '../../core/util/hash';
import { lastReplyId } from '../lastReply';
import { inputItems, type ReplayOptions } from './input';
import { type LayoutOptions, layOut } from './layout';

/**
 * Builds a request to the Responses API. The service stores nothing (`store: false`), so each request contains the
 * whole conversation. If tools are demanded, the list of tools stays the same and only the choice is restricted, so
 * that the cached prefix stays valid.
 */
export function buildRequest(
  request: ModelRequest,
  options: LayoutOptions & ReplayOptions,
): ResponseCreateParamsStreaming {
  const { model, features = {} } = options;
  const layout = layOut(request, options);
  const compared = features.diagnoses ? lastReplyId(request, 'openai', model) : undefined;
  const direct = request.required.filter((name) => layout.has(name) && layout.isDirect(name));
  // A tool that was added in mid-conversation can't be demanded. The model is then free to choose.
  const demanded = direct.every((name) => layout.canDemand(name)) ? direct : [];
  return {
    model,
    stream: true,
    store: false,
    ...(features.encryptsReasoning ? { include: ['reasoning.encrypted_content'] as const } : {}),
    ...(features.cacheKey ? { prompt_cache_key: cacheKeyOf(request) } : {}),
    ...(compared === undefined ? {} : { prompt_cache_options: { comparison_response_id: compared } }),
    ...(request.system ? { instructions: request.system } : {}),
    ...(layout.tools.length > 0 ? { tools: [...layout.tools] } : {}),
    ...(demanded.length > 0
      ? {
          tool_choice: {
            type: 'allowed_tools',
            mode: 'required',
            tools: demanded.map((name) => ({ type: 'function', name })),
          },
        }
      : {}),
    input: inputItems(request, layout, options),
  };
}

/**
 * Returns the cache key. Requests with the same instructions and tools have the same key, also in new chats and after
 * the history was shortened.
 */
function cacheKeyOf({ system, tools }: ModelRequest): string {
  return `toolsearch-${longHash(JSON.stringify([system, tools.map(({ name }) => name)]))}`;
}
