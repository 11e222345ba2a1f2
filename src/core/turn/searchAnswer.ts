// Writes the answer of a search: lines of text for the model, and JSON for a renderer of another extension.

import { type Catalog, missingServers } from '../catalog/catalog';
import type { Json, Tool } from '../catalog/tool';
import { exampleCall, toolSignature, wholeDefinition } from '../code/runScript';
import type { Shapes } from '../code/shapes';
import { scriptName } from '../code/signature';
import type { DeliveryName } from '../ports';
import { isNamed, weaker } from '../search/rank/orderHits';
import { STOP_WORDS } from '../search/text/lexicon';
import { singular } from '../search/text/stem';
import { wordsOf } from '../search/text/words';
import type { SearchHit, SearchOutcome } from '../search/types';
import { cut } from '../util/cut';
import { oneLine } from '../util/plainText';
import { unavailable } from './recordSearch';

/** The maximum number of characters of a description in a line. */
const MAX_WORDS = 160;
/**
 * The maximum number of characters of a description in the line of a less likely hit. Its first sentence may be longer.
 */
const FEWER_WORDS = 100;
/** The maximum number of characters of an example in a line. */
const MAX_EXAMPLE = 200;
/**
 * The number of a query's hits that are shown with their arguments' descriptions, an example and several sentences. The
 * model is less likely to call the other hits.
 */
const WITH_WORDS = 2;
/**
 * The maximum number of characters of an answer's lines, without whole definitions. For further tools, only the names
 * follow.
 */
const MAX_LINES = 6_000;
/** The maximum number of weaker hits that a query's lines name. */
const MAX_WEAKER = 3;
/** The maximum number of characters of a description in the JSON. */
const MAX_DESCRIPTION = 300;

/** One query with its outcome. */
export interface AnsweredQuery {
  readonly query: string;
  readonly outcome: SearchOutcome;
}

/** Everything that an answer depends on, besides the outcomes of its queries. */
export interface SearchView {
  readonly catalog: Catalog;
  readonly delivery: DeliveryName;
  /** Ids of the tools that were discovered before. */
  readonly discovered: ReadonlySet<string>;
  /** Model names of eager tools that a query names. */
  readonly eager: readonly string[];
  /** The number of tools per query. */
  readonly limit: number;
  readonly maxTools: number;
  /** The observed types of tools' results. Set if `run_code` is offered. */
  readonly shapes?: Shapes | undefined;
}

/** The answer of a search, and the tools in it. */
interface SearchAnswer {
  readonly text: string;
  /** The tools found, best first, each once. */
  readonly found: readonly Tool[];
  /**
   * The lines that aren't about found tools. Wires that send found tools as references send these lines in place of
   * `text`. May be empty.
   */
  readonly remarks: string;
}

/** Writes the answer of a search for the model. */
export function answerSearch(answers: readonly AnsweredQuery[], view: SearchView): SearchAnswer {
  const lines = new Lines(view, interleave(answers).slice(0, view.maxTools));
  for (const answer of answers) lines.add(answer, answers.length > 1);
  lines.end(answers);
  return { text: lines.text(), found: lines.found, remarks: lines.remarks.join('\n') };
}

class Lines {
  readonly found: readonly Tool[];
  readonly remarks: string[] = [];
  readonly #view: SearchView;
  readonly #lines: string[] = [];
  readonly #shown = new Set<string>();
  /** Model names of the found tools that the model's request already contains. */
  readonly #available: Set<string>;
  #room = MAX_LINES;

  constructor(view: SearchView, hits: readonly SearchHit[]) {
    this.#view = view;
    this.found = hits.map(({ tool }) => tool);
    this.#available = new Set(view.eager);
  }

  text(): string {
    return this.#lines.join('\n');
  }

  /** Adds the lines of one query. */
  add({ query, outcome }: AnsweredQuery, isOneOfSeveral: boolean): void {
    const name = `"${cut(oneLine(query), 80)}"`;
    if (!outcome.ok) {
      this.#remark(`${name}: ${outcome.error.message}`);
      return;
    }
    const hits = outcome.hits.filter(({ tool }) => this.found.includes(tool));
    if (hits.length === 0) this.#remark(`${name}: nothing.${hintOf(query, outcome)}`);
    else {
      const unmatched = unmatchedWords(query, outcome);
      const note = unmatched.length > 0 ? ` (nothing matches ${unmatched.map((word) => `"${word}"`).join(', ')})` : '';
      if (note !== '') this.#remark(`${name}${note}:`);
      else if (isOneOfSeveral) this.#lines.push(`${name}:`);
    }
    const again: string[] = [];
    for (const [rank, hit] of hits.entries()) {
      if (this.#shown.has(hit.tool.id)) again.push(hit.tool.modelName);
      else this.#addTool(hit, rank < WITH_WORDS);
      this.#shown.add(hit.tool.id);
    }
    if (again.length > 0) this.#lines.push(`see above: ${again.join(', ')}`);
    const cutOff = [...outcome.hits, ...outcome.below].filter(
      (hit) => isNamed(hit) && !hit.weak && !this.found.includes(hit.tool),
    );
    if (cutOff.length > 0) {
      const names = cutOff.map(({ tool }) => tool.modelName).join(', ');
      this.#remark(`over the limit of ${this.#view.maxTools}: ${names}. Search for these by themselves.`);
    }
    const weak = weaker(outcome, this.#view.limit).filter(({ tool }) => !this.found.includes(tool));
    const names = weak.slice(0, MAX_WEAKER).map(({ tool }) => tool.modelName);
    if (names.length > 0) this.#remark(`less fitting: ${names.join(', ')}`);
    if (outcome.missing && outcome.missing.length > 0 && hits.length > 0)
      this.#remark(`not found: ${outcome.missing.join(', ')}.${hintOf(query, outcome)}`);
    if (outcome.warning) this.#remark(outcome.warning);
  }

  /** Adds the lines about the whole search. */
  end(answers: readonly AnsweredQuery[]): void {
    if (this.#available.size > 0) this.#remark(`already available: ${[...this.#available].join(', ')}`);
    const isEmpty = answers.every(({ outcome }) => outcome.ok && outcome.hits.length === 0);
    if (isEmpty && this.#available.size === 0)
      this.#remark(
        'Search once more in other words (English, what a tool would do). If that finds nothing either, there is no such tool.',
      );
    const foundAll = answers.every(({ outcome }) => outcome.ok && outcome.hits.length > 0);
    const notSearched = foundAll ? '' : unavailable(this.#view.catalog).trim();
    if (notSearched !== '') this.#remark(notSearched);
  }

  #remark(line: string): void {
    this.#lines.push(line);
    this.remarks.push(line);
  }

  #addTool({ tool, matchType }: SearchHit, withWords: boolean): void {
    const { delivery, shapes, discovered } = this.#view;
    const hasSignature = delivery === 'bridge' || shapes !== undefined;
    const isKnown = discovered.has(tool.id);
    // With delivery `bridge` only these lines describe a tool, and earlier ones may have left the conversation, so the
    // line is repeated.
    if (isKnown && delivery !== 'bridge') {
      this.#available.add(tool.modelName);
      return;
    }
    if (hasSignature && matchType === 'select') {
      this.#lines.push(wholeDefinition(tool, shapes));
      return;
    }
    const words = isKnown ? '' : sentences(tool.description || tool.title || '', withWords ? MAX_WORDS : FEWER_WORDS);
    const signature = hasSignature ? toolSignature(tool, withWords ? 'brief' : 'bare', shapes) : tool.modelName;
    const example = withWords && hasSignature && tool.examples?.[0] ? exampleCall(tool, tool.examples[0]) : '';
    const line = [
      words === '' ? signature : `${signature} // ${words}`,
      ...(example !== '' && example.length <= MAX_EXAMPLE ? [example] : []),
    ].join('\n');
    const fits = line.length <= this.#room;
    this.#room -= fits ? line.length : 0;
    this.#lines.push(fits ? line : scriptName(tool.modelName));
  }
}

/** Returns as many whole sentences as fit. The first sentence is cut if it alone is too long. */
function sentences(text: string, max: number): string {
  const [first = '', ...others] = oneLine(text.slice(0, 4 * MAX_WORDS))
    .trim()
    .split(/(?<=[.!?])\s+/);
  let taken = first;
  for (const next of others) {
    if (taken.length + 1 + next.length > max) break;
    taken += ` ${next}`;
  }
  return cut(taken, MAX_WORDS);
}

/**
 * Returns the hint for a search without results. Similar names help if the query was a name, but not if it was a
 * phrase.
 */
function hintOf(query: string, { hint, nearest }: Extract<SearchOutcome, { ok: true }>): string {
  if (hint !== undefined) return ` ${hint}`;
  return nearest.length > 0 && !/\s/.test(query.trim()) ? ` Nearest names: ${nearest.join(', ')}.` : '';
}

/** Returns a phrase's significant words that none of its hits contains. */
function unmatchedWords(query: string, { hits, strategy }: Extract<SearchOutcome, { ok: true }>): readonly string[] {
  if (strategy !== 'bm25' || hits.some(({ matchType }) => matchType !== 'bm25')) return [];
  const matched = new Set(hits.flatMap(({ terms }) => terms.flatMap(wordsOf)).map(singular));
  const words = [...new Set(wordsOf(query))].filter((word) => word.length > 2 && !STOP_WORDS.has(word));
  // A word also counts as matched if it contains a matched word or is part of one.
  return words.filter((word) => ![...matched].some((term) => term.includes(singular(word)) || word.includes(term)));
}

/**
 * Merges the ranks of several queries into one list: all first hits, then all second hits, and so on, each tool once.
 */
function interleave(answers: readonly AnsweredQuery[]): SearchHit[] {
  const lists = answers.map(({ outcome }) => (outcome.ok ? outcome.hits : []));
  const merged = new Map<string, SearchHit>();
  for (let rank = 0; lists.some((list) => rank < list.length); rank++) {
    for (const list of lists) {
      const hit = list[rank];
      if (hit && !merged.has(hit.tool.id)) merged.set(hit.tool.id, hit);
    }
  }
  return [...merged.values()];
}

/** Returns the same answer as JSON, for a renderer of another extension. */
export function searchJson(answers: readonly AnsweredQuery[], view: SearchView, total: number) {
  const hits = interleave(answers).slice(0, view.maxTools);
  const missing = missingServers(view.catalog);
  return {
    message: answerSearch(answers, view).remarks,
    tools: hits.map(({ tool, score, matchType }) => ({
      name: tool.modelName,
      description: cut(tool.description || tool.title || '', MAX_DESCRIPTION),
      server: tool.server,
      score: Math.round(score * 1000) / 1000,
      match_type: matchType,
      signature: toolSignature(tool, 'brief', view.shapes),
    })),
    total_deferred: total,
    ...(missing.length > 0
      ? {
          unavailable_servers: missing.map(({ name, state, detail }) => ({
            name,
            state,
            ...(detail ? { detail } : {}),
          })),
        }
      : {}),
  } satisfies { readonly [key: string]: Json };
}
