import { type Context, createContext, Script } from 'node:vm';

/** What calls the work: V8 ends a script at its time limit, and all that it has called with it. */
const CALL = new Script('work()');
let context: Context | undefined;

/**
 * Does work that holds everything else up, and gives it up at its limit: for what a stranger can make take for ever.
 * @throws {Error} what the work throws, or that it was given up (`ERR_SCRIPT_EXECUTION_TIMEOUT`): nothing that it used may be used again
 */
export function withinTime<Made>(ms: number, work: () => Made): Made {
  context ??= createContext(Object.create(null));
  context.work = work;
  try {
    return CALL.runInContext(context, { timeout: ms });
  } finally {
    context.work = undefined;
  }
}
