import { expect, it } from 'vitest';
import { lossCause } from '../../../../src/core/usage/lossCause';

const turn = { loss: 500, readAgain: 0, savedTokens: -500, searched: true };

it('is the missed cache if that alone explains the loss', () => {
  expect(lossCause({ ...turn, readAgain: 500 })).toBe('missed');
  expect(lossCause({ ...turn, readAgain: 499 })).toBe('searched');
  expect(lossCause({ ...turn, loss: 0 })).toBe('searched');
});

it('is the cache of all definitions if fewer tokens were sent', () => {
  expect(lossCause({ ...turn, savedTokens: 0 })).toBe('cached');
});

it('is the search only if there was one', () => {
  expect(lossCause({ ...turn, searched: false })).toBe('guidance');
});
