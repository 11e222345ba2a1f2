/** The service's rules for programs that call tools. */
const CALLERS = ['direct', 'programmatic'];
const problem = (message, param = null) => ({ message, param, code: 'invalid_value' });

export const isCodeTool = (tool) => tool.type === 'programmatic_tool_calling';
export const byCode = (tool) => (tool.allowed_callers ?? []).includes('programmatic');
const callerOf = (item) => (item.caller?.type === 'program' ? item.caller.caller_id : undefined);

/**
 * `functions`: all functions of the request, including those in namespaces; `callsTools`: whether the model's programs
 * may call tools.
 */
export function refuseCodeTools({ tools = [], model }, functions, callsTools) {
  const unknown = functions.find((tool) => (tool.allowed_callers ?? []).some((caller) => !CALLERS.includes(caller)));
  if (unknown) return problem(`Invalid value in 'allowed_callers' of '${unknown.name}'.`, 'tools');
  const used = tools.some(isCodeTool) || functions.some(byCode);
  if (used && !callsTools) return problem(`Tool 'programmatic_tool_calling' is not supported with ${model}.`, 'tools');
  return functions.some(byCode) && !tools.some(isCodeTool)
    ? problem("'allowed_callers' with 'programmatic' requires the tool 'programmatic_tool_calling'.", 'tools')
    : undefined;
}

/**
 * `issued`: the programs that made the issued calls, by the calls' ids; `signed`: the original text of the programs.
 */
export function refuseCode(items, { issued, signed }) {
  const programs = new Map(items.filter((item) => item.type === 'program').map((item) => [item.call_id, item]));
  const ended = new Set(items.filter((item) => item.type === 'program_output').map((item) => item.call_id));
  for (const [id, item] of programs)
    if (signed.has(id) && signed.get(id) !== `${item.code} ${item.fingerprint}`)
      return problem(`The program ${id} isn't as it was written.`, 'input');
  const stray = [...ended].find((id) => !programs.has(id));
  if (stray) return problem(`No program found for program output with call_id ${stray}.`, 'input');
  for (const item of items) {
    if (item.type !== 'function_call' && item.type !== 'function_call_output') continue;
    const program = issued.get(item.call_id);
    if (program && programs.has(program) && callerOf(item) !== program)
      return problem(`Missing caller of ${item.type} ${item.call_id}, which a program made.`, 'input');
    if (callerOf(item) && !programs.has(callerOf(item)))
      return problem(`The caller of ${item.call_id} is an unknown program.`, 'input');
    if (callerOf(item) && item.type === 'function_call_output' && typeof item.output !== 'string')
      return problem(`The output of ${item.call_id} goes to a program, so it must be a string.`, 'input');
  }
  const open = [...programs.keys()].find((id) => !ended.has(id));
  if (!open) return undefined;
  const after = items.slice(
    items.findLastIndex((item) => item.type === 'program' || item.type === 'function_call_output'),
  );
  return after.some((item) => item.role === 'user')
    ? problem(`The program ${open} was found without its output.`, 'input')
    : undefined;
}

/** The program that continues: its item, how often it has called, and all results so far. */
export function waitingCode(items) {
  const ended = new Set(items.filter((item) => item.type === 'program_output').map((item) => item.call_id));
  const program = items.findLast((item) => item.type === 'program' && !ended.has(item.call_id));
  if (!program) return undefined;
  const calls = items.filter((item) => item.type === 'function_call' && callerOf(item) === program.call_id);
  const outputs = new Map(
    items.filter((item) => item.type === 'function_call_output').map((item) => [item.call_id, item.output]),
  );
  return { program, calls: calls.length, results: calls.map((call) => outputs.get(call.call_id)) };
}
