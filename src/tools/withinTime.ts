import { type Context, createContext, Script } from 'node:vm';

/** The script that calls the work. V8 ends a script at its time limit, and with it all that the script has called. */
const CALL = new Script('work()');
let context: Context | undefined;

/**
 * Runs synchronous work and ends it at a time limit. For work on untrusted input that could otherwise block forever.
 * @throws {Error} the error of the work, or a timeout (`ERR_SCRIPT_EXECUTION_TIMEOUT`), after which nothing that the
 * work used may be used again
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
