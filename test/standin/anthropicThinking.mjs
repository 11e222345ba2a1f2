// Preserved thinking: a block is valid only after the prefix and for the model with which it was made. The stand-in's
// signature contains both, so that any process can check it, as the service does.
import { createHash } from 'node:crypto';
import { blocksOf } from './blocks.mjs';

export const isThinking = ({ type }) => type === 'thinking' || type === 'redacted_thinking';
const hashOf = (value) => createHash('sha256').update(value).digest('base64url').slice(0, 16);
const meaning = (value) => JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : part));

/** The parts of a request up to a message to which thinking is bound. */
function prefixOf(body, index) {
  const byName = new Map((body.tools ?? []).filter((tool) => tool.defer_loading).map((tool) => [tool.name, tool]));
  const messages = body.messages.slice(0, index).map(({ role, content }) => {
    const blocks = blocksOf(content).filter((block) => !isThinking(block));
    const names = [...meaning(blocks).matchAll(/"type":"tool_reference","(?:tool_name|name)":"([^"]+)"/g)].map(
      (it) => it[1],
    );
    return [role, blocks, names.map((name) => byName.get(name))];
  });
  return hashOf(
    meaning([blocksOf(body.system ?? []), (body.tools ?? []).filter((tool) => !tool.defer_loading), messages]),
  );
}

const thinkingBefore = (body, index) =>
  body.messages.slice(0, index).flatMap(({ content }) =>
    blocksOf(content)
      .filter(isThinking)
      .map((block) => hashOf(block.signature)),
  );

/** A new block of thinking at the end of a request. Its text is empty if no summary is shown. */
export function boundThought(text, body, shown) {
  const end = body.messages.length;
  const bond = {
    model: body.model,
    prefix: prefixOf(body, end),
    before: thinkingBefore(body, end),
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
  for (const [index, message] of body.messages.entries()) {
    const content = [];
    for (const [place, block] of blocksOf(message.content).entries()) {
      const reason = isThinking(block) && reasonAgainst(block, body, index, broken);
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
  }
  return { body: dropped.length > 0 ? { ...body, messages } : body, dropped };
}

function reasonAgainst(block, body, index, broken) {
  const bond = bondOf(block);
  if (bond.model !== body.model) return 'model_binding_mismatch';
  const before = thinkingBefore(body, index);
  // Only the oldest thinking may be left out, nothing in the middle.
  const isSuffix =
    before.length <= bond.before.length &&
    before.every((hash, at) => hash === bond.before[bond.before.length - before.length + at]);
  const valid = bond.prefix === prefixOf(body, index) && bond.text === hashOf(block.thinking) && isSuffix;
  return !valid || broken ? 'prefix_binding_mismatch' : undefined;
}
