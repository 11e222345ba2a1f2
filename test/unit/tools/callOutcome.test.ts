import { expect, it } from 'vitest';
import { outcomeOf, withoutErrorCode } from '../../../src/tools/callOutcome';

it.each([
  ['The user chose to skip the tool call, they want to proceed without running it', 'refused'],
  ['The tool executed but the user chose not to share the results', 'refused'],
  ['Autopilot skipped this tool call because it was dangerous', 'refused'],
  ['Tool execution denied: by a hook', 'refused'],
  ['MCP error -32602: Input validation error: Invalid arguments for tool echo', 'failed'],
  ['Input validation error: 7 is not of type string', 'failed'],
  ['Error executing tool echo: division by zero', 'failed'],
  ["Error calling tool 'echo': division by zero", 'failed'],
  ["An error occurred invoking 'echo'.", 'failed'],
  ['Unknown tool: echo', 'failed'],
  ['Error: no such file', 'failed'],
  ["ENOENT: no such file or directory, open '/x'", 'failed'],
  ['ENOENT: a log that begins so\nand goes on', 'ok'],
  ['EXAMPLE', 'ok'],
  ['Error executing tool other: not of this call', 'ok'],
  ['The docs say: The user chose to skip the tool call, they want to proceed without running it', 'ok'],
  ['Error: a log that begins so\nand goes on', 'ok'],
  [`Error: ${'x'.repeat(500)}`, 'ok'],
  ['Errors: 0', 'ok'],
  ['', 'ok'],
])('outcomeOf of “%s” is %s', (text, outcome) => expect(outcomeOf(text, 'echo')).toBe(outcome));

const PLAYWRIGHT = '### Error\nError: page.goto: net::ERR_CONNECTION_REFUSED\n### Page\n- Page URL: about:blank';
it.each([
  ['a report of Playwright that begins with an error', PLAYWRIGHT, 'browser_navigate', 'failed'],
  ['a report of Playwright that has an error later', '### Result\n### Error', 'browser_evaluate', 'ok'],
  ['a page that begins like such a report', PLAYWRIGHT, 'fetch_page', 'ok'],
  ['a report of Playwright, of any tool', PLAYWRIGHT, undefined, 'failed'],
  ['an error of any tool', 'Error executing tool other: no', undefined, 'failed'],
  ['a text of any tool', 'All is well.', undefined, 'ok'],
])('the outcome of %s', (_, text, name, outcome) => expect(outcomeOf(text, name)).toBe(outcome));

it('a protocol error is shown without the code before it', () => {
  expect(withoutErrorCode('MPC -32602: No.')).toBe('No.');
  expect(withoutErrorCode('MCP error -32000: No.')).toBe('No.');
  expect(withoutErrorCode('No.')).toBe('No.');
});
