/** A reporter for node:test: a line of JSON for each test, as `npm test` counts them. */
export default async function* report(events) {
  const suites = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      suites.length = data.nesting;
      suites[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const error = data.details?.error;
    // A suite fails with its tests, which are counted; it counts itself only where its own hooks failed.
    if (data.details?.type === 'suite' && error?.failureType !== 'hookFailed') continue;
    const name = [...suites.slice(0, data.nesting), data.name].join(' › ');
    yield `${JSON.stringify({ name, status: skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed', message: message(error) })}\n`;
  }
}

function message(error) {
  const cause = error?.cause ?? error;
  return cause?.stack ?? (cause === undefined ? undefined : String(cause));
}
