// Reads and compares recorded exchanges with Anthropic's Messages API, for `npm run replay`.
import type { Json, ToolDefinition } from '../../src/core/catalog/tool';
import type {
  ResultPart,
  ToolCall,
  ToolResult,
  Transcript,
  TranscriptItem,
} from '../../src/core/conversation/transcript';
import { isObject } from '../../src/core/util/objects';
import { createAnthropicPort } from '../../src/providers/anthropic/anthropicPort';
import { Capabilities } from '../../src/providers/capabilities';
import type { Body, Interaction } from './recording';
import type { Entry, ReplayWire, Scene } from './wire';

type Block = { readonly type: string; readonly [key: string]: Json };
type RecordedTool = { readonly [key: string]: Json };

/** Replays exchanges with the Messages API. */
export const anthropicReplay: ReplayWire = {
  wire: 'anthropic',
  speaks: (url) => /\/v1\/messages(\/count_tokens)?(\?|$)/.test(url),
  counts: (url) => url.includes('/count_tokens'),
  createPort: (model, fetch) =>
    createAnthropicPort({
      model,
      name: model,
      apiKey: 'sk-ant-replay',
      baseUrl: 'https://replay.invalid',
      capabilities: new Capabilities(),
      fetch,
    }),
  scene,
  entries: messagesOf,
  essenceOf: messageEssence,
  isReply: (entry) => entry.role === 'assistant',
  said: (entries, calls) =>
    entries.flatMap((entry) =>
      entry.role === 'system' ? [note(entry)] : saidBlocks(blocksOf(entry.content), new Map(calls)),
    ),
  history,
  answer,
  essence,
  ignored: (body) => messagesOf(body).flatMap(leftOut),
};

function messagesOf({ messages }: Body): readonly Entry[] {
  return Array.isArray(messages) ? messages.filter((message): message is Entry => isObject(message)) : [];
}

function scene(body: Body): Scene {
  const tools = toolsOf(body);
  const searchTool = tools.find(isSearchTool) ?? leftOutSearchTool(body);
  const custom = [...tools.filter((tool) => !isServerTool(tool)), ...standInForCode(tools)];
  const deferred = custom.filter((tool) => tool.defer_loading === true);
  const refers = deferred.length > 0 || JSON.stringify(body.messages ?? '').includes('"tool_reference"');
  return {
    system: systemText(body.system),
    tools: custom.filter((tool) => tool.defer_loading !== true).map(definition),
    deferred: deferred.map(definition),
    delivery: searchTool ? 'server' : refers ? 'client' : 'local',
    strategy: String(searchTool?.type).includes('regex') ? 'regex' : 'bm25',
    required: requiredNames(body.tool_choice, custom),
  };
}

/**
 * The search tool that a count request leaves out although the conversation used it. Only a count has no `max_tokens`.
 */
function leftOutSearchTool(body: Body): RecordedTool | undefined {
  const name =
    body.max_tokens === undefined
      ? /"tool_search_tool_(?:bm25|regex)"/.exec(JSON.stringify(body.messages ?? ''))?.[0]
      : undefined;
  return name ? { type: JSON.parse(name) } : undefined;
}

function requiredNames(choice: Json | undefined, tools: readonly RecordedTool[]): readonly string[] {
  if (!isObject(choice)) return [];
  if (choice.type === 'tool') return [String(choice.name)];
  return choice.type === 'any'
    ? tools.filter((tool) => tool.defer_loading !== true).map((tool) => String(tool.name))
    : [];
}

function definition(tool: RecordedTool): ToolDefinition {
  const name = String(tool.name);
  const examples = Array.isArray(tool.input_examples)
    ? tool.input_examples.filter(isObject).map((args) => ({ args: args as Body }))
    : [];
  return {
    id: name,
    server: '',
    name,
    description: typeof tool.description === 'string' ? tool.description : '',
    inputSchema: isObject(tool.input_schema) ? tool.input_schema : {},
    ...(examples.length > 0 ? { examples } : {}),
    ...callersOf(tool),
  };
}

function callersOf({ allowed_callers: callers }: RecordedTool): Pick<ToolDefinition, 'callers'> {
  if (!Array.isArray(callers) || callers.every((caller) => caller === 'direct')) return {};
  return { callers: callers.includes('direct') ? 'both' : 'code' };
}

/**
 * A tool that is added if the recording has none that code can call, since the adapter needs one to offer code. It
 * isn't compared.
 */
const STAND_IN = 'stand_in_for_code';

function standInForCode(tools: readonly RecordedTool[]): readonly RecordedTool[] {
  if (!tools.some(isCodeTool) || tools.some((tool) => callersOf(tool).callers)) return [];
  return [{ name: STAND_IN, allowed_callers: ['code_execution_20260120'], input_schema: { type: 'object' } }];
}

function isCodeTool(tool: RecordedTool): boolean {
  return typeof tool.type === 'string' && tool.type.startsWith('code_execution');
}

const isServerTool = (tool: RecordedTool): boolean => isSearchTool(tool) || isCodeTool(tool);

function toolsOf(body: Body): readonly RecordedTool[] {
  return Array.isArray(body.tools) ? body.tools.filter((tool): tool is RecordedTool => isObject(tool)) : [];
}

function isSearchTool(tool: RecordedTool): boolean {
  return typeof tool.type === 'string' && tool.type.startsWith('tool_search_tool');
}

function blocksOf(content: Json | undefined): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content)
    ? content.filter((block): block is Block => isObject(block) && typeof block.type === 'string')
    : [];
}

function callerOf({ caller }: Block): Pick<ToolCall, 'caller'> {
  return isObject(caller) && typeof caller.tool_id === 'string' ? { caller: caller.tool_id } : {};
}

/**
 * A conversation whose replies aren't in the recording: the adapter's own blocks as they were kept, everything else in
 * neutral form.
 */
function history(entries: readonly Entry[], { container }: Body): Transcript {
  const calls = new Map<string, string>();
  const kept = typeof container === 'string' ? { container } : {};
  return entries.flatMap((entry): readonly TranscriptItem[] => {
    const blocks = blocksOf(entry.content);
    if (entry.role === 'system') return [note(entry)];
    if (entry.role !== 'assistant') return saidBlocks(blocks, calls);
    const made = blocks
      .filter((block) => block.type === 'tool_use')
      .map(
        (block): ToolCall => ({
          callId: String(block.id),
          name: String(block.name),
          input: block.input,
          ...callerOf(block),
        }),
      );
    for (const call of made) calls.set(call.callId, call.name);
    const neutral = /^(text )?(tool_use )*$/.test(blocks.map((block) => `${block.type} `).join(''));
    const text = blocks.map((block) => (block.type === 'text' ? String(block.text) : '')).join('');
    return [
      {
        kind: 'assistant',
        text,
        calls: made,
        ...(neutral ? {} : { opaque: [{ wire: 'anthropic' as const, value: blocks as readonly Json[], ...kept }] }),
      },
    ];
  });
}

/** Text of the sender in mid-conversation, and the tools that join there. */
function note({ content }: Entry): TranscriptItem {
  const blocks = blocksOf(content);
  const joined = blocks
    .filter(({ type }) => type === 'tool_addition')
    .map(({ tool }) => ({ ...definition({ name: isObject(tool) ? String(tool.name) : '' }), declared: true as const }));
  const text = blocks.flatMap((block) => (block.type === 'text' ? String(block.text) : [])).join('\n\n');
  return { kind: 'user', note: true, text, ...(joined.length > 0 ? { joined } : {}) };
}

function saidBlocks(blocks: readonly Block[], calls: ReadonlyMap<string, string>): readonly TranscriptItem[] {
  const results = blocks.filter((block) => block.type === 'tool_result').map((block) => result(block, calls));
  const texts = blocks
    .filter((block) => block.type === 'text')
    .map((block): TranscriptItem => ({ kind: 'user', text: String(block.text) }));
  return [...(results.length > 0 ? [{ kind: 'results' as const, results }] : []), ...texts];
}

function result(block: Block, calls: ReadonlyMap<string, string>): ToolResult {
  const callId = String(block.tool_use_id);
  const content = blocksOf(block.content);
  const found = content.filter((part) => part.type === 'tool_reference').map((part) => String(part.tool_name));
  return {
    callId,
    outcome: block.is_error === true ? 'failed' : 'ok',
    parts: content.flatMap(part),
    ...(found.length > 0 ? { search: { queries: [calls.get(callId) ?? ''], strategy: 'client', found } } : {}),
  };
}

function part(block: Block): ResultPart[] {
  if (block.type === 'text') return [{ type: 'text', text: String(block.text) }];
  const source = block.type === 'image' && isObject(block.source) ? block.source : undefined;
  return source ? [{ type: 'image', mimeType: String(source.media_type), bytes: 0, data: String(source.data) }] : [];
}

/** A whole message as the events of its stream. */
function answer({ status, contentType, body }: Interaction['response']): Response {
  const headers = { 'content-type': contentType };
  if (typeof body === 'string') return new Response(body, { status, headers });
  if (status !== 200 || !isObject(body) || body.type !== 'message') return Response.json(body, { status });
  const content = blocksOf(body.content);
  const events = [
    { type: 'message_start', message: { ...body, content: [] } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: body.stop_reason }, usage: body.usage },
    { type: 'message_stop' },
  ];
  const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

/**
 * The parts of a request that the README beside the recordings compares: the same tools with the same `defer_loading`,
 * the same search tool, the same sequence of block types, ids and references, and the same container. It leaves out the
 * cache's breakpoints, the model itself as a caller, the order of tools, and everything that the adapter never sends
 * (`leftOut`).
 */
function essence(body: Body): Json {
  const merged: { role: Json; content: Json[] }[] = [];
  for (const { role, content } of messagesOf(body).map(messageEssence)) {
    const last = merged.at(-1);
    if (last && last.role === role) last.content.push(...content);
    else merged.push({ role, content: [...content] });
  }
  const choice = isObject(body.tool_choice) ? body.tool_choice : {};
  return {
    model: body.model ?? null,
    system: systemText(body.system),
    container: body.container ?? null,
    tools: Object.fromEntries(
      toolsOf(body)
        .filter(({ name }) => name !== STAND_IN)
        .map((tool) => [String(tool.name), toolEssence(tool)]),
    ),
    messages: merged,
    ...(choice.type === 'tool' || choice.type === 'any'
      ? { tool_choice: { type: choice.type, name: choice.name ?? null } }
      : {}),
  };
}

function toolEssence(tool: RecordedTool): Json {
  return {
    type: isServerTool(tool) ? (tool.type ?? null) : 'custom',
    callers: callersOf(tool).callers ?? 'direct',
    description: tool.description ?? '',
    input_schema: tool.input_schema ?? null,
    input_examples: tool.input_examples ?? [],
    defer_loading: tool.defer_loading === true,
  };
}

/** A file that a client put into the container of code, which `@toolsearch` can't do. */
const isUpload = ({ type }: Block): boolean => type === 'container_upload';

/** The parts of a message that aren't compared. */
function leftOut({ content }: Entry): readonly string[] {
  return blocksOf(content)
    .filter(isUpload)
    .map((block) => `a file for the container (container_upload ${String(block.file_id)})`);
}

function messageEssence({ role, content }: Entry): { readonly role: Json; readonly content: readonly Json[] } {
  return {
    role: role ?? null,
    content: blocksOf(content)
      .filter((block) => !isUpload(block))
      .map(blockEssence),
  };
}

function blockEssence(block: Block): Json {
  const { cache_control: _, caller, citations: ___, ...rest } = block;
  const code = isObject(caller) && caller.type !== 'direct' ? { caller } : {};
  if (block.type !== 'tool_result') return { ...rest, ...code } as Json;
  return { ...rest, is_error: block.is_error === true, content: blocksOf(block.content).map(blockEssence) };
}

function systemText(system: Json | undefined): string {
  return blocksOf(system)
    .map((block) => String(block.text))
    .join('\n\n');
}
