import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GERMAN } from '../../../../../src/core/search/text/german';
import { rootOf, singular } from '../../../../../src/core/search/text/stem';
import { eachWord, squash, wordsOf } from '../../../../../src/core/search/text/words';
import { createToolFilter } from '../../../../../src/core/search/toolFilter';
import { holds } from '../../../property';
import { makeTool } from '../makeTool';
import splits from './wordSplits.json';

/** Words with what becomes of each, from lines such as `issues issue, boxes box`. */
const pairs = (...lines: readonly string[]) =>
  lines.flatMap((line) => line.split(', ').map((pair) => pair.split(' ') as [word: string, becomes: string]));

it.each(splits as [text: string, words: string[]][])('wordsOf splits %s', (text, words) =>
  expect(wordsOf(text)).toEqual(words),
);

it.each([
  ['MySQL and GitHub', ['my', 'sql', 'mysql/2', 'and', 'git', 'hub', 'github/2']],
  ['getHTTPUrl, listURLs', ['get', 'http', 'url', 'gethttpurl/3', 'list', 'url', 'listurl/2']],
  ['aVeryLongCamelCase snake_case PRs', ['a', 'very', 'long', 'camel', 'case', 'snake', 'case', 'pr']],
  ['aBcD', ['a', 'bc', 'd', 'abcd/3']],
  ['aB—cD', ['a', 'b', 'ab/2', 'c', 'd', 'cd/2']],
  ['APIs—x', ['api', 'x']],
  ['myIDs—listURLs', ['my', 'id', 'myid/2', 'list', 'url', 'listurl/2']],
  ['文Ab', ['文', 'ab']],
  ['MySQL文件GitHub', ['my', 'sql', 'mysql/2', '文件', 'git', 'hub', 'github/2']],
])('eachWord gives a run of mixed case behind its parts: %s', (text, words) => {
  const said: string[] = [];
  eachWord(text, (word, parts) => said.push(parts === 1 ? word : `${word}/${parts}`));
  expect(said).toEqual(words);
});

it.each(
  pairs(
    'siestas siesta, issues issue, repositories repository, branches branch, addresses address, boxes box',
    'status status, news news, gas gas, process process, bus bus, virus virus, basis basis, ties tie, movies movy',
    'cookaies cookaie, wishes wish, classes class, caches cach, pies pie, trees tree, axis axis, issue issue',
    'kubernetes kubernetes, series series, people person',
  ),
)('singular %s → %s', (plural, word) => expect(singular(plural)).toBe(word));

it.each([
  ['Create_Issue', 'createissue'],
  ['a/b.c-d', 'abcd'],
  ['My Server', 'myserver'],
  ['Größe: Äpfel!', 'größeäpfel'],
  ['读取_文件', '读取文件'],
  ['v١', 'v١'],
  ['é', 'é'],
  ['__--..//', ''],
  ['?! ', ''],
  ['', ''],
])('squash keeps only letters and digits of %s', (text, squashed) => expect(squash(text)).toBe(squashed));

it.each(
  pairs(
    'rechnungen rechnung, rechnung rechnung, häuser hau, straße strass, kindern kind, laufend lauf, kalender kal',
    'tage tag, see see, bett bett, linie linie, ente ent, dem dem, ihrem ihrem, gesetzt gesetz',
  ),
)('the German stem of %s is %s', (word, stem) => expect(GERMAN.stem(word)).toBe(stem));

it.each([
  ['bus', 'bus'],
  ['does', 'doe'],
  [`${'a'.repeat(47)}ing`, 'a'.repeat(47)],
  [`${'a'.repeat(48)}ing`, `${'a'.repeat(48)}ing`],
  ['lösching', 'lösching'],
  ['k8sing', 'k8sing'],
])('rootOf of %s is %s', (word, root) => expect(rootOf(word)).toBe(root));

it('rootOf joins the forms of a verb', () => {
  expect(new Set(['connect', 'connected', 'connecting', 'connection', 'connects'].map(rootOf)).size).toBe(1);
  const words = ['notification', 'notify', 'transcript', 'permission', 'commission', 'relational', 'hopping'];
  expect(words.map(rootOf)).toEqual(['notifi', 'notifi', 'transcrib', 'permit', 'commiss', 'relat', 'hop']);
});

it('a word of six letters or more begins like its root', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aeioubcdlnrstyz'), minLength: 1, maxLength: 6 });
  const suffix = fc.constantFrom(...'|s|ies|ed|eed|ing|ings|ational|ness|ement|ion|ll|e|y|ic|ous|mission'.split('|'));
  const two = (text: string) => text.slice(0, 2).replace(/(?<=^.)y/, 'i');
  holds([letters, suffix, suffix], { numRuns: 3_000 }, (stem, first, second) => {
    const word = stem + first + second;
    if (word.length >= 6) expect(two(rootOf(word))).toBe(two(word));
  });
});

describe('createToolFilter', () => {
  const filter = createToolFilter([
    makeTool('github', 'create_issue', 'Create an issue'),
    makeTool('github', 'list_branches', 'List branches'),
  ]);
  const names = (text: string) => filter(text).map((tool) => tool.name);

  it('matches the start of words and forgives typos, as a person types', () => {
    expect(names('iss')).toEqual(['create_issue']);
    expect(names('brnaches')).toEqual(['list_branches']);
    expect(names('git cre')).toEqual(['create_issue']);
    expect(names('lsit')).toEqual([]);
    expect(names('lst')).toEqual([]);
  });

  it('keeps to a server with @, and to readers with is:readonly', () => {
    const read = { ...makeTool('gitlab', 'get_issue', 'Reads an issue'), annotations: { readOnlyHint: true } };
    const both = createToolFilter([
      read,
      makeTool('github', 'create_issue', 'Create an issue'),
      makeTool('files', 'issue', ''),
    ]);
    const found = (text: string) => both(text).map((tool) => tool.id);
    expect(found('@GitHub issue')).toEqual(['github/create_issue']);
    expect(found('@git')).toEqual(['github/create_issue', 'gitlab/get_issue']);
    expect(found('issue is:readonly')).toEqual(['gitlab/get_issue']);
    expect(found('is:readonly @files')).toEqual([]);
    expect(found('@')).toHaveLength(3);
  });

  it('shows all tools for no text', () => expect(names(' ')).toEqual(['create_issue', 'list_branches']));
});
