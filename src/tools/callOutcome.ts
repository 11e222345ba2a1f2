import type { CallOutcome } from '../core/conversation/transcript';

/**
 * Returns how a call ended, from the text of its result. VS Code answers a skipped call with plain text and drops the
 * `isError` of MCP results (`mcpLanguageModelToolContribution.ts`), so failures are recognized by their text. Only
 * texts that can't mean anything else are taken for failures.
 * @param name the server's name for the tool; without it, only errors that any tool can have are recognized
 */
export function outcomeOf(text: string, name?: string): CallOutcome {
  if (REFUSALS.some((words) => (words.endsWith(' ') ? text.startsWith(words) : text === words))) return 'refused';
  if (
    SDK_ERRORS.some((words) =>
      text.startsWith(name === undefined ? (words.split('NAME')[0] ?? words) : words.replace('NAME', () => name)),
    )
  )
    return 'failed';
  if (text.startsWith(BROWSER_ERROR) && (name === undefined || name.startsWith(BROWSER_TOOL))) return 'failed';
  // An error of Node that a server passes on, such as "ENOENT: no such file or directory".
  if (text.length <= MAX_ERROR_CHARS && /^E[A-Z]{3,14}: [^\n]+\n?$/.test(text)) return 'failed';
  // The form of errors in servers without an SDK. Logs and reports that begin with the same word have more lines.
  return text.length <= MAX_ERROR_CHARS && /^Error: [^\n]+\n?$/.test(text) ? 'failed' : 'ok';
}

/** The maximum length of a line that can be an error, in characters. */
const MAX_ERROR_CHARS = 500;

/** Texts in VS Code's `languageModelToolsService.ts`, which aren't translated. */
const REFUSALS: readonly string[] = [
  'The user chose to skip the tool call, they want to proceed without running it',
  'The tool executed but the user chose not to share the results',
  'Autopilot skipped this tool call because ',
  'Tool execution denied: ',
];

/** The beginnings of errors that the MCP SDKs for TypeScript, Python (with FastMCP) and C# send with `isError`. */
const SDK_ERRORS: readonly string[] = [
  'MCP error -',
  'Input validation error: ',
  'Output validation error: ',
  'Error executing tool NAME: ',
  "Error calling tool 'NAME'",
  "An error occurred invoking 'NAME'",
  'Unknown tool: NAME',
];

/**
 * The beginning of a report with `isError` by Playwright's server (`Response.serialize` of playwright-core 1.64). In
 * other tools' results it may be an ordinary heading.
 */
const BROWSER_ERROR = '### Error\n';
/** The beginning of the names of Playwright's tools. */
const BROWSER_TOOL = 'browser_';

/** Returns the message of a protocol error without the code that a client puts before it (VS Code writes `MPC`). */
export function withoutErrorCode(message: string): string {
  return message.replace(/^(?:MCP error|MPC) -?\d+: /, '');
}
