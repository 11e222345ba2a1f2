import { describe, expect, it } from 'vitest';
import { splitTranscript } from '../../../../src/core/usage/accounting';
import { definitionOf, descriptionWithExamples, subtractTokens, sumTokens } from '../../../../src/core/usage/tokens';
import { estimated, measured } from '../../../data/entries';
import { result, results, said, user } from '../../../data/items';
import { makeTool } from '../turn/world';

describe('sums of tokens', () => {
  it('are measured only if every part is', () => {
    expect(sumTokens([measured(1), measured(2)])).toEqual(measured(3));
    expect(sumTokens([measured(1), estimated(2)])).toEqual(estimated(3));
    expect(subtractTokens(measured(1), estimated(2))).toEqual(estimated(-1));
  });
});

describe('a tool’s definition', () => {
  it('has an object schema even if the server sent none', () => {
    expect(definitionOf(makeTool('a', 'b', '', { inputSchema: {} })).definition.inputSchema).toEqual({
      type: 'object',
      properties: {},
    });
  });
  it('never has an empty description', () => {
    expect(definitionOf(makeTool('a', 'b')).definition.description).toBe('b');
    expect(definitionOf(makeTool('a', 'b', '', { title: 'B!' })).definition.description).toBe('B!');
  });
  it('carries the user’s examples', () => {
    expect(
      descriptionWithExamples(
        definitionOf(makeTool('a', 'b', 'Does b', { examples: [{ args: { x: 1 }, description: 'one' }] })).definition,
      ),
    ).toBe('Does b\nExample (one): {"x":1}');
  });
});

describe('the price of a request', () => {
  it('keeps searches apart from what any system would send', () => {
    const { history, searches } = splitTranscript([
      user('question'),
      said('let me see', [
        { callId: '1', name: 'search_tools', input: { queries: ['q'] } },
        { callId: '2', name: 'github_get', input: { n: 1 } },
      ]),
      results(result('1', 'hits'), result('2', { parts: [{ type: 'omitted', mimeType: 'image/png', bytes: 9 }] })),
    ]);
    expect(searches).toBe('search_tools {"queries":["q"]}\nhits');
    expect(history).toBe('question\nlet me see\ngithub_get {"n":1}\n[image/png, 9 bytes, not shown]');
  });
});
