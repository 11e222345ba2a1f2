import type { Tool } from '../../catalog/tool';
import { FEW, grown } from '../index/postings';
import type { Vocabulary } from '../text/vocabulary';
import { eachWord } from '../text/words';
import { FIELD, LENGTH_PIVOT, LENGTH_SHARE, LONGEST, SATURATION } from '../weights';
import { searchedFields } from './fields';

/** A tool as the ranking sees it: the numbers of its terms, and their weights. */
interface Document {
  /** Every term of the tool with its weight over all fields. Reading the next tool overwrites both arrays. */
  readonly terms: Int32Array;
  readonly impacts: Float64Array;
  /**
   * The first `written` terms occur as single words in the tool's texts. Then come terms that join several words, up to
   * `own`. The rest are search words, which occur in none of the tool's texts.
   */
  readonly written: number;
  readonly own: number;
  /** The words of the name. Between any two of them is the term that joins both. */
  readonly name: readonly number[];
  readonly server: readonly number[];
}

/** Returns the weight of a word in a text of `length` words. In a text of `pivot` words, a word weighs 1. */
function discount(length: number, pivot: number): number {
  return 1 / (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / pivot);
}

/** The maximum number of terms of a server's texts that are remembered. */
const MAX_KEPT = 1 << 16;

/** Turns tools into documents of the ranking. */
export class DocumentReader {
  /** Scratch space: the weighted frequency of each term in the current tool (0 between tools). */
  private frequencies = new Float64Array(FEW);
  private found = new Int32Array(FEW);
  private impacts = new Float64Array(FEW);
  private count = 0;
  /** The terms of the current tool that join several words: pairs of its name's words, runs of mixed case. */
  private readonly joined: number[] = [];
  private readonly joinedWeights: number[] = [];
  /** The terms of texts, one text after another. A term that joins several words is negative (`~`). */
  private words = new Int32Array(FEW);
  /**
   * The number of cells of `words` that hold texts of the current server. `texts` has the start of each of these texts.
   * They are remembered because a server's tools often have the same arguments.
   */
  private kept = 0;
  private readonly texts = new Map<string, number>();
  /** The server of the last tool. Tools of one server usually follow each other. */
  private server: { readonly name: string; readonly terms: readonly number[] } = { name: '', terms: [] };

  constructor(private readonly vocabulary: Vocabulary) {}

  /** Returns a tool's document. `searchWords` has a list for each language. */
  read(tool: Tool, searchWords: Iterable<readonly string[]>): Document {
    const fields = searchedFields(tool);
    const name = this.addName(fields.name);
    if (fields.server !== this.server.name || this.kept > MAX_KEPT) this.begin(fields.server);
    this.addTexts([fields.server], FIELD.server);
    this.addTexts([fields.title], FIELD.title);
    this.addDescription(fields.description);
    this.addTexts(fields.argumentNames, FIELD.argumentName);
    this.addTexts(fields.argumentTexts, FIELD.argumentText);
    this.addTexts(fields.values, FIELD.value);
    this.addTexts(fields.examples, FIELD.example);

    const written = this.count;
    for (let i = 0; i < this.joined.length; i++)
      this.addTerm(this.joined[i] as number, this.joinedWeights[i] as number);
    this.joined.length = 0;
    this.joinedWeights.length = 0;
    const own = this.count;
    this.addSearchWords(searchWords);
    const terms = this.found.subarray(0, this.count);
    const impacts = this.impacts.subarray(0, this.count);
    for (let i = 0; i < this.count; i++) {
      const term = terms[i] as number;
      const frequency = this.frequencies[term] as number;
      this.frequencies[term] = 0;
      impacts[i] = (frequency * (SATURATION + 1)) / (SATURATION + frequency);
    }
    this.count = 0;
    return { terms, written, own, impacts, name, server: this.server.terms };
  }

  /** Adds the name's words, and the term that joins each two neighbouring words. */
  private addName(text: string): readonly number[] {
    const name: number[] = [];
    let before = '';
    eachWord(text, (word, parts) => {
      const term = this.vocabulary.add(word);
      if (parts > 1) return this.addJoined(term, FIELD.name);
      if (name.length > 0) {
        const pair = this.vocabulary.add(before + word);
        name.push(pair);
        this.addJoined(pair, FIELD.namePair);
      }
      name.push(this.addTerm(term, FIELD.name));
      before = word;
    });
    // A copy without the unused cells of a longer array.
    return name.slice();
  }

  /** Adds the description, whose words weigh less the longer it is, and its first sentence a second time. */
  private addDescription(text: string): void {
    const stop = text.search(/[.!?](?:\s|$)|\n/);
    const from = this.kept;
    const first = this.readAt(stop < 0 ? text : text.slice(0, stop), from);
    const end = stop < 0 ? first : this.readAt(text.slice(stop), first);
    const weight = FIELD.description * discount(this.lengthOf(from, end), LENGTH_PIVOT);
    const extra = FIELD.firstSentence * Math.min(1, discount(this.lengthOf(from, first), LONGEST));
    this.weigh(from, first, weight + extra);
    this.weigh(first, end, weight);
  }

  /** Adds the search words that the tool's own texts lack. Those of one language don't weaken those of another. */
  private addSearchWords(words: Iterable<readonly string[]>): void {
    for (const own of words) {
      const terms = own.map((word) => this.vocabulary.add(word)).filter((term) => !this.frequencies[term]);
      const weight = FIELD.searchWord * discount(terms.length, LENGTH_PIVOT);
      for (const term of new Set(terms)) this.addTerm(term, weight);
    }
  }

  /** Adds a field's texts. Beyond {@link LONGEST} words, each weighs less: a field full of words gains nothing. */
  private addTexts(texts: readonly string[], weight: number): void {
    const starts = texts.map((text) => this.texts.get(text) ?? this.keep(text));
    let length = 0;
    for (const start of starts) length += (this.words[start] as number) - start - 1;
    const each = weight * Math.min(1, discount(length, LONGEST));
    for (const start of starts) this.weigh(start + 1, this.words[start] as number, each);
  }

  /** Returns the number of words in a part of `words`, without terms that join several words. */
  private lengthOf(from: number, to: number): number {
    let length = 0;
    for (let i = from; i < to; i++) if ((this.words[i] as number) >= 0) length++;
    return length;
  }

  /** Reads a text that other tools may have too. Returns its start: the cell before its terms, which holds its end. */
  private keep(text: string): number {
    const start = this.kept;
    this.kept = this.readAt(text, start + 1);
    this.words[start] = this.kept;
    this.texts.set(text, start);
    return start;
  }

  /** Writes a text's terms into `words` from `at` on. Returns the end of the text. */
  private readAt(text: string, at: number): number {
    const room = at + 2 * text.length;
    if (room >= this.words.length) this.words = grown(this.words, 2 * room + 1);
    return this.vocabulary.read(text, this.words, at);
  }

  /** Begins with another server and forgets the texts of the previous one. */
  private begin(name: string): void {
    this.texts.clear();
    this.kept = 0;
    const end = this.readAt(name, 0);
    this.server = { name, terms: Array.from(this.words.subarray(0, end), (term) => (term < 0 ? ~term : term)) };
  }

  /** Adds the terms of a part of `words`, all with the same weight. */
  private weigh(from: number, to: number, weight: number): void {
    for (let i = from; i < to; i++) {
      const term = this.words[i] as number;
      if (term < 0) this.addJoined(~term, weight);
      else this.addTerm(term, weight);
    }
  }

  private addJoined(term: number, weight: number): void {
    this.joined.push(term);
    this.joinedWeights.push(weight);
  }

  private addTerm(term: number, weight: number): number {
    if (term >= this.frequencies.length) this.grow(term * 2);
    const before = this.frequencies[term] as number;
    if (before === 0) this.found[this.count++] = term;
    this.frequencies[term] = before + weight;
    return term;
  }

  /** Makes room for `length` terms. That is enough for `found` too, since a tool has each term only once. */
  private grow(length: number): void {
    const frequencies = new Float64Array(length);
    frequencies.set(this.frequencies);
    this.frequencies = frequencies;
    this.found = grown(this.found, length);
    this.impacts = new Float64Array(length);
  }
}
