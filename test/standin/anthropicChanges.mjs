// System messages in mid-conversation, and tools that join or leave there: the allowed positions, the needed beta
// headers, and the models that accept them.
import { blocksOf } from './blocks.mjs';

export const BETAS = {
  binding: 'thinking-binding-controls-2026-08-01',
  references: 'mid-conversation-tool-changes-2026-07-01',
  definitions: 'inline-tools-2026-09-15',
};

const isChange = ({ type }) => type === 'tool_addition' || type === 'tool_removal';

/** Returns the error in beta headers and in the features that they enable. */
export function refuseBetas({ thinking }, betas) {
  const unknown = betas.filter((beta) => !Object.values(BETAS).includes(beta));
  if (unknown.length > 0) return `Unexpected value(s) \`${unknown.join(', ')}\` for the \`anthropic-beta\` header.`;
  if (thinking?.block_binding && !betas.includes(BETAS.binding))
    return `thinking.adaptive.block_binding: Extra inputs are not permitted. That setting requires the \`${BETAS.binding}\` value in the \`anthropic-beta\` header.`;
  return undefined;
}

/** Returns the error in system messages and changes of tools. */
export function refuseChanges({ messages, tools = [] }, { systemMessages, changesTools }, betas) {
  const known = new Set(tools.map(({ name }) => name));
  for (const [index, { role, content }] of messages.entries()) {
    const at = `messages.${index}`;
    const changes = blocksOf(content).filter(isChange);
    if (role !== 'system') {
      if (changes.length > 0) return `${at}: \`${changes[0].type}\` blocks can only be in \`system\` messages`;
      continue;
    }
    if (!systemMessages) return `${at}.role: Input should be 'user' or 'assistant'`;
    if (messages[index - 1]?.role !== 'user')
      return `${at}: a \`system\` message must come right after a \`user\` message`;
    const next = messages[index + 1];
    if (next && next.role !== 'assistant')
      return `${at}: a \`system\` message must be last or before an \`assistant\` message`;
    const asked = blocksOf(messages[index - 2]?.content ?? []);
    if (asked.some((block) => block.type === 'tool_use' && block.caller && block.caller.type !== 'direct'))
      return `${at}: a \`system\` message can't come while code waits for results`;
    for (const { type, tool } of changes) {
      if (!changesTools) return 'tool_addition/tool_removal is not supported on this model';
      const defined = tool.type === 'tool_definition';
      if (defined && type === 'tool_removal')
        return `${at}: Input tag 'tool_definition' found using 'type' does not match any of the expected tags: 'tool_reference'`;
      if (defined && !betas.includes(BETAS.definitions))
        return `\`${type}\` blocks require anthropic-beta: ${BETAS.definitions}`;
      if (!defined && !betas.includes(BETAS.definitions) && !betas.includes(BETAS.references))
        return `\`${type}\` blocks require anthropic-beta: ${BETAS.references}`;
      if (defined) known.add(tool.definition.name);
      else if (!known.has(tool.name)) return `tool_addition/tool_removal references unknown tool '${tool.name}'`;
    }
  }
  return undefined;
}

/**
 * The tools that are in the conversation after all changes: those added and not removed since, with whole definitions.
 */
export function changedTools({ messages, tools = [] }) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const added = new Map();
  const removed = new Set();
  for (const block of messages.flatMap(({ content }) => blocksOf(content)).filter(isChange)) {
    const tool = block.tool.definition ?? byName.get(block.tool.name);
    if (block.type === 'tool_addition') {
      added.set(tool.name, tool);
      removed.delete(tool.name);
    } else {
      added.delete(block.tool.name);
      removed.add(block.tool.name);
    }
  }
  return { added: [...added.values()], removed };
}
