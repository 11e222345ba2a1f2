import { expect, it } from 'vitest';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { Settings } from '../../../../src/core/settings/settings';
import { useSandbox } from '../../sandbox/builtSandbox';
import { call, fails, filler, makeTool, makeWorld, playTurn, scriptsIn, TestModel, TestRunner, text } from './world';

const made = useSandbox();
const ECHO = makeTool('math', 'echo', 'Echoes back its input, unlike ls');
const SAVING = ['a', 'b', 'c', 'd', 'e', 'f'].map((server) => makeTool(server, 'save'));
const TOOLS = [ECHO, makeTool('math', 'table', 'A table'), ...SAVING, ...filler('other', 40)];
const LIMITS: Partial<Settings> = { toolCallsPerTurn: 3, retriesPerTool: 0, scriptSeconds: 1, callsPerScript: 2 };

const TABLE = ['call_tool', { name: 'math_table', arguments: {} }] as const;
const ECHOING = ['call_tool', { name: 'math_echo', arguments: {} }] as const;

/** The errors that a model can get, with the calls that lead to them. */
const ERRORS: readonly (readonly [
  what: string,
  calls: readonly (readonly [string, unknown])[],
  settings?: Partial<Settings>,
])[] = [
  ['a search without queries', [['search_tools', {}]]],
  ['a search with too many queries', [['search_tools', { queries: [...'abcdefghijkl'] }]]],
  ['a search of an unknown kind', [['search_tools', { queries: ['a'], search_type: 'semantic' }]]],
  ['a search of an unknown server', [['search_tools', { queries: ['echo'], server: 'nowhere' }]]],
  ['a pattern that is none', [['search_tools', { queries: ['(?=x)'], search_type: 'regex' }]]],
  ['a search that finds nothing', [['search_tools', { queries: ['qqqzz'] }]]],
  ['a call without a name', [['call_tool', {}]]],
  ['a call of no tool', [['call_tool', { name: 'math_ecco', arguments: {} }]]],
  ['a call of no tool, one letter off', [['call_tool', { name: 'math_tble', arguments: {} }]]],
  ['a call of no tool, like none', [['call_tool', { name: 'ls', arguments: {} }]]],
  ['a call of a server', [['call_tool', { name: 'math', arguments: {} }]]],
  ['a call of a kept result', [['call_tool', { name: 'results.get', arguments: { id: 'r1' } }]]],
  ['a call of one of several tools', [['call_tool', { name: 'Save', arguments: {} }]]],
  ['a call of a hidden tool', [TABLE], { hiddenTools: { math: ['table'] } }],
  ['arguments that are no object', [['call_tool', { name: 'math_echo', arguments: 5 }]]],
  ['a tool for scripts alone', [ECHOING], { allowedCallers: { 'math/*': 'code' } }],
  ['a tool that has failed too often', [TABLE, TABLE]],
  ['too many calls', [ECHOING, ECHOING, ECHOING, ECHOING]],
  ['a script without code', [['run_code', {}]]],
  ['a script of spaces', [['run_code', { code: ' \n' }]]],
  ['a script that is too long', [['run_code', { code: 'a'.repeat(100_001) }]]],
  ['a script with types in a long line', [['run_code', { code: `const a: string = "${'a'.repeat(200)}"` }]]],
  ['a script that returns nothing', [['run_code', { code: 'const a = 1;' }]]],
  ['a script with an open bracket', [['run_code', { code: 'return [1' }]]],
  ['a script with an unknown name', [['run_code', { code: 'return fetch("x")' }]]],
  ['a script that imports', [['run_code', { code: 'import fs from "fs"' }]]],
  ['a script that calls no tool', [['run_code', { code: 'return await tools.math_ecco({})' }]]],
  ['a script that reads a result wrongly', [['run_code', { code: 'return (await tools.math_echo({})).lines.length' }]]],
  ['a script that forgets to wait', [['run_code', { code: 'return `${tools.math_echo({})}`' }]]],
  ['a script that awaits a field', [['run_code', { code: 'return (await tools.math_echo({}).a) ?? 0' }]]],
  ['a script in Python', [['run_code', { code: 'import json' }]]],
  ['a script that returns no field', [['run_code', { code: 'return { b: (await tools.math_echo({})).b }' }]]],
  ['a script that computes too long', [['run_code', { code: 'for (;;);' }]]],
  ['a script with too many calls', [['run_code', { code: 'for (let i = 0; i < 9; i++) await tools.math_echo({})' }]]],
  ['a script that waits for nothing', [['run_code', { code: 'await new Promise(() => {})' }]]],
  ['a script that asks for a lost result', [['run_code', { code: 'return await results.get("r9")' }]]],
  ['a script that calls a kept result', [['run_code', { code: 'return await tools.results("r1")' }]]],
  ['a script that hides an error', [['run_code', { code: 'try { await tools.math_table() } catch {} return 1' }]]],
  ['a script whose tool fails', [['run_code', { code: 'return await tools.math_table({})' }]]],
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
