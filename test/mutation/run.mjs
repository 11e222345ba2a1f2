// `npm run mutation -- FOLDER…`: plants mistakes in the code of folders and lists those that no unit test finds.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../vscode/harness/paths.mjs';
import { main, say, UserError } from '../vscode/harness/say.mjs';

const HELP = `Plants mistakes in the code (Stryker), except in code that runs at import. Each is tried against the tests in the
mirrored folder of test/unit, or the nearest above it. If there is none, it is tried against all unit tests that import
the code.
Prints every mistake that survived or whose tests didn't end in time, and the share that was found. The whole report is
in test-results/mutation.json.

  npm run mutation -- src/core/usage src/core/planning/loading.ts
  npm run mutation -- --sample 3 --seed 7 src/core/code

Options
  --sample N  plants N percent of the mistakes, chosen at random
  --seed N    chooses others (1)
  --tests F   also runs this folder or file of tests; repeatable
  --wide      tries those that survive again, against all tests whose files import the code, also by helpers of tests
  --least N   ends with 1 if less than N percent were found
  --help      this text
`;
const HERE = path.join(ROOT, 'test/mutation');
const REPORT = path.join(RESULTS, 'mutation.json');
/** Folders that no unit test needs and that take long to copy. */
const NOT_COPIED = ['dist', 'test-results', '.vscode-test', 'media', 'sample/node_modules', 'test/*/node_modules'];

await main(async () => {
  const options = {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: [] },
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
  await ensureDependencies(HERE, 'Stryker');
  for (const name of ['sample', 'seed', 'least'])
    if (!(Number(values[name]) >= 0)) throw new UserError(`--${name} takes a number.`);
  const mistakes = await tryAll(positionals, values);
  process.exitCode = summarize(mistakes) < Number(values.least) ? 1 : 0;
});

/** Tries the tests next to the code first, because few of the mistakes survive these. Returns all mistakes. */
async function tryAll(places, { sample, seed, tests, wide }) {
  const { identityOf, plantOnly } = await import('./sample.mjs');
  process.chdir(ROOT);
  plantOnly((mistake) => isInSample(identityOf(mistake), Number(sample), seed));
  const own = async (all) => (await Promise.all(all.map(testsOf))).flat();
  const mistakes = await plant(places, [...(await own(places)), ...tests]);
  const survivors = mistakes.filter(survives);
  if (!wide || survivors.length === 0) return mistakes;
  const files = [...new Set(survivors.map(({ fileName }) => fileName))];
  const again = new Set(survivors.map(identityOf));
  plantOnly((mistake) => again.has(identityOf(mistake)));
  const last = await plant(files, [...(await own(files)), ...tests, ...(await importersOf(files))]);
  return [...mistakes.filter((mistake) => !again.has(identityOf(mistake))), ...last];
}

/** Whether a mistake is in the sample depends only on the mistake and the seed. */
function isInSample(identity, percent, seed) {
  const hash = createHash('sha256').update(`${seed} ${identity}`).digest();
  return (100 * hash.readUInt32BE()) / 2 ** 32 < percent;
}

/** Plants mistakes in the places. Returns how each one ended against the folders and files of tests. */
async function plant(places, tests) {
  const { Stryker } = await import('./node_modules/@stryker-mutator/core/dist/src/index.js');
  process.env.MUTATION_TESTS = [...new Set(tests)].join(',');
  const stryker = new Stryker({
    mutate: places.map((place) => (/\.tsx?$/.test(place) ? place : `${place}/**/*.{ts,tsx}`)),
    testRunner: 'vitest',
    plugins: [path.join(HERE, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    // `MUTATION_TESTS` already selects the tests, including those that import the code only when they need it.
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // A mistake in code that runs at import needs all tests and a fresh start. These are a seventh of the mistakes, but
    // take two thirds of the time.
    ignoreStatic: true,
    ignorePatterns: NOT_COPIED,
    tempDirName: 'test-results/stryker',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: REPORT },
    concurrency: 2,
    // Enough for a slow test on a busy machine. What takes longer mostly waits forever.
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 30,
    // No such file: Stryker would rewrite it with an interface that TypeScript 7 no longer has. The tests don't need
    // it.
    tsconfigFile: 'none',
    logLevel: 'warn',
    // Tests need not fix texts for people.
    mutator: { excludedMutations: ['StringLiteral'] },
  });
  await stryker.runMutationTest();
  const { files } = JSON.parse(await readFile(REPORT, 'utf8'));
  return Object.entries(files)
    .flatMap(([fileName, { source, mutants }]) =>
      mutants.map((mutant) => ({
        ...mutant,
        fileName,
        location: fromZero(mutant.location),
        original: originalOf(source, mutant.location),
      })),
    )
    .filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status));
}

/** The report counts lines and columns from 1, Stryker's own code from 0. */
function fromZero({ start, end }) {
  const less = ({ line, column }) => ({ line: line - 1, column: column - 1 });
  return { start: less(start), end: less(end) };
}

/** The text that a mistake replaces, on one line. */
function originalOf(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return oneLine(lines.join(' '));
}

function oneLine(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 150 ? `${line.slice(0, 149)}…` : line;
}

function survives({ status }) {
  return status === 'Survived' || status === 'NoCoverage';
}

/**
 * The tests of a folder or file: `test/unit/core/turn` for `src/core/turn` and for each file in it. If that folder
 * doesn't exist, the nearest one above it, and else all tests that import the code.
 */
async function testsOf(place) {
  if (place.startsWith('webview')) return ['test/webview'];
  let folder = place.replace(/\/$/, '');
  while (!existsSync(folder.replace(/^src/, 'test/unit'))) folder = path.posix.dirname(folder);
  return folder === 'src' ? importersOf([place]) : [folder.replace('src', 'test/unit')];
}

/** The files of unit tests that import one of the places, directly or through other files of the tests. */
async function importersOf(places) {
  const all = (await readdir('test/unit', { recursive: true })).map((file) => path.posix.join('test/unit', file));
  // A long session takes minutes for each mistake.
  const files = all.filter((file) => !file.startsWith('test/unit/soak/'));
  const importing = new Set(places.map((place) => place.replace(/\.ts$|\/$/g, '')));
  const imports = new Map();
  for (const file of files.filter((each) => each.endsWith('.ts'))) {
    const named = [...(await readFile(file, 'utf8')).matchAll(/\bfrom '(\.[^']+)'/g)];
    imports.set(
      file,
      named.map(([, name]) => path.posix.join(path.posix.dirname(file), name)),
    );
  }
  const isImporting = (name) => [...importing].some((place) => name === place || name.startsWith(`${place}/`));
  for (let size = -1; size !== importing.size; ) {
    size = importing.size;
    for (const [file, names] of imports) if (names.some(isImporting)) importing.add(file.replace(/\.ts$/, ''));
  }
  return [...importing].filter((file) => file.endsWith('.test')).map((file) => `${file}.ts`);
}

/** Prints the mistakes that no failing test found. Returns the percentage that was found. */
function summarize(mistakes) {
  const survived = mistakes.filter(survives);
  const endless = mistakes.filter(({ status }) => status === 'Timeout');
  list('Survived', survived);
  list("Tests didn't end", endless);
  const share = mistakes.length === 0 ? 100 : (100 * (mistakes.length - survived.length)) / mistakes.length;
  const failed = mistakes.length - survived.length - endless.length;
  say(
    `${mistakes.length} mistakes: ${failed} failed a test, ${endless.length} didn't end, ` +
      `${survived.length} survived; ${share.toFixed(1)} % found`,
  );
  return share;
}

function list(title, mistakes) {
  if (mistakes.length > 0) process.stdout.write(`${title}:\n`);
  for (const { fileName, location, original, replacement, mutatorName } of mistakes)
    process.stdout.write(
      `${fileName}:${location.start.line + 1} ${mutatorName}: ${original} → ${replacement.replace(/\s+/g, ' ')}\n`,
    );
}
