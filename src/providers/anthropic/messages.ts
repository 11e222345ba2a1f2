import { sanitize } from '../../core/catalog/modelNames';
import type { Json, ToolDefinition } from '../../core/catalog/tool';
import { resultText } from '../../core/conversation/resultText';
import type {
  AssistantItem,
  JoinedTool,
  OpaqueBlock,
  ResultPart,
  ToolResult,
  Transcript,
  TranscriptItem,
} from '../../core/conversation/transcript';
import { notesFirst } from '../../core/conversation/unanswered';
import { referable, transcriptFor, withoutCalls } from '../../core/conversation/wireTranscript';
import { isObject } from '../../core/util/objects';
import { codeIds, playableCode } from '../codeReplay';
import { isShown } from '../shownParts';
import { calledByCode, callerOf, codeParts, isCodeUse } from './code';
import { type Block, blocksOf } from './storedBlocks';
import { isThinking, type Message } from './validThinking';

/** The properties of a request that determine the form of its messages. */
interface MessageContext {
  readonly model: string;
  /** All tools of the request, including deferred ones. A reference to any other tool is left out. */
  readonly tools: readonly ToolDefinition[];
  /** The name of the provider's search tool in the request; undefined if there is none. */
  readonly searchTool: string | undefined;
  /** Whether found tools are sent as references. */
  readonly references: boolean;
  /**
   * Set if the request can run code that calls tools. The container is that of the code that waits for results. Without
   * it, calls from code can't be answered.
   */
  readonly code: { readonly container: string | undefined } | undefined;
  /** The kinds of blocks that the service has refused to take back. */
  readonly refusedKinds?: ReadonlySet<string>;
  /** Whether our notes are sent with the role `system`. */
  readonly systemMessages?: boolean;
  readonly changes: {
    /** Returns the block that adds a tool in mid-conversation; undefined if the request's list already has the tool. */
    readonly join: (tool: JoinedTool) => Block | undefined;
    /** Returns the block that removes a tool; undefined if the request doesn't know the tool. */
    readonly leave: (name: string) => Block | undefined;
  };
}

/** Replaces an empty text. The service rejects texts that are empty or only white space. */
const NOTHING = '(nothing)';

/**
 * A reply that is inserted between a note and the question after it. The service accepts a note only directly before a
 * reply.
 */
const NO_REPLY = '(No answer.)';

/** Converts a conversation to messages of the Messages API. The last message is the user's or a note. */
export function toMessages(conversation: Transcript, context: MessageContext): readonly Message[] {
  const transcript = context.systemMessages ? conversation : notesFirst(conversation);
  const code = codeOf(transcript, context);
  const items = transcriptFor('anthropic', transcript, (block, item) => canReplay(block, item, context, code));
  const messages: (Message & { content: Block[] })[] = [];
  const rendered =
    context.tools.length > 0 || context.searchTool ? items : withoutCalls(transcriptFor(undefined, transcript));
  for (const [index, item] of rendered.entries()) {
    const last = messages.at(-1);
    const role = roleOf(item, last, context);
    const content =
      item.kind === 'results' ? resultBlocks(item.results, rendered[index - 1], context) : toBlocks(item, context);
    if (role !== 'assistant' && last?.role === role) last.content.push(...content);
    else if (content.length > 0 || role === 'user') {
      if (last?.role === 'system' && role === 'user')
        messages.push({ role: 'assistant', content: [textBlock(NO_REPLY)] });
      messages.push({ role, content, ...(item.kind === 'assistant' ? afterOf(item) : {}) });
    }
  }
  if (messages.at(-1)?.role === 'assistant' || messages.length === 0) messages.push({ role: 'user', content: [] });
  const whole = messages.map((message) =>
    message.content.length > 0 ? message : { ...message, content: [textBlock(NOTHING)] },
  );
  return dropUnansweredSearches(whole);
}

/**
 * Returns the role of an item. A note has the role `system` if the model accepts that and the note follows a user
 * message.
 */
function roleOf(item: TranscriptItem, last: Message | undefined, { systemMessages }: MessageContext): Message['role'] {
  if (item.kind === 'assistant') return 'assistant';
  const isNote = item.kind === 'user' && item.note === true;
  return isNote && systemMessages && last && last.role !== 'assistant' ? 'system' : 'user';
}

function afterOf({ opaque = [] }: AssistantItem): Pick<Message, 'after' | 'own'> {
  const after = opaque.find((block) => block.after)?.after;
  return after ? { after, own: opaque.flatMap(({ value }) => blocksOf(value)) } : {};
}

/**
 * Returns the ids of the code that can be sent back as it came. Code that still waits for results also needs its
 * container and the tools that it called.
 */
function codeOf(transcript: Transcript, context: MessageContext): ReadonlySet<string> {
  const { code, tools } = context;
  if (!code) return new Set();
  const names = new Set(tools.map((tool) => tool.name));
  return playableCode(
    transcript,
    (item) => {
      const own = item.opaque?.find(({ wire }) => wire === 'anthropic');
      return own && codeParts(blocksOf(own.value), canReplay(own, item, context));
    },
    (item) => calledByCode(item).every((name) => code.container !== undefined && names.has(name)),
  );
}

function toBlocks(item: Exclude<TranscriptItem, { readonly kind: 'results' }>, context: MessageContext): Block[] {
  switch (item.kind) {
    case 'user':
      return [
        ...(item.images ?? []).flatMap(partBlocks),
        ...(item.text.trim() === '' ? [] : [textBlock(item.text)]),
        ...(item.joined ?? []).flatMap((tool) => context.changes.join(tool) ?? []),
        ...(item.left ?? []).flatMap((name) => context.changes.leave(name) ?? []),
      ];
    case 'assistant': {
      const own = item.opaque?.flatMap((block) => blocksOf(block.value)) ?? [];
      if (own.length > 0) return own.flatMap((block) => replay(block, context));
      return [
        ...(item.text.trim() === '' ? [] : [textBlock(item.text)]),
        ...item.calls.map((call) => ({
          type: 'tool_use',
          id: call.callId,
          name: validName(call.name),
          input: isObject(call.input) ? (call.input as Json) : {},
        })),
      ];
    }
  }
}

/**
 * Whether a reply can be sent back with the service's own blocks. The same model must have written it, its calls must
 * match the transcript, and the request must still have the search tool that it used.
 * @param code the ids of code that can be sent back; if left out, code isn't checked
 */
function canReplay(
  block: OpaqueBlock,
  item: AssistantItem,
  { model, searchTool, references }: MessageContext,
  code?: ReadonlySet<string>,
): boolean {
  const blocks = blocksOf(block.value);
  if (code && !codeIds(codeParts(blocks, true)).every((id) => code.has(id))) return false;
  const calls = blocks.filter((own) => own.type === 'tool_use').map((own) => own.id);
  const searches = blocks.filter(
    (own) => (own.type === 'server_tool_use' && !isCodeUse(own)) || own.type === 'tool_search_tool_result',
  );
  return (
    blocks.length > 0 &&
    (block.model === undefined || block.model === model || !blocks.some(isThinking)) &&
    calls.length === item.calls.length &&
    item.calls.every((call, index) => call.callId === calls[index]) &&
    (searches.length === 0 ||
      (references &&
        searches.every((own) => own.type !== 'server_tool_use' || own.name === searchTool) &&
        searchTool !== undefined))
  );
}

/**
 * Returns a block as the service sent it. Leaves out parts that the service refuses: empty texts, and references to
 * tools that the request no longer has.
 */
function replay(block: Block, { tools, refusedKinds }: MessageContext): Block[] {
  if (refusedKinds?.has(block.type)) return [];
  if (block.type === 'text') return typeof block.text === 'string' && block.text.trim() !== '' ? [block] : [];
  if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    const { caller, ...rest } = block;
    const input = isObject(block.input) ? block.input : {};
    return [{ ...rest, input, ...(isObject(caller) && caller.type !== 'direct' ? { caller } : {}) } as Block];
  }
  const found = block.content;
  if (block.type !== 'tool_search_tool_result' || !isObject(found) || !Array.isArray(found.tool_references))
    return [block];
  const names = new Set(tools.map((tool) => tool.name));
  const references = found.tool_references.filter(
    (reference) => isObject(reference) && names.has(String(reference.tool_name)),
  );
  return [{ ...block, content: { ...found, tool_references: references } as Json }];
}

/**
 * Removes searches without a result and results without a search. The result of a search is in the same reply or in the
 * next one. A search in the last reply stays, since its result may still come.
 */
function dropUnansweredSearches(messages: readonly Message[]): readonly Message[] {
  const replies = messages.filter((message) => message.role === 'assistant');
  return messages.flatMap((message) => {
    const at = replies.indexOf(message);
    if (at < 0) return [message];
    const near = (step: number, type: string) =>
      [...message.content, ...(replies[at + step]?.content ?? [])].filter((block) => block.type === type);
    const answered = new Set(near(1, 'tool_search_tool_result').map((block) => block.tool_use_id));
    const asked = new Set(near(-1, 'server_tool_use').map((block) => block.id));
    const content = message.content.filter(
      (block) =>
        (block.type !== 'server_tool_use' || isCodeUse(block) || answered.has(block.id) || at === replies.length - 1) &&
        (block.type !== 'tool_search_tool_result' || asked.has(block.tool_use_id)),
    );
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}

/**
 * Returns the results of a reply's calls. If code made one of the calls, all results are text only, and code gets
 * errors as plain text.
 */
function resultBlocks(
  results: readonly ToolResult[],
  reply: TranscriptItem | undefined,
  context: MessageContext,
): Block[] {
  const own = reply?.kind === 'assistant' ? (reply.opaque ?? []).flatMap(({ value }) => blocksOf(value)) : [];
  const callers = new Map(own.map((block) => [block.id, callerOf(block)]));
  const toCode = results.some(({ callId }) => callers.get(callId) !== undefined);
  if (!toCode) {
    // A result with references can contain nothing else. Text about the search therefore follows after all results.
    const remarks = results.flatMap((result) =>
      referencesOf(result, context).length > 0 && result.remarks ? [textBlock(result.remarks)] : [],
    );
    return [...results.map((result) => resultBlock(result, context)), ...remarks];
  }
  return results.map((result) => {
    const words = { ...result, parts: [{ type: 'text' as const, text: resultText(result) }] };
    const { is_error: error, ...block } = resultBlock(words, { ...context, references: false }) as Block & {
      is_error?: boolean;
    };
    return error && callers.get(result.callId) === undefined ? { ...block, is_error: true } : block;
  });
}

function referencesOf(result: ToolResult, { references, tools }: MessageContext): readonly string[] {
  return references ? referable(result.search, tools) : [];
}

function resultBlock(result: ToolResult, context: MessageContext): Block {
  const names = referencesOf(result, context);
  const parts = result.parts.flatMap((part) => partBlocks(part));
  const content = names.length > 0 ? names.map((name): Block => ({ type: 'tool_reference', tool_name: name })) : parts;
  return {
    type: 'tool_result',
    tool_use_id: result.callId,
    content: content.length > 0 ? content : [textBlock(NOTHING)],
    ...(result.outcome === 'ok' ? {} : { is_error: true }),
  };
}

function partBlocks(part: ResultPart): Block[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [textBlock(part.text)];
  if (!isShown(part)) return [textBlock(resultText({ parts: [part] }))];
  return [{ type: part.type, source: { type: 'base64', media_type: part.mimeType, data: part.data } }];
}

function textBlock(text: string): Block {
  return { type: 'text', text };
}

/** Returns a tool name without characters that the service refuses. The model may have made up the name. */
function validName(name: string): string {
  const valid = sanitize(name).slice(0, 128);
  return valid === '' ? '_' : valid;
}
