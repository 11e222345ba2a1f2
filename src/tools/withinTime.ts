import { type Context, createContext, Script } from 'node:vm';

/** The script that calls the work. V8 stops a script at its time limit, including all functions that it has called. */
const CALL = new Script('work()');
let context: Context | undefined;

/**
 * Runs synchronous work with a time limit. For work on untrusted input that could block for ever.
 * @throws {Error} the error of the work, or a timeout (`ERR_SCRIPT_EXECUTION_TIMEOUT`); after a timeout, objects that
 * the work used must not be used again
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
