import type { Tool } from '../catalog/tool';
import { searchedFields } from './fields';
import { FIELD, LENGTH_PIVOT, LENGTH_SHARE, SATURATION } from './ranking';
import type { Vocabulary } from './vocabulary';
import { eachSpan, eachWord } from './words';

/** What the ranking knows of a tool, in terms of the vocabulary. */
export interface Document {
  /** Every term of the tool, and what each is worth: all its fields in one number. Both are overwritten by the next document. */
  readonly terms: Int32Array;
  readonly impacts: Float64Array;
  /** How many of `terms`, from the first on, some text of the tool holds as one word; the rest are several words in one. */
  readonly written: number;
  /** The name's words, and between any two of them both in one. */
  readonly name: readonly number[];
  readonly server: readonly number[];
}

/** Turns tools into documents. */
export class DocumentReader {
  /** Scratch space: the weighted frequency of each term in the tool that is being read (0 between tools). */
  private frequencies = new Float64Array(1024);
  private found = new Int32Array(1024);
  private impacts = new Float64Array(1024);
  private count = 0;
  /** What the tool that is being read holds as several words in one: pairs of its name's words, runs of mixed case. */
  private readonly joined: number[] = [];
  private readonly joinedWeights: number[] = [];
  /** The text that is being read, what its words weigh, and the terms of a description, whose weight its length decides. */
  private text = '';
  private weight = 0;
  private readonly description: number[] = [];
  /** A server's tools mostly come one after another. */
  private server: { readonly name: string; readonly terms: readonly number[] } = { name: '', terms: [] };

  constructor(private readonly vocabulary: Vocabulary) {}

  read(tool: Tool): Document {
    const fields = searchedFields(tool);
    const name = this.addName(fields.name);
    if (fields.server !== this.server.name) this.server = { name: fields.server, terms: this.termsOf(fields.server) };
    const server = this.server.terms;
    for (const term of server) this.add(term, FIELD.server);
    this.addText(fields.title, FIELD.title);
    this.addDescription(fields.description);
    for (const text of fields.argumentNames) this.addText(text, FIELD.argumentName);
    for (const text of fields.argumentTexts) this.addText(text, FIELD.argumentText);
    for (const text of fields.values) this.addText(text, FIELD.value);
    for (const text of fields.examples) this.addText(text, FIELD.example);

    const written = this.count;
    for (let i = 0; i < this.joined.length; i++) this.addTerm(this.joined[i] as number, this.joinedWeights[i] as number);
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
    return { terms, written, impacts, name, server: server.map((term) => (term < 0 ? ~term : term)) };
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
    return name;
  }

  /** The description, its length in words discounted, and its first sentence once more. */
  private addDescription(text: string): void {
    const stop = text.search(/[.!?](?:\s|$)|\n/);
    const firstEnd = stop < 0 ? text.length : stop;
    const terms = this.description;
    terms.length = 0;
    let length = 0;
    let first = 0;
    eachSpan(text, (start, end, parts) => {
      terms.push(this.termAt(text, start, end, parts));
      if (parts === 1) length++;
      if (end <= firstEnd) first = terms.length;
    });
    const weight = FIELD.description / (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / LENGTH_PIVOT);
    for (let i = 0; i < terms.length; i++) this.add(terms[i] as number, i < first ? weight + FIELD.firstSentence : weight);
  }

  private addText(text: string, weight: number): void {
    if (text === '') return;
    this.text = text;
    this.weight = weight;
    eachSpan(text, this.addSpan);
  }

  /** Made once: a catalog has tens of thousands of texts. */
  private readonly addSpan = (start: number, end: number, parts: number): void => {
    this.add(this.termAt(this.text, start, end, parts), this.weight);
  };

  private termsOf(text: string): readonly number[] {
    const terms: number[] = [];
    eachSpan(text, (start, end, parts) => terms.push(this.termAt(text, start, end, parts)));
    return terms;
  }

  /** A word's term; that of several words in one is negative (`~`). */
  private termAt(text: string, start: number, end: number, parts: number): number {
    const term = this.vocabulary.addSpan(text, start, end);
    return parts === 1 ? term : ~term;
  }

  private add(term: number, weight: number): void {
    if (term < 0) this.addJoined(~term, weight);
    else this.addTerm(term, weight);
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
    const found = new Int32Array(length);
    found.set(this.found);
    this.found = found;
    this.impacts = new Float64Array(length);
  }
}
