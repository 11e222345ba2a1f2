import { expect, it } from 'vitest';
import { isDisguised } from '../../../../src/core/util/lookalikes';

it.each([
  ['р\u0430ypal, from its first letter on', '\u0440\u0430ypal', true],
  ['a word with one such letter at its end', 'read_m\u0430', true],
  ['a Latin word', 'paypal', false],
  ['a word of another script alone', '\u043e\u0441\u0430', false],
  ['a word with a letter that doesn’t look Latin', 'API\u0434\u043e\u043a\u0430', false],
  ['a word with such a letter at its start', '\u0434\u043e\u043aPay', false],
])('%s is disguised or not', (_, word, isSo) => expect(isDisguised(word)).toBe(isSo));
