import { seconds } from '../test/vscode/harness/say.mjs';

/** A reporter of node:test that prints a line for each test: its mark, its name, its time in seconds. */
export async function* progress(events) {
  for await (const { type, data } of events) {
    const indent = '  '.repeat(data?.nesting ?? 0);
    if (type === 'test:start' && data.nesting === 0) yield `${indent}▶ ${data.name}\n`;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.skip !== undefined || data.details?.type === 'suite') continue;
    yield `${indent}${type === 'test:pass' ? '✔' : '✗'} ${data.name}  ${seconds(data.details.duration_ms)}\n`;
    if (type === 'test:fail') yield `${message(data.details.error)}\n`;
  }
}

/** Returns the tests of a finished run of node:test, as `npm test` counts them. */
export function testsOf(events) {
  const suites = [];
  const tests = [];
  events.on('test:start', ({ nesting, name }) => {
    suites.length = nesting;
    suites[nesting] = name;
  });
  const ended = (passed, { name, nesting, skip, todo, details }) => {
    const error = details?.error;
    // A suite fails with its tests, which are already counted. A suite itself counts only if its own hooks failed.
    if (details?.type === 'suite' && error?.failureType !== 'hookFailed') return;
    const skipped = skip !== undefined || todo !== undefined;
    const status = skipped ? 'skipped' : passed ? 'passed' : 'failed';
    tests.push({ name: [...suites.slice(0, nesting), name].join(' › '), status, message: message(error) });
  };
  events.on('test:pass', (data) => ended(true, data));
  events.on('test:fail', (data) => ended(false, data));
  return new Promise((resolve, reject) => {
    events.once('end', () => resolve(tests));
    events.once('error', reject);
  });
}

function message(error) {
  const cause = error?.cause ?? error;
  return cause?.stack ?? (cause === undefined ? undefined : String(cause));
}
