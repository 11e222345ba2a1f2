import { isListedItem, type Tool } from '../catalog/tool';
import { STOP_WORDS } from '../search/text/lexicon';
import { ownQueries } from '../search/text/ownWords';
import { squash, wordsOf } from '../search/text/words';
import { isObject } from '../util/objects';
import type { Suggestion } from './types';

// Finds tools in the catalog that searches can hardly find, or can't distinguish from others.

/** A description with fewer words than this, not counting the words of the tool's name, is too short for a search. */
const THIN_WORDS = 3;
/** Two descriptions count as the same if their {@link similarity} is at least this. */
const SAME = 0.8;
/**
 * Tools with identical descriptions count as the same only if the descriptions have at least this many words. Shorter
 * descriptions may be identical by chance.
 */
const MIN_SAME_WORDS = 5;
/** The number of hits among which a tool is looked for when its own words are searched. */
const DEPTH = 50;
const ABOVE = 3;

/** Returns the ids that a query finds, best first. */
export type Find = (query: string, limit: number) => readonly string[];

/**
 * Checks every tool of a catalog, without resources and prompts: whether its description is too short, whether its own words find it, and whether it
 * differs from other tools. The check works in small steps, since thousands of searches take seconds. It starts again
 * for each catalog.
 */
export class CatalogCheck {
  readonly #tools: readonly Tool[];
  readonly #limit: number;
  readonly #find: Find;
  readonly #found: Suggestion[] = [];
  readonly #byName = new Map<string, Described[]>();
  readonly #byText = new Map<string, Described[]>();
  #next = 0;

  /** @param limit the number of tools that a search returns */
  constructor(tools: readonly Tool[], limit: number, find: Find) {
    this.#tools = tools.filter((tool) => !isListedItem(tool));
    this.#limit = limit;
    this.#find = find;
  }

  get checked(): number {
    return this.#next;
  }

  get total(): number {
    return this.#tools.length;
  }

  get done(): boolean {
    return this.#next >= this.#tools.length;
  }

  /** The suggestions found so far. */
  get suggestions(): readonly Suggestion[] {
    return this.#found;
  }

  /** Checks the next tool. */
  step(): void {
    const tool = this.#tools[this.#next];
    if (!tool) return;
    this.#next++;
    const described = describe(tool);
    const thin = thinness(described);
    if (thin) this.#found.push(thin);
    else this.#look(tool);
    this.#pair(described);
  }

  /**
   * Searches with all of the tool's own texts except its name, which finds the tool anyway unless another tool has the
   * same name.
   */
  #look(tool: Tool): void {
    let best: { query: string; ids: readonly string[]; rank: number } | undefined;
    for (const { source, query } of ownQueries(tool)) {
      if (source === 'name' || source === 'word') continue;
      const ids = this.#find(query, DEPTH);
      const rank = ids.indexOf(tool.id) + 1 || Number.POSITIVE_INFINITY;
      if (rank <= this.#limit) return;
      if (!best || rank < best.rank) best = { query, ids, rank };
    }
    if (!best) return;
    const { query, ids, rank } = best;
    const known = rank < Number.POSITIVE_INFINITY ? { rank } : {};
    this.#found.push({
      id: `find ${tool.id}`,
      kind: 'unfound',
      tool: tool.id,
      query,
      limit: this.#limit,
      ...known,
      above: ids.slice(0, ABOVE),
    });
  }

  #pair(own: Described): void {
    const { tool } = own;
    const named = file(this.#byName, squash(tool.name), own);
    const twin = named.find((other) => other.tool.server !== tool.server && similarity(other.words, own.words) >= SAME);
    if (twin) {
      this.#twins(twin.tool, tool, true);
      return;
    }
    const text =
      own.words.size < MIN_SAME_WORDS ? undefined : `${tool.description.trim().toLowerCase()} ${own.args.join()}`;
    const same = text === undefined ? undefined : file(this.#byText, text, own)[0];
    if (same && squash(same.tool.name) !== squash(tool.name)) this.#twins(same.tool, tool, false);
  }

  #twins(a: Tool, b: Tool, sameName: boolean): void {
    this.#found.push({ id: `twins ${a.id} ${b.id}`, kind: 'twins', tools: [a.id, b.id], sameName });
  }
}

interface Described {
  readonly tool: Tool;
  /** The significant words of the description, without the words of the name. */
  readonly words: ReadonlySet<string>;
  readonly args: readonly string[];
  /** The number of arguments with a description. */
  readonly explained: number;
}

function describe(tool: Tool): Described {
  const name = new Set([...wordsOf(tool.name), ...wordsOf(tool.title ?? '')]);
  const examples = (tool.examples ?? []).map((example) => example.description ?? '');
  const said = wordsOf([tool.description, ...examples].join(' '));
  const properties = isObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {};
  return {
    tool,
    words: new Set(said.filter((word) => !STOP_WORDS.has(word) && !name.has(word))),
    args: Object.keys(properties),
    explained: Object.values(properties).filter(
      (value) => isObject(value) && typeof value.description === 'string' && value.description !== '',
    ).length,
  };
}

function thinness({ tool, words, args, explained }: Described): Suggestion | undefined {
  if (words.size >= THIN_WORDS || explained > 0) return undefined;
  return { id: `thin ${tool.id}`, kind: 'thin', tool: tool.id, words: words.size, args: args.length };
}

/** Adds a tool under a key, and returns the tools that the key had before. */
function file(map: Map<string, Described[]>, key: string, own: Described): readonly Described[] {
  const filed = map.get(key) ?? [];
  map.set(key, filed);
  filed.push(own);
  return filed.slice(0, -1);
}

/**
 * Returns Jaccard's similarity: the number of words in both descriptions divided by the number in either. Two
 * descriptions without words beyond the name count as the same.
 */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((word) => b.has(word)).length;
  const either = a.size + b.size - both;
  return either === 0 ? 1 : both / either;
}
