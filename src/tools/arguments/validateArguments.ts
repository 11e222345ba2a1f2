// Checks a model's arguments against a tool's input schema before the call, with limits on time and size.

import type { JsonSchema, Tool } from '../../core/catalog/tool';
import type { ToolRunner } from '../../core/ports';
import { yieldToEventLoop } from '../../core/util/yieldToEventLoop';
import { withinTime } from '../withinTime';
import { wordErrors } from './argumentErrors';
import { countParts, MAX_NODES, usedPart } from './checkableSchema';
import type { CompiledSchema } from './compileSchema';

/**
 * The maximum times to compile a schema and to check arguments, in milliseconds. A hostile schema of four parts can
 * take years to check; real schemas take a hundredth of this limit. After a timeout, only the server checks the
 * arguments.
 */
const MAX_COMPILE_MS = 2_000;
const MAX_CHECK_MS = 500;

const LENIENT: CompiledSchema = () => [];

/**
 * Creates a check that compiles a tool's schema at the tool's first call. If a schema can't be checked, the server itself
 * reports mistakes.
 * @param log called once for each tool whose arguments can't be checked
 */
export function createArgumentCheck(log: (message: string) => void): ToolRunner['checkArguments'] {
  /** The compiled schemas, also of compilations that are running. A script may call one tool many times at once. */
  const compiled = new WeakMap<Tool, Promise<CompiledSchema>>();
  const logged = new Set<string>();
  const limited = <Made>(tool: Tool, ms: number, work: () => Made): Made => {
    try {
      return withinTime(ms, work);
    } catch (error) {
      compiled.set(tool, Promise.resolve(LENIENT));
      throw error;
    }
  };
  const compile = async (tool: Tool, schemaOf: () => JsonSchema): Promise<CompiledSchema> => {
    const { compileSchema } = await import('./compileSchema');
    await yieldToEventLoop();
    const schema = schemaOf();
    return limited(tool, MAX_COMPILE_MS, () => compileSchema(schema));
  };
  const compiledFor = (tool: Tool, input: object): Promise<CompiledSchema> => {
    if (countParts(tool.inputSchema, MAX_NODES) > MAX_NODES)
      // A compiled part fits this call only, so it isn't cached.
      return compile(tool, () => {
        const part = usedPart(tool.inputSchema, input);
        if (countParts(part, MAX_NODES) > MAX_NODES) throw new Error('It is too large.');
        return part;
      });
    // All calls wait for the same promise, so that none overtakes an earlier one.
    const making = compile(tool, () => tool.inputSchema);
    compiled.set(tool, making);
    return making;
  };
  return async (tool, input) => {
    try {
      const validate = await (compiled.get(tool) ?? compiledFor(tool, input));
      return wordErrors(limited(tool, MAX_CHECK_MS, () => validate(input)));
    } catch (error) {
      if (!logged.has(tool.id)) {
        logged.add(tool.id);
        log(
          `The arguments of ${tool.id} are left to its server to check: its input schema can't be used. ${String(error).slice(0, 300)}`,
        );
      }
      return [];
    }
  };
}
