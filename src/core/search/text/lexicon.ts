// The English words that the search knows: stop words, abbreviations and synonyms.

/** Function words and polite phrases, which don't show which tool is meant. Ignored unless a query has no others. */
export const STOP_WORDS = wordSet(
  `a an the this that these those there here it its he she they them his her their we us our you your yours i me my mine
  myself am is are was were be been being do does did done doing have has had having can could may might must shall should
  will would ll re ve don doesn didn isn aren wasn won wouldn couldn shouldn s t d m
  and or but if then than so because as of at by for with without about into onto to from in on off out up down over under
  again once between through during before after above below per via
  what which who whom whose where when why how many much any some all both each few more most other such no nor not only own same too very
  just also ever please help want wants wanted need needs needed like know let lets tell give given using use used
  hi hello hey thanks thank okay ok able wondering would i'd im ive
  tool tools`,
);

/** Function words of French, Spanish, Italian, Portuguese and Dutch that aren't English words too. */
export const OTHER_LANGUAGES: ReadonlySet<string> = wordSet(
  `al au aux avec com da dans das de degli del della des dos du el en est et gli il la las le les los nel os para por
  pour que sin sur um uma un una une uno y het een van voor met`,
);

const READING = wordSet('check count display fetch find get list look query read retrieve search see show view');
const CHANGING = wordSet(
  `accept add append apply approve archive assign cancel close copy create decline delete drop edit insert manage mark merge move patch
  post push put remove rename replace scale send set update upload write`,
);
/** A longer request can have a second part, with a verb that isn't in the list. */
const MAX_ASKED = 5;

/** Whether the words of a request only ask for something: they begin with a verb of reading and have none of changing. */
export function asksOnly(words: readonly string[]): boolean {
  return words.length <= MAX_ASKED && READING.has(words[0] ?? '') && !words.some((word) => CHANGING.has(word));
}

/** Whether a word is a verb of reading. */
export function isReading(word: string): boolean {
  return READING.has(word);
}

/** Whether a word is a verb with which names of tools say that they change something. */
export function isChanging(word: string): boolean {
  return CHANGING.has(word);
}

/** Words, each followed by its short forms. */
const ABBREVIATIONS = `
app application
auth authentication
config configuration setting
db database
dir directory folder
doc document
docs documentation
env environment
img image picture photo
info information detail
k8s kubernetes
msg message
org organization
param parameter argument
pr prs pull
repo repository
vm vms virtual
`;

/** Words with one meaning for what tools do. Each row improved the results in at least two of the labelled catalogs. */
const SYNONYMS = `
list show get retrieve fetch view display enumerate read
find search lookup query discover locate
create add new make insert generate
update edit modify change set alter
run execute invoke start launch
analyze analysis inspect examine
current now latest
film movie
internet web online
song track music
webpage website page site url
wiki confluence
update assign
person user
`;

const ABBREVIATED = othersByWord(ABBREVIATIONS);
const SYNONYMOUS = othersByWord(SYNONYMS);
const NONE: ReadonlySet<string> = new Set();

/** Returns the long forms of an abbreviation, or the abbreviations of a word. The word must be singular. */
export function abbreviationsOf(word: string): ReadonlySet<string> {
  return ABBREVIATED.get(word) ?? NONE;
}

/** Returns the words with a similar meaning. The word must be singular. */
export function synonymsOf(word: string): ReadonlySet<string> {
  return SYNONYMOUS.get(word) ?? NONE;
}

/** Returns the other words of a word's rows. Each line of `rows` is one row of words. */
function othersByWord(rows: string): ReadonlyMap<string, ReadonlySet<string>> {
  const byWord = new Map<string, Set<string>>();
  for (const line of rows.trim().split(/\n+/)) {
    const row = line.split(' ');
    for (const word of row) {
      const others = byWord.get(word) ?? new Set();
      for (const other of row) if (other !== word) others.add(other);
      byWord.set(word, others);
    }
  }
  return byWord;
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
