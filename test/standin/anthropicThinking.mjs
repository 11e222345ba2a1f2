// Preserved thinking: a block is valid only after the prefix and for the model with which it was made. The stand-in's
// signature contains both, so that any process can check it, as the service does.
import { createHash } from 'node:crypto';
import { blocksOf } from './blocks.mjs';

export const isThinking = ({ type }) => type === 'thinking' || type === 'redacted_thinking';
const hashOf = (value) => createHash('sha256').update(value).digest('base64url').slice(0, 16);
const meaning = (value) => JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part));

/** The hash of what thinking is bound to, for each message of a request and for the request's end. */
function prefixesOf(body) {
  const byName = new Map((body.tools ?? []).filter((tool) => tool.defer_loading).map((tool) => [tool.name, tool]));
  const begun = (body.tools ?? []).filter((tool) => !tool.defer_loading);
  const hashes = [hashOf(meaning([blocksOf(body.system ?? []), begun]))];
  for (const { role, content } of body.messages) {
    const blocks = meaning(blocksOf(content).filter((block) => !isThinking(block)));
    const names = [...blocks.matchAll(/"type":"tool_reference","(?:tool_name|name)":"([^"]+)"/g)].map((it) => it[1]);
    const tools = meaning(names.map((name) => byName.get(name)));
    hashes.push(hashOf([hashes.at(-1), role, blocks, tools].join('\n')));
  }
  return hashes;
}

/** The hashes of the blocks of thinking in these messages. */
const thinkingIn = (messages) =>
  messages.flatMap(({ content }) =>
    blocksOf(content)
      .filter(isThinking)
      .map((block) => hashOf(block.signature)),
  );

/** A new block of thinking at the end of a request. Its text is empty if no summary is shown. */
export function boundThought(text, body, shown) {
  const bond = {
    model: body.model,
    prefix: prefixesOf(body).at(-1),
    before: thinkingIn(body.messages),
    text: hashOf(shown ? text : ''),
  };
  return {
    type: 'thinking',
    thinking: shown ? text : '',
    signature: Buffer.from(JSON.stringify(bond)).toString('base64'),
  };
}

function bondOf({ signature }) {
  try {
    return JSON.parse(Buffer.from(signature, 'base64').toString('utf8'));
  } catch {
    return {};
  }
}

/**
 * Checks all thinking of a request.
 * @returns the error, or the body as the model reads it with the blocks that were dropped
 */
export function checkThinking(body) {
  const drops = body.thinking?.block_binding?.prefix_mismatch_behavior === 'drop_block';
  const dropped = [];
  let broken = false;
  const messages = [];
  const prefixes = prefixesOf(body);
  const before = [];
  for (const [index, message] of body.messages.entries()) {
    const content = [];
    const bound = { model: body.model, prefix: prefixes[index], before: [...before] };
    for (const [place, block] of blocksOf(message.content).entries()) {
      const reason = isThinking(block) && reasonAgainst(block, bound, broken);
      if (!reason) {
        content.push(block);
        continue;
      }
      const path = `messages.${index}.content.${place}`;
      if (reason === 'prefix_binding_mismatch') broken = true;
      if (reason === 'prefix_binding_mismatch' && !drops)
        return {
          problem: `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`,
        };
      dropped.push({ type: 'thinking_dropped', path, reason });
    }
    messages.push({ ...message, content });
    before.push(...thinkingIn([message]));
  }
  return { body: dropped.length > 0 ? { ...body, messages } : body, dropped };
}

/** Returns why the service leaves a block out, or undefined, given the model and the content before its message. */
function reasonAgainst(block, { model, prefix, before }, broken) {
  const bond = bondOf(block);
  if (bond.model !== model) return 'model_binding_mismatch';
  // Only the oldest thinking may be left out, nothing in the middle.
  const isSuffix =
    before.length <= bond.before.length &&
    before.every((hash, at) => hash === bond.before[bond.before.length - before.length + at]);
  const valid = bond.prefix === prefix && bond.text === hashOf(block.thinking) && isSuffix;
  return !valid || broken ? 'prefix_binding_mismatch' : undefined;
}
