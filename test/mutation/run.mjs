// `npm run mutation -- FOLDER…`: plants mistakes in the code of folders and lists those that no unit test finds.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { ROOT } from '../vscode/harness/paths.mjs';
import { main, say, UserError } from '../vscode/harness/say.mjs';

const HELP = `Plants mistakes in the code (Stryker's), one after another. Each is tried against the tests that import its file, then
against those in the mirrored folder of test/unit, or the nearest above it, for webview those in test/webview.
Prints how each mistake ended, and the share that was found: those that failed a test or whose tests didn't end.

  npm run mutation -- src/core/usage src/core/planning/loading.ts
  npm run mutation -- --sample 3 --seed 7 src/core/code

Options
  --sample N  plants N percent of the mistakes, chosen at random
  --seed N    chooses others (1)
  --wide      tries those that survive again, against all tests that reach the file by imports, the nearest first
  --least N   ends with 1 if less than N percent were found
  --help      this text
`;
const HERE = path.join(ROOT, 'test/mutation');
/** Enough for the tests of a mistake on a busy machine. What takes longer mostly waits forever. */
const LONGEST_MS = 240_000;
let vitest;

await main(async () => {
  const options = {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    wide: { type: 'boolean', default: false },
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
  const counts = { failed: 0, survived: 0, endless: 0 };
  for (const mistake of mistakes) {
    const status = await tried(mistake, testsOf(mistake.file, importers, values.wide));
    counts[status]++;
    const { file, line, kind, original, replacement } = mistake;
    say(`${status}: ${file}:${line} ${kind}: ${oneLine(original)} → ${oneLine(replacement)}`);
  }
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
  const from = (name) => import(`./node_modules/@stryker-mutator/instrumenter/dist/src/${name}.js`);
  const [{ Instrumenter }, { createParser }, { print }, { transform }] = await Promise.all(
    ['instrumenter', 'parsers/index', 'printers/index', 'transformers/index'].map(from),
  );
  const logger = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
  const instrumenter = new Instrumenter(logger, createParser, print, transform);
  // Tests need not fix texts for people.
  const options = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };
  const found = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const offsets = [0];
    for (const line of text.split('\n')) offsets.push(offsets.at(-1) + line.length + 1);
    const { mutants } = await instrumenter.instrument(
      [{ name: path.resolve(file), mutate: true, content: text }],
      options,
    );
    for (const { location, mutatorName: kind, replacement, status } of mutants) {
      const { start, end } = location;
      const identity = [file, start.line, start.column, end.line, end.column, kind, replacement].join(' ');
      if (status === 'Ignored' || !isInSample(identity, percent, seed)) continue;
      const [from, to] = [start, end].map(({ line, column }) => offsets[line] + column);
      const changed = text.slice(0, from) + replacement + text.slice(to);
      found.push({ file, line: start.line + 1, kind, original: text.slice(from, to), replacement, changed });
    }
  }
  return found;
}

/** Whether a mistake is in the sample depends only on the mistake and the seed. */
function isInSample(identity, percent, seed) {
  const hash = createHash('sha256').update(`${seed} ${identity}`).digest();
  return (100 * hash.readUInt32BE()) / 2 ** 32 < percent;
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

/**
 * Sets of tests, each without those before: the tests that import the file, the mirrored folder's, then those that
 * reach it by two imports, by three, and so on.
 */
function testsOf(file, importers, wide) {
  const bare = (it) => it.replace(/\.tsx?$/, '');
  const [near, ...far] = stepsFrom(file, (it) => importers.get(bare(it)) ?? []);
  let folder = file.startsWith('webview') ? 'test/webview' : path.posix.dirname(file).replace(/^src/, 'test/unit');
  while (!existsSync(folder)) folder = path.posix.dirname(folder);
  const own = folder === 'test/unit' ? [] : filesIn(folder, /\.test\.tsx?$/);
  const isNear = own.length > 0 || near.some(isTest);
  const seen = new Set();
  return [near, own, ...(wide || !isNear ? far : [])].map((set) =>
    set.filter((it) => isTest(it) && !seen.has(it) && seen.add(it)),
  );
}

const isTest = (file) => /\.test\.tsx?$/.test(file);

/** The files that can be reached from a file in one step, in two, and so on. */
function stepsFrom(file, next) {
  const seen = new Set([file]);
  const steps = [];
  for (let last = [file]; last.length > 0; steps.push(last))
    last = last.flatMap(next).filter((it) => !seen.has(it) && seen.add(it));
  return steps;
}

/** How the tests of a mistake end. The file itself isn't changed: see the plugin in `vitest.config.ts`. */
async function tried({ file, changed }, sets) {
  vitest ??= await createVitest('test', {
    config: 'test/mutation/vitest.config.ts',
    watch: false,
    bail: 1,
    maxWorkers: 2,
    silent: true,
    reporters: [{}],
  });
  globalThis.planted = { file: path.resolve(file), changed };
  // For code that tests build by themselves: see `buildSandboxFiles`.
  Object.assign(process.env, { PLANTED_FILE: path.resolve(file), PLANTED_TEXT: changed });
  vitest.invalidateFile(path.resolve(file));
  try {
    for (const set of sets.filter((it) => it.length > 0)) {
      const wanted = new Set(set.map((it) => path.resolve(it)));
      const all = await vitest.globTestSpecifications(set);
      const run = vitest.runTestSpecifications(all.filter(({ moduleId }) => wanted.has(moduleId)));
      const ended = await Promise.race([run, new Promise((resolve) => setTimeout(resolve, LONGEST_MS))]);
      if (!ended) {
        // Its threads may never end.
        vitest = undefined;
        return 'endless';
      }
      if (ended.unhandledErrors.length > 0 || ended.testModules.some((it) => wanted.has(it.moduleId) && !it.ok()))
        return 'failed';
    }
    return 'survived';
  } finally {
    globalThis.planted = undefined;
    vitest?.invalidateFile(path.resolve(file));
  }
}

function oneLine(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 150 ? `${line.slice(0, 149)}…` : line;
}
