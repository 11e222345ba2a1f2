// `npm run mutation -- FOLDER…`: plants mistakes in the code of folders and lists those that no unit test finds.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { ROOT } from '../vscode/harness/paths.mjs';
import { main, say, UserError } from '../vscode/harness/say.mjs';

const HELP = `Plants mistakes in the code (Stryker's), in a random order. First all unit tests run once, and tell which files of
tests run the code of each mistake. Those are tried: first those that import its file, then those in the mirrored folder
of test/unit, or the nearest above it, for webview those in test/webview, then the fastest of all others. What survives
all these is planted together with others, in other files, for the tests that take longest.
Prints how each mistake ended, and the share that was found: those that failed a test or whose tests didn't end.

  npm run mutation -- src/core/usage src/core/planning/loading.ts
  npm run mutation -- --sample 3 --seed 7 src/core/code

Options
  --sample N  plants N percent of the mistakes, chosen at random
  --seed N    chooses others (1)
  --least N   ends with 1 if less than N percent were found
  --help      this text
`;
const HERE = path.join(ROOT, 'test/mutation');
/** Enough for the tests of a mistake on a busy machine. What takes longer mostly waits forever. */
const LONGEST_MS = 240_000;
/** The most that the fast ones of a mistake's tests may take together. */
const FAST_MS = 8_000;
/** Number of mistakes that are planted together. */
const TOGETHER = 12;
const isTest = (file) => /\.test\.tsx?$/.test(file);
let vitest;
/** The test files that failed in the present run, whether it ends at the first one, and the promise of its end. */
const run = { failing: new Set(), bails: false, stopped: undefined };

// If a mistake ends a worker after its run, Vitest throws where nothing catches it. Tests that it left count as endless.
process.on('uncaughtException', (error) => {
  if (error.message === 'Worker exited unexpectedly') return;
  say(error.stack);
  process.exit(1);
});

await main(async () => {
  const options = {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    least: { type: 'string', default: '0' },
    help: { type: 'boolean' },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const missing = positionals.find((place) => !existsSync(path.join(ROOT, place)));
  if (missing !== undefined) throw new UserError(`There is no ${missing} in the repository.`);
  if (positionals.length === 0) throw new UserError('Name one or more folders or files. --help shows how.');
  for (const name of ['sample', 'seed', 'least'])
    if (!(Number(values[name]) >= 0)) throw new UserError(`--${name} takes a number.`);
  await ensureDependencies(HERE, 'Stryker');
  process.chdir(ROOT);
  const files = positionals.flatMap((place) => (statSync(place).isDirectory() ? filesIn(place, /\.tsx?$/) : [place]));
  const mistakes = await mistakesIn(files, Number(values.sample), values.seed);
  say(`${mistakes.length} mistakes, seed ${values.seed}`);
  const importers = importersOfFiles();
  const ran = await testsThatRan(mistakes);
  const counts = { failed: 0, survived: 0, endless: 0 };
  const end = (status, { file, line, kind, original, replacement }) => {
    counts[status]++;
    say(`${status}: ${file}:${line} ${kind}: ${oneLine(original)} → ${oneLine(replacement)}`);
  };
  let waiting = [];
  for (const [at, mistake] of mistakes.entries()) {
    const { nearest, own, fast, slow } = testsOf(mistake, importers, ran);
    const { status } = await tried([mistake], [nearest, own, fast]);
    if (status !== 'survived' || slow.length === 0) end(status, mistake);
    else waiting.push({ mistake, slow });
    const group = waiting.filter(
      ({ mistake: { file } }, place) => waiting.findIndex((it) => it.mistake.file === file) === place,
    );
    if (group.length === 0 || (group.length < TOGETHER && at < mistakes.length - 1)) continue;
    await triedTogether(group, end);
    waiting = waiting.filter((it) => !group.includes(it));
  }
  for (const it of waiting) await triedTogether([it], end);
  const share = mistakes.length === 0 ? 100 : 100 - (100 * counts.survived) / mistakes.length;
  say(
    `${mistakes.length} mistakes: ${counts.failed} failed a test, ${counts.endless} didn't end, ` +
      `${counts.survived} survived; ${share.toFixed(1)} % found`,
  );
  process.exit(share < Number(values.least) ? 1 : 0);
});

function filesIn(folder, named) {
  const all = readdirSync(folder, { recursive: true }).filter((file) => named.test(file) && !file.endsWith('.d.ts'));
  return all.map((file) => path.posix.join(folder, file.replaceAll('\\', '/'))).sort();
}

/** The mistakes in the sample, each with its place in the file's text. */
async function mistakesIn(files, percent, seed) {
  const found = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const offsets = [0];
    for (const line of text.split('\n')) offsets.push(offsets.at(-1) + line.length + 1);
    for (const { location, mutatorName: kind, replacement, status } of (await instrumented([file])).mutants) {
      const { start, end } = location;
      const identity = identityOf(file, location, kind, replacement);
      const place = placeOf(identity, seed);
      if (status === 'Ignored' || place >= percent) continue;
      const [from, to] = [start, end].map(({ line, column }) => offsets[line] + column);
      const changed = text.slice(0, from) + replacement + text.slice(to);
      const original = text.slice(from, to);
      found.push({ file, identity, place, location, line: start.line + 1, kind, original, replacement, changed });
    }
  }
  return found.sort((a, b) => a.place - b.place);
}

function identityOf(file, { start, end }, kind, replacement) {
  return [file, start.line, start.column, end.line, end.column, kind, replacement].join(' ');
}

/** Stryker's mistakes in files, and the files' code with all of them and a mark at each. */
async function instrumented(files, placesIn = () => true) {
  const from = (name) => import(`./node_modules/@stryker-mutator/instrumenter/dist/src/${name}.js`);
  const [{ Instrumenter }, { createParser }, { print }, { transform }] = await Promise.all(
    ['instrumenter', 'parsers/index', 'printers/index', 'transformers/index'].map(from),
  );
  const logger = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
  // Tests need not fix texts for people.
  const options = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };
  return new Instrumenter(logger, createParser, print, transform).instrument(
    files.map((file) => ({ name: path.resolve(file), mutate: placesIn(file), content: readFileSync(file, 'utf8') })),
    options,
  );
}

/**
 * The test files that run the code of each mistake, by its identity, with their milliseconds. Code that runs in a thread or
 * a process of its own isn't seen.
 */
async function testsThatRan(mistakes) {
  const files = [...new Set(mistakes.map(({ file }) => file))];
  const marked = await instrumented(files, (file) =>
    mistakes.filter((it) => it.file === file).map(({ location }) => location),
  );
  const identities = new Map(
    marked.mutants.map(({ id, fileName, location, mutatorName, replacement }) => [
      id,
      identityOf(path.relative(process.cwd(), fileName), location, mutatorName, replacement),
    ]),
  );
  globalThis.planted = new Map(marked.files.map(({ name, content }) => [name, content]));
  // What a file does when it is loaded is seen only if each test file loads it.
  const all = await started({ isolate: true, testTimeout: LONGEST_MS });
  const { testModules } = await all.runTestSpecifications(
    (await all.globTestSpecifications()).filter(({ moduleId }) => !moduleId.includes('/unit/soak/')),
  );
  await all.close();
  const failed = testModules.filter((module) => !module.ok()).map(({ relativeModuleId }) => relativeModuleId);
  if (failed.length === testModules.length) throw new UserError('All tests fail without a mistake.');
  if (failed.length > 0) say(`These fail without a mistake, so they are left out: ${failed.join(', ')}`);
  const ran = new Map();
  for (const module of testModules.filter((it) => it.ok()))
    for (const id of module.meta().marks ?? []) {
      const tests = ran.get(identities.get(id)) ?? new Map();
      ran.set(identities.get(id), tests.set(module.relativeModuleId, module.diagnostic().duration));
    }
  return ran;
}

/** The place of a mistake among all, in percent. It depends on the mistake and the seed alone. */
function placeOf(identity, seed) {
  return (100 * createHash('sha256').update(`${seed} ${identity}`).digest().readUInt32BE()) / 2 ** 32;
}

/** The files that import each file of the repository, without the endings. A long session is left out. */
function importersOfFiles() {
  const tests = [...filesIn('test/unit', /\.ts$/), ...filesIn('test/webview', /\.tsx?$/)];
  const code = [...filesIn('src', /\.ts$/), ...filesIn('webview', /\.tsx?$/)];
  const importers = new Map();
  for (const file of [...tests, ...code].filter((it) => !it.startsWith('test/unit/soak/')))
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/\b(?:from |import\()'(\.[^']+)'/g)) {
      const imported = path.posix.join(path.posix.dirname(file), name);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return importers;
}

/** Sets of tests, each without those before. If no test is seen to run the code, those that are near are tried. */
function testsOf({ file, identity }, importers, ran) {
  const near = importers.get(file.replace(/\.tsx?$/, '')) ?? [];
  let folder = file.startsWith('webview') ? 'test/webview' : path.posix.dirname(file).replace(/^src/, 'test/unit');
  while (!existsSync(folder)) folder = path.posix.dirname(folder);
  const inFolder = folder === 'test/unit' ? [] : filesIn(folder, /\.test\.tsx?$/);
  const times = ran.get(identity) ?? new Map();
  const isRunning = (it) => isTest(it) && (times.size === 0 || times.has(it));
  const nearest = near.filter(isRunning);
  const own = inFolder.filter((it) => isRunning(it) && !nearest.includes(it));
  const others = [...times].filter(([it]) => !nearest.includes(it) && !own.includes(it)).sort(([, a], [, b]) => a - b);
  let left = FAST_MS;
  const fast = others.filter(([, ms]) => {
    left -= ms;
    return left > 0;
  });
  return { nearest, own, fast: fast.map(([it]) => it), slow: others.slice(fast.length).map(([it]) => it) };
}

function started(options) {
  const config = 'test/mutation/vitest.config.ts';
  // Vitest's own `bail` can still be ending a run when the next one has begun, which then runs nothing.
  const note = (failed, { relativeModuleId }) => {
    if (!failed) return;
    run.failing.add(relativeModuleId);
    if (run.bails) run.stopped ??= vitest.cancelCurrentRun('test-failure');
  };
  const reporter = {
    onTestCaseResult: (test) => note(test.result().state === 'failed', test.module),
    onTestModuleEnd: (module) => note(!module.ok(), module),
  };
  return createVitest('test', { config, watch: false, maxWorkers: 2, silent: true, reporters: [reporter], ...options });
}

/** Plants a group, and tries each alone against those of its tests that failed with all. */
async function triedTogether(group, end) {
  const all = [...new Set(group.flatMap(({ slow }) => slow))];
  const planted = group.map(({ mistake }) => mistake);
  const { status, failing } = await tried(planted, [all], false);
  for (const { mistake, slow } of group) {
    const suspects = failing.length > 0 ? slow.filter((it) => failing.includes(it)) : slow;
    end(status === 'survived' ? status : (await tried([mistake], [suspects])).status, mistake);
  }
}

/** How the tests of mistakes end. The files themselves aren't changed: see the plugin in `vitest.config.ts`. */
async function tried(mistakes, sets, bails = true) {
  vitest ??= await started({});
  globalThis.planted = new Map(mistakes.map(({ file, changed }) => [path.resolve(file), changed]));
  // For code that tests build by themselves: see `buildSandboxFiles`.
  Object.assign(process.env, { PLANTED_FILE: path.resolve(mistakes[0].file), PLANTED_TEXT: mistakes[0].changed });
  const planted = [...globalThis.planted.keys()];
  for (const file of planted) vitest.invalidateFile(file);
  try {
    for (const set of sets.filter((it) => it.length > 0)) {
      const wanted = new Set(set.map((it) => path.resolve(it)));
      const all = await vitest.globTestSpecifications(set);
      Object.assign(run, { failing: new Set(), bails, stopped: undefined });
      const tests = vitest.runTestSpecifications(all.filter(({ moduleId }) => wanted.has(moduleId)));
      const ended = await Promise.race([tests, new Promise((resolve) => setTimeout(resolve, LONGEST_MS))]);
      if (!ended) {
        // Its threads may never end.
        vitest = undefined;
        return { status: 'endless', failing: [] };
      }
      await run.stopped;
      if (ended.unhandledErrors.length > 0 || run.failing.size > 0)
        return { status: 'failed', failing: [...run.failing] };
    }
    return { status: 'survived', failing: [] };
  } finally {
    globalThis.planted = undefined;
    for (const file of planted) vitest?.invalidateFile(file);
  }
}

function oneLine(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 150 ? `${line.slice(0, 149)}…` : line;
}
