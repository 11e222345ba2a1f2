/**
 * The twin of a conversation: the same questions, calls and answers of a client that sends every definition in its list
 * and never searches. Made from the requests that were sent, by the services' documentation.
 */
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Wire } from './chance';
import { blocks, callable } from './claudeRules';

const SEARCHES = new Set(['search_tools', 'describe_tool']);
const MARK = { cache_control: { type: 'ephemeral' } };

export const isSearch = ({ type, name }: Wire): boolean =>
  /^tool_search/.test(String(type)) ||
  ((type === 'tool_use' || type === 'function_call') && SEARCHES.has(name)) ||
  (type === 'server_tool_use' && String(name).startsWith('tool_search'));
export const isCall = ({ type }: Wire): boolean => type === 'tool_use' || type === 'function_call';

/** Whether no tool of a request waits to be found. */
export function defersNothing(body: Wire): boolean {
  const there = body.input ? undefined : callable(body);
  return (body.tools ?? []).every(
    ({ name, type, defer_loading: waits }: Wire) =>
      !SEARCHES.has(name) && !isSearch({ type }) && type !== 'namespace' && !(waits && !there?.has(name)),
  );
}

/** Whether a request repeats searches. */
export const repeatsSearches = (body: Wire): boolean =>
  (body.input ?? body.messages.flatMap(({ content }: Wire) => blocks(content))).some(isSearch);

/** @param asked the user's questions; every other text of the user's side is a note of the extension */
export function twinOf(body: Wire, tools: readonly Tool[], asked: ReadonlySet<string>): Wire {
  return body.input ? gptTwin(body, tools, asked) : claudeTwin(body, tools, asked);
}

function direct(call: Wire): Wire {
  if (call.name !== 'call_tool') return call;
  const given = call.input ?? JSON.parse(call.arguments);
  const { name = 'call_tool', arguments: args = {} } = given;
  return call.input ? { ...call, name, input: args } : { ...call, name, arguments: JSON.stringify(args) };
}

function claudeTwin(body: Wire, tools: readonly Tool[], asked: ReadonlySet<string>): Wire {
  const searches = new Set<string>();
  const messages: { role: string; content: Wire[] }[] = [];
  for (const { role, content } of body.messages as readonly Wire[]) {
    const own = blocks(content);
    for (const block of own) if (isSearch(block)) searches.add(block.id ?? block.tool_use_id);
    const calls = own.filter(isCall);
    const onlySearched = role === 'assistant' && calls.length > 0 && calls.every(isSearch);
    const kept =
      role === 'system' || onlySearched
        ? []
        : own.filter((block) =>
            role === 'assistant'
              ? !isSearch(block)
              : block.type === 'tool_result'
                ? !searches.has(block.tool_use_id)
                : asked.has(block.text),
          );
    if (kept.length === 0) continue;
    const blank = kept.map(({ cache_control: _, ...block }) => direct(block));
    const last = messages.at(-1);
    if (last && last.role === role) last.content.push(...blank);
    else messages.push({ role, content: blank });
  }
  // The client marks its list, the end of its last request and the end of this one.
  const reply = messages.findLastIndex(({ role }) => role === 'assistant');
  for (const at of [reply - 1, messages.length - 1]) {
    const end = messages[at]?.content;
    if (end) end[end.length - 1] = { ...(end.at(-1) as Wire), ...MARK };
  }
  return {
    model: body.model,
    tools: tools.map(({ modelName, description, inputSchema }, index) => ({
      name: modelName,
      description,
      input_schema: inputSchema,
      ...(index === tools.length - 1 ? MARK : {}),
    })),
    messages,
  };
}

/** Returns the items of a GPT request without replies that did nothing but search. */
function withoutSearchReplies(items: readonly Wire[]): readonly Wire[] {
  const isReply = ({ type, role }: Wire) => type === 'reasoning' || role === 'assistant' || /_call$/.test(String(type));
  const groups: Wire[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0] && isReply(last[0]) && isReply(item)) last.push(item);
    else groups.push([item]);
  }
  return groups
    .filter((group) => {
      const calls = group.filter((item) => isCall(item) || item.execution === 'client');
      return !group.every(isReply) || calls.length === 0 || !calls.every(isSearch);
    })
    .flat();
}

function gptTwin(body: Wire, tools: readonly Tool[], asked: ReadonlySet<string>): Wire {
  const searches = new Set<string>();
  const items = body.input as readonly Wire[];
  for (const item of items) if (isSearch(item)) searches.add(item.call_id);
  const text = ({ content }: Wire) => (typeof content === 'string' ? content : (content?.[0]?.text ?? ''));
  const input = withoutSearchReplies(items).filter((item) => {
    if (isSearch(item) || item.type === 'additional_tools') return false;
    if (item.type === 'function_call_output') return !searches.has(item.call_id);
    if (item.role && item.role !== 'assistant') return asked.has(text(item));
    return true;
  });
  return {
    model: body.model,
    tools: tools.map(({ modelName, description, inputSchema }) => ({
      type: 'function',
      name: modelName,
      description,
      parameters: inputSchema,
    })),
    input: input.map((item) => direct(item)),
  };
}
