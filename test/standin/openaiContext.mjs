import { functionsOf, itemsOf, kindOf } from './openaiRules.mjs';

/**
 * The context that the model sees: instructions, eager functions, names and descriptions of what can be searched, and
 * the input.
 */
export function contextOf(body) {
  const tools = body.tools ?? [];
  const shown = tools.flatMap((tool) => {
    if (tool.type === 'tool_search' || tool.type === 'programmatic_tool_calling') return [tool];
    if (tool.type === 'function') return [tool.defer_loading ? surfaceOf(tool) : tool];
    return [surfaceOf(tool), ...tool.tools.filter((inner) => !inner.defer_loading)];
  });
  const items = itemsOf(body.input);
  const loaded = items
    .filter((item) => ['tool_search_output', 'additional_tools'].includes(kindOf(item)))
    .flatMap((item) => functionsOf(item.tools));
  const eager = functionsOf(tools).filter((tool) => !tool.defer_loading);
  const callable = new Map([...eager, ...loaded].map((tool) => [tool.name, tool]));
  const segments = [...(body.instructions ? [body.instructions] : []), ...shown, ...items];
  return {
    shown,
    items,
    segments,
    callable: [...callable.values()].map(neutral),
    deferred: functionsOf(tools).filter((tool) => tool.defer_loading),
  };
}

const surfaceOf = ({ type, name, description }) => ({ type, name, description });
export const neutral = (tool) => ({
  name: tool.name,
  description: tool.description ?? '',
  schema: tool.parameters ?? {},
  namespace: tool.namespace,
  ...(tool.allowed_callers ? { allowed_callers: tool.allowed_callers } : {}),
});

/** The newest text of the user, and the results so far. */
export function turnOf(items) {
  const start = items.findLastIndex((item) => item.role === 'user');
  const content = items[start]?.content;
  const prompt = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
  const turn = items.slice(start + 1);
  const call = turn.findLastIndex((item) => ['function_call', 'tool_search_call'].includes(kindOf(item)));
  const outputs = call < 0 ? [] : turn.slice(call + 1);
  return { prompt, turn, outputs };
}

/** The tools that `allowed_tools` leaves. */
export function allowed({ tool_choice: choice }, callable) {
  if (choice?.type !== 'allowed_tools') return callable;
  return callable.filter((tool) =>
    choice.tools.some((entry) => entry.name === tool.name || entry.name === tool.namespace),
  );
}
