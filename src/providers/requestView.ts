/**
 * Shows a request as its model reads it: in the form of the model's wire, without the definitions that the provider
 * holds back. Used for the figures of requests that are never sent.
 */
import { joinedTools } from '../core/conversation/joinedTools';
import type { ModelInfo, ModelRequest } from '../core/ports';
import { definitionText } from '../core/usage/tokens';
import { isObject } from '../core/util/objects';
import type { RequestView } from '../core/whatIf/readTokens';
import { toRequest } from './anthropic/request';
import { Capabilities } from './capabilities';
import { Corrections } from './openai/corrections';

/** Returns the view of a request. A model of another vendor reads plain texts. */
export function viewRequest(request: ModelRequest, { vendor, id, name }: ModelInfo): RequestView {
  const capabilities = new Capabilities();
  const theirs = new Set(
    [...request.tools, ...request.deferred, ...joinedTools(request.transcript)].flatMap((tool) =>
      tool.server === '' ? [] : [tool.name],
    ),
  );
  if (vendor.includes('anthropic')) {
    const { body } = toRequest(request, { model: id, capability: capabilities.of('anthropic', id) });
    const tools = (body.tools ?? []).filter((tool) => !('defer_loading' in tool && tool.defer_loading));
    return {
      definitions: lengthOf(tools.filter((tool) => 'name' in tool && theirs.has(tool.name))),
      head: tools.filter((tool) => !('name' in tool && theirs.has(tool.name))).map(written),
      chars: lengthOf(body.messages),
      references: referencesIn(body.messages),
    };
  }
  if (vendor.includes('openai')) {
    const { tools = [], input } = new Corrections({ model: id, name, capabilities }).build(request);
    const isTheirs = (tool: (typeof tools)[number]) => tool.type === 'function' && theirs.has(tool.name);
    const listed = tools.filter((tool) => !isTheirs(tool));
    return {
      definitions: lengthOf(tools.filter(isTheirs)),
      head: listed.map((tool) => written(surfaceOf(tool))),
      chars: lengthOf(input),
      references: [],
    };
  }
  const texts = (own: boolean) =>
    request.tools.filter((tool) => theirs.has(tool.name) !== own).map((tool) => definitionText(tool));
  return {
    definitions: texts(false).join('').length,
    head: texts(true),
    chars: lengthOf(request.transcript),
    references: [],
  };
}

/** Returns the part of a tool's definition that the model reads before a search finds the tool. */
function surfaceOf(tool: { readonly type: string }): unknown {
  if (tool.type !== 'namespace') return tool;
  const { tools: _, ...surface } = tool as { readonly type: string; readonly tools?: unknown };
  return surface;
}

function lengthOf(items: unknown): number {
  return Array.isArray(items) ? items.reduce((sum: number, item) => sum + written(item).length, 0) : 0;
}

/** Returns a value as JSON without the marks of a cache. */
function written(value: unknown): string {
  return JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part)) ?? '';
}

/** Returns the names of tools that Claude's messages refer to. */
function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  if (value.type === 'tool_reference') return [String(value.tool_name ?? value.name)];
  return ['content', 'tool_references', 'tool'].flatMap((field) => referencesIn(value[field]));
}
