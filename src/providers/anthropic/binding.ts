/**
 * Thinking that is bound to its prefix. Newer Claude models refuse a request, or drop thinking from it, if anything
 * before a thinking block has changed since the block was made. So each reply keeps a hash of its prefix, and thinking
 * whose prefix has changed for any reason isn't sent.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
import type { Json } from '../../core/catalog/tool';
import type { OpaqueBlock } from '../../core/conversation/transcript';
import { longHash } from '../../core/util/hash';
import { isObject } from '../../core/util/objects';
import type { Block } from './blocks';

/** A message of a request. If it plays back a reply, it has that reply's prefix hash and its blocks as they came. */
export interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly Block[];
  readonly after?: OpaqueBlock['after'];
  readonly own?: readonly Block[];
}

/** The parts of a request before its messages. */
export interface Preamble {
  readonly system: string;
  /** All tools of the request, in the form in which they are sent. */
  readonly tools: readonly { readonly name?: string; readonly defer_loading?: boolean }[];
}

/** Messages with valid thinking only, and the bond for the thinking of the next reply. */
interface BoundMessages<Of> {
  readonly messages: readonly Of[];
  readonly after: NonNullable<OpaqueBlock['after']>;
}

export function isThinking({ type }: { readonly type: string }): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/**
 * Removes thinking that is no longer valid. If one block's prefix has changed, all thinking up to it is removed: the
 * service accepts a request without the oldest thinking, but not one without a part in the middle.
 * @param all whether to remove all thinking, valid or not, since the service has refused it
 */
export function withValidThinking<Of extends Message>(
  messages: readonly Of[],
  preamble: Preamble,
  all = false,
): BoundMessages<Of> {
  const hashes = prefixHashes(messages, preamble);
  const thinking = messages.flatMap((message, index) => (message.content.some(isThinking) ? [index] : []));
  let valid = all ? thinking.length : 0;
  for (const [place, index] of thinking.entries()) {
    const message = messages[index];
    const after = message?.after;
    // A conversation that an older version began has no hashes. The service decides.
    if (!message || !after) continue;
    if (after.prefix !== hashes[index] || isAltered(message)) valid = Math.max(valid, place + 1);
    else valid = Math.max(valid, place - after.kept);
  }
  const from = thinking[valid] ?? messages.length;
  return {
    messages: messages.map((message, index) =>
      index < from && message.content.some(isThinking)
        ? { ...message, content: message.content.filter((block) => !isThinking(block)) }
        : message,
    ),
    after: { prefix: hashes[messages.length] ?? '', kept: thinking.length - valid },
  };
}

/** Whether a message lacks or changes a block that its reply had before its last thinking. */
function isAltered({ content, own = [] }: Message): boolean {
  const before = (blocks: readonly Block[]) =>
    blocks
      .slice(0, blocks.findLastIndex(isThinking))
      // Calls are sent back without fields that mean nothing.
      .map((block) => (block.type === 'tool_use' || block.type === 'server_tool_use' ? block.id : block));
  return meaning(before(own)) !== meaning(before(content));
}

/** Returns a hash of everything before each message, and one for the position after the last message. */
function prefixHashes(messages: readonly Message[], { system, tools }: Preamble): readonly string[] {
  const deferred = new Map(tools.flatMap((tool) => (tool.defer_loading && tool.name ? [[tool.name, tool]] : [])));
  const loaded = tools.filter((tool) => !tool.defer_loading);
  let hash = longHash(meaning([system, loaded]));
  const hashes = [hash];
  for (const { role, content } of messages) {
    const own = content.filter((block) => !isThinking(block));
    // A tool enters the conversation with the first reference to it.
    const entered = content.flatMap(referencedIn).flatMap((name) => deferred.get(name) ?? []);
    hash = longHash(`${hash} ${meaning([role, own, entered])}`);
    hashes.push(hash);
  }
  return hashes;
}

/** Returns the names of deferred tools that a block brings into the conversation. */
function referencedIn(block: Block): readonly string[] {
  const content = isObject(block.content) ? (block.content as { readonly tool_references?: Json }) : undefined;
  const listed = block.type === 'tool_result' ? block.content : content?.tool_references;
  const references = block.type === 'tool_addition' ? [block.tool] : Array.isArray(listed) ? listed : [];
  return references.flatMap((reference) => {
    if (!isObject(reference) || reference.type !== 'tool_reference') return [];
    return [String(reference.tool_name ?? reference.name)];
  });
}

/** Returns JSON without the cache marks, which mean nothing to the model. */
function meaning(value: unknown): string {
  return JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part));
}
