import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../src/tools/outcome';

describe('outcomeOf', () => {
  it.each([
    ['The user chose to skip the tool call, they want to proceed without running it', 'refused'],
    ['The tool executed but the user chose not to share the results', 'refused'],
    ['MCP error -32602: Input validation error: Invalid arguments for tool echo', 'failed'],
    ['The docs say: The user chose to skip the tool call, they want to proceed without running it', 'ok'],
    ['Error: 3 of 4 tests failed', 'ok'],
    ['', 'ok'],
  ])('of “%s” is %s', (text, outcome) => {
    expect(outcomeOf(text)).toBe(outcome);
  });
});
