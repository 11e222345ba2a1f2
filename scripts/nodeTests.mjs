/** The tests of a run of node:test, as `npm test` counts them, once it has ended. */
export function testsOf(events) {
  const suites = [];
  const tests = [];
  events.on('test:start', ({ nesting, name }) => {
    suites.length = nesting;
    suites[nesting] = name;
  });
  const ended = (passed, { name, nesting, skip, todo, details }) => {
    const error = details?.error;
    // A suite fails with its tests, which are counted; it counts itself only where its own hooks failed.
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
