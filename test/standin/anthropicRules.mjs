import { CODE_RESULTS, isCodeTool, refuseCode, refuseCodeTools } from './anthropicCode.mjs';
import { blocksOf } from './blocks.mjs';

/**
 * The refusals of the Messages API, in its own words. Each check returns a sentence, or undefined if the request is
 * valid.
 */
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const SEARCH_TYPES = { tool_search_tool_bm25_20251119: 'bm25', tool_search_tool_regex_20251119: 'regex' };
const MAX_DEFERRED = 10_000;
const MAX_BREAKPOINTS = 4;

const FIELDS = {
  body: 'model max_tokens messages system tools tool_choice stream temperature top_p top_k stop_sequences metadata thinking output_config service_tier cache_control container diagnostics',
  tool: 'type name description input_schema input_examples cache_control defer_loading strict allowed_callers eager_input_streaming',
  searchTool: 'type name cache_control defer_loading allowed_callers strict',
  text: 'type text cache_control citations',
  image: 'type source cache_control',
  document: 'type source title context citations cache_control',
  tool_use: 'type id name input caller cache_control toolset_name',
  server_tool_use: 'type id name input caller cache_control',
  tool_result: 'type tool_use_id content is_error cache_control toolset_name',
  tool_search_tool_result: 'type tool_use_id content cache_control',
  code_execution_tool_result: 'type tool_use_id content cache_control',
  bash_code_execution_tool_result: 'type tool_use_id content cache_control',
  text_editor_code_execution_tool_result: 'type tool_use_id content cache_control',
  tool_reference: 'type tool_name cache_control',
  thinking: 'type thinking signature',
  tool_addition: 'type tool cache_control',
  tool_removal: 'type tool cache_control',
  redacted_thinking: 'type data',
  compaction: 'type content encrypted_content cache_control',
  // The block that the fault `unknown` sends. A service accepts its own blocks.
  novel_block: 'type payload',
};
const fieldsOf = (kind) => FIELDS[kind].split(' ');

export const searchStrategy = (tool) => SEARCH_TYPES[tool.type];
export { blocksOf };

/** Returns the first error in a request. `models` are the ids of models with server-side search. */
export function refuse(
  body,
  {
    rejected = [],
    counting = false,
    searching = true,
    regexOnly = false,
    callsTools = true,
    forces = true,
    code,
    signed = () => true,
  } = {},
) {
  return (
    extra('', body, fieldsOf('body')) ??
    (counting
      ? undefined
      : Number.isInteger(body.max_tokens) && body.max_tokens > 0
        ? undefined
        : 'max_tokens: Field required') ??
    (Array.isArray(body.messages) && body.messages.length > 0
      ? undefined
      : 'messages: at least one message is required') ??
    refuseTools(body, { rejected, counting, searching, regexOnly }) ??
    refuseCodeTools(body, callsTools) ??
    refuseChoice(body, forces) ??
    refuseMessages(body, signed) ??
    (code ? refuseCode(body, code) : undefined) ??
    refuseBreakpoints(body)
  );
}

function refuseTools({ tools = [], model }, { rejected, counting, searching, regexOnly }) {
  const names = new Set();
  for (const [index, tool] of tools.entries()) {
    const at = `tools.${index}`;
    const strategy = searchStrategy(tool);
    if (strategy) {
      if (counting) return `${at}: Server tools are not supported in the count_tokens endpoint.`;
      if (!searching) return `'${model}' does not support tool types: ${tool.type}. Did you mean one of ?`;
      if (regexOnly && strategy === 'bm25')
        return `${at}: Input tag '${tool.type}' found using 'type' does not match any of the expected tags: 'custom', 'tool_search_tool_regex_20251119'`;
      const bad = extra(`${at}.${tool.type}`, tool, fieldsOf('searchTool'));
      if (bad) return bad;
      if (tool.name !== `tool_search_tool_${strategy}`)
        return `${at}.${tool.type}.name: Input should be 'tool_search_tool_${strategy}'`;
      if (tool.defer_loading) return `${at}: Tool search tools cannot have defer_loading=true.`;
    } else if (isCodeTool(tool)) {
      if (counting) return `${at}: Server tools are not supported in the count_tokens endpoint.`;
      if (tool.name !== 'code_execution') return `${at}.${tool.type}.name: Input should be 'code_execution'`;
    } else {
      if (tool.type !== undefined && tool.type !== null && tool.type !== 'custom')
        return `${at}: Input tag '${tool.type}' found using 'type' does not match any of the expected tags`;
      const bad = refuseCustomTool(`${at}.custom`, tool, rejected);
      if (bad) return bad;
    }
    if (names.has(tool.name)) return 'tools: Tool names must be unique.';
    names.add(tool.name);
    if (tool.defer_loading && tool.cache_control)
      return `${at}: Tool '${tool.name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`;
  }
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading))
    return 'At least one tool must have defer_loading=false. All tools cannot be deferred.';
  if (tools.filter((tool) => tool.defer_loading).length > MAX_DEFERRED)
    return `tools: at most ${MAX_DEFERRED} tools can have defer_loading=true.`;
  return undefined;
}

function refuseCustomTool(at, tool, rejected) {
  const bad = extra(at, tool, fieldsOf('tool'));
  if (bad) return bad;
  if (typeof tool.name !== 'string' || !NAME.test(tool.name))
    return `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  const schema = tool.input_schema;
  if (typeof schema !== 'object' || schema === null) return `${at}.input_schema: Field required`;
  if (schema.type !== 'object')
    return `${at}.input_schema.type: ${schema.type === undefined ? 'Field required' : "Input should be 'object'"}`;
  if (schema.oneOf || schema.anyOf || schema.allOf)
    return `${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  const name = Object.keys(schema.properties ?? {}).find((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key));
  if (name !== undefined)
    return `${at}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
  if (rejected.includes(tool.name))
    return `${at}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.`;
  return undefined;
}

function refuseChoice({ tools = [], tool_choice: choice, thinking }, forces) {
  if (choice === undefined) return undefined;
  if (!forces && (choice.type === 'tool' || choice.type === 'any'))
    return 'tool_choice: type "tool" and "any" are not supported for this model.';
  if (tools.length === 0) return 'tool_choice: tool_choice may only be specified while providing tools.';
  if (!['auto', 'any', 'tool', 'none'].includes(choice.type))
    return `tool_choice: Input tag '${choice.type}' does not match any of the expected tags`;
  if (choice.type === 'tool' && !tools.some((tool) => tool.name === choice.name))
    return `tool_choice: Tool '${choice.name}' not found in provided tools`;
  if ((choice.type === 'tool' || choice.type === 'any') && thinking && thinking.type !== 'disabled')
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  return undefined;
}

function refuseMessages({ messages, tools = [] }, signed) {
  const names = new Set(tools.map((tool) => tool.name));
  const servers = new Set();
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (!['user', 'assistant', 'system'].includes(message.role))
      return `${at}.role: Input should be 'user' or 'assistant'`;
    if (index === 0 && message.role !== 'user') return 'messages: first message must use the "user" role';
    const blocks = blocksOf(message.content);
    if (blocks.length === 0 && !(message.role === 'assistant' && index === messages.length - 1))
      return `${at}: all messages must have non-empty content except for the optional final assistant message`;
    for (const [place, block] of blocks.entries()) {
      const bad = refuseBlock(`${at}.content.${place}`, block, { names, servers, signed, role: message.role });
      if (bad) return bad;
    }
    const bad = refusePairs(messages, index);
    if (bad) return bad;
  }
  return undefined;
}

function refuseBlock(at, block, { names, servers, signed, role }) {
  if (!(block.type in FIELDS))
    return `${at}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`;
  const bad = extra(`${at}.${block.type}`, block, fieldsOf(block.type));
  if (bad) return bad;
  if (CODE_RESULTS.includes(block.type)) return undefined;
  switch (block.type) {
    case 'text':
      return block.text === '' ? 'messages: text content blocks must be non-empty' : undefined;
    case 'thinking':
      return signed(block) ? undefined : `${at}: Invalid \`signature\` in \`thinking\` block`;
    case 'tool_use':
    case 'server_tool_use':
      if (role !== 'assistant') return `${at}: \`${block.type}\` blocks can only be in \`assistant\` messages`;
      if (block.type === 'server_tool_use') servers.add(block.id);
      return typeof block.input === 'object' && block.input !== null && !Array.isArray(block.input)
        ? undefined
        : `${at}.${block.type}.input: Input should be a valid dictionary`;
    case 'tool_search_tool_result':
      if (!servers.has(block.tool_use_id))
        return `${at}: unexpected \`tool_use_id\` found in \`tool_search_tool_result\` blocks: ${block.tool_use_id}.`;
      return unknownReference(block.content?.tool_references ?? [], names);
    case 'tool_result': {
      const content = blocksOf(block.content);
      if (Array.isArray(block.content) && content.length === 0)
        return `${at}.tool_result.content: List should have at least 1 item`;
      if (content.some((part) => part.type === 'text' && part.text === ''))
        return 'messages: text content blocks must be non-empty';
      const references = content.filter((part) => part.type === 'tool_reference');
      if (references.length > 0 && references.length < content.length)
        return `${at}.tool_result.content: tool_reference blocks cannot be mixed with other content`;
      return unknownReference(references, names);
    }
    default:
      return undefined;
  }
}

function unknownReference(references, names) {
  const unknown = references.find((reference) => !names.has(reference.tool_name));
  return unknown && `Tool reference '${unknown.tool_name}' not found in available tools`;
}

/** Checks that each `tool_use` is answered in the next message, and that nothing else is. */
function refusePairs(messages, index) {
  const message = messages[index];
  const uses = blocksOf(message.content).filter((block) => block.type === 'tool_use');
  const repeated = uses.find((use, place) => uses.findIndex((other) => other.id === use.id) !== place);
  if (repeated) return `messages.${index}: \`tool_use\` ids must be unique`;
  const next = messages[index + 1];
  const answered = new Set(
    next?.role === 'user'
      ? blocksOf(next.content)
          .filter((block) => block.type === 'tool_result')
          .map((block) => block.tool_use_id)
      : [],
  );
  const open = uses.filter((use) => !answered.has(use.id)).map((use) => use.id);
  if (open.length > 0)
    return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  if (message.role !== 'user') return undefined;
  const before = messages[index - 1];
  const asked = new Set(
    before?.role === 'assistant'
      ? blocksOf(before.content)
          .filter((block) => block.type === 'tool_use')
          .map((block) => block.id)
      : [],
  );
  const stray = blocksOf(message.content).findIndex(
    (block) => block.type === 'tool_result' && !asked.has(block.tool_use_id),
  );
  return stray < 0
    ? undefined
    : `messages.${index}.content.${stray}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${blocksOf(message.content)[stray].tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
}

function refuseBreakpoints(body) {
  const marked = [
    ...(body.tools ?? []),
    ...blocksOf(body.system),
    ...body.messages.flatMap((message) => blocksOf(message.content)),
    body,
  ].filter((block) => block.cache_control).length;
  return marked <= MAX_BREAKPOINTS
    ? undefined
    : `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${marked}.`;
}

function extra(at, object, known) {
  const field = Object.keys(object).find((name) => !known.includes(name));
  return field && `${at ? `${at}.` : ''}${field}: Extra inputs are not permitted`;
}
