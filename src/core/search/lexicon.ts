/**
 * Words that say nothing about which tool is meant: function words, and the politeness of requests. They are ignored in a
 * query unless it has no other words.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its he she they them his her their we us our you your yours i me my mine
  myself am is are was were be been being do does did done doing have has had having can could may might must shall should
  will would ll re ve don doesn didn isn aren wasn won wouldn couldn shouldn s t d m
  and or but if then than so because as of at by for with without about into onto to from in on off out up down over under
  again once between through during before after above below per via
  what which who whom whose where when why how any some all both each few more most other such no nor not only own same too very
  just also ever please help want wants wanted need needs needed like know let lets tell give given using use used
  hi hello hey thanks thank okay ok able wondering would i'd im ive
  tool tools`
    .trim()
    .split(/\s+/),
);

/** Words that stand for each other in what tools do, or are short for each other. Each row is one meaning. */
const SYNONYMS: readonly (readonly string[])[] = `
list show get retrieve fetch view display enumerate read
find search lookup query discover locate
create add new make insert generate
create creation
delete remove erase drop destroy uninstall
update edit modify change set alter
run execute invoke start launch
stop kill terminate cancel end
send post publish submit
download fetch
upload put
copy duplicate clone
move rename
repo repository
db database
dir directory folder
doc document
docs documentation
config configuration setting
auth authentication
env environment
k8s kubernetes
vm vms virtual
img image picture photo
app application
info information detail
msg message
pr prs pull
org organization
param parameter argument
price cost
weather forecast
email mail
compute calculate
film movie
save store persist
remember memorize save
schedule plan
calendar event meeting appointment
book reserve reservation booking
buy purchase order
picture screenshot capture
open navigate visit browse
click press tap
ticket issue bug
customer client
invoice bill
comment reply note
user account member
permission access role
log trace
metric measurement statistic stat
secret credential password
pod container
article paper publication
song track music
video clip
hotel accommodation lodging
flight airline
restaurant food dining
route direction navigation
location place address
near nearby close around
distance far
crypto cryptocurrency coin
stock share
currency money
convert conversion transform
translate translation
summary summarize overview
analyze analysis inspect examine
check verify validate
compare difference diff
history past previous
current now latest
recommend suggest
explain describe
webpage website page site url
internet web online
chart graph plot diagram
spreadsheet excel workbook
slide presentation powerpoint
word docx
table schema
column field
row record entry
enable activate
disable deactivate
add append
join merge combine
split divide
percent percentage
total sum
average mean
subscribe follow
star favorite bookmark
chat conversation
channel room
task todo
reminder alarm
temperature weather
job career position
employee staff worker
student pupil learner
company business firm
`
  .trim()
  .split('\n')
  .map((row) => row.split(' '));

const BY_WORD = new Map<string, Set<string>>();
for (const row of SYNONYMS) {
  for (const word of row) {
    const others = BY_WORD.get(word) ?? new Set();
    for (const other of row) if (other !== word) others.add(other);
    BY_WORD.set(word, others);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Words that may stand for `word` (singular). */
export function synonymsOf(word: string): ReadonlySet<string> {
  return BY_WORD.get(word) ?? NONE;
}
