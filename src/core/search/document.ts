import type { Tool } from '../tool';
import { searchedFields } from './fields';
import { FIELD, LENGTH_PIVOT, LENGTH_SHARE, SATURATION } from './ranking';
import { wordsOf } from './text';
import type { Vocabulary } from './vocabulary';

/** What the ranking knows of a tool. */
export interface Document {
  readonly tool: Tool;
  /** Every term of the tool, ascending, and what each is worth: all its fields in one number. */
  readonly terms: Int32Array;
  readonly impacts: Float32Array;
  /** The name's words, and each with its right neighbour in one. */
  readonly nameTerms: readonly number[];
  readonly namePairs: readonly number[];
  readonly serverTerms: readonly number[];
}

/** What a term is worth in a document; 0 where it isn't in it. */
export function impactIn({ terms, impacts }: Document, term: number): number {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = terms[middle] as number;
    if (found === term) return impacts[middle] as number;
    if (found < term) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
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
  private readonly found: number[] = [];
  private readonly remembered = new Map<string, readonly number[]>();

  constructor(private readonly vocabulary: Vocabulary) {}

  read(tool: Tool): Document {
    const fields = searchedFields(tool);
    const nameTerms = this.addAll(wordsOf(fields.name), FIELD.name);
    const nameWords = wordsOf(fields.name);
    const pairs = nameWords.slice(1).map((word, i) => `${nameWords[i]}${word}`);
    const namePairs = this.addAll(pairs, FIELD.namePair);
    const serverTerms = this.addAll(wordsOf(fields.server), FIELD.server);
    this.addText(fields.title, FIELD.title);
    this.addDescription(fields.description);
    for (const text of fields.argumentNames) this.addText(text, FIELD.argumentName);
    for (const text of fields.argumentTexts) this.addText(text, FIELD.argumentText);
    for (const text of fields.values) this.addText(text, FIELD.value);
    for (const text of fields.examples) this.addText(text, FIELD.example);

    const terms = Int32Array.from(this.found).sort();
    const impacts = new Float32Array(terms.length);
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number;
      const frequency = this.frequencies[term] as number;
      impacts[i] = (frequency * (SATURATION + 1)) / (SATURATION + frequency);
      this.frequencies[term] = 0;
    }
    this.found.length = 0;
    return { tool, terms, impacts, nameTerms, namePairs, serverTerms };
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
