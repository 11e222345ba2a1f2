/**
 * The weights of `bm25`, the default ranking. They were set by hand to round values on public tool catalogs with
 * queries that others labelled. Each comment gives the purpose. No data set's own words are in here.
 */

/**
 * The weight of a word by its field: BM25F's field weights (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
 * multiple weighted fields", 2004). A name is chosen to show what a tool does, a description explains, arguments hint.
 */
export const FIELD = {
  name: 2,
  /**
   * Two neighbouring words of the name joined (`key_vault` → keyvault): finds them if they are written together, and
   * rewards a phrase.
   */
  namePair: 1,
  title: 1,
  description: 1,
  /** Added to `description` in its first sentence. Later sentences are often advice, limits and examples. */
  firstSentence: 0.5,
  server: 0.6,
  argumentName: 0.2,
  argumentText: 0.5,
  value: 0.5,
  example: 0.5,
  /** A search word. Its weight is discounted by length, as a description's is. */
  searchWord: 0.7,
} as const;

/**
 * How fast repetition stops counting: BM25's k1. Lower than for documents, since a tool's text rarely repeats by
 * chance.
 */
export const SATURATION = 0.6;

/**
 * The discount of long descriptions: BM25's b, and the length in words at which nothing changes. The length is fixed
 * rather than the catalog's mean, so that a tool's weights don't depend on other tools and updates stay local.
 */
export const LENGTH_SHARE = 0.75;
export const LENGTH_PIVOT = 20;

/** The number of words up to which a field counts in full. Beyond it, each word counts less, as in a description. */
export const LONGEST = {
  server: 8,
  title: 6,
  firstSentence: 15,
  argumentNames: 30,
  argumentTexts: 75,
  values: 30,
  examples: 30,
  /** The description, argument texts, values and examples together. */
  details: 75,
} as const;

/**
 * The number of distinct words above which each of a tool's words counts less. Of 6,700 public tools one in a hundred
 * has more than 124; a tool that is stuffed with the words of others has hundreds.
 */
export const BROAD = 150;

/** The impact from which a word covers its part of the query in full. One word among hundreds covers little. */
export const COVERS = 0.7;

/** The weight of a word of the index for another word of the query. */
export const VARIANT = {
  /** The long form of an abbreviation, or the other way round (`repository` for `repo`). */
  abbreviation: 0.9,
  /**
   * A synonym (`list` for `show`). With 0.3 the right tool came first a little less often; with 0.5 fewer right tools
   * were among the first five.
   */
  synonym: 0.4,
  /** The same Porter root (`connection` for `connect`). */
  root: 0.3,
  /** One typo away, for a word that isn't in the index. For other words, typo tolerance finds wrong words. */
  typo: 0.5,
  /** Two neighbouring words of the query joined (`key vault` → keyvault). */
  joined: 0.8,
  /** A word of another language, for a word that definitions have too. */
  language: 0.9,
  /** An English word for a word of another language (`delete` for `lösche`). */
  translation: 0.6,
  /** Parts of a word that isn't in the index (`cosmosdb` → cosmos, db). */
  part: 0.8,
  /**
   * A word inside a value: quoted text, a URL, a `<placeholder>`, a number. Values are arguments and don't describe the
   * task.
   */
  value: 0.3,
} as const;

/** The additions of the reranker to a score of at most 1, for the best tools of the first stage. */
export const BONUS = {
  /** The share of the tool's name that the query covers. Rare words count more. This is the strongest sign of all. */
  nameCoverage: 0.8,
  /**
   * The share of the query that the tool covers. Rare words count more. It keeps one rare word from beating a full
   * match.
   */
  queryCoverage: 0.8,
  /** The query has a word of the server's name. */
  serverNamed: 0.2,
  /** The server as a whole fits the query. The best-fitting server gets all of it. */
  serverFit: 0.25,
} as const;

/**
 * Added to a name's length (the sum of its words' idf) before the covered share is taken. A name of one common word
 * (`fetch`) is covered by chance more easily than one of three words.
 */
export const NAME_PRIOR = 0.5;

/**
 * The number of a server's tools that must have a word for half of the server's fit. One tool with the word says little
 * about the server.
 */
export const SERVER_HALF = 3;

/** The share of the query that a search word covers, compared with a word of the definition. */
export const SEARCH_WORD_COVERS = 0.6;

/**
 * The number of tools of the first stage that are ranked again. With 64 no set ranked better, and a search took a
 * quarter longer.
 */
export const SHORTLIST = 32;

/**
 * A hit isn't returned, only named, if it has less than this share of the best score and of the best coverage of the
 * query, since each tool costs its definition. Of 5 tools 4.2 are returned, for 0.05 points of recall@5. A limit on
 * scores alone returned 3.9 and cost 0.4 points: it cut off tools that meet another need of the query. With 0.6 of the
 * best score 4.0 are returned for 0.3 points.
 */
export const RELEVANT = 0.5;
