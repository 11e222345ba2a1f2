/** The number of tools that are loaded in each way. */
export interface LoadingCounts {
  readonly eager: number;
  readonly discovered: number;
  readonly deferred: number;
}

/** Returns the number of tools in a request, for the status bar, the inspector, `/stats`, `--json` and exports. */
export function toolsInRequest({ eager, discovered, deferred }: LoadingCounts, delivery: string) {
  // Over a bridge, found tools are called through `call_tool`, so the request doesn't contain their definitions.
  const byCallTool = delivery === 'bridge' ? discovered : 0;
  return { inRequest: eager + discovered - byCallTool, byCallTool, total: eager + discovered + deferred };
}
