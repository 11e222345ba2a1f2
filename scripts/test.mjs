// `npm test`: runs all tests and checks, and counts them together.
import { mkdir, rm } from 'node:fs/promises';
import { ensureChromium } from '../test/vscode/harness/chromium.mjs';
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { RESULTS, ROOT } from '../test/vscode/harness/paths.mjs';
import { main, say, seconds, UserError } from '../test/vscode/harness/say.mjs';
import { ensureVscode } from '../test/vscode/harness/vscode.mjs';
import { parseOptions } from './options.mjs';
import { STEPS } from './testSteps.mjs';

const HELP = `Runs every test and ends with a line 'N passed, N failed'.

Options
  --only STEP    runs this step alone; may be repeated. Steps: ${Object.keys(STEPS).join(', ')}
  --file FILE    runs only this file of unit, webview or e2e, and no step without one; may be repeated
  --grep REGEXP  runs only the tests whose name matches (unit, webview, e2e)
  --vsix FILE    for e2e: tests this package instead of building one
  --help         this text
`;

const OPTIONS = {
  only: { type: 'string', multiple: true },
  file: { type: 'string', multiple: true },
  grep: { type: 'string' },
  vsix: { type: 'string' },
  help: { type: 'boolean' },
};

await main(async () => {
  const options = parseOptions(OPTIONS);
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const chosen = options.only ?? (options.file ? stepsOf(options.file) : Object.keys(STEPS));
  const unknown = chosen.find((name) => !STEPS[name]);
  if (unknown) throw new UserError(`--only: there is no step '${unknown}'. Steps: ${Object.keys(STEPS).join(', ')}.`);
  if (options.grep !== undefined && !isPattern(options.grep))
    throw new UserError(`--grep: '${options.grep}' is no regular expression.`);

  await ensureDependencies(ROOT, 'the packages of Tool Search');
  await rm(RESULTS, { recursive: true, force: true });
  await mkdir(RESULTS, { recursive: true });
  const tests = [];
  // Mostly waits for the network. A step that finds something missing installs it itself, and says why it can't.
  const installed = chosen.includes('e2e') && Promise.allSettled([ensureVscode(), ensureChromium()]);
  for (const name of chosen) {
    if (name === 'e2e') await installed;
    const start = Date.now();
    say(`› ${name} …`);
    const found = await runStep(name, options);
    tests.push(...found);
    say(`  ${summary(found)}, ${seconds(Date.now() - start)}`);
    for (const { name, message } of found.filter(({ status }) => status === 'failed'))
      process.stdout.write(`\n✗ ${name}\n${indent(message)}\n`);
  }
  if (options.grep && !tests.some(({ status }) => status !== 'skipped'))
    throw new UserError(`--grep: no test's name matches '${options.grep}'.`);
  const failed = tests.filter(({ status }) => status === 'failed');
  for (const { step, name } of failed) process.stdout.write(`\n✗ ${step}: ${name}`);
  const skipped = options.grep ? [] : tests.filter(({ status }) => status === 'skipped');
  if (skipped.length > 0)
    process.stdout.write('\nSkipped, since this machine lacks what they need (CONTRIBUTING.md says what):\n');
  for (const { step, name } of skipped) process.stdout.write(`- ${step}: ${name}\n`);
  process.stdout.write(`\n${summary(tests)}\n`);
  if (failed.length > 0) process.exitCode = 1;
});

/** The steps that test the files, judged by each file's folder. */
function stepsOf(files) {
  const steps = files.map((file) => /test\/(unit|webview)\//.exec(file.replaceAll('\\', '/'))?.[1] ?? 'e2e');
  return [...new Set(steps)];
}

function isPattern(text) {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
}

/** Runs a step. A step that can't run or has no tests counts as a failed test, so that nothing is left out silently. */
async function runStep(name, options) {
  try {
    const tests = await STEPS[name](options);
    if (tests.length > 0 || options.grep) return tests.map((test) => ({ step: name, ...test }));
    return [{ step: name, name: 'has tests', status: 'failed', message: 'No tests were found.' }];
  } catch (error) {
    const message = error instanceof UserError ? error.message : String(error?.stack ?? error);
    return [{ step: name, name: 'can be run', status: 'failed', message }];
  }
}

function summary(tests) {
  const count = (status) => tests.filter((test) => test.status === status).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function indent(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
