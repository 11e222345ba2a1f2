// The tasks that the double in literalModel.ts plays.
import type { LiteralTask } from './literalModel';

/** The need for a tool that a line describes. */
const need = (english: readonly [string, string], fits: RegExp, otherwise = 'qwertz') => ({ english, otherwise, fits });
const READ = need(['read a text file', 'file contents'], /^Read the complete contents of a file/, 'Textdatei lesen');
const LIST = need(['list directory', 'files of a folder'], /^Get a detailed listing of all files/, 'Ordner auflisten');
const WRITE = need(['write file', 'save text to a file'], /^Create a new file/, 'Datei schreiben');
const INFO = need(['file size', 'file metadata'], /metadata about a file/, 'Dateigröße');
const SUM = need(['sum of two numbers', 'add numbers'], /sum of two numbers/, 'laske luvut yhteen');
const WEATHER = need(['structured content weather', 'structured content'], /structured content/, 'Wetter');
const CREATE = need(
  ['create entities', 'add entities to the knowledge graph'],
  /^Create multiple new entities/,
  'Dinge merken',
);
const GRAPH = need(['read the knowledge graph', 'whole graph'], /^Read the entire knowledge graph/, 'Graph lesen');
const TREE = need(['directory tree', 'recursive tree of files'], /recursive tree view/, 'Verzeichnisbaum');
const FILES = 'text.split("\\n").filter((line) => line.startsWith("[FILE] ")).map((line) => line.slice(7))';

/** Tasks over the sample's servers and the files of the benchmark. */
export const LITERAL_TASKS: readonly LiteralTask[] = [
  { name: 'reads one note', needs: [READ], args: { path: 'DIR/notes/note-1.md' }, right: /^# Note 1\n/ },
  { name: 'lists a folder', needs: [LIST], args: { path: 'DIR/notes' }, right: /\[FILE\] note-24\.md/ },
  {
    name: 'echoes',
    needs: [need(['echo a message', 'repeat text'], /Echoes back/)],
    args: { message: 'hello' },
    right: /hello/,
  },
  { name: 'adds', needs: [SUM], args: { a: 2, b: 40 }, right: /42/ },
  {
    name: 'explains an argument',
    needs: [need(['edit a text file', 'replace lines'], /^Make line-based edits/)],
    explains: true,
    right: /dryRun\?: boolean \/\* Preview changes/,
  },
  {
    name: 'explains an argument without scripts',
    way: { delivery: 'bridge', codeMode: 'off' },
    needs: [need(['edit a text file', 'replace lines'], /^Make line-based edits/)],
    explains: true,
    right: /Preview changes/,
  },
  {
    name: 'adds with a tool in the request',
    way: { delivery: 'local', codeMode: 'off' },
    needs: [SUM],
    args: { a: 2, b: 40 },
    right: /42/,
  },
  {
    name: 'searches within a script',
    needs: [],
    script: 'return (SEARCH("sum of two numbers"))[0].signature',
    right: /^everything_get_sum\(/,
  },
  { name: 'books a flight', needs: [need(['book a flight', 'reserve plane seats'], /flight/)], right: /no such tool/ },
  {
    name: 'deletes a file',
    needs: [need(['delete file', 'remove file'], /(?:delete|remove)s? .*\bfiles?\b/i)],
    right: /no such tool/,
  },
  { name: 'sends mail', needs: [need(['send an email', 'write a mail'], /\be?mail\b/i)], right: /no such tool/ },
  { name: 'tells a size', needs: [INFO], args: { path: 'DIR/people.json' }, right: /size: \d{5}/ },
  {
    name: 'makes a folder',
    needs: [need(['create directory', 'make a folder'], /^Create a new directory/)],
    args: { path: 'DIR/out/new' },
    right: /Successfully created/,
  },
  {
    name: 'writes a file',
    needs: [WRITE],
    args: { path: 'DIR/out/one.txt', content: 'one' },
    right: /Successfully wrote/,
  },
  {
    name: 'renames a file',
    needs: [need(['rename file', 'move file'], /^Move or rename files/)],
    args: { source: 'DIR/out/.keep', destination: 'DIR/out/kept' },
    right: /Successfully moved/,
  },
  {
    name: 'finds files by name',
    needs: [need(['search files by name', 'find files matching a pattern'], /^Recursively search for files/)],
    args: { path: 'DIR', pattern: '**/*.log' },
    right: /service\.log/,
  },
  {
    name: 'finds notes on the login',
    needs: [LIST, READ],
    script: `const text = TEXT1({ path: "DIR/notes" });
const files = ${FILES};
const notes = await Promise.all(files.map(async (file) => TEXT2({ path: "DIR/notes/" + file })));
return files.filter((_, i) => notes[i].includes("login")).length`,
    right: /^2$/,
  },
  {
    name: 'counts errors in a log',
    needs: [READ],
    script:
      'const text = TEXT1({ path: "DIR/service.log" }); return text.split("\\n").filter((line) => line.includes(" ERROR ")).length',
    right: /^136$/,
  },
  {
    name: 'notices that a log is missing',
    needs: [READ],
    script:
      'const text = TEXT1({ path: "DIR/absent.log" }); return text.split("\\n").filter((line) => line.includes(" ERROR ")).length',
    right: /ENOENT/,
  },
  {
    name: 'joins people and orders',
    needs: [READ],
    script: `const [people, orders] = [JSON.parse(TEXT1({ path: "DIR/people.json" })), JSON.parse(TEXT1({ path: "DIR/orders.json" }))];
return people.filter(({ id }) => orders.some(({ person }) => person === id)).length`,
    right: /^300$/,
  },
  {
    name: 'moves records to the memory',
    needs: [READ, CREATE],
    script: `const devices = JSON.parse(TEXT1({ path: "DIR/devices.json" }));
TEXT2({ entities: devices.map(({ id, rack }) => ({ name: "device-" + id, entityType: "device", observations: ["rack " + rack] })) });
return devices.length`,
    right: /^120$/,
  },
  {
    name: 'counts what the memory holds',
    needs: [GRAPH, CREATE],
    looksFirst: '{}',
    script: `TEXT2({ entities: ["a", "b"].map((name) => ({ name, entityType: "device", observations: [] })) });
return (OBJECT1({})).entities.length`,
    right: /^2$/,
  },
  {
    name: 'adds ten times',
    needs: [SUM],
    script:
      'let total = 1; for (let i = 1; i <= 10; i++) total = Number(/is (\\d+)/.exec(TEXT1({ a: total, b: i }))[1]); return total',
    right: /^56$/,
  },
  {
    name: 'finds the warmest city',
    needs: [WEATHER],
    looksFirst: '{ location: "Chicago" }',
    script: `const cities = [];
for (const location of ["New York", "Chicago", "Los Angeles"]) cities.push({ location, degrees: (OBJECT1({ location })).temperature });
return cities.sort((a, b) => b.degrees - a.degrees)[0]`,
    right: /"location":"Los Angeles","degrees":\d+/,
  },
  {
    name: 'adds up sizes',
    needs: [LIST, INFO],
    script: `const text = TEXT1({ path: "DIR/notes" });
let sum = 0;
for (const file of ${FILES}) sum += Number(/size: (\\d+)/.exec(TEXT2({ path: "DIR/notes/" + file }))[1]);
return sum`,
    right: /^\d{5}$/,
  },
  {
    name: 'writes twelve files',
    needs: [WRITE, LIST],
    script: `for (let i = 0; i < 12; i++) TEXT1({ path: "DIR/out/report-" + i + ".txt", content: "nothing" });
const text = TEXT2({ path: "DIR/out" });
return ${FILES}.filter((file) => file.startsWith("report-")).length`,
    right: /^12$/,
  },
  {
    name: 'goes on with a cut result',
    needs: [READ],
    args: { path: 'DIR/service.log' },
    script: 'return (KEPT).split("\\n").length',
    right: /^5000$/,
  },
  {
    name: 'counts files in a tree',
    needs: [TREE],
    script:
      'const count = (list) => list.reduce((n, it) => n + (it.type === "file" ? 1 : count(it.children)), 0); return count(JSON.parse(TEXT1({ path: "DIR/notes" })))',
    right: /^24$/,
  },
];
