// Reduces requests of OpenAI's Responses API to the parts that a replay compares.
import type { Json } from '../../src/core/catalog/tool';
import { isObject } from '../../src/core/util/objects';
import type { Body } from './recording';
import type { Entry } from './wire';

export const listOf = (value: Json | undefined): readonly Entry[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((entry): entry is Entry => isObject(entry)) : [];

/** The input as items. */
export function itemsOf({ input }: Body): readonly Entry[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
}

/** The text of a message or an output, in one string or in parts. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => String(part.text ?? part.refusal ?? ''))
    .join('\n');
}

/** Names of the functions of a list of tools, including those in namespaces. */
export function functionNames(tools: Json | undefined): readonly string[] {
  return listOf(tools).flatMap((tool) => (tool.type === 'namespace' ? functionNames(tool.tools) : [String(tool.name)]));
}

/**
 * The parts of a request that are compared; `other` is the request to compare with. In addition to what the README of
 * the recordings calls immaterial, the following is ignored, since both forms request the same from the service:
 * - `store`, `include`, `strict`, `parallel_tool_calls`: choices of the sender. We store nothing at the service, and
 * require the schema from the model wherever the schema permits it.
 * - The description of a namespace: the sender's words about a group of tools. Ours name the server and its tools.
 * - The arguments and the `call_id` of a search that the service ran. The recorder renamed `paths` to `queries` and
 * invented an id in place of the service's null. We send back the service's own.
 * - The results of such a search, if the recorder left them out. We always send them back. The recordings named
 * `stateless_continuation` do so too and were answered.
 * - Whether a loaded function is in its server's namespace: ours are at the top level, so that a choice can demand
 * them.
 * - Items' ids if one side sends none; `status`, `phase`, empty annotations.
 */
export function essence(body: Body, other: Body = body): Json {
  const withIds = itemsOf(body).some(hasId) && itemsOf(other).some(hasId);
  const withFound = itemsOf(other).some(isServersOutput);
  const items = itemsOf(body).filter((item) => withFound || !isServersOutput(item));
  return {
    model: body.model ?? null,
    instructions: body.instructions ?? '',
    choice: choiceOf(body.tool_choice),
    tools: Object.fromEntries(listOf(body.tools).flatMap((tool) => toolEssences(tool))),
    input: items.map((item) =>
      withIds && hasId(item) ? { id: item.id ?? null, ...itemEssence(item) } : itemEssence(item),
    ),
  };
}

const hasId = (item: Entry) => typeof item.id === 'string';
const isServersOutput = (item: Entry) => item.type === 'tool_search_output' && item.execution !== 'client';

/** Each function by its name, with its place; the search tool as a whole. */
function toolEssences(tool: Entry, namespace = ''): readonly (readonly [string, Json])[] {
  if (tool.type === 'namespace') return listOf(tool.tools).flatMap((inner) => toolEssences(inner, String(tool.name)));
  const asked = { description: tool.description ?? '', parameters: tool.parameters ?? null };
  if (tool.type === 'programmatic_tool_calling') return [['(programs)', true]];
  if (tool.type === 'tool_search') return [['(search)', tool.execution === 'client' ? asked : 'server']];
  return [
    [
      String(tool.name),
      {
        ...asked,
        namespace: tool.defer_loading === true ? namespace : '',
        deferred: tool.defer_loading === true,
        callers: tool.allowed_callers ?? ['direct'],
      },
    ],
  ];
}

/** The demand of a tool choice: `auto` demands nothing, and one function is a list of one. */
function choiceOf(choice: Json | undefined): Json {
  if (!isObject(choice)) return choice === 'auto' ? null : ((choice as Json) ?? null);
  if (choice.type !== 'allowed_tools') return { mode: 'required', names: [(choice.name as Json) ?? null] };
  return { mode: (choice.mode as Json) ?? null, names: listOf(choice.tools as Json).map((tool) => tool.name ?? null) };
}

/** The caller of a call, if it isn't the model itself. */
function callerOf({ caller }: Entry): { readonly [key: string]: Json } {
  return isObject(caller) && caller.type !== 'direct' ? { caller: caller as Json } : {};
}

/** The parts of an item that are compared, without its own id. */
export function itemEssence(item: Entry): { readonly [key: string]: Json } {
  const server = item.execution !== 'client';
  switch (item.type) {
    case 'function_call':
      return {
        call: item.name ?? null,
        call_id: item.call_id ?? null,
        namespace: item.namespace ?? null,
        arguments: JSON.parse(String(item.arguments)),
        ...callerOf(item),
      };
    case 'function_call_output':
      return { output: textOf(item.output), call_id: item.call_id ?? null, ...callerOf(item) };
    case 'program':
      return { program: item.code ?? null, call_id: item.call_id ?? null, fingerprint: item.fingerprint ?? null };
    case 'program_output':
      return { result: item.result ?? null, call_id: item.call_id ?? null };
    case 'tool_search_call':
      return server
        ? { search: 'server' }
        : { search: 'client', call_id: item.call_id ?? null, arguments: item.arguments ?? null };
    case 'tool_search_output':
      return { found: functionNames(item.tools), ...(server ? {} : { call_id: item.call_id ?? null }) };
    case 'additional_tools':
      return { adds: Object.fromEntries(listOf(item.tools).flatMap((tool) => toolEssences(tool))) };
    case 'reasoning':
      return { reasoning: item.encrypted_content ?? null };
    default:
      return { says: item.role ?? null, text: textOf(item.content) };
  }
}
