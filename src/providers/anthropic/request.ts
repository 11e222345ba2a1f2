import type { MessageCreateParamsStreaming, MessageParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import type { ToolDefinition } from '../../core/catalog/tool';
import { returnType } from '../../core/code/signature';
import type { Transcript } from '../../core/conversation/transcript';
import type { ModelRequest } from '../../core/ports';
import type { Capability } from '../capabilities';
import type { Refusals } from '../refusals';
import { allowedCallers, CODE_TOOL } from './code';
import { toMessages } from './messages';

/** The most that one reply may take, in tokens: enough for long answers, and a runaway one ends. */
const OUTPUT_TOKENS = 32_000;

const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/** The provider's own search tools by strategy. They are generally available, without a beta header. */
const SEARCH_TOOLS = {
  bm25: { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
  regex: { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
} as const;

/** What a request is made for. */
export interface RequestOptions {
  readonly model: string;
  readonly capability: Pick<Capability, 'maxOutputTokens' | 'forcesTools' | 'strategies' | 'code'>;
  /** What the service refused so far: it is left out. */
  readonly refusals?: Refusals;
  /** Whether the service refused the container of that id: calls that wait in it are lost. */
  readonly lost?: (container: string) => boolean;
}

/** A {@link ModelRequest} as the Messages API takes it. */
export function toRequest(request: ModelRequest, options: RequestOptions): MessageCreateParamsStreaming {
  const { tools, messages, container } = toolsAndMessages(request, options);
  return {
    model: options.model,
    ...(container === undefined ? {} : { container }),
    max_tokens: Math.min(OUTPUT_TOKENS, options.capability.maxOutputTokens),
    stream: true,
    ...(request.system ? { system: [{ type: 'text' as const, text: request.system, ...CACHED }] } : {}),
    ...(tools.length > 0 ? { tools: cacheLastEager(tools) } : {}),
    messages: cacheLastBlock(messages),
    ...toolChoice(request, tools, options),
  };
}

/**
 * The same request as the service counts it: it refuses its own tools there, code among them, and needs no cache. Its tools
 * may all be deferred.
 */
export function toCountRequest(request: ModelRequest, options: RequestOptions) {
  const { tools, messages } = toolsAndMessages(request, {
    ...options,
    capability: { ...options.capability, code: false },
  });
  const counted = tools.filter((tool) => !isSearchTool(tool));
  return {
    model: options.model,
    ...(request.system ? { system: request.system } : {}),
    ...(counted.length > 0 ? { tools: counted } : {}),
    messages,
  };
}

/** Definitions as the service counts their price. */
export function toCountedTools(tools: readonly ToolDefinition[]): ToolUnion[] {
  return tools.map((tool) => customTool(tool));
}

function toolsAndMessages(request: ModelRequest, options: RequestOptions) {
  const { model, refusals, capability } = options;
  const native = request.delivery === 'server' || request.delivery === 'client';
  const kept = (tools: readonly ToolDefinition[]) => refusals?.kept(tools) ?? tools;
  const eager = kept(request.tools);
  const names = new Set(eager.map((tool) => tool.name));
  const deferred = native ? kept(request.deferred).filter((tool) => !names.has(tool.name)) : [];
  const searchTool =
    request.delivery === 'server' && deferred.length > 0
      ? SEARCH_TOOLS[request.strategy === 'regex' || !capability.strategies.includes('bm25') ? 'regex' : 'bm25']
      : undefined;
  // What is in the cached prefix comes first: deferred tools aren't part of it, wherever they stand.
  const code = capability.code && [...eager, ...deferred].some((tool) => callersOf(tool, options) !== undefined);
  const container = code ? lastContainer(request.transcript, options) : undefined;
  const tools: ToolUnion[] = [
    ...(searchTool ? [searchTool] : []),
    ...(code ? [CODE_TOOL] : []),
    ...eager.map((tool) => customTool(tool, options)),
    ...deferred.map((tool) => ({ ...customTool(tool, options), defer_loading: true })),
  ];
  const messages = toMessages(request.transcript, {
    model,
    tools: [...eager, ...deferred],
    searchTool: searchTool?.name,
    references: native,
    code,
    container,
  });
  return { tools: withOneEager(tools), messages, container };
}

/** Who may call a tool beside the model; undefined for nobody. */
function callersOf(tool: ToolDefinition, { capability, refusals }: RequestOptions): string[] | undefined {
  return capability.code && !refusals?.has('callers', tool) ? allowedCallers(tool) : undefined;
}

/** The container of the last code, which keeps what earlier code left in it; a later reply needn't name it again. */
function lastContainer(transcript: Transcript, { lost }: RequestOptions): string | undefined {
  const ids = transcript
    .flatMap((item) => (item.kind === 'assistant' ? (item.opaque ?? []).map(({ container }) => container ?? []) : []))
    .flat();
  const last = ids.at(-1);
  return last === undefined || lost?.(last) ? undefined : last;
}

/** The service refuses a request whose tools are all deferred: then the first one isn't. */
function withOneEager(tools: ToolUnion[]): ToolUnion[] {
  const [first, ...rest] = tools;
  if (!first || tools.some((tool) => !isDeferred(tool))) return tools;
  const { defer_loading: _, ...eager } = first as { defer_loading?: boolean };
  return [eager as ToolUnion, ...rest];
}

function customTool(tool: ToolDefinition, options?: RequestOptions): ToolUnion & { input_schema: { type: 'object' } } {
  const callers = options && callersOf(tool, options);
  const examples = options?.refusals?.has('examples', tool) ? [] : (tool.examples ?? []).map((example) => example.args);
  return {
    name: tool.name,
    description: callers ? withReturns(tool) : tool.description,
    input_schema: { ...tool.inputSchema, type: 'object' },
    ...(examples.length > 0 ? { input_examples: examples } : {}),
    ...(callers ? { allowed_callers: callers as ('direct' | typeof CODE_TOOL.type)[] } : {}),
  };
}

/** Code gets a text and parses it: the service's advice is to say what that looks like. */
function withReturns({ description, outputSchema }: ToolDefinition): string {
  const type = outputSchema && returnType(outputSchema);
  return type === undefined ? description : `${description}\nReturns JSON: ${type}`;
}

function isDeferred(tool: ToolUnion): boolean {
  return 'defer_loading' in tool && tool.defer_loading === true;
}

function isSearchTool(tool: ToolUnion): boolean {
  return 'type' in tool && typeof tool.type === 'string' && tool.type.startsWith('tool_search_tool');
}

/** A deferred tool may carry no breakpoint, and isn't part of the prefix anyway. */
function cacheLastEager(tools: ToolUnion[]): ToolUnion[] {
  const last = tools.findLastIndex((tool) => !isDeferred(tool));
  return tools.map((tool, index) => (index === last ? { ...tool, ...CACHED } : tool));
}

/** The conversation up to here is read again by the next round. The last message is the user's, so any of its blocks can carry it. */
function cacheLastBlock(messages: readonly MessageParam[]): MessageParam[] {
  return messages.map((message, index) => {
    if (index < messages.length - 1 || typeof message.content === 'string') return message;
    const content = message.content.map((block, at, all) => (at === all.length - 1 ? { ...block, ...CACHED } : block));
    return { ...message, content } as MessageParam;
  });
}

function toolChoice(
  request: ModelRequest,
  tools: readonly ToolUnion[],
  { capability }: RequestOptions,
): Pick<MessageCreateParamsStreaming, 'tool_choice'> {
  const names = new Set(tools.flatMap((tool) => ('name' in tool && !isDeferred(tool) ? [tool.name] : [])));
  const codeOnly = new Set(
    tools.flatMap((tool) =>
      'allowed_callers' in tool && !tool.allowed_callers?.includes('direct') ? [tool.name] : [],
    ),
  );
  const [name, ...more] = request.required.filter((required) => names.has(required) && !codeOnly.has(required));
  if (name === undefined || !capability.forcesTools) return {};
  return { tool_choice: more.length > 0 ? { type: 'any' } : { type: 'tool', name } };
}
