import { expect, it } from 'vitest';
import { Vocabulary } from '../../../../../src/core/search/text/vocabulary';

it.each([
  ['misses a letter', 'deploment', true],
  ['has a letter too many', 'deploymxent', true],
  ['has a wrong letter', 'deplayment', true],
  ['swaps two neighbours', 'delpoyment', true],
  ['swaps its last letters', 'deploymetn', true],
  ['has two wrong letters', 'deplaymant', false],
  ['has two wrong neighbours', 'deabmyment', false],
  ['has the first of two neighbours moved', 'dexpoyment', false],
  ['has the second of two neighbours moved', 'delxoyment', false],
  ['swaps two neighbours and misses a letter', 'delpyment', false],
  ['swaps two neighbours and has a letter too many', 'delpxoyment', false],
  ['misses two letters', 'deplment', false],
  ['begins otherwise', 'xeployment', false],
])('a word that %s, %s: near is %s', (_, word, isNear) => {
  const vocabulary = new Vocabulary();
  const id = vocabulary.add('deployment');
  expect(vocabulary.near(word)).toEqual(isNear ? [id] : []);
});

it('words of one root are in one order, whatever was added first', () => {
  const words = ['connection', 'connecting', 'connect'];
  const familyOf = (added: readonly string[]) => {
    const vocabulary = new Vocabulary();
    for (const word of added) vocabulary.add(word);
    return vocabulary.family('connected').map((id) => vocabulary.wordOf(id));
  };
  expect(familyOf(words)).toEqual(['connect', 'connecting', 'connection']);
  expect(familyOf(words.toReversed())).toEqual(familyOf(words));
});
