import type { Tool } from '../catalog/tool';
import { searchedFields } from './fields';
import { FIELD, LENGTH_PIVOT, LENGTH_SHARE, SATURATION } from './ranking';
import { wordsOf } from './text';
import type { Vocabulary } from './vocabulary';

/** What the ranking knows of a tool, in terms of the vocabulary. */
export interface Document {
  /** Every term of the tool, and what each is worth: all its fields in one number. */
  readonly terms: readonly number[];
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
  private readonly remembered = new Map<string, readonly number[]>();

  constructor(private readonly vocabulary: Vocabulary) {}

  read(tool: Tool): Document {
    const fields = searchedFields(tool);
    const words = wordsOf(fields.name);
    const name: number[] = [];
    for (const [i, word] of words.entries()) {
      if (i > 0) name.push(this.addTerm(this.vocabulary.add(`${words[i - 1]}${word}`), FIELD.namePair));
      name.push(this.addTerm(this.vocabulary.add(word), FIELD.name));
    }
    const server = this.addAll(wordsOf(fields.server), FIELD.server);
    this.addText(fields.title, FIELD.title);
    this.addDescription(fields.description);
    for (const text of fields.argumentNames) this.addText(text, FIELD.argumentName);
    for (const text of fields.argumentTexts) this.addText(text, FIELD.argumentText);
    for (const text of fields.values) this.addText(text, FIELD.value);
    for (const text of fields.examples) this.addText(text, FIELD.example);

    const terms = this.found;
    this.found = [];
    const impacts = terms.map((term) => {
      const frequency = this.frequencies[term] as number;
      this.frequencies[term] = 0;
      return (frequency * (SATURATION + 1)) / (SATURATION + frequency);
    });
    return { terms, impacts, name, server };
  }

  private addDescription(text: string): void {
    const words = wordsOf(text);
    const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * words.length) / LENGTH_PIVOT;
    this.addAll(words, FIELD.description / length);
    const end = text.search(/[.!?](?:\s|$)|\n/);
    this.addText(end < 0 ? text : text.slice(0, end), FIELD.firstSentence);
  }

  private addText(text: string, weight: number): void {
    for (const term of this.termsOf(text)) this.addTerm(term, weight);
  }

  private termsOf(text: string): readonly number[] {
    let terms = this.remembered.get(text);
    if (!terms) {
      terms = wordsOf(text).map((word) => this.vocabulary.add(word));
      if (this.remembered.size >= REMEMBERED) this.remembered.clear();
      this.remembered.set(text, terms);
    }
    return terms;
  }

  private addAll(words: readonly string[], weight: number): number[] {
    return words.map((word) => this.addTerm(this.vocabulary.add(word), weight));
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
