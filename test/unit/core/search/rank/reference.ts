import type { Tool } from '../../../../../src/core/catalog/tool';
import { searchedFields } from '../../../../../src/core/search/fields/fields';
import { eachWord } from '../../../../../src/core/search/text/words';
import * as W from '../../../../../src/core/search/weights';

// The ranking computed a second time, as its documentation says it, without an index. Knows no variants of words.

/** A word of a query with its weight, or two neighbours joined. */
interface Asked {
  readonly word: string;
  readonly term: string;
  readonly weight: number;
  readonly joined: boolean;
}

/** The reference's result for one tool. */
interface Expected {
  readonly score: number;
  readonly parts: { readonly [part: string]: unknown };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const discount = (length: number, pivot: number) => 1 / (1 - W.LENGTH_SHARE + (W.LENGTH_SHARE * length) / pivot);
const idf = (all: number, having: number) => Math.log(1 + (all - having + 0.5) / (having + 0.5));

function read(texts: readonly string[]): { readonly single: string[]; readonly joined: string[] } {
  const single: string[] = [];
  const joined: string[] = [];
  for (const text of texts) eachWord(text, (word, parts) => (parts === 1 ? single : joined).push(word));
  return { single, joined };
}

/** Returns the impact of each term of a tool, and which of them are search words. */
function documentOf(tool: Tool, searchWords: readonly string[]) {
  const fields = searchedFields(tool);
  const frequencies = new Map<string, number>();
  const add = (words: readonly string[], weight: number) => {
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + weight);
  };
  const lengthOf = (texts: readonly string[]) => sum(Object.values(read(texts)).map(({ length }) => length));
  const written = new Set<string>();
  const field = (texts: readonly string[], weight: number) => {
    const { single, joined } = read(texts);
    for (const word of single) written.add(word);
    add([...single, ...joined], weight * Math.min(1, discount(lengthOf(texts), W.LONGEST)));
  };
  const name = read([fields.name]);
  const pairs = name.single.slice(1).map((word, i) => `${name.single[i]}${word}`);
  add([...name.single, ...name.joined], W.FIELD.name);
  add(pairs, W.FIELD.namePair);
  field([fields.server], W.FIELD.server);
  field([fields.title], W.FIELD.title);
  field(fields.argumentNames, W.FIELD.argumentName);

  const [sentence = ''] = /^[^\n]*?(?=[.!?](\s|$)|\n|$)/.exec(fields.description) ?? [];
  const described = read([fields.description]);
  const first = read([sentence]);
  add(
    [...described.single, ...described.joined],
    W.FIELD.description * discount(described.single.length, W.LENGTH_PIVOT),
  );
  const extra = Math.min(1, discount(first.single.length, W.LONGEST));
  add([...first.single, ...first.joined], W.FIELD.firstSentence * extra);

  field(fields.argumentTexts, W.FIELD.argumentText);
  field(fields.values, W.FIELD.value);
  field(fields.examples, W.FIELD.example);
  for (const word of [...name.single, ...described.single]) written.add(word);

  const added = searchWords.filter((word) => !frequencies.has(word));
  add(added, W.FIELD.searchWord * discount(added.length, W.LENGTH_PIVOT));
  const impacts = new Map<string, number>();
  for (const [term, frequency] of frequencies)
    impacts.set(term, (frequency * (W.SATURATION + 1)) / (W.SATURATION + frequency));
  return { impacts, written, searched: new Set(added), name: name.single, pairs, server: read([fields.server]).single };
}

/** A text that is the same for names with the same words. */
const keyOf = (name: readonly string[]) => [...new Set(name)].sort().join(' ');

/** A catalog for the reference. */
export class Reference {
  private readonly documents: readonly ReturnType<typeof documentOf>[];
  constructor(
    private readonly tools: readonly Tool[],
    searchWords: readonly (readonly string[])[],
  ) {
    this.documents = tools.map((tool, i) => documentOf(tool, searchWords[i] ?? []));
  }

  /** All words that a query can ask for. */
  words(): string[] {
    return [...new Set(this.documents.flatMap(({ impacts }) => [...impacts.keys()]))].filter((word) => word.length < 6);
  }

  private having(term: string): number {
    return this.documents.filter(({ impacts }) => impacts.has(term)).length;
  }

  private toolsWith(term: string): number {
    const own = this.documents.filter(({ impacts, searched }) => impacts.has(term) && !searched.has(term)).length;
    return own || this.having(term);
  }

  private rarity(term: string): number {
    return idf(this.tools.length, this.toolsWith(term));
  }

  /** Reads words with their weights as the query's terms. */
  private ask(words: readonly { readonly word: string; readonly weight: number }[]): Asked[] {
    const asked: Asked[] = [];
    const full = [...words.filter(({ weight }) => weight === 1), ...words.filter(({ weight }) => weight < 1)];
    const push = (one: Asked) => asked.every(({ word }) => word !== one.word) && asked.push(one);
    for (const { word, weight } of full) push({ word, term: word, weight, joined: false });
    for (const [i, { word, weight }] of words.slice(0, -1).entries()) {
      const next = words[i + 1] as (typeof words)[number];
      const pair = { term: `${word}${next.word}`, weight: Math.min(weight, next.weight), joined: true };
      if (this.having(pair.term) > 0) push({ word: `${word} ${next.word}`, ...pair });
    }
    return asked;
  }

  /** Returns the factor by which a tool's name counts. */
  private nameTrustIn(place: number): number {
    return /DEPRECATED/.test(this.tools[place]?.description ?? '') ? W.DEPRECATED : 1;
  }

  /** Returns the factor by which a tool's other words count. */
  private trustIn(place: number): number {
    const isOwn = (key: string) =>
      this.documents.some(({ name }, i) => this.tools[i]?.server === this.tools[place]?.server && keyOf(name) === key);
    const all = new Set(this.documents.map(({ name }) => keyOf(name)));
    const others = [...all].filter((key) => key.includes(' ') && !isOwn(key)).map((key) => key.split(' '));
    const { written } = this.documents[place] as ReturnType<typeof documentOf>;
    const worth = (names: readonly string[][]) =>
      sum(names.map((words) => Math.round(1_000 / Math.sqrt(Math.min(...words.map((word) => this.toolsWith(word)))))));
    const borrowed = others.filter((words) => words.every((word) => written.has(word)));
    const share = worth(borrowed) / Math.max(1_000 * W.FEWEST_NAMES, worth(others));
    const stuffed = Math.min(1, W.BORROWED / share) ** 2 * Math.min(1, W.MOST_WORDS / written.size) ** 2;
    return stuffed * this.nameTrustIn(place);
  }

  private isNoise({ term }: Asked): boolean {
    return this.tools.length >= 20 && this.toolsWith(term) > this.tools.length / 3;
  }

  /** Returns the places of the tools that match. */
  private matching(asked: readonly Asked[]): number[] {
    const places = [...this.tools.keys()];
    const has = (terms: readonly Asked[]) => (place: number) =>
      terms.some(({ term }) => this.documents[place]?.impacts.has(term));
    const telling = asked.filter((one) => !this.isNoise(one));
    const found = places.filter(has(asked));
    const isNamed = (place: number) =>
      this.documents[place]?.server.some((word) => asked.some(({ term }) => term === word)) ?? false;
    return telling.length === 0 || places.some(has(telling)) ? found : found.filter(isNamed);
  }

  private serverFits(asked: readonly Asked[]): ReadonlyMap<string, number> {
    const servers = [...new Set(this.tools.map(({ server }) => server))];
    const counted = asked.filter((one) => !one.joined && !this.isNoise(one));
    const counts = (term: string) =>
      servers.map(
        (server) =>
          this.tools.filter((tool, i) => tool.server === server && this.documents[i]?.impacts.has(term)).length,
      );
    const fits = servers.map((_, i) =>
      sum(
        counted.map(({ term, weight }) => {
          const having = counts(term).filter((count) => count > 0).length;
          const count = counts(term)[i] ?? 0;
          return (weight * idf(servers.length, having) * count) / (count + W.SERVER_HALF);
        }),
      ),
    );
    const best = Math.max(...fits) || 1;
    return new Map(servers.map((server, i) => [server, (fits[i] ?? 0) / best]));
  }

  /** Returns what each matching tool must score, by its place. */
  rank(words: readonly { readonly word: string; readonly weight: number }[]): ReadonlyMap<number, Expected> {
    const asked = this.ask(words);
    const places = this.matching(asked);
    const standingOf = (wanted: string | undefined) =>
      Math.max(
        0,
        ...asked.filter(({ term }) => term === wanted).map((one) => one.weight * (one.joined ? W.VARIANT.form : 1)),
      );
    const documents = places.map((place) => this.documents[place] as ReturnType<typeof documentOf>);
    const coverages = documents.map(({ name, pairs }) => {
      const standings = name.map((word, i) => Math.max(...[word, pairs[i - 1], pairs[i]].map(standingOf)));
      const rarities = name.map((word) => this.rarity(word));
      return sum(rarities.map((rarity, i) => rarity * (standings[i] ?? 0))) / (W.NAME_PRIOR + sum(rarities));
    });
    const trusts = places.map((place) => this.trustIn(place));
    const mass = sum(asked.map(({ term, weight, joined }) => (joined ? 0 : weight * this.rarity(term))));
    const matches = documents.map(({ impacts, searched }, i) =>
      asked.map(({ term, weight, joined }) => {
        const impact = (trusts[i] ?? 0) * (impacts.get(term) ?? 0);
        const standing = impact && (trusts[i] ?? 0) * (searched.has(term) ? W.SEARCH_WORD_COVERS : 1);
        const worth = weight * this.rarity(term);
        return { adds: worth * (joined ? W.VARIANT.form : 1) * impact, covered: joined ? 0 : worth * standing };
      }),
    );
    const top = Math.max(...matches.map((match) => sum(match.map(({ adds }) => adds)))) || 1;
    const fits = this.serverFits(asked);
    return new Map(
      places.map((place, i): [number, Expected] => {
        const match = matches[i] ?? [];
        const { searched, server } = documents[i] as ReturnType<typeof documentOf>;
        const bonuses = {
          nameCoverage: W.BONUS.nameCoverage * this.nameTrustIn(place) * (coverages[i] ?? 0),
          queryCoverage: mass > 0 ? (W.BONUS.queryCoverage * sum(match.map(({ covered }) => covered))) / mass : 0,
          serverFit: W.BONUS.serverFit * (fits.get(this.tools[place]?.server ?? '') ?? 0),
          serverNamed: server.some((word) => standingOf(word) === 1) ? W.BONUS.serverNamed : 0,
        };
        const parts = asked.map(({ word, term }, at) => ({
          word,
          tools: this.toolsWith(term),
          adds: (match[at]?.adds ?? 0) / top,
          ...(searched.has(term) ? { isSearchWord: true } : {}),
        }));
        const score = sum([...parts.map(({ adds }) => adds), ...Object.values(bonuses)]);
        return [place, { score, parts: { ...bonuses, words: parts } }];
      }),
    );
  }
}
