import { blocksOf } from './blocks.mjs';

/**
 * The service's rules for code that calls tools: the code tool, the tools that it may call, and the requests that are
 * refused while code waits.
 */
const CODE_TOOLS = ['code_execution_20260120', 'code_execution_20260521'];
const CALLERS = ['direct', 'code_execution_20260120', 'code_execution_20260521', 'code_execution_20250825'];
export const CODE_RESULTS = [
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
];

export const isCodeTool = (tool) => CODE_TOOLS.includes(tool.type);
export const byCode = (tool) => (tool.allowed_callers ?? []).some((caller) => caller !== 'direct');
const isCodeUse = (block) => block.type === 'server_tool_use' && block.name.endsWith('code_execution');
const callerOf = (block) => (block.caller && block.caller.type !== 'direct' ? block.caller.tool_id : undefined);

/** `callsTools`: whether the model's code may call tools. */
export function refuseCodeTools({ tools = [], model, tool_choice: choice }, callsTools) {
  const called = tools.filter(byCode);
  for (const [index, tool] of tools.entries()) {
    const at = `tools.${index}.custom`;
    const unknown = (tool.allowed_callers ?? []).find((caller) => !CALLERS.includes(caller));
    if (unknown) return `${at}.allowed_callers: Input should be 'direct' or 'code_execution_20260120'`;
    if (!byCode(tool)) continue;
    if (tool.strict) return `${at}: strict tools can't be called from code execution.`;
    if (isCircular(tool.input_schema))
      return `${at}.input_schema: Circular $ref detected; it can't be used with programmatic callers.`;
  }
  if (called.length > 0 && !callsTools)
    return `'${model}' does not support programmatic tool calling. The following tools have \`allowed_callers\` that require it: ${called.map((tool) => tool.name).join(', ')}. Explicitly set \`allowed_callers=["direct"]\` on these tools, or use a model that supports programmatic tool calling.`;
  if (called.length > 0 && !tools.some(isCodeTool))
    return 'tools: `allowed_callers` names code_execution, but there is no such tool.';
  const forced = choice?.type === 'tool' ? tools.find((tool) => tool.name === choice.name) : undefined;
  return forced && byCode(forced) && !forced.allowed_callers.includes('direct')
    ? `tool_choice: Tool '${choice.name}' can only be called from code.`
    : undefined;
}

/** Whether a schema refers to a part that contains the reference. */
function isCircular(schema) {
  const visit = (part, open) => {
    if (typeof part !== 'object' || part === null) return false;
    if (typeof part.$ref === 'string') {
      if (open.includes(part.$ref)) return true;
      const target = part.$ref
        .replace(/^#\/?/, '')
        .split('/')
        .filter(Boolean)
        .reduce((inner, key) => inner?.[key], schema);
      if (visit(target, [...open, part.$ref])) return true;
    }
    return Object.values(part).some((inner) => visit(inner, open));
  };
  return visit(schema, ['#']);
}

/** `issued`: the callers of the issued calls, by the calls' ids; `containers`: those that exist. */
export function refuseCode({ messages, tools = [], container }, { issued, containers }) {
  if (container !== undefined && !containers.has(container))
    return `container: Container '${container}' was not found or has expired.`;
  const blocks = messages.flatMap((message) => blocksOf(message.content));
  const uses = new Set(blocks.filter(isCodeUse).map((block) => block.id));
  const ended = new Set(blocks.filter((block) => CODE_RESULTS.includes(block.type)).map((block) => block.tool_use_id));
  const stray = [...ended].find((id) => !uses.has(id));
  if (stray) return `messages: unexpected \`tool_use_id\` found in \`code_execution_tool_result\` blocks: ${stray}.`;
  for (const block of blocks.filter(({ type }) => type === 'tool_use')) {
    const code = issued.get(block.id);
    if (code && uses.has(code) && callerOf(block) !== code)
      return `messages: \`tool_use\` ${block.id} lacks the \`caller\` that made it.`;
    if (callerOf(block) && !uses.has(callerOf(block)))
      return `messages: \`caller\` of ${block.id} refers to an unknown tool use.`;
  }
  const open = [...uses].filter((id) => !ended.has(id));
  if (open.length === 0) return undefined;
  const [reply, answer] = messages.slice(-2);
  const results = answer?.role === 'user' ? blocksOf(answer.content) : [];
  const calls = reply?.role === 'assistant' ? blocksOf(reply.content).filter((block) => block.type === 'tool_use') : [];
  const waiting = calls.filter((block) => open.includes(callerOf(block)));
  const beside = calls.length > 0 && blocksOf(reply.content).some((block) => open.includes(block.id));
  if (waiting.length === 0 && !beside)
    return `messages: \`code_execution\` tool use ${open[0]} was found without its result.`;
  if (waiting.length > 0 && container === undefined)
    return 'container_id is required when there are pending tool uses generated by code execution with tools.';
  if (results.some((block) => block.type !== 'tool_result'))
    return 'messages: while code execution waits for tools, a message can only hold `tool_result` blocks.';
  const parts = results.flatMap((block) => (block.content === undefined ? [] : blocksOf(block.content)));
  if (waiting.length > 0 && parts.some((part) => part.type !== 'text'))
    return 'messages: results of calls made by code execution can only be text.';
  const gone = waiting.find((block) => !tools.some((tool) => tool.name === block.name));
  return gone && `messages: code execution waits for \`${gone.name}\`, but no \`${gone.name}\` tool was provided.`;
}

/**
 * The code that waits for results at the conversation's end: its script, how often it was answered, and all its results
 * so far.
 */
export function waitingCode(messages) {
  const blocks = messages.flatMap((message) => blocksOf(message.content));
  const ended = new Set(blocks.filter((block) => CODE_RESULTS.includes(block.type)).map((block) => block.tool_use_id));
  const use = blocks.findLast((block) => isCodeUse(block) && !ended.has(block.id));
  if (!use) return undefined;
  const calls = blocks.filter((block) => block.type === 'tool_use' && callerOf(block) === use.id);
  const results = new Map(
    blocks.filter((block) => block.type === 'tool_result').map((block) => [block.tool_use_id, block]),
  );
  const rounds = messages.filter((message) =>
    blocksOf(message.content).some((block) => block.type === 'tool_use' && callerOf(block) === use.id),
  ).length;
  const textOf = (block) => (block ? blocksOf(block.content).map((part) => part.text) : []).join('\n');
  return { use, rounds, results: calls.map((call) => textOf(results.get(call.id))) };
}
