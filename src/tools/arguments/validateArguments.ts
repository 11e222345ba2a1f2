import type { Tool } from '../../core/catalog/tool';
import { withinTime } from '../withinTime';
import { wordErrors, wordNoObject } from './argumentErrors';
import { countParts, MAX_NODES, usedPart } from './checkableSchema';
import type { CompiledSchema } from './compileSchema';

/**
 * A schema of four parts can take years to check. Real ones take a hundredth of this on a machine that does nothing else; where
 * one is given up, nothing is lost but that its server tells the model what is wrong. In milliseconds.
 */
const MAX_COMPILE_MS = 2_000;
const MAX_CHECK_MS = 500;

/**
 * Says in words for a model which arguments don't fit the tool's schema and what is expected, or undefined where they fit.
 * Never rejects: what a schema that can't be checked would say, the server says itself.
 */
export type CheckArguments = (tool: Tool, input: unknown) => Promise<string | undefined>;

const LENIENT: CompiledSchema = () => [];

/**
 * Makes a check that compiles a tool's schema when the tool is first called, and once.
 * @param yieldToEventLoop lets the host do something else before it compiles
 * @param log hears once of each tool whose arguments can't be checked
 */
export function createArgumentCheck(log: (message: string) => void, yieldToEventLoop = async () => {}): CheckArguments {
  const compiled = new WeakMap<Tool, CompiledSchema>();
  /** A script calls one tool many times at once. */
  const compiling = new WeakMap<Tool, Promise<CompiledSchema>>();
  const logged = new Set<string>();
  const limited = <Made>(tool: Tool, ms: number, work: () => Made): Made => {
    try {
      return withinTime(ms, work);
    } catch (error) {
      compiled.set(tool, LENIENT);
      throw error;
    }
  };
  const compile = async (tool: Tool, input: object): Promise<CompiledSchema> => {
    const { compileSchema } = await import('./compileSchema');
    const made = compiling.get(tool);
    if (made) return made;
    if (countParts(tool.inputSchema, MAX_NODES) > MAX_NODES) {
      await yieldToEventLoop();
      // What one call uses says nothing about the next: it is compiled for this one alone.
      const part = usedPart(tool.inputSchema, input);
      if (countParts(part, MAX_NODES) > MAX_NODES) throw new Error('It is too large.');
      return limited(tool, MAX_COMPILE_MS, () => compileSchema(part));
    }
    const making = yieldToEventLoop().then(() => {
      const validate = limited(tool, MAX_COMPILE_MS, () => compileSchema(tool.inputSchema));
      compiled.set(tool, validate);
      return validate;
    });
    compiling.set(tool, making);
    return making;
  };
  return async (tool, input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return wordNoObject(tool, input);
    try {
      const validate = compiled.get(tool) ?? (await compile(tool, input));
      return limited(tool, MAX_CHECK_MS, () => {
        const errors = validate(input);
        return errors.length > 0 ? wordErrors(tool, errors) : undefined;
      });
    } catch (error) {
      if (!logged.has(tool.id)) {
        logged.add(tool.id);
        log(
          `The arguments of ${tool.id} are left to its server to check: its input schema can't be used. ${String(error).slice(0, 300)}`,
        );
      }
      return undefined;
    }
  };
}
