/**
 * The twin of a conversation: the same questions, calls and answers of a client that sends every definition in its list
 * and never searches. Made from the requests that were sent, by the services' documentation.
 */
import type { Tool } from '../../../../src/core/catalog/tool';
import { plain, type Wire } from './chance';
import { blocks, callable } from './claudeRules';
import { callable as callableByGpt } from './gpt';

const SEARCHES = new Set(['search_tools', 'describe_tool']);
const MARK = { cache_control: { type: 'ephemeral' } };

export const isSearch = ({ type, name }: Wire): boolean =>
  /^tool_search/.test(String(type)) ||
  ((type === 'tool_use' || type === 'function_call') && SEARCHES.has(name)) ||
  (type === 'server_tool_use' && String(name).startsWith('tool_search'));
export const isCall = ({ type }: Wire): boolean => type === 'tool_use' || type === 'function_call';

const partsOf = (body: Wire): readonly Wire[] =>
  body.input ?? body.messages.flatMap(({ content }: Wire) => blocks(content));

/** Whether a model can call every tool without having searched for any. */
export function defersNothing(body: Wire, tools: readonly Tool[]): boolean {
  const parts = partsOf(body);
  const searches = new Set(parts.filter(isSearch).map((part) => part.call_id ?? part.id ?? part.tool_use_id));
  const isAnswer = (part: Wire) => isSearch(part) || searches.has(part.call_id ?? part.tool_use_id);
  const found = plain(parts.filter(isAnswer));
  const rest = parts.filter((part) => !isAnswer(part));
  const there = body.input
    ? callableByGpt({ ...body, input: rest })
    : callable({ ...body, messages: [{ role: 'user', content: rest }] });
  // A client that delivers found tools itself puts them in its list, or lets them join at the conversation's end.
  const joined = parts.flatMap(({ type, tools: many, tool }) =>
    type === 'additional_tools' ? many : type === 'tool_addition' ? [tool.definition ?? tool] : [],
  );
  const sent = [...(body.tools ?? []), ...joined] as readonly Wire[];
  const listed = new Set(sent.flatMap((tool) => (tool.defer_loading ? [] : [tool.name])));
  return tools.every(({ modelName }) => there.has(modelName) && !(listed.has(modelName) && found.includes(modelName)));
}

const isBridged = ({ name }: Wire) => name === 'call_tool';

/** What a reply is recognized by: its texts and calls. Another model gets the rest in another form, or not at all. */
export function replyKey(content: readonly Wire[]): string {
  const said = content.filter((block) => block.type === 'text' || isCall(block)).map(({ id, text }) => id ?? text);
  return plain(said.length > 0 ? said : content);
}

/** What a plain client would know of a conversation. */
interface Conversation {
  /** The user's questions. Every other text of the user's side is a note of the extension. */
  readonly asked: ReadonlySet<string>;
  /** The model's replies as they came. A request may lack some of their thoughts. */
  readonly replies: ReadonlyMap<string, readonly Wire[]>;
}

export function twinOf(body: Wire, tools: readonly Tool[], { asked, replies }: Conversation): Wire {
  return body.input ? gptTwin(body, tools, asked) : claudeTwin(body, tools, { asked, replies });
}

function direct(call: Wire): Wire {
  if (!isBridged(call)) return call;
  const given = call.input ?? JSON.parse(call.arguments);
  const { name = 'call_tool', arguments: args = {} } = given;
  return call.input ? { ...call, name, input: args } : { ...call, name, arguments: JSON.stringify(args) };
}

function claudeTwin(body: Wire, tools: readonly Tool[], { asked, replies }: Conversation): Wire {
  const searches = new Set<string>();
  const messages: { role: string; content: Wire[] }[] = [];
  for (const { role, content } of body.messages as readonly Wire[]) {
    const sent = blocks(content);
    const own = (role === 'assistant' ? replies.get(replyKey(sent)) : undefined) ?? sent;
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
