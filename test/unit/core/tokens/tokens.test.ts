import { describe, expect, it } from 'vitest';
import { splitTranscript } from '../../../../src/core/tokens/accounting';
import { definitionOf, descriptionWithExamples, subtractTokens, sumTokens, TokenMeter } from '../../../../src/core/tokens/tokens';
import { makeTool } from '../world';

const measured = (value: number) => ({ value, certainty: 'measured' as const });
const estimated = (value: number) => ({ value, certainty: 'estimated' as const });
const never = new AbortController().signal;

describe('sums of tokens', () => {
  it('are measured only if every part is', () => {
    expect(sumTokens([measured(1), measured(2)])).toEqual(measured(3));
    expect(sumTokens([measured(1), estimated(2)])).toEqual(estimated(3));
    expect(subtractTokens(measured(1), estimated(2))).toEqual(estimated(-1));
  });
});

describe('the token meter', () => {
  it('asks the model once for a text that stays', async () => {
    const meter = new TokenMeter();
    let asked = 0;
    const count = async () => ++asked * 10;
    await meter.count('eager', 'same', count, never);
    expect(await meter.count('eager', 'same', count, never)).toEqual(measured(10));
    expect(await meter.count('eager', 'other', count, never)).toEqual(measured(20));
  });

  it('estimates where the model can’t count, and doesn’t ask again', async () => {
    const meter = new TokenMeter();
    let asked = 0;
    const refuse = async () => {
      asked++;
      throw new Error('no tokeniser');
    };
    expect((await meter.count('a', 'x'.repeat(360), refuse, never)).certainty).toBe('estimated');
    await meter.count('b', 'y', refuse, never);
    expect(asked).toBe(1);
  });

  it('calibrates its estimates on long measured texts, not on short ones', async () => {
    const meter = new TokenMeter();
    const before = meter.estimate(10_000).value;
    await meter.count('short', 'abc', async () => 3, never);
    expect(meter.estimate(10_000).value).toBe(before);
    await meter.count('long', 'x'.repeat(5_000), async () => 2_500, never);
    expect(meter.estimate(10_000)).toEqual(estimated(5_000));
  });

  it('counts nothing as nothing', async () => {
    expect(await new TokenMeter().count('a', '', async () => 5, never)).toEqual(measured(0));
    expect(new TokenMeter().estimate(0)).toEqual(measured(0));
  });
});

describe('a tool’s definition', () => {
  it('has an object schema even where the server sent none', () => {
    expect(definitionOf(makeTool('a', 'b', '', { inputSchema: {} })).definition.inputSchema).toEqual({ type: 'object', properties: {} });
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
      { kind: 'user', text: 'question' },
      {
        kind: 'assistant',
        text: 'let me see',
        calls: [
          { callId: '1', name: 'search_tools', input: { queries: ['q'] } },
          { callId: '2', name: 'github_get', input: { n: 1 } },
        ],
      },
      {
        kind: 'results',
        results: [
          { callId: '1', outcome: 'ok', parts: [{ type: 'text', text: 'hits' }] },
          { callId: '2', outcome: 'ok', parts: [{ type: 'omitted', mimeType: 'image/png', bytes: 9 }] },
        ],
      },
    ]);
    expect(searches).toBe('search_tools {"queries":["q"]}\nhits');
    expect(history).toBe('question\nlet me see\ngithub_get {"n":1}\n[image/png, 9 bytes, not shown]');
  });
});
