import { changedTools } from './anthropicChanges.mjs';
import { blocksOf } from './anthropicRules.mjs';

/**
 * The context that the model sees: eager tools, system and messages, with each reference replaced by its tool's
 * definition.
 */
export function contextOf(body) {
  const tools = body.tools ?? [];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const segments = [];
  const ends = [];
  const add = (segment, marked) => {
    segments.push(segment);
    if (marked) ends.push(segments.length);
  };
  for (const { cache_control: marked, ...tool } of tools) if (!tool.defer_loading) add(tool, marked);
  for (const { cache_control: marked, ...block } of blocksOf(body.system)) add(block, marked);
  const loaded = new Set();
  for (const message of body.messages) {
    for (const { cache_control: marked, ...block } of blocksOf(message.content)) {
      const names = [
        ...referencesOf(block),
        ...(block.type === 'tool_addition' && block.tool.name ? [block.tool.name] : []),
      ];
      for (const name of names) loaded.add(name);
      add({ role: message.role, block, definitions: names.map((name) => byName.get(name)) }, marked);
    }
  }
  if (body.cache_control) ends.push(segments.length);
  const deferred = tools.filter((tool) => tool.defer_loading);
  const { added, removed } = changedTools(body);
  const own = tools.filter((tool) => tool.input_schema && (!tool.defer_loading || loaded.has(tool.name)));
  const inContext = [...new Map([...own, ...added].map((tool) => [tool.name, tool])).values()].filter(
    (tool) => !removed.has(tool.name),
  );
  return { segments, ends, deferred, callable: inContext.map(neutral) };
}

export const neutral = (tool) => ({ name: tool.name, description: tool.description ?? '', schema: tool.input_schema });

export function referencesOf(block) {
  if (block.type === 'tool_search_tool_result')
    return (block.content?.tool_references ?? []).map((reference) => reference.tool_name);
  if (block.type === 'tool_result')
    return blocksOf(block.content)
      .filter((part) => part.type === 'tool_reference')
      .map((part) => part.tool_name);
  return [];
}

/** Whether a text is a search's additional text. References are alone in a search's result. */
function isRemark(blocks) {
  return (
    blocks.some((block) => referencesOf(block).length > 0) &&
    blocks.filter((block) => block.type === 'text').length === 1
  );
}

/** The newest text of the user, and the results so far. */
export function turnOf(all) {
  const messages = all.filter(({ role }) => role !== 'system');
  const start = messages.findLastIndex(({ role, content }) => {
    const blocks = blocksOf(content);
    return role === 'user' && blocks.some((block) => block.type === 'text') && !isRemark(blocks);
  });
  const prompt = blocksOf(messages[start]?.content ?? '').findLast((block) => block.type === 'text')?.text ?? '';
  const names = new Map(
    messages
      .flatMap((message) => blocksOf(message.content))
      .filter((block) => block.type === 'tool_use')
      .map((block) => [block.id, block.name]),
  );
  const last =
    messages.length - 1 > start
      ? blocksOf(messages.at(-1).content).filter((block) => block.type === 'tool_result')
      : [];
  return { prompt, results: last.map((block) => ({ name: names.get(block.tool_use_id), block })) };
}

/** A search of the last reply whose result is still to come. The result begins the next reply. */
export function openSearch(messages) {
  const blocks = blocksOf(messages.findLast((message) => message.role === 'assistant')?.content);
  const answered = new Set(blocks.map((block) => block.tool_use_id));
  return blocks.find((block) => block.type === 'server_tool_use' && !answered.has(block.id));
}
