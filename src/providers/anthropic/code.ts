import type { Json, JsonSchema, ToolDefinition } from '../../core/catalog/tool';
import { resolve } from '../../core/code/schemaParts';
import type { AssistantItem } from '../../core/conversation/transcript';
import { isObject, jsonText } from '../../core/util/objects';
import type { CodeParts } from '../codeReplay';
import type { Block } from './storedBlocks';

// Reads and describes code that Claude runs in a container of the service.

/** The service's tool that runs code. In a call from code, `caller` is the type of this tool. */
export const CODE_TOOL = { type: 'code_execution_20260120', name: 'code_execution' } as const;

const RESULTS = new Set([
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
]);

export function isCodeUse(block: Block): boolean {
  return block.type === 'server_tool_use' && typeof block.name === 'string' && block.name.endsWith('code_execution');
}

export function isCodeResult(block: Block): boolean {
  return RESULTS.has(block.type);
}

/**
 * Returns the id of the code that made a call; undefined if the model itself made it. The names of callers have changed
 * before, so any caller but `direct` is taken for code.
 */
export function callerOf(block: Block): string | undefined {
  const { caller } = block;
  return isObject(caller) && caller.type !== 'direct' && typeof caller.tool_id === 'string'
    ? caller.tool_id
    : undefined;
}

export function codeParts(blocks: readonly Block[], replays: boolean): CodeParts {
  const started = blocks.filter(isCodeUse).map((block) => String(block.id));
  const calling = blocks.flatMap((block) => (block.type === 'tool_use' ? (callerOf(block) ?? []) : []));
  const ended = blocks.filter(isCodeResult).map((block) => String(block.tool_use_id));
  return { started, calling, ended, replays };
}

/** Returns the names of the tools that code in a reply called. */
export function calledByCode({ calls }: AssistantItem): readonly string[] {
  return calls.flatMap(({ name, caller }) => (caller === undefined ? [] : [name]));
}

/**
 * Returns a tool's `allowed_callers`; undefined if code can't call the tool: only the model may, or the service would
 * refuse its schema.
 */
export function allowedCallers({ callers, inputSchema }: ToolDefinition): string[] | undefined {
  if (callers === undefined || isCircular(inputSchema)) return undefined;
  return [...(callers === 'both' ? ['direct'] : []), CODE_TOOL.type];
}

/**
 * Whether a schema refers to itself. The service refuses such a schema for code (“Circular $ref detected”). References
 * to other documents are ignored.
 */
function isCircular(schema: JsonSchema): boolean {
  const [followed, ended] = [new Set(['#']), new Set<string>()];
  const visit = (part: unknown): boolean => {
    if (Array.isArray(part)) return part.some(visit);
    if (!isObject(part)) return false;
    const { $ref: ref } = part;
    if (typeof ref === 'string' && !ended.has(ref)) {
      if (followed.has(ref)) return true;
      followed.add(ref);
      if (visit(resolve(schema, ref))) return true;
      ended.add(ref);
    }
    return Object.values(part).some(visit);
  };
  return JSON.stringify(schema).includes('"$ref"') && visit(schema);
}

/** Returns the code of a call: Python, a shell command, or an edit of a file. */
export function codeText({ input }: Block): string {
  const given = isObject(input) ? input : {};
  const text = given.code ?? given.command;
  return typeof text === 'string' ? text : jsonText(given);
}

/** Returns the output of code and whether the code succeeded. Output that is encrypted for the model can't be read. */
export function codeOutcome({ content }: Block): { readonly ok: boolean; readonly output: string } {
  const result: { readonly [key: string]: Json } = isObject(content)
    ? (content as { readonly [key: string]: Json })
    : {};
  const texts = [result.stdout, result.stderr, result.error_code, result.error_message].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  // The output names the files that the code made. Their content can't be fetched.
  const files = (Array.isArray(result.content) ? result.content : []).flatMap((made) =>
    isObject(made) && typeof made.file_id === 'string' ? [`[File in the container: ${made.file_id}]`] : [],
  );
  const failed =
    result.error_code !== undefined || (typeof result.return_code === 'number' && result.return_code !== 0);
  return { ok: !failed, output: [...texts, ...files].join('\n') };
}
