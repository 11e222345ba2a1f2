/**
 * The weights of `bm25`, the default ranking. They were set by hand to round values on public tool catalogs with queries
 * that others labelled; each carries what it is for. No data set's own words are in here.
 */

/**
 * What a word is worth by where it stands: BM25F's field weights (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
 * multiple weighted fields", 2004). A name is chosen to say what a tool does, a description explains, arguments hint.
 */
export const FIELD = {
  name: 2,
  /** Two neighbouring words of the name in one (`key_vault` → keyvault): finds them written together, and rewards a phrase. */
  namePair: 1,
  title: 1,
  description: 1,
  /** On top of `description`, in its first sentence: what follows is often advice, limits and examples. */
  firstSentence: 0.5,
  server: 0.6,
  argumentName: 0.2,
  argumentText: 0.5,
  value: 0.5,
  example: 0.5,
  /** A search word; its length is discounted as a description's is. */
  searchWord: 0.7,
} as const;

/** How fast more of the same stops counting: BM25's k1. Lower than for documents, since a tool's text rarely repeats by chance. */
export const SATURATION = 0.6;

/**
 * How a long description is discounted: BM25's b, and the length in words at which nothing changes. The length is fixed
 * rather than the catalog's mean, so that what a tool is worth doesn't depend on other tools and updates stay local.
 */
export const LENGTH_SHARE = 0.75;
export const LENGTH_PIVOT = 20;

/** Up to so many words a field counts in full; beyond, its words count less and less, as a description's do. */
export const LONGEST = {
  server: 8,
  title: 6,
  firstSentence: 15,
  argumentNames: 30,
  argumentTexts: 75,
  values: 30,
  examples: 30,
} as const;

/**
 * A tool with more distinct words than this counts less for each of them. Of 6,700 public tools one in a hundred has
 * more than 124; a tool that is stuffed with the words of others has hundreds.
 */
export const BROAD = 150;

/** A word covers its part of the query in full from this impact on: one word among hundreds covers little. */
export const COVERS = 0.4;

/** What a word of the index is worth for a word of the query that is not the same. */
export const VARIANT = {
  /** The long form of an abbreviation, or the other way round (`repository` for `repo`). */
  abbreviation: 0.9,
  /** A synonym (`list` for `show`). With 0.3 the right tool came first a little less often; with 0.5 fewer were among the first five. */
  synonym: 0.4,
  /** The same Porter root (`connection` for `connect`). */
  root: 0.3,
  /** One typo away, for a word that is nowhere in the index: otherwise typo tolerance finds wrong words. */
  typo: 0.5,
  /** Two neighbouring words of the query in one (`key vault` → keyvault). */
  joined: 0.8,
  /** A word of another language, for a word that definitions have too. */
  language: 0.9,
  /** Parts of a word that is nowhere in the index (`cosmosdb` → cosmos, db). */
  part: 0.8,
  /** A word inside a value: quoted text, a URL, a `<placeholder>`, a number. Values are arguments, they don't say what to do. */
  value: 0.3,
} as const;

/** What the reranker adds to a score of at most 1, for the best of the first stage. */
export const BONUS = {
  /** Share of the tool's name that the query covers, rare words counting more. The strongest sign of all. */
  nameCoverage: 0.8,
  /** Share of the query that the tool covers, rare words counting more: keeps one rare word from beating a full match. */
  queryCoverage: 0.8,
  /** The query says a word of the server's name. */
  serverNamed: 0.2,
  /** The server as a whole fits the query: its best-fitting server gets all of it. */
  serverFit: 0.25,
} as const;

/**
 * Added to a name's length (the sum of its words' idf) before the covered share is taken: a name of one common word
 * (`fetch`) is covered by chance more easily than one of three.
 */
export const NAME_PRIOR = 0.5;

/** How many of a server's tools must have a word for half of its fit. One tool with the word says little of the server. */
export const SERVER_HALF = 3;

/** How much a search word covers of the query, beside a word of the definition. */
export const SEARCH_WORD_COVERS = 0.6;

/** How many of the first stage are ranked anew. With 64 no set ranked better, and a search took a quarter longer. */
export const SHORTLIST = 32;

/**
 * A hit isn't returned, only named, where it has less than this of the best score and covers less than this of what the best covers
 * of the query: each tool costs its definition. Of 5 tools 4.2 are returned, for 0.05 points of recall@5. A limit on scores alone
 * returned 3.9 and cost 0.4 points: it cut off tools that meet another need of the query. With 0.6 of the best score 4.0 are
 * returned for 0.3 points.
 */
export const RELEVANT = 0.5;
