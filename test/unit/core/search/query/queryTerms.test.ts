import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../../src/core/search/query/parseQuery';
import { readQuery } from '../../../../../src/core/search/query/queryTerms';
import { Vocabulary } from '../../../../../src/core/search/text/vocabulary';
import { wordIn } from '../../../../../src/core/search/words/searchWords';

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

const [A, B] = ['a'.repeat(20), 'b'.repeat(20)];

describe('a query becomes terms of the index', () => {
  it.each<[string, string, string, string]>([
    ['a word of the index', 'Deployments', 'deployment', 'deployments 1: deployment 1'],
    ['an unknown word', 'xyz', 'deployment', '?xyz 1: '],
    ['each once', 'file files FILE', 'file', 'file 1: file 1'],
    ['an abbreviation', 'repo', 'repository repo', 'repo 1: repo 1, repository 0.9'],
    ['only an abbreviation', 'repositories', 'repo', '?repositories 1: repo 0.9'],
    ['synonyms', 'movie', 'film movie', 'movie 1: movie 1, film 0.5'],
    ['only a synonym', 'movie', 'film', '?movie 1: film 0.5'],
    ['a verb of changing', 'assign', 'update', '?assign 1: update 0.5'],
    ['who uses it', 'person', 'user', '?person 1: user 0.5'],
    ['what a product is', 'wiki', 'confluence', '?wiki 1: confluence 0.5'],
    ['the same root', 'connection', 'connect connecting', '?connection 1: connect 0.5, connecting 0.5'],
    ['the word and its root', 'connect', 'connect connecting', 'connect 1: connect 1, connecting 0.5'],
    ['a typo', 'deploiment', 'deployment', '?deploiment 1: deployment 0.5'],
    ['no typo of a known word', 'grant', 'grant grand', 'grant 1: grant 1'],
    ['two parts', 'cosmosdb', 'cosmos db', 'cosmos 0.9: cosmo 1; db 0.9: db 1'],
    ['no parts of a short word', 'dbcos', 'cos db', '?dbcos 1: '],
    ['parts of six letters', 'dbcosm', 'cosm db', 'db 0.9: db 1; cosm 0.9: cosm 1'],
    ['the last place to part a word', 'cosmdb', 'cosm db', 'cosm 0.9: cosm 1; db 0.9: db 1'],
    ['no part of one letter', 'deployx', 'deploy x', '?deployx 1: deploy 0.5'],
    ['no parts of three letters', 'dogcat', 'dog cat', '?dogcat 1: '],
    ['no parts of a long word', `${A}${B}b`, `${A} ${B}b`, `?${A}${B}b 1: `],
    ['parts of forty letters', `${A}${B}`, `${A} ${B}`, `${A} 0.9: ${A} 1; ${B} 0.9: ${B} 1`],
    ['neighbours', 'key vault', 'key vault keyvault', 'key 1: key 1; vault 1: vault 1; +key vault 1: keyvault 0.9'],
    [
      'neighbours once',
      'key vault key vault',
      'key vault keyvault',
      'key 1: key 1; vault 1: vault 1; +key vault 1: keyvault 0.9',
    ],
    [
      'neighbours of which one is a value',
      '"key" vault',
      'key vault keyvault',
      'vault 1: vault 1; key 0.3: key 1; +key vault 0.3: keyvault 0.9',
    ],
    ['neighbours of which one is a stop word', 'log in', 'log login', 'log 1: log 1; log in 0.9: login 0.9'],
    ['the same neighbours twice', 'log in and log in', 'log login', 'log 1: log 1; log in 0.9: login 0.9'],
    ['neighbours whose word was read', 'login log in', 'log login', 'login 1: login 1; log 1: log 1'],
    ['two stop words', 'in to', 'into', '?in 1: ; ?to 1: ; +in to 1: into 0.9'],
    ['a value', 'logs "grant"', 'log grant', 'logs 1: log 1; grant 0.3: grant 1'],
    ['a value that is also a word', '"logs" of logs', 'log', 'logs 1: log 1'],
    ['only values', '"logs" 12', 'log 12', 'logs 1: log 1; 12 1: 12 1'],
    ['stop words alone', 'what is it', 'it', '?what 1: ; ?is 1: ; it 1: it 1'],
    ['a word of mixed case', 'MySQL', 'mysql my sql', 'mysql 1: mysql 1, sql 0.5'],
    ['mixed case in parts', 'MySQL', 'my sql', 'sql 1: sql 1'],
    [
      'mixed case in the middle',
      'the GitHub issue',
      'github git hub issue',
      'github 1: github 1, git 0.5, hub 0.5; issue 1: issue 1',
    ],
  ])('%s: %s', (_, query, known, terms) => expect(read(query, known)).toBe(terms));

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
  const known = (...words: string[]) => words.map((word) => wordIn('de', word)).join(' ');
  it.each<[string, string, string, string]>([
    ['a translation', 'zeige die rechnung', 'invoice bill show', 'zeige 1: show 1; rechnung 1: invoice 1, bill 0.5'],
    ['a search word', 'die rechnungen bitte', known('rechnung'), 'rechnungen 1: de:rechnung 1'],
    [
      'a search word and its translation',
      'die rechnungen',
      `${known('rechnung')} invoice`,
      'rechnungen 1: de:rechnung 1, invoice 0.5',
    ],
    ['an English word too', 'die status bitte', `${known('status')} status`, 'status 1: status 1, de:statu 0.9'],
    ['no word that is English too', 'status', `${known('status')} status`, 'status 1: status 1'],
    ['no word beside an unknown one', 'xyz status', `${known('status')} status`, '?xyz 1: ; status 1: status 1'],
    ['a particle', 'benenne das um', known('umbenennen'), 'benenne 1: de:umbenenn 1'],
    ['a typo', 'die berehctigung', known('berechtigung'), '?berehctigung 1: de:berechtigung 0.5'],
    [
      'a compound',
      'die rechnungsliste',
      known('rechnungs', 'liste'),
      'rechnungs 0.9: de:rechnung 1; liste 0.9: de:lis 1',
    ],
    [
      'English that has a German word',
      'the rechnung of the month',
      `${known('rechnung')} month`,
      '?rechnung 1: ; month 1: month 1',
    ],
    ['as many German as English words', 'the rechnung', known('rechnung'), '?rechnung 1: '],
  ])('%s: %s', (_, query, words, terms) => expect(read(query, words, { languages: ['de'] })).toBe(terms));

  it('that has search words only', () => {
    expect(read('je veux un remboursement', 'fr\0remboursement', { languages: ['fr'] })).toContain(
      'remboursement 1: fr:remboursement 1',
    );
    expect(read('remboursement', 'fr\0remboursement')).toBe('?remboursement 1: ');
  });
});
