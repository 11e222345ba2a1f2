import { describe, expect, it } from 'vitest';
import { outputTokens } from '../../../../src/core/turn/replyCost';
import { TokenCounter } from '../../../../src/core/usage/tokenCounter';

const usage = { inputTokens: 900, outputTokens: 7 };
const reply = (more: object) => ({ text: 'x'.repeat(400), calls: [], searches: [], ...more }) as never;
const counter = new TokenCounter();

describe('what a reply came to', () => {
  it('is what the service reports', () => {
    expect(outputTokens(reply({ usage }), counter)).toEqual({ value: 7, certainty: 'measured' });
    expect(outputTokens(reply({}), counter)).toBeUndefined();
  });

  it('is an estimate after a cut, and no less than was heard', () => {
    const heard = outputTokens(reply({ cut: true }), counter);
    expect(heard?.certainty).toBe('estimated');
    expect(heard?.value).toBeGreaterThan(50);
    expect(outputTokens(reply({ cut: true, usage }), counter)).toEqual(heard);
    const more = { ...usage, outputTokens: 5_000 };
    expect(outputTokens(reply({ cut: true, usage: more }), counter)).toEqual({ value: 5_000, certainty: 'estimated' });
  });

  it('counts a cut call although its input never came', () => {
    const calls = [{ callId: 'a', name: 'b', input: undefined }];
    expect(outputTokens(reply({ cut: true, calls }), counter)).toEqual(outputTokens(reply({ cut: true }), counter));
  });
});
