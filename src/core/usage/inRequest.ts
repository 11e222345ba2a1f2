/** How many tools are loaded in which way. */
export interface LoadingCounts {
  readonly eager: number;
  readonly discovered: number;
  readonly deferred: number;
}

/** The tools of a request, in numbers. */
interface InRequest {
  /** Tools whose definitions the request holds. */
  readonly inRequest: number;
  /** Tools that were found and are called by way of `call_tool`: the request holds no definition of them. */
  readonly byCallTool: number;
  readonly total: number;
}

/** The one answer to what is in a request: for the status bar, the inspector, `/stats`, `--json` and exports. */
export function toolsInRequest({ eager, discovered, deferred }: LoadingCounts, delivery: string): InRequest {
  const byCallTool = delivery === 'bridge' ? discovered : 0;
  return { inRequest: eager + discovered - byCallTool, byCallTool, total: eager + discovered + deferred };
}
