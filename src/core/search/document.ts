import type { Tool } from '../catalog/tool';
import { searchedFields } from './fields';
import { FIELD, LENGTH_PIVOT, LENGTH_SHARE, SATURATION } from './ranking';
import { eachWord } from './text';
import type { Vocabulary } from './vocabulary';

/** What the ranking knows of a tool, in terms of the vocabulary. */
export interface Document {
  /** Every term of the tool, and what each is worth: all its fields in one number. */
  readonly terms: readonly number[];
  /** How many of `terms`, from the first on, some text of the tool holds as one word; the rest are pairs of the name's words. */
  readonly written: number;
  readonly impacts: readonly number[];
  /** The name's words, and between any two of them both in one. */
  readonly name: readonly number[];
  readonly server: readonly number[];
}

/**
 * How many texts of arguments are remembered with their terms. A server's tools share most of them ("Repository owner"): of
 * 1.2 million characters that 12 real servers send, a seventh is left when each text counts once.
 */
const REMEMBERED = 4_096;

/** Turns tools into documents. */
export class DocumentReader {
  /** Scratch space: the weighted frequency of each term in the tool that is being read (0 between tools). */
  private frequencies = new Float64Array(1024);
  private found: number[] = [];
  /** What the tool that is being read holds as several words in one: pairs of its name's words, runs of mixed case. */
  private readonly joined: { readonly term: number; readonly weight: number }[] = [];
  private readonly remembered = new Map<string, readonly number[]>();

  constructor(private readonly vocabulary: Vocabulary) {}

  read(tool: Tool): Document {
    const fields = searchedFields(tool);
    const name: number[] = [];
    let before = '';
    eachWord(fields.name, (word, parts) => {
      const term = this.vocabulary.add(word);
      if (parts > 1) this.joined.push({ term, weight: FIELD.name });
      if (parts > 1) return;
      if (name.length > 0) {
        const pair = this.vocabulary.add(before + word);
        name.push(pair);
        this.joined.push({ term: pair, weight: FIELD.namePair });
      }
      name.push(this.addTerm(term, FIELD.name));
      before = word;
    });
    const server = this.termsOf(fields.server);
    this.addTerms(server, FIELD.server);
    this.addText(fields.title, FIELD.title);
    this.addDescription(fields.description);
    for (const text of fields.argumentNames) this.addText(text, FIELD.argumentName);
    for (const text of fields.argumentTexts) this.addText(text, FIELD.argumentText);
    for (const text of fields.values) this.addText(text, FIELD.value);
    for (const text of fields.examples) this.addText(text, FIELD.example);

    const written = this.found.length;
    for (const { term, weight } of this.joined.splice(0)) this.addTerm(term, weight);
    const terms = this.found;
    this.found = [];
    const impacts = terms.map((term) => {
      const frequency = this.frequencies[term] as number;
      this.frequencies[term] = 0;
      return (frequency * (SATURATION + 1)) / (SATURATION + frequency);
    });
    return { terms, written, impacts, name, server: server.map((term) => (term < 0 ? ~term : term)) };
  }

  private addDescription(text: string): void {
    let length = 0;
    const terms: number[] = [];
    eachWord(text, (word, parts) => {
      const term = this.vocabulary.add(word);
      terms.push(parts === 1 ? term : ~term);
      if (parts === 1) length++;
    });
    this.addTerms(terms, FIELD.description / (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / LENGTH_PIVOT));
    const end = text.search(/[.!?](?:\s|$)|\n/);
    this.addText(end < 0 ? text : text.slice(0, end), FIELD.firstSentence);
  }

  private addText(text: string, weight: number): void {
    this.addTerms(this.termsOf(text), weight);
  }

  private addTerms(terms: readonly number[], weight: number): void {
    for (const term of terms) {
      if (term < 0) this.joined.push({ term: ~term, weight });
      else this.addTerm(term, weight);
    }
  }

  private termsOf(text: string): readonly number[] {
    const known = this.remembered.get(text);
    if (known) return known;
    const terms: number[] = [];
    eachWord(text, (word, parts) => {
      const term = this.vocabulary.add(word);
      terms.push(parts === 1 ? term : ~term);
    });
    if (this.remembered.size >= REMEMBERED) this.remembered.clear();
    this.remembered.set(text, terms);
    return terms;
  }

  private addTerm(term: number, weight: number): number {
    if (term >= this.frequencies.length) {
      const larger = new Float64Array(term * 2);
      larger.set(this.frequencies);
      this.frequencies = larger;
    }
    const before = this.frequencies[term] as number;
    if (before === 0) this.found.push(term);
    this.frequencies[term] = before + weight;
    return term;
  }
}
