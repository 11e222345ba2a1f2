import { expect, it } from 'vitest';
import type { ToolAnnotations } from '../../../../src/core/catalog/tool';
import { DEFAULT_SETTINGS } from '../../../../src/core/settings/settings';
import { CallLimits } from '../../../../src/core/turn/callLimits';
import { makeTool, ok } from './world';

/** Whether two calls of a server run side by side if both tools have these annotations. */
async function runBeside(annotations: ToolAnnotations | undefined): Promise<boolean> {
  const calls = new CallLimits(DEFAULT_SETTINGS);
  const ends: (() => void)[] = [];
  const tools = ['one', 'two'].map((name) => makeTool('bank', name, '', annotations ? { annotations } : {}));
  const runs = tools.map((tool) =>
    calls.inOrder(tool, () => new Promise((resolve) => ends.push(() => resolve(ok('done'))))),
  );
  for (let turns = 0; turns < 20; turns++) await null;
  const started = ends.length;
  for (let turns = 0; turns < 40; turns++) {
    for (const end of ends.splice(0)) end();
    await null;
  }
  await Promise.all(runs);
  return started === 2;
}

it.each([
  ['destructive', { destructiveHint: true }, false],
  ['not read-only', { readOnlyHint: false }, false],
  ['read-only', { readOnlyHint: true }, true],
  ['not destructive', { destructiveHint: false }, true],
  ['silent', undefined, true],
])('calls of a server whose tools say %s', async (_, annotations, beside) => {
  expect(await runBeside(annotations)).toBe(beside);
});
