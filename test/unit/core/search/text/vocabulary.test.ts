import { expect, it } from 'vitest';
import { Vocabulary } from '../../../../../src/core/search/text/vocabulary';
import typos from './typos.json';

it.each(typos as [kind: string, word: string, typed: string, isNear: boolean][])(
  '%s: %s typed as %s is found: %s',
  (_, word, typed, isNear) => {
    const vocabulary = new Vocabulary();
    const id = vocabulary.add(word);
    expect(vocabulary.near(typed)).toEqual(isNear ? [id] : []);
  },
);

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
