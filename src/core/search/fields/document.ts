import type { Tool } from '../../catalog/tool';
import { FEW, grown } from '../index/postings';
import type { Vocabulary } from '../text/vocabulary';
import { eachWord } from '../text/words';
import { FIELD, LENGTH_PIVOT, LENGTH_SHARE, SATURATION } from '../weights';
import { searchedFields } from './fields';

/** What the ranking knows of a tool, in terms of the vocabulary. */
interface Document {
  /** Every term of the tool, and what each is worth: all its fields in one number. Both are overwritten by the next document. */
  readonly terms: Int32Array;
  readonly impacts: Float64Array;
  /** How many of `terms`, from the first on, some text of the tool holds as one word; the rest are several words in one. */
  readonly written: number;
  /** The name's words, and between any two of them both in one. */
  readonly name: readonly number[];
  readonly server: readonly number[];
}

/** How many terms of a server's texts are kept. */
const MAX_KEPT = 1 << 16;

/** Turns tools into documents. */
export class DocumentReader {
  /** Scratch space: the weighted frequency of each term in the tool that is being read (0 between tools). */
  private frequencies = new Float64Array(FEW);
  private found = new Int32Array(FEW);
  private impacts = new Float64Array(FEW);
  private count = 0;
  /** What the tool that is being read holds as several words in one: pairs of its name's words, runs of mixed case. */
  private readonly joined: number[] = [];
  private readonly joinedWeights: number[] = [];
  /** Terms of texts, one text after another; where there are several words in one, negative (`~`). */
  private words = new Int32Array(FEW);
  /** How many of them stay: those of the server's texts, by where each begins. Its tools often have arguments in common. */
  private kept = 0;
  private readonly texts = new Map<string, number>();
  /** A server's tools mostly come one after another. */
  private server: { readonly name: string; readonly terms: readonly number[] } = { name: '', terms: [] };

  constructor(private readonly vocabulary: Vocabulary) {}

  read(tool: Tool): Document {
    const fields = searchedFields(tool);
    const name = this.addName(fields.name);
    if (fields.server !== this.server.name || this.kept > MAX_KEPT) this.begin(fields.server);
    this.addText(fields.server, FIELD.server);
    this.addText(fields.title, FIELD.title);
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
    const terms = this.found.subarray(0, this.count);
    const impacts = this.impacts.subarray(0, this.count);
    for (let i = 0; i < this.count; i++) {
      const term = terms[i] as number;
      const frequency = this.frequencies[term] as number;
      this.frequencies[term] = 0;
      impacts[i] = (frequency * (SATURATION + 1)) / (SATURATION + frequency);
    }
    this.count = 0;
    return { terms, written, impacts, name, server: this.server.terms };
  }

  /** The name's words, and between any two of them both in one. */
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
    // Pushing leaves room for more; a copy has none.
    return name.slice();
  }

  /** The description, its length in words discounted, and its first sentence once more. */
  private addDescription(text: string): void {
    const stop = text.search(/[.!?](?:\s|$)|\n/);
    const from = this.kept;
    const first = this.readAt(stop < 0 ? text : text.slice(0, stop), from);
    const end = stop < 0 ? first : this.readAt(text.slice(stop), first);
    const { words } = this;
    let length = 0;
    for (let i = from; i < end; i++) if ((words[i] as number) >= 0) length++;
    const weight = FIELD.description / (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / LENGTH_PIVOT);
    this.weigh(from, first, weight + FIELD.firstSentence);
    this.weigh(first, end, weight);
  }

  private addTexts(texts: readonly string[], weight: number): void {
    for (let i = 0; i < texts.length; i++) this.addText(texts[i] as string, weight);
  }

  private addText(text: string, weight: number): void {
    const start = this.texts.get(text) ?? this.keep(text);
    this.weigh(start + 1, this.words[start] as number, weight);
  }

  /** Reads a text that may come again. Where its terms end stands before them. */
  private keep(text: string): number {
    const start = this.kept;
    this.kept = this.readAt(text, start + 1);
    this.words[start] = this.kept;
    this.texts.set(text, start);
    return start;
  }

  /** Puts a text's terms into `words` from `at` on; returns where they end. */
  private readAt(text: string, at: number): number {
    const room = at + 2 * text.length;
    if (room >= this.words.length) this.words = grown(this.words, 2 * room + 1);
    return this.vocabulary.read(text, this.words, at);
  }

  /** Goes on with another server, and forgets the texts of the one before. */
  private begin(name: string): void {
    this.texts.clear();
    this.kept = 0;
    const end = this.readAt(name, 0);
    this.server = { name, terms: Array.from(this.words.subarray(0, end), (term) => (term < 0 ? ~term : term)) };
  }

  /** Adds a part of `words`, of one weight. */
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

  /** A tool has each term once, so that room for all terms is enough. */
  private grow(length: number): void {
    const frequencies = new Float64Array(length);
    frequencies.set(this.frequencies);
    this.frequencies = frequencies;
    this.found = grown(this.found, length);
    this.impacts = new Float64Array(length);
  }
}
