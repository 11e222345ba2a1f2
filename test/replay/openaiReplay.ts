import { SEARCH_TOOLS } from '../../src/core/catalog/modelNames';
import type { Json, ToolDefinition } from '../../src/core/catalog/tool';
import type { ToolCall, ToolResult, Transcript, TranscriptItem } from '../../src/core/conversation/transcript';
import { PROVIDER_STRATEGY } from '../../src/core/ports';
import { isObject } from '../../src/core/util/objects';
import { Capabilities } from '../../src/providers/capabilities';
import { createOpenaiPort } from '../../src/providers/openai/openaiPort';
import { openaiAnswer } from './openaiAnswer';
import { essence, functionNames, itemEssence, itemsOf, listOf, textOf } from './openaiEssence';
import type { Body } from './recording';
import type { Entry, ReplayWire, Scene } from './wire';

/** Replays exchanges with the Responses API. */
export const openaiReplay: ReplayWire = {
  wire: 'openai',
  speaks: (url) => /\/responses(\/input_tokens)?(\?|$)/.test(url),
  counts: (url) => url.includes('/input_tokens'),
  createPort: (model, fetch) =>
    createOpenaiPort({
      model,
      name: model,
      apiKey: 'sk-replay',
      baseUrl: 'https://replay.invalid/v1',
      capabilities: new Capabilities(),
      fetch,
    }),
  scene,
  entries: itemsOf,
  essenceOf: itemEssence,
  isReply,
  said: (entries) => said(entries),
  history,
  answer: openaiAnswer,
  essence,
  ignored: () => [],
};

/** Whether the model or its service wrote an item. A search's output counts only if the service searched. */
function isReply(item: Entry): boolean {
  switch (item.type) {
    case 'function_call_output':
    case 'additional_tools':
      return false;
    case 'tool_search_output':
      return item.execution !== 'client';
    default:
      return item.type === 'message' || item.type === undefined ? item.role === 'assistant' : true;
  }
}

function scene(body: Body): Scene {
  const tools = listOf(body.tools);
  const search = tools.find((tool) => tool.type === 'tool_search');
  const client = search?.execution === 'client';
  const functions = tools.flatMap((tool) =>
    tool.type === 'namespace'
      ? listOf(tool.tools).map((inner) => placed(inner, String(tool.name)))
      : [placed(tool, '')],
  );
  const named = functions.filter(({ tool }) => tool.type === 'function');
  const own = {
    id: SEARCH_TOOLS,
    server: '',
    name: SEARCH_TOOLS,
    description: String(search?.description ?? ''),
    inputSchema: objectOf(search?.parameters),
  };
  return {
    system: typeof body.instructions === 'string' ? body.instructions : '',
    tools: [...(client ? [own] : []), ...named.filter(({ deferred }) => !deferred).map(({ definition }) => definition)],
    deferred: search ? named.filter(({ deferred }) => deferred).map(({ definition }) => definition) : [],
    delivery: search ? (client ? 'client' : 'server') : 'local',
    strategy: PROVIDER_STRATEGY,
    required: demanded(body.tool_choice),
  };
}

function placed(tool: Entry, server: string) {
  const name = String(tool.name);
  const definition: ToolDefinition = {
    id: name,
    server,
    name,
    description: String(tool.description ?? ''),
    inputSchema: objectOf(tool.parameters),
    ...callersOf(tool),
  };
  return { tool, definition, deferred: tool.defer_loading === true };
}

function callersOf({ allowed_callers: callers }: Entry): Pick<ToolDefinition, 'callers'> {
  if (!Array.isArray(callers) || !callers.includes('programmatic')) return {};
  return { callers: callers.includes('direct') ? 'both' : 'code' };
}

function objectOf(value: Json | undefined): { readonly [name: string]: unknown } {
  return isObject(value) ? value : { type: 'object', properties: {} };
}

function demanded(choice: Json | undefined): readonly string[] {
  if (!isObject(choice)) return [];
  const named = choice.type === 'allowed_tools' ? listOf(choice.tools as Json) : [choice];
  return named.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

function said(items: readonly Entry[]): readonly TranscriptItem[] {
  const results = items.flatMap((item): readonly ToolResult[] => {
    const callId = String(item.call_id);
    if (item.type === 'function_call_output')
      return [{ callId, outcome: 'ok', parts: [{ type: 'text', text: textOf(item.output) }] }];
    if (item.type !== 'tool_search_output') return [];
    return [
      {
        callId,
        outcome: 'ok',
        parts: [],
        search: { queries: [], strategy: 'client', found: functionNames(item.tools) },
      },
    ];
  });
  const prompts = items.flatMap((item): readonly TranscriptItem[] => {
    if (item.type === 'additional_tools') {
      const joined = listOf(item.tools).map((tool) => placed(tool, '').definition);
      return [{ kind: 'user', note: true, text: '', joined }];
    }
    return item.role === 'user' ? [{ kind: 'user', text: textOf(item.content) }] : [];
  });
  return [...(results.length > 0 ? [{ kind: 'results' as const, results }] : []), ...prompts];
}

/** A conversation whose replies aren't in the recording, in its neutral form. */
function history(items: readonly Entry[], { model }: Body): Transcript {
  const transcript: TranscriptItem[] = [];
  for (let next = 0; next < items.length; ) {
    const wrote = items[next] !== undefined && isReply(items[next] as Entry);
    let end = next;
    while (end < items.length && isReply(items[end] as Entry) === wrote) end++;
    const part = items.slice(next, end);
    transcript.push(...(wrote ? [reply(part, String(model))] : said(part)));
    next = end;
  }
  return transcript;
}

function callerOf({ caller }: Entry): Pick<ToolCall, 'caller'> {
  return isObject(caller) && typeof caller.caller_id === 'string' ? { caller: caller.caller_id } : {};
}

function reply(items: readonly Entry[], model: string): TranscriptItem {
  const calls = items.flatMap((item): readonly ToolCall[] => {
    if (item.type === 'function_call')
      return [
        {
          callId: String(item.call_id),
          name: String(item.name),
          input: JSON.parse(String(item.arguments)),
          ...callerOf(item),
        },
      ];
    if (item.type !== 'tool_search_call' || item.execution !== 'client') return [];
    return [{ callId: String(item.call_id), name: SEARCH_TOOLS, input: item.arguments }];
  });
  const searches = items
    .filter((item) => item.type === 'tool_search_output')
    .map((item) => ({ queries: [], strategy: PROVIDER_STRATEGY, found: functionNames(item.tools) }));
  const text = items.flatMap((item) => (item.role === 'assistant' ? [textOf(item.content)] : [])).join('\n\n');
  // A program must be sent back exactly as it was written.
  const kept =
    calls.some(({ caller }) => caller) || items.some(({ type }) => type === 'program' || type === 'program_output');
  return {
    kind: 'assistant',
    text,
    calls,
    ...(searches.length > 0 ? { searches } : {}),
    ...(kept ? { opaque: [{ wire: 'openai' as const, model, value: items as readonly Json[] }] } : {}),
  };
}
