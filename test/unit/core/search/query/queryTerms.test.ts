import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../../src/core/search/query/parseQuery';
import { readQuery } from '../../../../../src/core/search/query/queryTerms';
import { Vocabulary } from '../../../../../src/core/search/text/vocabulary';
import { wordIn } from '../../../../../src/core/search/words/searchWords';
import tables from './queryTerms.json';

interface Known {
  readonly languages?: readonly string[];
  /** Words that are numbered but that no tool has any longer. */
  readonly gone?: readonly string[];
  /** Words that occur only as two joined words of a name. */
  readonly paired?: readonly string[];
}

/** Reads a query with these words in the index. Shows its terms as `word weight: variant weight, …; word …`. */
function read(query: string, known: string, { languages = [], gone = [], paired = [] }: Known = {}) {
  const vocabulary = new Vocabulary();
  for (const word of [...known.split(' '), ...gone, ...paired]) vocabulary.add(word);
  const terms = readQuery(parseQuery(query).words, {
    vocabulary,
    inUse: (term) => !gone.includes(vocabulary.wordOf(term)),
    isWritten: (term) => !paired.includes(vocabulary.wordOf(term)),
    languages,
  });
  const shown = terms.map(({ word, weight, own, variants, joined }) => {
    const shown = variants.map(({ term, weight }) => `${vocabulary.wordOf(term).replace('\0', ':')} ${weight}`);
    const mark = own < 0 ? '?' : variants[0]?.term === own ? '' : '!';
    return `${mark}${joined ? '+' : ''}${word} ${Number(weight.toFixed(3))}: ${shown.join(', ')}`;
  });
  return shown.join('; ');
}

describe('a query becomes terms of the index', () => {
  it.each(tables.english)('%s: %s', (_, query, known, terms) => expect(read(query, known)).toBe(terms));

  it('without words that no tool has any longer', () => {
    expect(read('grant', 'other', { gone: ['grant'] })).toBe('?grant 1: ');
    expect(read('connection', 'connecting', { gone: ['connect'] })).toBe('?connection 1: connecting 0.5');
    expect(read('key vault', 'key vault', { gone: ['keyvault'] })).toBe('key 1: key 1; vault 1: vault 1');
  });

  it('with the parts of a word that only a name joins', () => {
    const paired = ['cosmosdb'];
    expect(read('cosmosdb', 'cosmos db', { paired })).toBe('cosmosdb 1: cosmosdb 1; cosmos 0.9: cosmo 1; db 0.9: db 1');
    expect(read('cosmosdb', 'cosmo', { paired })).toBe('cosmosdb 1: cosmosdb 1');
    expect(read('listthe', 'list the', { paired: ['listthe'] })).toBe('listthe 1: listthe 1; list 0.9: list 1');
    expect(read('log in', 'log', { paired: ['login'] })).toBe('log 1: log 1');
  });

  it('up to 64 words', () => {
    const words = Array.from(
      { length: 70 },
      (_, i) => `w${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}k`,
    );
    const terms = read(words.join(' '), words.join(' '));
    expect(terms).toBe(
      words
        .slice(0, 64)
        .map((word) => `${word} 1: ${word} 1`)
        .join('; '),
    );
  });
});

describe('a query in another language', () => {
  /** Words with `de:` before them become search words as the index has them. */
  const known = (words: string) => words.replace(/de:(\S+)/g, (_, word) => wordIn('de', word));
  it.each(tables.german)('%s: %s', (_, query, words, terms) =>
    expect(read(query, known(words), { languages: ['de'] })).toBe(terms),
  );

  it('that has search words only', () => {
    expect(read('je veux un remboursement', 'fr\0remboursement', { languages: ['fr'] })).toContain(
      'remboursement 1: fr:remboursement 1',
    );
    expect(read('remboursement', 'fr\0remboursement')).toBe('?remboursement 1: ');
  });
});
