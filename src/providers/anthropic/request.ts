import type { MessageCreateParamsStreaming, MessageParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import type { Json, ToolDefinition } from '../../core/catalog/tool';
import { returnType } from '../../core/code/signature';
import { joinedTools } from '../../core/conversation/joinedTools';
import type { JoinedTool, OpaqueBlock, Transcript } from '../../core/conversation/transcript';
import type { ModelFeatures } from '../../core/models/types';
import { isNative, type ModelRequest } from '../../core/ports';
import { isObject } from '../../core/util/objects';
import { lastReplyId } from '../lastReply';
import type { Refusals } from '../refusals';
import { allowedCallers, CODE_TOOL } from './code';
import { toMessages } from './messages';
import type { Block } from './storedBlocks';
import { type Message, type Preamble, withValidThinking } from './validThinking';

/** The maximum number of tokens of one reply. This is enough for long answers and stops endless ones. */
const OUTPUT_TOKENS = 32_000;

const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/** The provider's own search tools, by strategy. They need no beta header. */
const SEARCH_TOOLS = {
  bm25: { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
  regex: { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
} as const;

const BETAS = {
  binding: 'thinking-binding-controls-2026-08-01',
  references: 'mid-conversation-tool-changes-2026-07-01',
  definitions: 'inline-tools-2026-09-15',
} as const;

/** The properties of the model and of the service that a request depends on. */
export interface RequestOptions {
  readonly model: string;
  readonly capability: ModelFeatures;
  /** The parts of tools that the service has refused. They are left out. */
  readonly refusals?: Refusals;
  /** Whether the service no longer has the container with this id. Calls that wait in it can't be answered. */
  readonly lost?: (container: string) => boolean;
  /** The kinds of blocks that the service has refused to take back. */
  readonly refusedKinds?: ReadonlySet<string>;
  /** Whether to leave out all earlier thinking, since the service refused it. */
  readonly withoutThinking?: boolean;
}

/** A request in the service's form, its beta headers, and a hash of its prefix, which is stored with the reply. */
export interface WireRequest {
  readonly body: MessageCreateParamsStreaming;
  readonly betas: readonly string[];
  readonly after: OpaqueBlock['after'];
}

/** Builds the Messages API's form of a {@link ModelRequest}. */
export function toRequest(request: ModelRequest, options: RequestOptions): WireRequest {
  const { tools, messages, container, after } = toolsAndMessages(request, options);
  const { capability, model } = options;
  const body = {
    model,
    ...(container === undefined ? {} : { container }),
    max_tokens: Math.min(OUTPUT_TOKENS, capability.maxOutputTokens),
    stream: true,
    ...thinkingOf(options),
    ...(capability.diagnoses
      ? { diagnostics: { previous_message_id: lastReplyId(request, 'anthropic', model) ?? null } }
      : {}),
    ...(request.system ? { system: [{ type: 'text' as const, text: request.system, ...CACHED }] } : {}),
    ...(tools.length > 0 ? { tools: cacheLastEager(tools) } : {}),
    messages: cacheEnds(messages),
    ...toolChoice(request, tools, options),
  } as MessageCreateParamsStreaming;
  return { body, betas: betasFor(messages, capability), after };
}

/**
 * Builds a request to count the tokens of a {@link ModelRequest}. Search and code tools are left out, since the service
 * doesn't count them. Cache marks aren't needed.
 */
export function toCountRequest(request: ModelRequest, options: RequestOptions) {
  const { tools, messages } = toolsAndMessages(request, {
    ...options,
    capability: { ...options.capability, code: false },
  });
  const counted = tools.filter((tool) => !isSearchTool(tool));
  const body = {
    model: options.model,
    ...thinkingOf(options),
    ...(request.system ? { system: request.system } : {}),
    ...(counted.length > 0 ? { tools: counted } : {}),
    messages: messages as unknown as MessageParam[],
  };
  return { body, betas: betasFor(messages, options.capability) };
}

/**
 * Returns the thinking options. Models that always think return a summary, so that the user sees progress. If earlier
 * thinking is invalid, the service should ignore it instead of failing.
 */
function thinkingOf({ capability }: RequestOptions) {
  const drop = { block_binding: { prefix_mismatch_behavior: 'drop_block' as const } };
  return capability.bindsThinking
    ? { thinking: { type: 'adaptive', display: 'summarized', ...(capability.bindingControls ? drop : {}) } as const }
    : {};
}

function betasFor(messages: readonly Message[], { bindsThinking, bindingControls }: ModelFeatures): readonly string[] {
  const changes = new Set(['tool_addition', 'tool_removal']);
  const joined = messages.flatMap(({ content }) => content).filter(({ type }) => changes.has(type));
  const defined = joined.some(({ tool }) => isObject(tool) && tool.type === 'tool_definition');
  return [
    ...(bindsThinking && bindingControls ? [BETAS.binding] : []),
    ...(joined.length > 0 ? [defined ? BETAS.definitions : BETAS.references] : []),
  ];
}

function toolsAndMessages(request: ModelRequest, options: RequestOptions) {
  const { model, refusals, capability } = options;
  const native = isNative(request.delivery);
  const kept = (tools: readonly ToolDefinition[]) => refusals?.kept(tools) ?? tools;
  const eager = kept(request.tools);
  const names = new Set(eager.map((tool) => tool.name));
  const listed = native ? kept(request.deferred).filter((tool) => !names.has(tool.name)) : [];
  const joined = capability.addsTools
    ? kept([...new Map(joinedTools(request.transcript).map((tool) => [tool.name, tool])).values()])
    : [];
  const declared = capability.addsTools === 'reference' ? joined.filter(({ name }) => !names.has(name)) : [];
  const deferred = [...listed, ...declared.filter(({ name }) => !listed.some((tool) => tool.name === name))];
  const searchTool =
    request.delivery === 'server' && listed.length > 0
      ? SEARCH_TOOLS[request.strategy === 'regex' || !capability.strategies.includes('bm25') ? 'regex' : 'bm25']
      : undefined;
  const code =
    capability.code &&
    (request.code === true ||
      [...eager, ...deferred, ...joined].some((tool) => callersOf(tool, options) !== undefined));
  const container = code ? lastContainer(request.transcript, options) : undefined;
  // Tools that aren't deferred come first, since they are part of the cached prefix. Deferred tools never are.
  const tools: ToolUnion[] = [
    ...(searchTool ? [searchTool] : []),
    ...(code ? [CODE_TOOL] : []),
    ...eager.map((tool) => customTool(tool, options)),
    ...deferred.map((tool) => ({ ...customTool(tool, options), defer_loading: true })),
  ];
  const inList = new Set([...eager, ...deferred].map((tool) => tool.name));
  const inRequest = new Set([...inList, ...joined.map((tool) => tool.name)]);
  const rendered = toMessages(request.transcript, {
    model,
    tools: [...eager, ...deferred, ...joined],
    searchTool: searchTool?.name,
    references: native,
    code: code ? { container } : undefined,
    ...(options.refusedKinds ? { refusedKinds: options.refusedKinds } : {}),
    systemMessages: capability.systemMessages,
    changes: {
      join: (tool) =>
        !capability.addsTools || (names.has(tool.name) && !tool.declared) || refusals?.has('tool', tool)
          ? undefined
          : additionOf(tool, inList, options),
      leave: (name) =>
        capability.addsTools && inRequest.has(name)
          ? { type: 'tool_removal', tool: { type: 'tool_reference', name } }
          : undefined,
    },
  });
  const sent = withOneEager(tools);
  if (!capability.bindsThinking) return { tools: sent, messages: rendered, container, after: undefined };
  const preamble = { system: request.system, tools: sent as Preamble['tools'] };
  const { messages, after } = withValidThinking(rendered, preamble, options.withoutThinking);
  return { tools: sent, messages, container, after };
}

/** Returns the block that adds a tool: a reference if the request's list has the tool, otherwise its definition. */
function additionOf(tool: JoinedTool, inList: ReadonlySet<string>, options: RequestOptions): Block {
  const added = inList.has(tool.name)
    ? { type: 'tool_reference', name: tool.name }
    : { type: 'tool_definition', definition: customTool(tool, options) };
  return { type: 'tool_addition', tool: added as unknown as Json };
}

function callersOf(tool: ToolDefinition, { capability, refusals }: RequestOptions): string[] | undefined {
  return capability.code && !refusals?.has('callers', tool) ? allowedCallers(tool) : undefined;
}

/**
 * Returns the container of the latest code, which holds the variables and files of earlier code; undefined if there is
 * none or the service no longer has it.
 */
function lastContainer(transcript: Transcript, { lost }: RequestOptions): string | undefined {
  const ids = transcript
    .flatMap((item) => (item.kind === 'assistant' ? (item.opaque ?? []).map(({ container }) => container ?? []) : []))
    .flat();
  const last = ids.at(-1);
  return last === undefined || lost?.(last) ? undefined : last;
}

/** Makes the first tool an ordinary one if all are deferred. The service refuses a request with only deferred tools. */
function withOneEager(tools: ToolUnion[]): ToolUnion[] {
  const [first, ...rest] = tools;
  if (!first || tools.some((tool) => !isDeferred(tool))) return tools;
  const { defer_loading: _, ...eager } = first as { defer_loading?: boolean };
  return [eager as ToolUnion, ...rest];
}

/** @param options left out if the tool is only counted */
export function customTool(
  tool: ToolDefinition,
  options?: RequestOptions,
): ToolUnion & { input_schema: { type: 'object' } } {
  const callers = options && callersOf(tool, options);
  const given = options?.refusals?.has('examples', tool) ? [] : (tool.examples ?? []);
  const examples = given.map(({ args }) => args);
  // `input_examples` holds only arguments, so the descriptions of examples go into the tool's description.
  const words = given.flatMap(({ description }, index) =>
    description ? [`Example ${index + 1}: ${description}`] : [],
  );
  const described = words.length > 0 ? { ...tool, description: [tool.description, ...words].join('\n') } : tool;
  return {
    name: tool.name,
    description: callers ? withReturns(described) : described.description,
    input_schema: { ...tool.inputSchema, type: 'object' },
    ...(examples.length > 0 ? { input_examples: examples } : {}),
    ...(callers ? { allowed_callers: callers as ('direct' | typeof CODE_TOOL.type)[] } : {}),
  };
}

/**
 * Appends the type of a tool's results to its description. Code receives a result as text and parses it, so the service
 * advises describing that text.
 */
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

/** Adds a cache mark to the last tool that isn't deferred. The service allows no cache mark on a deferred tool. */
function cacheLastEager(tools: ToolUnion[]): ToolUnion[] {
  const last = tools.findLastIndex((tool) => !isDeferred(tool));
  return tools.map((tool, index) => (index === last ? { ...tool, ...CACHED } : tool));
}

/**
 * Returns messages in the service's form, with a cache mark at their end and one at the end of the last request. The
 * service looks for a cached prefix at only 20 blocks before a mark, and many parallel calls are more blocks than that.
 */
function cacheEnds(messages: readonly Message[]): MessageParam[] {
  const ends = [messages.findLastIndex(({ role }) => role === 'assistant') - 1, messages.length - 1];
  return messages.map(({ role, content }, index) => {
    const marked = ends.includes(index) ? content.with(-1, { ...(content.at(-1) as Block), ...CACHED }) : content;
    return { role, content: marked } as unknown as MessageParam;
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
  const direct = request.required.filter((required) => !codeOnly.has(required));
  const name = direct.find((required) => names.has(required));
  if (name === undefined || !capability.forcesTools) return {};
  // The service can't restrict the choice to several tools. With `any`, calls of other tools are refused later.
  return { tool_choice: direct.length > 1 ? { type: 'any' } : { type: 'tool', name } };
}
