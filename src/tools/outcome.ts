import type { CallOutcome } from '../core/conversation/transcript';

/**
 * Tells from the whole text of a result how the call ended. VS Code answers a skipped call with plain text, and hands
 * on an MCP result without its `isError` (`mcpLanguageModelToolContribution.ts`), so a failure is recognised by its
 * words. Only texts that can mean nothing but a failure count.
 * @param name the server's name for the tool; absent to check for an error of any tool
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
  // Node's own error, passed on by a server, such as "ENOENT: no such file or directory".
  if (text.length <= MAX_ERROR_CHARS && /^E[A-Z]{3,14}: [^\n]+\n?$/.test(text)) return 'failed';
  // The form of an error in servers without an SDK. A log or a report that only begins with the word has more lines.
  return text.length <= MAX_ERROR_CHARS && /^Error: [^\n]+\n?$/.test(text) ? 'failed' : 'ok';
}

/** The longest line that counts as an error, in characters. */
const MAX_ERROR_CHARS = 500;

/** Untranslated texts of VS Code's `languageModelToolsService.ts`. */
const REFUSALS: readonly string[] = [
  'The user chose to skip the tool call, they want to proceed without running it',
  'The tool executed but the user chose not to share the results',
  'Autopilot skipped this tool call because ',
  'Tool execution denied: ',
];

/** How the MCP SDKs for TypeScript, Python (with FastMCP) and C# word errors that they send with `isError`. */
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
 * The first section of a report in which Playwright's server sets `isError` (`Response.serialize` of playwright-core
 * 1.64). In the result of any other tool it may be the first heading of a page.
 */
const BROWSER_ERROR = '### Error\n';
/** Prefix of the names of Playwright's tools. */
const BROWSER_TOOL = 'browser_';

/**
 * Returns the words of a protocol error without the code that a client puts before them (`MPC` is VS Code's spelling).
 */
export function withoutErrorCode(message: string): string {
  return message.replace(/^(?:MCP error|MPC) -?\d+: /, '');
}
