import type { CallOutcome } from '../core/conversation/transcript';

/**
 * Says how a call ended from the text that is its whole result: VS Code answers a skipped call with plain text, and of an MCP
 * result it hands on the content without `isError` (`mcpLanguageModelToolContribution.ts`). So a failure is known by its
 * words. Conservative: only texts that mean nothing else count.
 * @param name what the server calls the tool; absent where any tool's error is meant
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
  // Node's own words, which servers hand on: ENOENT: no such file or directory.
  if (text.length <= MAX_ERROR_CHARS && /^E[A-Z]{3,14}: [^\n]+\n?$/.test(text)) return 'failed';
  // How servers of their own making word one. A log or a report that only begins with the word has more lines.
  return text.length <= MAX_ERROR_CHARS && /^Error: [^\n]+\n?$/.test(text) ? 'failed' : 'ok';
}

/** The longest line that counts as an error, in characters. */
const MAX_ERROR_CHARS = 500;

/** They stand, not translated, in VS Code's `languageModelToolsService.ts`. */
const REFUSALS: readonly string[] = [
  'The user chose to skip the tool call, they want to proceed without running it',
  'The tool executed but the user chose not to share the results',
  'Autopilot skipped this tool call because ',
  'Tool execution denied: ',
];

/** How the SDKs of MCP word what they send with `isError`: TypeScript, Python and FastMCP, C#. */
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
 * Playwright's server answers with a report, and says `isError` of just those that begin with this section (`Response.serialize`
 * of playwright-core 1.64). Of any other tool it may be the first heading of a page.
 */
const BROWSER_ERROR = '### Error\n';
/** How the names of its tools begin. */
const BROWSER_TOOL = 'browser_';

/** The words of a protocol error, without the code that a client puts before them (`MPC` is VS Code's spelling). */
export function withoutErrorCode(message: string): string {
  return message.replace(/^(?:MCP error|MPC) -?\d+: /, '');
}
