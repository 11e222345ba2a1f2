// Writes the answer of a search: lines of text for the model.

import type { Catalog } from '../catalog/catalog';
import { deprecationIn } from '../catalog/sentences';
import { propertiesOf, requiredOf, type Tool } from '../catalog/tool';
import { idSources } from '../code/idSources';
import { exampleCall, type SignatureContext, toolSignature, wholeDefinition } from '../code/runScript';
import { isIdentifier, scriptName, stringLiteral } from '../code/scriptName';
import type { Shapes } from '../code/shapes';
import { clauses, clauseWith, GENERIC, neededWords, repeatsName, whatItDoes } from '../code/shortDescriptions';
import { plainOrQuoted } from '../planning/guidance';
import type { DeliveryName } from '../ports';
import { parseQuery } from '../search/query/parseQuery';
import { isNamed } from '../search/rank/orderHits';
import { LANGUAGES } from '../search/text/language';
import { abbreviationsOf, isReading, OTHER_LANGUAGES, STOP_WORDS, synonymsOf } from '../search/text/lexicon';
import { rootOf, singular } from '../search/text/stem';
import { squash, wordsOf } from '../search/text/words';
import type { SearchHit, SearchOutcome, SearchSuccess } from '../search/types';
import { cut } from '../util/cut';
import { groupBy } from '../util/groupBy';
import { isObject } from '../util/objects';
import { oneLine } from '../util/plainText';
import { roundRobin } from '../util/roundRobin';
import { unavailable } from './recordSearch';

/**
 * The number of a query's hits that are shown whole: with all arguments, the result, an example and several sentences.
 * The model is less likely to call the other hits. The second one is short too if it would be longer than this, or than
 * the larger number if it is about as likely as the first and needs arguments.
 */
const WHOLE = 2;
const MAX_SECOND = 300;
const MAX_LIKELY = 520;
/**
 * The maximum number of characters of a description in the line of a whole hit, of the sentence in it on what a call
 * needs, and of a description in the line of another hit.
 */
const MAX_WORDS = 140;
const MAX_NEEDED = 360;
const FEW_WORDS = 60;
/** The maximum number of words of a query that a line doesn't show yet, of which it then shows one. */
const MAX_PHRASE = 3;
/** The maximum number of characters of an example in a line. */
const MAX_EXAMPLE = 200;
/**
 * The maximum number of characters of an answer's lines, without whole definitions. For further tools, only the names
 * follow.
 */
const MAX_LINES = 6_000;
/** The number of characters of whole definitions after which an answer has no further one. The first is always whole. */
const MAX_SELECTED = 12_000;

/** One query with its outcome. */
export interface AnsweredQuery {
  readonly query: string;
  readonly outcome: SearchOutcome;
}

/** Everything that an answer depends on, besides the outcomes of its queries. */
export interface SearchView {
  readonly catalog: Catalog;
  /** The tools that the model can call. */
  readonly tools: readonly Tool[];
  readonly delivery: DeliveryName;
  /** Ids of the tools that were discovered before. */
  readonly discovered: ReadonlySet<string>;
  /** The queries of the conversation's earlier searches, in lower case. */
  readonly searched: ReadonlySet<string>;
  /** Model names of eager tools that a query names. */
  readonly eager: readonly string[];
  /** The number of tools per query. */
  readonly limit: number;
  readonly maxTools: number;
  /** The observed types of tools' results. Set if `run_code` is offered. */
  readonly shapes?: Shapes | undefined;
  /** Says how to read the kept result with an id; undefined if none has it. */
  readonly howToRead?: (id: string) => string | undefined;
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

export function answerSearch(answers: readonly AnsweredQuery[], view: SearchView): SearchAnswer {
  const lines = new Lines(view, answers);
  for (const answer of answers) lines.add(answer);
  lines.end();
  return { text: lines.text(), found: lines.found, remarks: lines.remarks.join('\n') };
}

/** The query of a tool's line, and the lines around it. */
interface Around {
  readonly query: string;
  /** Whether the query says the name of its first hit. The other hits need no description then. */
  readonly isSaid: boolean;
  /** The lines of this query's tools to which others can be added, by server and arguments. */
  readonly folds: Map<string, number>;
}

class Lines {
  readonly found: readonly Tool[];
  readonly remarks: string[] = [];
  readonly #view: SearchView;
  readonly #answers: readonly AnsweredQuery[];
  readonly #signed: SignatureContext;
  readonly #lines: string[] = [];
  readonly #shown = new Set<string>();
  /** The tools that are among the first hits of a query that they fit. */
  readonly #whole: ReadonlySet<Tool>;
  /** The arguments shown so far, with the words on them. */
  readonly #explained = new Set<string>();
  /** Whether a line says that no tool has a word, which is true of the servers that were searched. */
  #saysNone = false;
  #room = MAX_LINES;
  #selected = MAX_SELECTED;

  constructor(view: SearchView, answers: readonly AnsweredQuery[]) {
    this.#view = view;
    this.#answers = answers;
    this.#signed = { shapes: view.shapes, sources: idSources(view.tools) };
    this.found = interleave(answers)
      .slice(0, view.maxTools)
      .map(({ tool }) => tool);
    this.#whole = new Set(answers.flatMap((answer) => this.#likely(answer)));
    if (view.eager.length > 0) this.#remark(`${AVAILABLE}: ${view.eager.join(', ')}`);
  }

  /** Returns all lines. The first mark of arguments that were left out says how to see them. */
  text(): string {
    return this.#lines
      .join('\n')
      .replace(LEFT_OUT, (mark) => (mark === '…' ? '… /* optional: select:NAME */' : `${mark}: select:NAME`));
  }

  add({ query, outcome }: AnsweredQuery): void {
    const name = `"${cut(oneLine(query), 80)}"`;
    if (!outcome.ok) {
      this.#remark(`${name}: ${outcome.error.message}`);
      return;
    }
    const hits = this.#ranked(outcome);
    const fits = fitsWell(query, outcome);
    const isSame = ({ tool, matchType }: SearchHit) => this.#isKnown(tool) && matchType !== 'select';
    const again = this.#view.searched.has(query.toLowerCase()) && hits.every(isSame);
    if (hits.length === 0) this.#remark(`${name}: nothing${again ? ', as before' : ''}.${this.#hint(query, outcome)}`);
    else {
      const fit = noteOn(query, outcome, fits);
      this.#saysNone ||= fit.includes(NONE_HAS);
      const note = [again ? AGAIN : '', fit, again && !fits ? NO_MORE : this.#allOf(query, outcome, hits)]
        .filter((words) => words !== '')
        .join('; ');
      if (note !== '') this.#remark(`${name} (${note}):`);
      else if (this.#answers.length > 1) this.#lines.push(`${name}:`);
    }
    this.#addHits(hits, query, fits);
    const cutOff = [...outcome.hits, ...outcome.below].filter(
      (hit) => isNamed(hit) && !hit.weak && !this.found.includes(hit.tool),
    );
    if (cutOff.length > 0) {
      const names = cutOff.map(({ tool }) => this.#nameOf(tool)).join(', ');
      this.#remark(`over the limit of ${this.#view.maxTools}: ${names}. Search for these by themselves.`);
    }
    if (outcome.missing && outcome.missing.length > 0 && hits.length > 0)
      this.#remark(`not found: ${outcome.missing.join(', ')}.${this.#hint(query, outcome)}`);
    if (outcome.warning) this.#remark(outcome.warning.model);
  }

  /**
   * Says that hits are all that a server has for what a phrase names, if no tool has the phrase's verb; otherwise empty.
   * So a model needn't search with other verbs.
   */
  #allOf(query: string, { unknown = [] }: SearchSuccess, hits: readonly SearchHit[]): string {
    const [verb = '', ...others] = tellingWords(query);
    const [first] = hits;
    if (!first || !unknown.map(singular).includes(verb)) return '';
    const { server } = first.tool;
    const has = (tool: Tool, word: string) => wordsOf(tool.name).some((own) => singular(own) === word);
    const noun = others.find((word) => has(first.tool, word));
    if (noun === undefined) return '';
    const isElsewhere = (tool: Tool) =>
      tool.server === server && has(tool, noun) && !hits.some((it) => it.tool === tool);
    return this.#view.tools.some(isElsewhere) ? '' : `all of ${plainOrQuoted(server, 40)} with "${noun}" are here`;
  }

  /** Adds the lines about the whole search. */
  end(): void {
    const isHinted = (query: string, outcome: SearchSuccess) =>
      isName(query, outcome) || isForeign(query) || this.#keptWords(query) !== undefined;
    const isEmpty = this.#answers.every(
      ({ query, outcome }) => outcome.ok && outcome.hits.length === 0 && !isHinted(query, outcome),
    );
    if (isEmpty && this.#view.eager.length === 0)
      this.#remark('Search in English, with other words. If that finds nothing either, there is no such tool.');
    const foundAll = !this.#saysNone && this.#answers.every(({ outcome }) => outcome.ok && outcome.hits.length > 0);
    const notSearched = foundAll ? '' : unavailable(this.#view.catalog).trim();
    if (notSearched !== '') this.#remark(notSearched);
  }

  #remark(line: string): void {
    this.#lines.push(line);
    this.remarks.push(line);
  }

  /** Whether the model's request already contains a tool. With delivery `bridge` only these lines describe tools. */
  #isAvailable(tool: Tool): boolean {
    return this.#view.delivery !== 'bridge' && this.#isKnown(tool);
  }

  #isKnown({ id }: Tool): boolean {
    return this.#view.discovered.has(id);
  }

  /** Whether lines have signatures. */
  get #signs(): boolean {
    return this.#view.delivery === 'bridge' || this.#view.shapes !== undefined;
  }

  #nameOf({ modelName }: Pick<Tool, 'modelName'>): string {
    return this.#signs ? scriptName(modelName) : modelName;
  }

  /**
   * Returns the hint for a search without results. Similar names help if the query was a name, but not if it was a
   * phrase.
   */
  #hint(query: string, outcome: SearchSuccess): string {
    const kept = this.#keptWords(query);
    if (kept !== undefined) return ` ${kept}`;
    if (outcome.hint !== undefined) return ` ${outcome.hint}`;
    if (isForeign(query)) return ` Search in English.`;
    if (!isName(query, outcome)) return '';
    return ` Nearest names: ${outcome.nearest.map((modelName) => this.#nameOf({ modelName })).join(', ')}.`;
  }

  #keptWords(query: string): string | undefined {
    return this.#view.howToRead?.(query.replace('select:', '').trim().toLowerCase());
  }

  /** Returns the hits of a query that are in the answer, best first. A search puts available tools after new ones. */
  #ranked(outcome: SearchOutcome): readonly SearchHit[] {
    const hits = outcome.ok ? outcome.hits.filter(({ tool }) => this.found.includes(tool)) : [];
    const isOld = hits.some(({ tool }) => this.#isAvailable(tool));
    const ranked = isOld ? hits.toSorted((a, b) => b.score - a.score) : hits;
    const [first, second, ...rest] = ranked;
    if (!first || !second || second.score < ABOUT_AS_GOOD * first.score) return ranked;
    return isHarmful(first) && !isHarmful(second) ? [second, first, ...rest] : ranked;
  }

  /** Returns the tools that a model probably calls: the first hits of a query, or the one that its words name. */
  #likely({ query, outcome }: AnsweredQuery): readonly Tool[] {
    if (!outcome.ok || !fitsWell(query, outcome)) return [];
    const [first, second] = this.#ranked(outcome);
    if (!first || !second || isSaidBy(query, first.tool)) return first ? [first.tool] : [];
    const { tool, score } = second;
    const isAsLikely = score >= ABOUT_AS_GOOD * first.score && requiredOf(tool.inputSchema).size > 0;
    const { length } = toolSignature(tool, 'brief', { ...this.#signed, shapes: undefined, query });
    return length > (isAsLikely ? MAX_LIKELY : MAX_SECOND) ? [first.tool] : [first.tool, tool];
  }

  /** Adds a line for each hit, in the order of the hits. Lines that only name a tool are joined. */
  #addHits(hits: readonly SearchHit[], query: string, fits: boolean): void {
    const [first] = hits;
    const around = { query, isSaid: first !== undefined && isSaidBy(query, first.tool), folds: new Map() };
    const shown = hits.filter((hit, rank) => rank < WHOLE || this.#knownAs(hit) !== ABOVE);
    const [from, least] = fits ? [WHOLE + 1, FAINT * (first?.score ?? 0)] : [WHOLE, Number.POSITIVE_INFINITY];
    const isFaint = (hit: SearchHit) =>
      hits.indexOf(hit) >= from && hit.score < least && !deprecationIn(hit.tool.description);
    for (const [start, tools] of runsOf(shown, (hit) => this.#knownAs(hit) || (isFaint(hit) ? ALSO : ''))) {
      if (start === '') for (const hit of tools) this.#addTool(hit, around);
      else {
        const line = `${start}: ${tools.map(({ tool }) => this.#nameOf(tool)).join(', ')}`;
        if (start === AVAILABLE) this.#remark(line);
        else this.#lines.push(line);
      }
    }
  }

  /** Leaves out the words on arguments that a line before has on the same argument. */
  #withNewWords(signature: string): string {
    return signature.replace(WITH_WORDS, (whole, argument: string) => {
      const isNew = !this.#explained.has(whole);
      this.#explained.add(whole);
      return isNew ? whole : argument;
    });
  }

  /** Returns the word for a tool that needs no line of its own, otherwise an empty text. */
  #knownAs({ tool, matchType }: SearchHit): string {
    if (this.#isAvailable(tool)) return AVAILABLE;
    // `select:` promises the whole definition, and a line above may be shorter.
    return this.#shown.has(tool.id) && matchType !== 'select' ? ABOVE : '';
  }

  /** Adds whole definitions while there is room. A later tool has a shorter line, which says how to see the rest. */
  #addWhole(tool: Tool, query: string): void {
    const name = this.#nameOf(tool);
    const part = query.split(/[,\n]/).find((one) => squash(one.split('#')[0] ?? '').endsWith(squash(tool.name)));
    const how = (path: string) => `Search for "select:${name}#${path}" to see`;
    const whole = wholeDefinition(tool, this.#signed, how, part?.split('#')[1]?.trim());
    const fits = whole.length <= this.#selected || this.#selected === MAX_SELECTED;
    this.#selected -= fits ? whole.length : 0;
    this.#lines.push(fits ? whole : `${toolSignature(tool, 'brief', this.#signed)} // whole: select:${name} alone`);
  }

  #addTool({ tool, matchType }: SearchHit, { query, isSaid, folds }: Around): void {
    this.#shown.add(tool.id);
    if (this.#signs && matchType === 'select') {
      this.#addWhole(tool, query);
      return;
    }
    const isWhole = this.#whole.has(tool);
    const name = this.#nameOf(tool);
    const short = this.#signs ? toolSignature(tool, 'short', { query }) : name;
    const key = `${tool.server} ${short.slice(name.length)} ${Object.keys(propertiesOf(tool.inputSchema)).join()}`;
    const words = isWhole
      ? manyWords(tool, query)
      : isSaid
        ? (deprecatedWords(tool) ?? '')
        : fewWords(tool, query, short);
    const isFolded = !isWhole && short.length - name.length >= MIN_FOLDED && !short.includes(': object');
    const like = isFolded ? folds.get(key) : undefined;
    if (like !== undefined) {
      const line = this.#lines[like] ?? '';
      const more = `${name}${words === '' ? '' : ` (${words})`}`;
      this.#lines[like] = line.includes(SAME) ? `${line}, ${more}` : `${line}${SAME}${more}`;
      this.#room -= more.length;
      return;
    }
    const signature =
      isWhole && this.#signs ? this.#withNewWords(toolSignature(tool, 'brief', { ...this.#signed, query })) : short;
    const example = isWhole && this.#signs && tool.examples?.[0] ? exampleCall(tool, tool.examples[0]) : '';
    const line = [
      words === '' ? signature : `${signature} // ${words}`,
      ...(example !== '' && example.length <= MAX_EXAMPLE ? [example] : []),
    ].join('\n');
    const fits = line.length <= this.#room;
    this.#room -= fits ? line.length : 0;
    if (fits) folds.set(key, this.#lines.length);
    this.#lines.push(fits ? line : name);
  }
}

/** The share of the first hit's score from which on the second one goes first if the first alone is harmful. */
const ABOUT_AS_GOOD = 0.9;
/** Words in the names of tools that destroy something. */
const HARMFUL: ReadonlySet<string> = new Set(['delete', 'drop', 'remove', 'destroy', 'purge', 'erase', 'uninstall']);
/** Matches an argument of a plain type with the words on it. */
const WITH_WORDS = /([\w"-]+\??: \w+) \/\*.*?\*\//g;
/** Matches the mark of arguments that were left out. */
const LEFT_OUT = /(?<=, )…(?= \})|\/\* \d+ more(?:, e\.g\. [\w$, ]+)?(?= \*\/)/;
/** The word for a tool that the model's request contains. */
const AVAILABLE = 'already available';
/** The word for a tool that an earlier query of the same search found. It is repeated among a query's first hits. */
const ABOVE = 'above';
/** The word for tools that fit much less than the first hit, and the share of its score from which on they don't. */
const ALSO = 'also';
const FAINT = 0.6;
/** Introduces the words of a query that no tool of the catalog has. */
const NONE_HAS = 'no tool has';
/** Says that a query and its hits are those of an earlier search. */
const AGAIN = 'the same search as before, with the same result';
const NO_MORE = "if none of these does it, say that you can't";
/** Introduces the tools that have the arguments of the tool of the line before. */
const SAME = '\nsame arguments: ';
/** The fewest characters of arguments that are shown once for several tools. */
const MIN_FOLDED = 30;

/** Whether a tool that the query doesn't name destroys something, and the query doesn't ask for that. */
function isHarmful(hit: SearchHit): boolean {
  const { annotations, name } = hit.tool;
  const destroys = annotations?.destructiveHint === true || wordsOf(name).some((word) => HARMFUL.has(word));
  return destroys && !isNamed(hit) && !hit.terms.some((word) => HARMFUL.has(word));
}

function textOf(tool: Tool): string {
  return tool.description || tool.title || '';
}

/** Returns what a tool does, and what a call needs although the arguments' types don't say it. */
function manyWords(tool: Tool, query: string): string {
  const required = requiredOf(tool.inputSchema);
  const properties = Object.entries(propertiesOf(tool.inputSchema));
  const optional = properties.map(([key]) => key).filter((key) => !required.has(key));
  const inside = properties.flatMap(([, schema]) => Object.keys(propertiesOf(schema)));
  const words = whatItDoes(textOf(tool), MAX_WORDS);
  const needed = neededWords(textOf(tool), words, new Set([...optional, ...inside]), required);
  const end = needed.length > MAX_NEEDED ? `${clauses(needed, MAX_NEEDED)}… (more: select:NAME)` : needed;
  const start = end === '' ? words : whatItDoes(textOf(tool), Math.max(FEW_WORDS, MAX_WORDS - end.length));
  const shown = [end, ...properties.map(([key]) => key), ...valuesOf(tool)].join(' ');
  const asked = repeatsName(start, `${tool.name} ${tool.server}`) ? askedWords(tool, query, shown) : '';
  const joined = (all: string, it: string) => (/[.…]$/.test(all) ? `${all} ${it}` : `${all}. ${it}`);
  return [start, asked, end].reduce((all, it) => (all === '' || it === '' ? all + it : joined(all, it)));
}

function deprecatedWords({ description }: Tool): string | undefined {
  const deprecated = deprecationIn(description);
  return deprecated && clauses(deprecated, FEW_WORDS);
}

/**
 * Returns a few words on a tool: that it is deprecated, or what it does. If its name says that, returns
 * {@link askedWords}.
 * @param shown the tool's signature
 */
function fewWords(tool: Tool, query: string, shown: string): string {
  const deprecated = deprecatedWords(tool);
  if (deprecated !== undefined) return deprecated;
  const words = whatItDoes(textOf(tool), FEW_WORDS);
  return repeatsName(words, `${tool.name} ${tool.server}`) ? askedWords(tool, query, shown) : words;
}

/** Returns the clause or the argument of a tool that has a word of a phrase, which nothing shown has. May be empty. */
function askedWords(tool: Tool, query: string, shown: string): string {
  const rootsOf = (text: string) => wordsOf(text).map((word) => rootOf(singular(word)));
  const known = new Set(rootsOf(`${tool.name} ${tool.server} ${shown}`));
  const words = tellingWords(query).filter((word) => !GENERIC.has(word) && !known.has(rootOf(word)));
  // The last word of a phrase says most.
  for (const word of words.length > MAX_PHRASE ? [] : words.toReversed()) {
    const has = (text: string) => rootsOf(text).includes(rootOf(word));
    const found = clauseWith(has, textOf(tool), FEW_WORDS) || argumentWith(has, tool);
    if (found !== '') return found;
  }
  return '';
}

/** Returns the first argument whose name, or one of whose values, is accepted: `state: "void"`. May be empty. */
function argumentWith(has: (text: string) => boolean, { inputSchema }: Tool): string {
  for (const [name, schema] of Object.entries(propertiesOf(inputSchema))) {
    if (!isIdentifier(name) || name.length > FEW_WORDS) continue;
    if (has(name)) return name;
    const value = enumOf(schema).find((it) => typeof it === 'string' && it.length <= FEW_WORDS && has(it));
    if (typeof value === 'string') return `${name}: ${stringLiteral(value)}`;
  }
  return '';
}

/** Divides a list into runs of neighbours that have the same key. */
function runsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): (readonly [string, Item[]])[] {
  const runs: (readonly [string, Item[]])[] = [];
  for (const item of items) {
    const key = keyOf(item);
    const last = runs.at(-1);
    if (last?.[0] === key) last[1].push(item);
    else runs.push([key, [item]]);
  }
  return runs;
}

/** Whether a query is probably a tool's name, since there are similar ones. */
function isName(query: string, { nearest }: SearchSuccess): boolean {
  return nearest.length > 0 && !/\s/.test(query.trim());
}

/** Returns a remark on a phrase's hits; empty if there is nothing to say. */
function noteOn(query: string, outcome: SearchSuccess, fits: boolean): string {
  if (!isPhrase(outcome)) return '';
  const matched = matchedIn(outcome.hits);
  const values = valuesIn(query);
  const unmatched = tellingWords(query).filter(
    (word) => !values.includes(word) && !matched.some((term) => term.includes(word) || word.includes(term)),
  );
  const unknown = new Set(outcome.unknown?.map(singular));
  // Another search with a word that no tool has is pointless.
  const byWords = groupBy(unmatched, (word) => (unknown.has(word) ? NONE_HAS : 'none of these has'));
  const notes = [...byWords].map(([start, words]) => `${start} ${words.map((word) => `"${word}"`).join(', ')}`);
  if (!fits) notes.unshift('nothing fits well');
  const isOther = !fits && unknown.size > 0 && wordsOf(query).some((word) => OTHER_LANGUAGES.has(word));
  if (notes.length > 0 && (isOther || isForeign(query))) notes.push('search in English');
  return notes.join('; ');
}

/** In a longer query, many words are about something else than the tool. */
const FEW_QUERY_WORDS = 6;

/**
 * Whether one of a phrase's hits says half of the phrase, two words at least, or its name and its arguments say all of
 * it, or its name says all that it does, or what it does it to: the last word of the phrase. Many words mean the same as
 * a verb. A phrase that names the server, or asks for what the tool reads, needs only a word of the tool's name.
 */
function fitsWell(query: string, outcome: SearchSuccess): boolean {
  const words = tellingWords(query);
  if (!isPhrase(outcome) || words.length === 0 || words.length > FEW_QUERY_WORDS) return true;
  const said = significantWords(query);
  const asks = isReading(wordsOf(query)[0] ?? '');
  const isTranslated = isForeign(query);
  const needed = withoutData(words, query, outcome);
  const enough = Math.max(1, Math.min(2, needed.length), needed.length / 2);
  return outcome.hits.some((hit) => {
    const { tool } = hit;
    const name = wordsOf(tool.name).map(singular);
    const matched = new Set(matchedIn([hit]));
    if (isTranslated) return words.filter((word) => matched.has(word)).length * 2 > words.length;
    return (
      covered(needed, tool) >= enough ||
      (words.every((word) => matched.has(word)) && words.some((word) => name.includes(word))) ||
      (name.every((word) => said.includes(word)) && name.some((word) => words.includes(word))) ||
      (wordsOf(tool.server).every((word) => said.includes(word)) && name.some((word) => said.includes(word))) ||
      name.includes(words.at(-1) ?? '') ||
      (asks && isReading(name[0] ?? '') && name.some((word) => words.includes(word) && !isReading(word)))
    );
  });
}

/** Returns the words that hits matched, in singular. */
function matchedIn(hits: readonly SearchHit[]): readonly string[] {
  return hits.flatMap(({ terms }) => terms.flatMap(wordsOf)).map(singular);
}

/** Matches names of persons and products inside a query, and names of files. */
const NAMES = /(?<=\S\s)\p{Lu}\p{Ll}{1,40}/gu;
const FILES = /[\w-]{1,80}\.\w{1,5}(?!\w)/g;

/** Returns the words of a query that are inside a value: a quoted text, a number, an address, the name of a file. */
function valuesIn(query: string): readonly string[] {
  const values = parseQuery(query).words.flatMap(({ word, weight }) => (weight < 1 ? [singular(word)] : []));
  return [...values, ...wordsIn(query, FILES)];
}

function wordsIn(query: string, pattern: RegExp): readonly string[] {
  return significantWords((query.match(pattern) ?? []).join(' '));
}

/**
 * Returns the words of a query that say what to do. Left out is what no hit has if it looks like data, or follows a word
 * that a hit has: `web` in "restart deployment web". The first word is the verb.
 */
function withoutData(words: readonly string[], query: string, { hits }: SearchSuccess): readonly string[] {
  const matched = new Set(matchedIn(hits));
  const data = [...valuesIn(query), ...wordsIn(query, NAMES)];
  const isData = (word: string, at: number) => data.includes(word) || (at > 1 && matched.has(words[at - 1] ?? ''));
  return words.filter((word, at) => matched.has(word) || !isData(word, at));
}

/** Whether the words of a query are those of a tool's name, with or without those of its server. */
function isSaidBy(query: string, { name, server }: Tool): boolean {
  const rootsOf = (text: string) => new Set(significantWords(text).map(rootOf));
  const [said, own, whole] = [rootsOf(query.toLowerCase()), rootsOf(name), rootsOf(`${name} ${server}`)];
  return [...own].every((root) => said.has(root)) && [...said].every((root) => whole.has(root));
}

/** Whether only words of a query, not names, found its hits. */
function isPhrase({ strategy, hits }: SearchSuccess): boolean {
  return strategy === 'bm25' && hits.every(({ matchType }) => matchType === 'bm25');
}

function significantWords(query: string): readonly string[] {
  return [...new Set(wordsOf(query))].filter((word) => word.length > 2 && !isFunctionWord(word)).map(singular);
}

/** Words of a request that say nothing about what is asked for. */
const ASKING: ReadonlySet<string> = new Set(['look', 'find', 'search', 'check', 'see', 'show', 'another']);

function tellingWords(query: string): readonly string[] {
  return significantWords(query).filter((word) => !ASKING.has(word));
}

/** Returns the number of words that the tool's name or description has, perhaps in another form. Arguments don't count. */
function covered(words: readonly string[], tool: Tool): number {
  const texts = [tool.name, tool.server, tool.title ?? '', tool.description, ...valuesOf(tool)];
  const own = new Set(wordsOf(texts.join(' ')).map(singular));
  const roots = new Set([...own].map(rootOf));
  return words.filter(
    (word) =>
      roots.has(rootOf(word)) ||
      [...own].some((other) => isPartOf(word, other) || isPartOf(other, word)) ||
      [...synonymsOf(word), ...abbreviationsOf(word)].some((other) => own.has(other)),
  ).length;
}

/** Whether a word begins or ends with another: `email` with `mail`, but not `phone` with `one`, which is too short. */
function isPartOf(part: string, whole: string): boolean {
  const isStart = whole.startsWith(part);
  return isStart ? part.length > 2 : part.length > 3 && whole.endsWith(part);
}

/** Returns the values that a tool's arguments can have, such as "restart". */
function valuesOf({ inputSchema }: Tool): readonly unknown[] {
  return Object.values(propertiesOf(inputSchema)).flatMap(enumOf);
}

function enumOf(schema: unknown): readonly unknown[] {
  return isObject(schema) && Array.isArray(schema.enum) ? schema.enum : [];
}

/** Whether a word is a stop word of any language that the search knows. */
function isFunctionWord(word: string): boolean {
  return STOP_WORDS.has(word) || [...LANGUAGES.values()].some(({ functionWords }) => functionWords.has(word));
}

/** Whether a query has a word that only another language than English has. Accents alone don't say so: `a café`. */
function isForeign(query: string): boolean {
  const languages = [...LANGUAGES.values()];
  const isOther = (word: string) =>
    languages.some(({ functionWords, translated }) => functionWords.has(word) || translated.has(word));
  const words = wordsOf(query);
  if (words.filter((word) => OTHER_LANGUAGES.has(word)).length > 1) return true;
  const isEnglish = words.some((word) => STOP_WORDS.has(word) && !isOther(word));
  return words.some((word) => !STOP_WORDS.has(word) && (isOther(word) || (!isEnglish && /[^\0-\x7f]/.test(word))));
}

/**
 * Merges the ranks of several queries into one list: all first hits, then all second hits, and so on, each tool once.
 */
function interleave(answers: readonly AnsweredQuery[]): SearchHit[] {
  const lists = answers.map(({ outcome }) => (outcome.ok ? outcome.hits : []));
  const merged = new Map<string, SearchHit>();
  for (const { item: hit } of roundRobin(lists)) if (!merged.has(hit.tool.id)) merged.set(hit.tool.id, hit);
  return [...merged.values()];
}
