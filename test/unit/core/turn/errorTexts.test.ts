import { expect, it } from 'vitest';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { Settings } from '../../../../src/core/settings/settings';
import { useSandbox } from '../../sandbox/builtSandbox';
import errors from './errorTexts.json';
import { call, fails, filler, makeTool, makeWorld, playTurn, scriptsIn, TestModel, TestRunner, text } from './world';

const made = useSandbox();
const ECHO = makeTool('math', 'echo', 'Echoes back its input, unlike ls');
const SAVING = ['a', 'b', 'c', 'd', 'e', 'f'].map((server) => makeTool(server, 'save'));
const TOOLS = [ECHO, makeTool('math', 'table', 'A table'), ...SAVING, ...filler('other', 40)];
const LIMITS: Partial<Settings> = { toolCallsPerTurn: 3, retriesPerTool: 0, scriptSeconds: 1, callsPerScript: 2 };

type Row = readonly [what: string, calls: readonly (readonly [string, unknown])[], settings?: Partial<Settings>];
/** The errors that a model can get, with the calls that lead to them. */
const ERRORS: readonly Row[] = [
  ...(errors as unknown as readonly Row[]),
  ['a script that is too long', [['run_code', { code: 'a'.repeat(100_001) }]]],
  ['a script with types in a long line', [['run_code', { code: `const a: string = "${'a'.repeat(200)}"` }]]],
];

/** Returns the answer to the last of these calls. */
async function answerTo(
  calls: readonly (readonly [string, unknown])[],
  settings: Partial<Settings> = {},
): Promise<string> {
  const port = new TestModel([calls.map(([name, input], i) => call(name, input, `c${i}`)), [text('ok')]]);
  const runner = new TestRunner((tool) =>
    tool.name === 'table' ? fails('No such table.') : { outcome: 'ok', parts: [{ type: 'text', text: '{"a":1}' }] },
  );
  await playTurn(makeWorld(TOOLS), port, {
    runner,
    settings: { mode: 'on', delivery: 'bridge', ...LIMITS, ...settings },
    code: scriptsIn(made.sandbox),
  });
  const last = port.requests[1]?.transcript.at(-1);
  return last?.kind === 'results' ? resultText(last.results.at(-1) ?? { parts: [] }) : '';
}

it('says in each error what is wrong and what to do', async () => {
  const rows = await Promise.all(
    ERRORS.map(async ([what, calls, settings]) => ({ what, text: await answerTo(calls, settings) })),
  );
  for (const { what, text: words } of rows) {
    // The message, which is next to the line of code that failed.
    const said = words
      .split('\n')
      .filter((line) => !line.startsWith('> '))
      .join(' ');
    const sentences = said.split(/(?<=[.!?])\s+(?=[A-Z])/).filter((it) => it !== '');
    expect(said, what).not.toBe('');
    expect(sentences.length, `${what}: ${said}`).toBeLessThanOrEqual(3);
    expect(said.length, `${what}: ${said}`).toBeLessThanOrEqual(320);
  }
  const table = [
    '| what | answer |',
    '|---|---|',
    ...rows.map((row) => `| ${row.what} | ${row.text.replaceAll('\n', ' ⏎ ').replaceAll('|', '\\|')} |`),
  ];
  await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('errorTexts.md');
});
