/**
 * The refusals of the Messages API, by its documentation (tool use, tool search, prefix checks, mid-conversation system
 * messages and tool changes, programmatic tool calling). Written independently of the stand-in in `test/standin`.
 */
import { createHmac } from 'node:crypto';
import { plain, type Wire } from './chance';

/** The features of a model that the rules depend on. */
export interface ClaudeModel {
  readonly name: string;
  readonly binds: boolean;
  readonly system: boolean;
  readonly changes: boolean;
  readonly forces: boolean;
  readonly code: boolean;
}

export const blocks = (content: unknown): readonly Wire[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as readonly Wire[]);
export const isThought = ({ type }: Wire) => type === 'thinking' || type === 'redacted_thinking';
const isSearchTool = ({ type }: Wire) => String(type).startsWith('tool_search_tool');
const CODE = 'code_execution_20260120';

/** Deferred tools that a block adds to the conversation. */
export function entered(block: Wire): readonly string[] {
  if (block.type === 'tool_addition') return block.tool.type === 'tool_reference' ? [block.tool.name] : [];
  const listed = block.type === 'tool_search_tool_result' ? block.content.tool_references : block.content;
  return (Array.isArray(listed) ? listed : [])
    .filter(({ type }: Wire) => type === 'tool_reference')
    .map(({ tool_name }: Wire) => tool_name);
}

const signatureOf = (block: Wire): string => block.signature ?? block.data;
const seal = (text: string) => createHmac('sha256', 'the service').update(text).digest('base64url').slice(0, 24);

/** The blocks that a model reads, in order. Consecutive messages of one role are one message. */
function read(body: Wire): readonly (readonly [role: string, block: Wire])[] {
  return body.messages.flatMap(({ role, content }: Wire) => blocks(content).map((block) => [role, block] as const));
}

/** Everything that comes before a block, with the definitions of references, and the thoughts in it. */
function before(body: Wire, said: ReturnType<typeof read>): { readonly on: string; readonly after: readonly string[] } {
  const tools: readonly Wire[] = body.tools ?? [];
  const definition = new Map(tools.map((tool) => [tool.name, tool]));
  const visible = said
    .filter(([, block]) => !isThought(block))
    .map(([role, block]) => [role, block, entered(block).map((name) => definition.get(name))]);
  const loaded = tools.filter((tool) => !tool.defer_loading);
  return {
    on: seal(plain([blocks(body.system), loaded, visible])),
    after: said.filter(([, block]) => isThought(block)).map(([, block]) => seal(signatureOf(block))),
  };
}

/**
 * Thinking of a reply, bound to everything before it.
 * @param own the earlier blocks of the same reply
 */
export function think(body: Wire, own: readonly Wire[], { text, redacted }: { text: string; redacted: boolean }): Wire {
  const said = [...read(body), ...own.map((block) => ['assistant', block] as const)];
  const bond = { ...before(body, said), model: body.model, text: seal(text) };
  const signature = Buffer.from(JSON.stringify({ ...bond, seal: seal(JSON.stringify(bond)) })).toString('base64');
  return redacted ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', thinking: text, signature };
}

/** Returns the number of thoughts whose prefix has changed. Only the oldest thoughts may be left out. */
export function brokenThoughts(body: Wire): number {
  const said = read(body);
  return said.filter(([, block], index) => {
    if (!isThought(block)) return false;
    const { seal: sealed, ...bond } = JSON.parse(Buffer.from(signatureOf(block), 'base64').toString());
    const { on, after } = before(body, said.slice(0, index));
    const isTail = plain(after) === plain(bond.after.slice(Math.max(0, bond.after.length - after.length)));
    const isSame = block.type === 'redacted_thinking' || bond.text === seal(block.thinking);
    return sealed !== seal(JSON.stringify(bond)) || bond.model !== body.model || bond.on !== on || !isTail || !isSame;
  }).length;
}

/** Tools that the model can call now, by name. */
export function callable(body: Wire): ReadonlyMap<string, Wire> {
  const byName = new Map<string, Wire>((body.tools ?? []).map((tool: Wire) => [tool.name, tool]));
  const there = new Map([...byName].filter(([, tool]) => !tool.defer_loading && tool.input_schema));
  for (const { content } of body.messages)
    for (const block of blocks(content)) {
      if (block.type === 'tool_removal') there.delete(block.tool.name);
      if (block.type === 'tool_addition' && block.tool.definition)
        there.set(block.tool.definition.name, block.tool.definition);
      for (const name of entered(block)) there.set(name, byName.get(name) ?? {});
    }
  return there;
}

/** The code that waits for calls at the end of a conversation; undefined if there is none. */
export function waitingCode(body: Wire): string | undefined {
  const ended = new Set<string>();
  let waiting: string | undefined;
  for (const block of body.messages.flatMap(({ content }: Wire) => blocks(content))) {
    if (block.type.endsWith('code_execution_tool_result')) ended.add(block.tool_use_id);
    if (block.type === 'tool_use' && block.caller?.tool_id) waiting = block.caller.tool_id;
  }
  return waiting !== undefined && !ended.has(waiting) ? waiting : undefined;
}

/** Returns the first error that the service refuses. */
export function refusal(body: Wire, betas: readonly string[], model: ClaudeModel): string | undefined {
  return (
    refuseTools(body, model) ??
    refuseChoice(body, model) ??
    refuseOrder(body, model) ??
    refusePairs(body) ??
    refuseBlocks(body) ??
    refuseChanges(body, betas, model) ??
    refuseCode(body) ??
    refuseMarks(body)
  );
}

function refuseTools({ tools = [] }: Wire, model: ClaudeModel): string | undefined {
  const names = tools.map(({ name }: Wire) => name);
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  if (tools.length > 0 && tools.every((tool: Wire) => tool.defer_loading))
    return 'At least one tool must have defer_loading=false.';
  if (tools.some((tool: Wire) => isSearchTool(tool) && tool.defer_loading)) return 'tools: a search tool is deferred';
  const asksCode = tools.some((tool: Wire) => tool.allowed_callers?.some((caller: string) => caller !== 'direct'));
  if (asksCode && !model.code) return `'${model.name}' does not support programmatic tool calling.`;
  if (asksCode && !tools.some(({ type }: Wire) => type === CODE)) return 'tools: allowed_callers without the tool';
  return (
    tools.find((tool: Wire) => tool.defer_loading && tool.cache_control) &&
    'Tools with defer_loading cannot use prompt caching'
  );
}

function refuseChoice({ tool_choice: choice, tools = [], thinking }: Wire, model: ClaudeModel): string | undefined {
  if (choice?.type !== 'any' && choice?.type !== 'tool') return undefined;
  if (!model.forces || thinking) return 'tool_choice: type "tool" and "any" are not supported for this model.';
  const named = tools.find(({ name }: Wire) => name === choice.name);
  return choice.type === 'tool' && (!named || named.allowed_callers?.includes('direct') === false)
    ? 'tool_choice: not found'
    : undefined;
}

function refuseOrder({ messages }: Wire, model: ClaudeModel): string | undefined {
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  for (const [index, { role, content }] of messages.entries()) {
    if (blocks(content).length === 0) return `messages.${index}: all messages must have non-empty content`;
    if (role !== 'system') continue;
    if (!model.system) return `messages.${index}.role: Input should be 'user' or 'assistant'`;
    if (messages[index - 1]?.role !== 'user') return `messages.${index}: a system message follows a user message`;
    if (messages[index + 1] && messages[index + 1].role !== 'assistant')
      return `messages.${index}: a system message is last, or before a reply`;
  }
  return undefined;
}

function refusePairs({ messages }: Wire): string | undefined {
  const seen = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    const own = blocks(content);
    const asked = own.filter(({ type }) => type === 'tool_use').map(({ id }) => id as string);
    const after = index + 1 < messages.length ? blocks(messages[index + 1].content) : [];
    const answers = after.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id);
    if (role === 'assistant' && plain([...asked].sort()) !== plain([...answers].sort()))
      return `messages.${index}: tool_use ids ${asked} were answered by ${answers}`;
    if (asked.some((id) => seen.has(id))) return `messages.${index}: tool_use ids must be unique`;
    for (const id of asked) seen.add(id);
    const firstOther = own.findIndex(({ type }) => type !== 'tool_result');
    if (role === 'user' && firstOther >= 0 && own.slice(firstOther).some(({ type }) => type === 'tool_result'))
      return `messages.${index}: results come first`;
  }
  return undefined;
}

function refuseBlocks(body: Wire): string | undefined {
  const names = new Set((body.tools ?? []).map(({ name }: Wire) => name));
  const searches = new Set<string>();
  const found = new Set<string>();
  for (const [index, { content }] of body.messages.entries())
    for (const block of blocks(content)) {
      const at = `messages.${index}.${block.type}`;
      if (block.type === 'text' && block.text.trim() === '')
        return `${at}: text content blocks must contain non-whitespace text`;
      if (block.type === 'tool_result' && block.content?.length === 0) return `${at}: at least one block`;
      const references = entered(block);
      if (block.type === 'tool_result' && references.length > 0 && references.length < block.content.length)
        return `${at}: references beside other content`;
      if (block.type === 'tool_addition') continue;
      const unknown = references.find((name) => !names.has(name));
      if (unknown) return `Tool reference '${unknown}' not found in available tools`;
      if (block.type === 'server_tool_use') {
        searches.add(block.id);
        if (!names.has(block.name)) return `${at}: the tool ${block.name} isn't in the request`;
      }
      if (block.type === 'tool_search_tool_result') {
        if (!searches.has(block.tool_use_id)) return `${at}: no search ${block.tool_use_id}`;
        found.add(block.tool_use_id);
      }
      if (block.type === 'tool_use' && (typeof block.input !== 'object' || Array.isArray(block.input)))
        return `${at}: input`;
    }
  const lastReply = body.messages.findLast(({ role }: Wire) => role === 'assistant');
  const open = body.messages
    .filter((message: Wire) => message !== lastReply)
    .flatMap(({ content }: Wire) => blocks(content))
    .find(({ type, id, name }: Wire) => type === 'server_tool_use' && name !== 'code_execution' && !found.has(id));
  return open && `a search without a result: ${open.id}`;
}

function refuseChanges(body: Wire, betas: readonly string[], model: ClaudeModel): string | undefined {
  const known = new Set((body.tools ?? []).map(({ name }: Wire) => name));
  for (const block of body.messages.flatMap(({ content }: Wire) => blocks(content))) {
    if (block.type !== 'tool_addition' && block.type !== 'tool_removal') continue;
    if (!model.changes) return 'tool_addition/tool_removal is not supported on this model';
    const defines = block.tool.type === 'tool_definition';
    if (
      defines
        ? !betas.includes('inline-tools-2026-09-15')
        : betas.every((beta) => !/^(inline-tools|mid-conversation-tool)/.test(beta))
    )
      return `${block.type} blocks require a beta`;
    if (defines) known.add(block.tool.definition.name);
    else if (!known.has(block.tool.name)) return `${block.type} references unknown tool '${block.tool.name}'`;
  }
  return body.thinking?.block_binding && !betas.includes('thinking-binding-controls-2026-08-01')
    ? 'block_binding requires a beta'
    : undefined;
}

/** Checks code: a waiting call needs its container, its tool and results that only have text. */
function refuseCode(body: Wire): string | undefined {
  const started = new Set<string>();
  const ended = new Set<string>();
  for (const block of body.messages.flatMap(({ content }: Wire) => blocks(content))) {
    if (block.type === 'server_tool_use' && block.name === 'code_execution') started.add(block.id);
    if (block.type.endsWith('code_execution_tool_result')) ended.add(block.tool_use_id);
    if (block.type === 'tool_use' && block.caller?.tool_id && !started.has(block.caller.tool_id))
      return `a call of unknown code ${block.caller.tool_id}`;
  }
  if ([...ended].some((id) => !started.has(id))) return 'a result of unknown code';
  const waiting = waitingCode(body);
  if ([...started].some((id) => !ended.has(id) && id !== waiting)) return 'code without its result';
  if (waiting === undefined) return undefined;
  const last = body.messages.at(-1);
  if (!body.container)
    return 'container_id is required when there are pending tool uses generated by code execution with tools.';
  if (last.role !== 'user' || blocks(last.content).some(({ type }) => type !== 'tool_result'))
    return 'results of code stand alone';
  const parts = blocks(last.content).flatMap(({ content }) => blocks(content));
  return parts.some(({ type }) => type !== 'text') ? 'results of code are text' : undefined;
}

function refuseMarks(body: Wire): string | undefined {
  const all = [
    ...(body.tools ?? []),
    ...blocks(body.system),
    ...body.messages.flatMap(({ content }: Wire) => blocks(content)),
  ];
  const marked = all.filter(({ cache_control: mark }: Wire) => mark);
  if (marked.length > 4) return 'A maximum of 4 blocks with cache_control may be provided.';
  return marked.some(isThought) ? 'cache_control on thinking' : undefined;
}
