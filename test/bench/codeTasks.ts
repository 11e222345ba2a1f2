/** A call of the model's own, by model name. */
export interface DirectCall {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
}

/**
 * One task, done twice without a model: `direct` as the best model would (independent calls in one round, no mistake,
 * all sums without a tool), and with `script`. Both search first.
 */
export interface Task {
  readonly name: string;
  readonly queries: readonly string[];
  /** The next round's calls, from the texts of all results so far; undefined if the model can answer. */
  readonly direct: (results: readonly string[], round: number) => readonly DirectCall[] | undefined;
  readonly script: string;
  /** Matches the correct result of a script. */
  readonly right: RegExp;
}

const inRounds =
  (...rounds: readonly ((results: readonly string[]) => readonly DirectCall[])[]): Task['direct'] =>
  (results, round) =>
    rounds[round]?.(results);
const once = (...calls: readonly DirectCall[]) => inRounds(() => calls);
const read = (path: string): DirectCall => ({ tool: 'filesystem_read_text_file', args: { path } });
const list = (path: string): DirectCall => ({ tool: 'filesystem_list_directory', args: { path } });
const names = (listing = '') =>
  listing.split('\n').flatMap((line) => (line.startsWith('[FILE] ') ? [line.slice(7)] : []));
const forEachNote = (call: (path: string) => DirectCall) =>
  inRounds(
    () => [list('DIR/notes')],
    (results) => names(results.at(-1)).map((name) => call(`DIR/notes/${name}`)),
  );
const sum = (a: number, b: number): DirectCall => ({ tool: 'everything_get_sum', args: { a, b } });
const CITIES = ['New York', 'Chicago', 'Los Angeles'];
const written = Array.from({ length: 12 }, (_, i) => ({
  path: `DIR/out/report-${i}.txt`,
  content: `Report ${i}: nothing to report.\n`,
}));
const entity = (id: number) => ({
  name: `device-${id}`,
  entityType: 'device',
  observations: [`rack ${id % 7}`, `since ${2000 + (id % 25)}`],
});

/** The names of the entities that a task stores in the memory server. */
export const ENTITY_NAMES = Array.from({ length: 120 }, (_, id) => entity(id).name);

/** The tasks. `DIR` means the folder of their files. */
const TASKS: readonly Task[] = [
  {
    name: 'one short file, the control (1 call)',
    queries: ['read a text file'],
    direct: once(read('DIR/notes/note-1.md')),
    script: 'return (await tools.filesystem_read_text_file({ path: "DIR/notes/note-1.md" })).content',
    right: /Note 1/,
  },
  {
    name: 'find in 24 notes (25)',
    queries: ['list directory', 'read a text file'],
    direct: forEachNote(read),
    script: `const { content } = await tools.filesystem_list_directory({ path: "DIR/notes" });
const files = content.split("\\n").map((line) => line.replace("[FILE] ", ""));
const texts = await Promise.all(files.map((file) => tools.filesystem_read_text_file({ path: "DIR/notes/" + file })));
return files.filter((_, i) => texts[i].content.includes("login"));`,
    right: /note-7\.md.*note-19\.md|note-19\.md.*note-7\.md/,
  },
  {
    name: 'count in a 330 kB log (1)',
    queries: ['read a text file'],
    direct: once(read('DIR/service.log')),
    script: `const { content } = await tools.filesystem_read_text_file({ path: "DIR/service.log" });
const count = {};
for (const [, level] of content.matchAll(/ (ERROR|WARN|INFO) /g)) count[level] = (count[level] ?? 0) + 1;
return count;`,
    right: /"ERROR":1\d\d/,
  },
  {
    name: 'join people and orders (2)',
    queries: ['read a text file'],
    direct: once(read('DIR/people.json'), read('DIR/orders.json')),
    script: `const [people, orders] = await Promise.all(["people", "orders"].map(async (name) =>
  JSON.parse((await tools.filesystem_read_text_file({ path: "DIR/" + name + ".json" })).content)));
const total = {};
for (const { person, amount } of orders) total[person] = (total[person] ?? 0) + amount;
const [best] = people.sort((a, b) => (total[b.id] ?? 0) - (total[a.id] ?? 0));
return { name: best.name, total: total[best.id] };`,
    right: /"name":"Person \d+"/,
  },
  {
    name: '120 records from a file to memory (2)',
    queries: ['read a text file', 'create entities'],
    direct: inRounds(
      () => [read('DIR/devices.json')],
      () => [
        { tool: 'memory_create_entities', args: { entities: Array.from({ length: 120 }, (_each, id) => entity(id)) } },
      ],
    ),
    script: `const devices = JSON.parse((await tools.filesystem_read_text_file({ path: "DIR/devices.json" })).content);
const entities = devices.map(({ id, rack, since }) => ({ name: "device-" + id, entityType: "device", observations: ["rack " + rack, "since " + since] }));
await tools.memory_create_entities({ entities });
return entities.length;`,
    right: /^120$/,
  },
  {
    name: 'ten dependent sums (10)',
    queries: ['get-sum'],
    direct: (results, round) => {
      if (round >= 10) return undefined;
      const last = round === 0 ? 1 : Number(/is (\d+)/.exec(results.at(-1) ?? '')?.[1] ?? 0);
      return [sum(last, round + 1)];
    },
    script: `let total = 1;
for (let i = 1; i <= 10; i++) total = Number(/is (\\d+)/.exec(await tools.everything_get_sum.text({ a: total, b: i }))[1]);
return total;`,
    right: /^56$/,
  },
  {
    name: 'three cities, the warmest (3)',
    queries: ['structured content weather'],
    direct: once(...CITIES.map((location) => ({ tool: 'everything_get_structured_content', args: { location } }))),
    script: `const cities = ${JSON.stringify(CITIES)};
const all = await Promise.all(cities.map(async (location) => ({ location, ...(await tools.everything_get_structured_content({ location })) })));
return all.sort((a, b) => b.temperature - a.temperature)[0];`,
    right: /"temperature"/,
  },
  {
    name: 'write 12 files (12)',
    queries: ['write file'],
    direct: once(...written.map((args) => ({ tool: 'filesystem_write_file', args }))),
    script: `for (let i = 0; i < 12; i++)
  await tools.filesystem_write_file({ path: "DIR/out/report-" + i + ".txt", content: "Report " + i + ": nothing to report.\\n" });
return "written";`,
    right: /^written$/,
  },
  {
    name: 'sizes of 24 files (25)',
    queries: ['list directory', 'get file info'],
    direct: forEachNote((path) => ({ tool: 'filesystem_get_file_info', args: { path } })),
    script: `const { content } = await tools.filesystem_list_directory({ path: "DIR/notes" });
const files = content.split("\\n").map((line) => line.replace("[FILE] ", ""));
const infos = await Promise.all(files.map((file) => tools.filesystem_get_file_info({ path: "DIR/notes/" + file })));
return infos.map(({ content }) => Number(/size: (\\d+)/.exec(content)[1])).reduce((a, b) => a + b);`,
    right: /^\d{4,}$/,
  },
];

/** The tasks over the folder `dir`. */
export function tasksOver(dir: string): readonly Task[] {
  const inDir = (text: string) => text.replaceAll('DIR', dir);
  const direct =
    (task: Task): Task['direct'] =>
    (results, round) =>
      task.direct(results, round)?.map((call) => JSON.parse(inDir(JSON.stringify(call))) as DirectCall);
  return TASKS.map((task) => ({ ...task, script: inDir(task.script), direct: direct(task) }));
}

/** The files that the tasks use, by their paths in the folder. */
export function taskFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const line = 'What was said here matters to nobody but those who were there, and they know. ';
  for (let i = 1; i <= 24; i++)
    files.set(
      `notes/note-${i}.md`,
      `# Note ${i}\n\n${line.repeat(30 + (i % 5))}${i === 7 || i === 19 ? 'The login fails.' : ''}\n`,
    );
  const level = (i: number) => (i % 37 === 0 ? 'ERROR' : i % 11 === 0 ? 'WARN' : 'INFO');
  files.set(
    'service.log',
    Array.from(
      { length: 5_000 },
      (_, i) => `2030-05-17T09:30:${i % 60} ${level(i)} request ${i} took ${i % 90} ms at node-${i % 5}`,
    ).join('\n'),
  );
  files.set(
    'people.json',
    JSON.stringify(
      Array.from({ length: 300 }, (_, id) => ({
        id,
        name: `Person ${id}`,
        city: CITIES[id % 3],
        mail: `p${id}@example.com`,
      })),
    ),
  );
  files.set(
    'orders.json',
    JSON.stringify(Array.from({ length: 900 }, (_, i) => ({ order: i, person: (i * 7) % 300, amount: (i * 13) % 97 }))),
  );
  files.set(
    'devices.json',
    JSON.stringify(
      Array.from({ length: 120 }, (_, id) => ({ id, rack: id % 7, since: 2000 + (id % 25), serial: `S-${id * 7919}` })),
    ),
  );
  files.set('out/.keep', '');
  return files;
}
