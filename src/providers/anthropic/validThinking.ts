/**
 * Removes thinking that is no longer valid. A thinking block is valid only after its own prefix: all that came before
 * it in its request. If the prefix has changed, newer Claude models refuse the request or ignore the block. Each reply
 * is therefore stored with a hash of its prefix.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
import type { Json } from '../../core/catalog/tool';
import type { OpaqueBlock } from '../../core/conversation/transcript';
import { longHash } from '../../core/util/hash';
import { isObject } from '../../core/util/objects';
import type { Block } from './storedBlocks';

/**
 * A message of a request. If it repeats an earlier reply, `after` has the hash of that reply's prefix and `own` the
 * reply's blocks as the service sent them.
 */
export interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly Block[];
  readonly after?: OpaqueBlock['after'];
  readonly own?: readonly Block[];
}

/** The parts of a request before its messages. */
export interface Preamble {
  readonly system: string;
  /** All tools of the request, in the service's form. */
  readonly tools: readonly { readonly name?: string; readonly defer_loading?: boolean }[];
}

export function isThinking({ type }: { readonly type: string }): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/**
 * Removes invalid thinking from messages. Thinking is valid only after the thinking that its own request contained: the
 * oldest of that may be missing, but nothing may have been added before it. A reply to a request with another beginning
 * loses only its own thinking.
 * @param all whether to remove valid thinking too, since the service has refused it
 * @returns the messages, and in `after` a description of their prefix, which is stored with the next reply
 */
export function withValidThinking(
  messages: readonly Message[],
  preamble: Preamble,
  all = false,
): { readonly messages: readonly Message[]; readonly after: NonNullable<OpaqueBlock['after']> } {
  const hashes = prefixHashes(messages, preamble);
  let valid: readonly number[] = [];
  for (const [index, message] of messages.entries()) {
    const { after, content } = message;
    if (all || !content.some(isThinking)) continue;
    if (after && (after.prefix !== hashes[index] || isAltered(message))) continue;
    // Without a hash, the service itself checks the thinking.
    const before = after ? valid.slice(Math.max(0, valid.length - after.kept)) : valid;
    valid = [...before, index];
  }
  const stays = new Set(valid);
  return {
    messages: messages.map((message, index) =>
      !stays.has(index) && message.content.some(isThinking)
        ? { ...message, content: message.content.filter((block) => !isThinking(block)) }
        : message,
    ),
    after: { prefix: hashes[messages.length] ?? '', kept: valid.length },
  };
}

/** Whether blocks before a message's last thinking are missing or differ from the original reply. */
function isAltered({ content, own = [] }: Message): boolean {
  const before = (blocks: readonly Block[]) =>
    blocks
      .slice(0, blocks.findLastIndex(isThinking))
      // Calls are compared by id only, since they are sent back without some meaningless fields.
      .map((block) => (block.type === 'tool_use' || block.type === 'server_tool_use' ? block.id : block));
  return meaning(before(own)) !== meaning(before(content));
}

/** Returns a hash of the content before each message, and at the end a hash of the whole conversation. */
function prefixHashes(messages: readonly Message[], { system, tools }: Preamble): readonly string[] {
  const deferred = new Map(tools.flatMap((tool) => (tool.defer_loading && tool.name ? [[tool.name, tool]] : [])));
  const loaded = tools.filter((tool) => !tool.defer_loading);
  let hash = longHash(meaning([system, loaded]));
  const hashes = [hash];
  for (const { role, content } of messages) {
    const own = content.filter((block) => !isThinking(block));
    // A deferred tool becomes part of the conversation at the first reference to it.
    const entered = content.flatMap(referencedIn).flatMap((name) => deferred.get(name) ?? []);
    hash = longHash(`${hash} ${meaning([role, own, entered])}`);
    hashes.push(hash);
  }
  return hashes;
}

/** Returns the names of the deferred tools that a block refers to. */
function referencedIn(block: Block): readonly string[] {
  const content = isObject(block.content) ? (block.content as { readonly tool_references?: Json }) : undefined;
  const listed = block.type === 'tool_result' ? block.content : content?.tool_references;
  const references = block.type === 'tool_addition' ? [block.tool] : Array.isArray(listed) ? listed : [];
  return references.flatMap((reference) => {
    if (!isObject(reference) || reference.type !== 'tool_reference') return [];
    return [String(reference.tool_name ?? reference.name)];
  });
}

/** Returns a value as JSON without cache marks. They don't change what the model reads. */
function meaning(value: unknown): string {
  return JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part));
}
