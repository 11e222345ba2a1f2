/** After so many further uses, one counts half. */
const HALF_LIFE = 200;
/** Words that are remembered for a tool at most: those asked with most. */
const MAX_WORDS = 32;
/** A word whose count has decayed to less than this is forgotten. */
const FAINT = 0.05;
/** What use adds to a score at most, and how fast. With more, tools that were never used fell behind those that were. */
const MOST = 0.5;
const GAIN = 5;

/** A word of a query: its root, by which it is remembered, and how it was written. */
export interface AskedWord {
  readonly root: string;
  readonly word: string;
}

/** What use adds to a tool's score, and since when it was asked for with which words. */
export interface LearntBonus {
  readonly adds: number;
  /** About how often it was used after a query with one of the words. */
  readonly times: number;
  readonly words: readonly string[];
}

/** Of each tool (by id) the words that it was asked for with: root, word, decayed number of uses. What is stored. */
export interface Learnt {
  readonly uses: number;
  readonly tools: { readonly [id: string]: readonly (readonly [root: string, word: string, count: number])[] };
}

interface Entry {
  word: string;
  count: number;
}

/** What a query is, to the words that were learnt. */
interface Asked {
  readonly words: readonly AskedWord[];
  /** How much of the query the best tool covers by its own text, 0 to 1: what is covered needs no help. */
  readonly covered: number;
  /** How many tools there are, and how many of them have a word. */
  readonly tools: number;
  readonly having: (root: string) => number;
  /** Whether a tool's own text has a word. */
  readonly has: (id: string, root: string) => boolean;
}

/**
 * What was used here before: the words of queries that a tool's own text lacks, for tools whose calls succeeded after such a
 * query. The next query with these words finds the tool. Only words are learnt: counting calls, voting by similar queries and
 * indexing whole queries made tools that were never used harder to find, by two to five points of recall.
 */
export class Learning {
  private readonly tools = new Map<string, Map<string, Entry>>();
  private readonly byRoot = new Map<string, Map<string, Entry>>();
  private uses = 0;

  /** Whether nothing is remembered of any tool. */
  get isEmpty(): boolean {
    return this.tools.size === 0;
  }

  /** A tool was used after a query with these words, each of which its own text lacks. */
  add(id: string, words: readonly AskedWord[]): void {
    this.decay();
    this.uses++;
    for (const { root, word } of words) {
      const entry = this.tools.get(id)?.get(root);
      if (entry) {
        entry.count++;
        entry.word = word;
      } else this.put(id, root, { word, count: 1 });
    }
    const own = [...(this.tools.get(id) ?? [])].sort(([, a], [, b]) => b.count - a.count);
    for (const [root] of own.slice(MAX_WORDS)) this.drop(id, root);
  }

  /** The tools that were asked for with any of these words. */
  knowing(words: readonly AskedWord[]): ReadonlySet<string> {
    return new Set(words.flatMap(({ root }) => [...(this.byRoot.get(root)?.keys() ?? [])]));
  }

  /**
   * What use adds to each tool's score: for the words that the tool lacks, by how rare they are (over tools and uses together),
   * how often the tool was used after them, and how seldom others were.
   */
  bonuses({ words, covered, tools, having, has }: Asked): ReadonlyMap<string, LearntBonus> {
    const bonuses = new Map<string, LearntBonus>();
    const rarities = words.map(({ root }) => {
      const count = having(root) + this.usesOf(root);
      return Math.log(1 + (Math.max(0, tools + this.uses - count) + 0.5) / (count + 0.5));
    });
    const mass = rarities.reduce((sum, rarity) => sum + rarity, 0);
    if (mass === 0) return bonuses;
    for (const id of this.knowing(words)) {
      let sum = 0;
      let times = 0;
      const said: string[] = [];
      for (const [i, { root, word }] of words.entries()) {
        const count = this.tools.get(id)?.get(root)?.count ?? 0;
        if (count === 0 || has(id, root)) continue;
        sum += (((rarities[i] as number) * count) / (count + 1)) * (count / this.usesOf(root));
        times = Math.max(times, count);
        said.push(word);
      }
      const adds = Math.min(MOST, (GAIN * (1 - covered) * sum) / mass);
      if (adds > 0) bonuses.set(id, { adds, times: Math.max(1, Math.round(times)), words: said });
    }
    return bonuses;
  }

  /** What is to be kept. */
  get learnt(): Learnt {
    const tools = [...this.tools].map(([id, words]) => [
      id,
      [...words].map(([root, { word, count }]) => [root, word, count] as const),
    ]);
    return { uses: this.uses, tools: Object.fromEntries(tools) };
  }

  /** Takes what was kept in place of all that was learnt; without it, forgets everything. */
  restore(learnt: Learnt = { uses: 0, tools: {} }): void {
    this.tools.clear();
    this.byRoot.clear();
    this.uses = learnt.uses;
    for (const [id, words] of Object.entries(learnt.tools)) {
      for (const [root, word, count] of words.slice(0, MAX_WORDS)) this.put(id, root, { word, count });
    }
  }

  private usesOf(root: string): number {
    let sum = 0;
    for (const { count } of this.byRoot.get(root)?.values() ?? []) sum += count;
    return sum;
  }

  private put(id: string, root: string, entry: Entry): void {
    for (const [map, key, other] of [
      [this.tools, id, root],
      [this.byRoot, root, id],
    ] as const) {
      const entries = map.get(key) ?? new Map<string, Entry>();
      map.set(key, entries.set(other, entry));
    }
  }

  private drop(id: string, root: string): void {
    for (const [map, key, other] of [
      [this.tools, id, root],
      [this.byRoot, root, id],
    ] as const) {
      const entries = map.get(key);
      entries?.delete(other);
      if (entries?.size === 0) map.delete(key);
    }
  }

  private decay(): void {
    const factor = 0.5 ** (1 / HALF_LIFE);
    this.uses *= factor;
    for (const [id, words] of [...this.tools]) {
      for (const [root, entry] of [...words]) {
        entry.count *= factor;
        if (entry.count < FAINT) this.drop(id, root);
      }
    }
  }
}

/** How many of the engine's own first stay among the five best, whatever was learnt. */
const OWN = 4;
const BEST = OWN + 1;

/**
 * Puts hits in the order of their scores with what use adds to them. The first four of the engine stay among the first five,
 * so that what was learnt wrongly hides nothing.
 */
export function withLearnt<Hit>(hits: readonly Hit[], scoreOf: (hit: Hit) => number): Hit[] {
  const byScore = (list: readonly Hit[]) => [...list].sort((a, b) => scoreOf(b) - scoreOf(a));
  const own = hits.slice(0, OWN);
  const rest = byScore(hits.slice(OWN));
  return [...byScore([...own, ...rest.slice(0, BEST - own.length)]), ...rest.slice(BEST - own.length)];
}
