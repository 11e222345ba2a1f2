import type { CallOutcome } from '../core/transcript/transcript';

/**
 * Says how a call ended from the text of its result, since VS Code answers a skipped call and a server's error with plain
 * text. Conservative: only texts that nothing else writes count. They stand, not translated, in VS Code's
 * `languageModelToolsService.ts`; "MCP error" is how the MCP SDKs word a protocol error.
 */
export function outcomeOf(text: string): CallOutcome {
  if (REFUSALS.includes(text) || text.startsWith('Autopilot skipped this tool call because ')) return 'refused';
  return /^MCP error -\d+: /.test(text) ? 'failed' : 'ok';
}

const REFUSALS: readonly string[] = [
  'The user chose to skip the tool call, they want to proceed without running it',
  'The tool executed but the user chose not to share the results',
];
