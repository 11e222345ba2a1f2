import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../../src/core/catalog/tool';
import { ToolIndex } from '../../../../../src/core/search/toolIndex';
import {
  countingForms,
  formsOf,
  languageOf,
  languagesOf,
  plainWord,
  type SearchWords,
  wordIn,
} from '../../../../../src/core/search/words/searchWords';
import { makeTool } from '../makeTool';

const TOOLS = [
  makeTool('sentry', 'analyze_issue', 'Analyzes an issue with Seer'),
  makeTool('sentry', 'list_projects', 'Lists all projects of an organization'),
  makeTool('shop', 'list_invoices', 'Lists the invoices of a customer'),
  makeTool('shop', 'cancel_order', 'Cancels an order'),
];

function search(query: string, words: { readonly [id: string]: SearchWords }, tools: readonly Tool[] = TOOLS) {
  const index = new ToolIndex(tools, ({ id }) => words[id]);
  const outcome = index.search({ query, strategy: 'bm25', limit: 5, explain: true });
  return outcome.ok ? outcome.hits : [];
}

const ids = (hits: ReturnType<typeof search>) => hits.map(({ tool }) => tool.id);

describe('the forms of search words', () => {
  it.each<[SearchWords, readonly string[]]>([
    [{ en: ['Stack Traces', 'the trace', 'a x 5'] }, ['stack', 'traces', 'trace']],
    [{ de: ['die Rechnungen', 'Rechnung'] }, ['de:rechnung']],
    [{ fr: ['les factures', '文'] }, ['fr:les', 'fr:factures', 'fr:文']],
    [{ en: ['art'], de: ['Art'], fr: ['art'], it: ['arte'], es: ['arte'] }, ['art', 'de:art', 'fr:art', 'it:arte']],
    [{ en: Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `${letter}${letter}k ${letter}${letter}p`) }, []],
  ])('of %j', (words, forms) => {
    const read = formsOf(words);
    if (forms.length === 0) expect([read.length, read.at(-1)]).toEqual([24, 'llp']);
    else expect(read.map((form) => form.replace('\0', ':'))).toEqual(forms);
    expect(formsOf(words)).toEqual(read);
  });

  it('show their language and word', () => {
    const forms = [wordIn('en', 'cat'), wordIn('de', 'katzen'), wordIn('fr', 'chats')];
    expect(forms.map(languageOf)).toEqual(['', 'de', 'fr']);
    expect(forms.map(plainWord)).toEqual(['cat', 'katz', 'chats']);
    expect([...languagesOf([forms, forms.slice(2)])]).toEqual(['de', 'fr']);
  });

  it('count unless a quarter of twenty or more tools share them', () => {
    const tools = (count: number) => Array.from({ length: count }, (_, i) => makeTool('a', `tool_${i}`));
    const counting = (count: number, sharing: number) =>
      countingForms(tools(count), ({ name }) => {
        const number = Number(name.slice(5));
        return number < sharing ? { en: ['shared', `own${number}k`] } : undefined;
      });
    expect(counting(20, 5).get('a/tool_0')).toEqual(['own0k']);
    expect(counting(20, 4).get('a/tool_0')).toEqual(['shared', 'own0k']);
    expect(counting(19, 19).get('a/tool_0')).toEqual(['shared', 'own0k']);
    expect([...counting(20, 5).keys()]).toEqual(tools(5).map(({ id }) => id));
  });
});

describe('search words', () => {
  it('find a tool whose definition has none of the query', () => {
    const words = { 'sentry/analyze_issue': { en: ['crashing', 'stack trace'] } };
    expect(ids(search('why is it crashing', {}))).toEqual([]);
    const [hit] = search('why is it crashing', words);
    expect(hit?.tool.id).toBe('sentry/analyze_issue');
    expect(hit?.parts?.words).toEqual([{ word: 'crashing', tools: 1, adds: expect.any(Number), isSearchWord: true }]);
  });

  it('add nothing to a word that the definition has', () => {
    const parts = (words: SearchWords) => search('cancel the order', { 'shop/cancel_order': words })[0]?.parts;
    expect(parts({ en: ['cancel', 'order', 'orders'] })).toEqual(parts({}));
  });

  it('leave the rarity of a definition’s words as it is', () => {
    const score = (words: { readonly [id: string]: SearchWords }) =>
      search('invoices', words).find(({ tool }) => tool.name === 'list_invoices')?.score;
    expect(score({ 'shop/cancel_order': { en: ['invoice'] } })).toBe(score({}));
  });

  it('follow a change, as an index that is built from the start', () => {
    let words: { readonly [id: string]: SearchWords } = { 'shop/cancel_order': { en: ['refund'] } };
    const index = new ToolIndex(TOOLS, ({ id }) => words[id]);
    const found = (query: string) => {
      const outcome = index.search({ query, strategy: 'bm25', limit: 5 });
      return outcome.ok ? outcome.hits.map(({ tool, score }) => [tool.id, score]) : [];
    };
    const first = found('refund');
    words = { 'shop/list_invoices': { en: ['bill'] } };
    index.setTools(TOOLS);
    expect([found('refund').length, found('bill').length]).toEqual([0, 1]);
    words = { 'shop/cancel_order': { en: ['refund'] } };
    index.setTools(TOOLS);
    expect(found('refund')).toEqual(first);
  });
});

describe('search words of another language', () => {
  const WORDS = {
    'shop/list_invoices': { de: ['Rechnungen anzeigen', 'offene Rechnung', 'Liste'] },
    'shop/cancel_order': { de: ['Bestellung stornieren', 'die Art', 'Rechnung ändern', 'Status', 'projects'] },
  };

  it('find an English tool, whatever the number and case of the words', () => {
    expect(ids(search('zeige mir alle offenen Rechnungen', WORDS))[0]).toBe('shop/list_invoices');
    expect(ids(search('Kannst du meine Bestellungen stornieren?', WORDS))[0]).toBe('shop/cancel_order');
  });

  it('find a verb whose particle is apart', () => {
    const words = {
      'shop/cancel_order': { de: ['umbenennen', 'entfernen'] },
      'shop/list_invoices': { de: ['auflisten'] },
    };
    expect(ids(search('Benenne die Bestellung um', words))[0]).toBe('shop/cancel_order');
    expect(ids(search('Liste alle Rechnungen auf', words))[0]).toBe('shop/list_invoices');
    expect(ids(search('Bitte entferne das', words))[0]).toBe('shop/cancel_order');
    expect(ids(search('Benenne das Auto', words))).toEqual([]);
  });

  it('find no tool by function words or typos of short words', () => {
    const tools = [...TOOLS, makeTool('math', 'roll', 'Rolls a die'), makeTool('shop', 'rights', 'Sets rights')];
    const words = { ...WORDS, 'shop/rights': { de: ['Berechtigungen'] } };
    expect(ids(search('Hole die Rechnung', words, tools))).not.toContain('math/roll');
    expect(ids(search('Das wäre echt toll', words, tools))).toEqual([]);
    expect(ids(search('Wer hat die Berehctigung', words, tools))).toEqual(['shop/rights']);
  });

  it('leave English requests as they are', () => {
    const english = { 'shop/cancel_order': { en: ['refund', 'withdraw'] }, 'sentry/list_projects': { en: ['apps'] } };
    const both = {
      ...WORDS,
      ...english,
      'shop/cancel_order': { ...WORDS['shop/cancel_order'], en: ['refund', 'withdraw'] },
    };
    for (const query of ['list projects', 'what is the status of an order', 'the art of invoices', 'refund my apps']) {
      expect(search(query, WORDS)).toEqual(search(query, {}));
      expect(search(query, both)).toEqual(search(query, english));
    }
  });
});
