/** The number of tools that are loaded in each way. */
export interface LoadingCounts {
  readonly eager: number;
  readonly discovered: number;
  readonly deferred: number;
}

/** The tools of a request, in numbers. */
interface InRequest {
  /** The tools whose definitions the request contains. */
  readonly inRequest: number;
  /** The tools that were found and are called through `call_tool`. The request doesn't contain their definitions. */
  readonly byCallTool: number;
  readonly total: number;
}

/** Returns the number of tools in a request, for the status bar, the inspector, `/stats`, `--json` and exports. */
export function toolsInRequest({ eager, discovered, deferred }: LoadingCounts, delivery: string): InRequest {
  const byCallTool = delivery === 'bridge' ? discovered : 0;
  return { inRequest: eager + discovered - byCallTool, byCallTool, total: eager + discovered + deferred };
}
