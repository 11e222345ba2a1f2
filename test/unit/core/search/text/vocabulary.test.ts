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
  ['has one letter for two', 'deplxment', false],
  ['has two letters for one', 'deplxqyment', false],
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

it.each([
  ['four letters', 'list', 'lixt', false],
  ['five letters', 'grant', 'grxnt', true],
  ['forty letters', `m${'a'.repeat(39)}`, `m${'a'.repeat(38)}b`, true],
  ['more letters', `m${'a'.repeat(40)}`, `m${'a'.repeat(39)}b`, false],
  ['the same letters', 'banana', 'banana', true],
  ['a repeated letter too many', 'banana', 'bananna', true],
  ['two repeated letters', 'committee', 'comittee', true],
  ['a missing last letter', 'deploy', 'deplo', true],
  ['a letter more at the end', 'deploy', 'deployx', true],
  ['another second letter', 'deploy', 'dxploy', true],
  ['another last letter', 'deploy', 'deplox', true],
  ['another second and last letter', 'deploy', 'dxplox', false],
  ['swapped letters after the first', 'deploy', 'dpeloy', true],
])('typos in words of %s', (_, word, typed, isNear) => {
  const vocabulary = new Vocabulary();
  const id = vocabulary.add(word);
  expect(vocabulary.near(typed)).toEqual(isNear ? [id] : []);
});

it('typos behind the mark of a language count from the word on', () => {
  const vocabulary = new Vocabulary();
  const id = vocabulary.add('de\0rechnung');
  expect(vocabulary.near('de\0rechnug', 3)).toEqual([id]);
  expect(vocabulary.near('de\0xechnung', 3)).toEqual([]);
  vocabulary.add('de\0rost');
  expect(vocabulary.near('de\0rosx', 3)).toEqual([]);
});

it('words near a word are sorted, also those added later', () => {
  const vocabulary = new Vocabulary();
  const [second, first] = [vocabulary.add('deplox'), vocabulary.add('deplot')];
  expect(vocabulary.near('deplow')).toEqual([first, second]);
  const third = vocabulary.add('deploz');
  expect(vocabulary.near('deplow')).toEqual([first, second, third]);
});

it('words are numbered once, in singular and plural', () => {
  const vocabulary = new Vocabulary();
  const [files, issue] = [vocabulary.add('files'), vocabulary.add('issue')];
  expect([vocabulary.add('file'), vocabulary.find('files'), vocabulary.find('issues')]).toEqual([files, files, issue]);
  expect([vocabulary.find('nothing'), vocabulary.wordOf(files), vocabulary.wordOf(9)]).toEqual([-1, 'file', '']);
});

it.each([
  ['open', 'opening', 'opened'],
  ['sky', 'skies'],
  ['deny', 'denied', 'denying'],
  ['flies', 'flying'],
  ['bake', 'baking', 'baked'],
])('words of one root are one family: %s, %s …', (...words) => {
  const vocabulary = new Vocabulary();
  for (const word of words) vocabulary.add(word);
  const others = ['other', 'opera', 'skill', 'dense', 'flat', 'user'].map((word) => vocabulary.add(word));
  for (const word of words) {
    const family = vocabulary.family(word);
    expect(family).toContain(vocabulary.find(word));
    expect(family.filter((id) => others.includes(id))).toEqual([]);
  }
  expect(vocabulary.family(words[0] as string).length).toBe(new Set(words.map((word) => vocabulary.find(word))).size);
});

it('a text is read again as at first, also long runs', () => {
  const texts = ['getFile and MySQL', 'x'.repeat(40), 'y'.repeat(41), `${'Ab'.repeat(20)}`, `${'Ab'.repeat(21)}c`, ''];
  const vocabulary = new Vocabulary();
  const read = (text: string) => {
    const into = new Int32Array(300);
    const end = vocabulary.read(text, into, 2);
    return [...into.subarray(0, end)].map((id) => (id < 0 ? `~${vocabulary.wordOf(~id)}` : vocabulary.wordOf(id)));
  };
  const first = texts.map(read);
  expect(texts.map(read)).toEqual(first);
  expect(first[0]?.slice(2)).toEqual(['get', 'file', '~getfile', 'and', 'my', 'sql', '~mysql']);
  expect(first[5]).toHaveLength(2);
});
