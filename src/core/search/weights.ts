/**
 * The weights of `bm25`, the default ranking. They were set by hand to round values, with public tool catalogs and
 * queries that others had labelled. Each comment gives a weight's purpose. None of the weights is for particular words
 * of a data set.
 */

/**
 * The weight of a word by field: BM25F's field weights (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
 * multiple weighted fields", 2004). A name is chosen to show what a tool does, a description explains it, and arguments
 * only hint at it.
 */
export const FIELD = {
  name: 2,
  /** Two neighbouring words of the name joined (`key_vault` → keyvault), as queries may write them. Rewards phrases. */
  namePair: 1,
  title: 1,
  description: 1,
  /** Added to `description` for words of the first sentence. Later ones often are advice, limits and examples. */
  firstSentence: 0.5,
  server: 0.6,
  argumentName: 0.2,
  argumentText: 0.5,
  value: 0.5,
  example: 0.5,
  /** A search word. The more search words a tool has, the less each of them weighs. */
  searchWord: 0.7,
} as const;

/** How fast repeated words stop adding to a score: BM25's k1. It is low, since a tool's text rarely repeats a word. */
export const SATURATION = 0.6;

/**
 * How much less the words of a long description weigh: BM25's b, and the length in words at which the weight is
 * unchanged. The length is fixed instead of the catalog's mean, so that a tool's weights don't depend on other tools.
 */
export const LENGTH_SHARE = 0.75;
export const LENGTH_PIVOT = 20;

/** The number of words of any other field beyond which each word weighs less, as in a description. */
export const LONGEST = 40;

/**
 * If a tool's texts contain the words of more than this share of the names of other servers' tools, its words count
 * less, by the square of the excess. Names of rarer words count more, since long honest texts have many common words.
 * Honest tools of public catalogs have less than 2 %, one with a description of 286 distinct words 4.7 %. Texts that are
 * stuffed with words of other tools have 10 to 100 %.
 */
export const BORROWED = 0.06;

/** The smallest number of names that the share is taken of, since few names say little. */
export const FEWEST_NAMES = 40;

/** Words of a tool with more distinct words than this count less too. One of 7,000 public tools has more. */
export const MOST_WORDS = 600;

/** How much the words of a deprecated tool count, so that it comes after the tool that replaces it. */
export const DEPRECATED = 0.5;

/** The factor for a tool that changes something, by its name, if the query only asks: `create_event` for "list events". */
export const CHANGES_INSTEAD = 0.8;

/** The weight of a related word of the index in place of a word of the query. */
export const VARIANT = {
  /**
   * Another form of the word: the long form of an abbreviation, or the abbreviation of a word (`repository` for `repo`),
   * two neighbouring words joined (`key vault` → keyvault), the parts of a word that isn't in the index (`cosmosdb` →
   * cosmos, db), a word of another language that English definitions also contain.
   */
  form: 0.9,
  /**
   * A word that may mean the same: a synonym (`list` for `show`), a word of the same Porter root (`connection` for
   * `connect`), a translation (`delete` for `lösche`), a word one typo away. Typo tolerance finds wrong words, so it is
   * used only for words that aren't in the index.
   */
  related: 0.5,
  /**
   * A word inside a value: quoted text, a URL, a `<placeholder>`, the last part of `owner/repo-name`, a number. Values
   * are arguments and don't describe the task.
   */
  value: 0.3,
} as const;

/** The bonuses that the second stage adds to a score of at most 1. */
export const BONUS = {
  /** For the share of the tool's name that the query covers. Rare words count more. The strongest sign of a fit. */
  nameCoverage: 0.8,
  /** For the share of the query that the tool covers, so that a tool with one rare word doesn't beat a full match. */
  queryCoverage: 0.8,
  /** For a query that contains a word of the server's name. */
  serverNamed: 0.2,
  /** For a server that fits the query as a whole. The best-fitting server's tools get all of it. */
  serverFit: 0.25,
} as const;

/**
 * Added to the length of a name (the sum of its words' idf) before computing the covered share. A name of one common
 * word (`fetch`) is more often covered by chance than a name of three words.
 */
export const NAME_PRIOR = 0.5;

/** The number of a server's tools that must have a word for half of the fit. One tool says little about its server. */
export const SERVER_HALF = 3;

/** The share of the query that a search word covers, relative to a word of the definition. */
export const SEARCH_WORD_COVERS = 0.6;

/** The number of tools that are ranked again. Twice as many ranked no data set better and took a quarter longer. */
export const SHORTLIST = 32;

/**
 * A hit is named but not returned if both its score and its coverage of the query are below this share of the best
 * hit's, since each returned tool costs its definition. With a limit of 5 hits, a search then returns 4.2 on average,
 * and recall@5 drops by 0.05 points. A limit on scores alone returned 3.9 and cost 0.4 points: it cut off tools that
 * meet another need of the query. With 0.6 in place of 0.5, 4.0 hits are returned, which costs 0.3 points.
 */
export const RELEVANT = 0.5;
