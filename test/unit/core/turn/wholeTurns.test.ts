import { expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { ModelError, type ModelInfo, type ModelRequest } from '../../../../src/core/ports';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import { Session } from '../../../../src/core/turn/session';
import { readTools } from '../../../bench/data';
import { changes, rows } from '../../../data/rows';
import { useSandbox } from '../../sandbox/builtSandbox';
import {
  call,
  choices,
  fails,
  makeServices,
  makeWorld,
  ok,
  scriptsIn,
  TestModel,
  TestRunner,
  TestSink,
  text,
} from './world';

const made = useSandbox();
const TOOLS = readTools('test/bench/tools.jsonl').map((it) => ({ ...it, modelName: `${it.server}_${it.name}` }));
const never = new AbortController().signal;
const READ = 'filesystem_read_text_file';
const LOG = Array.from({ length: 3_000 }, (_, at) => `${at} ${at % 7 ? 'ok' : 'ERROR'} of worker ${at % 5}`).join('\n');

function answerOf({ name }: Tool, input: { readonly [name: string]: unknown }) {
  if (input.path === 'absent.log') return fails('ENOENT: no such file or directory, open absent.log');
  return ok(name === 'read_text_file' ? LOG : JSON.stringify({ name, input }));
}

/** What the model does in each round, question by question. */
const asked = (use: (name: string, input: object, callId?: string) => ReturnType<typeof call>) => [
  [
    [text('I look.'), call('search_tools', { queries: ['read a text file', 'sum of two numbers', 'book a flight'] })],
    [use(READ, { path: 'absent.log' }, '1'), use('everything_get-sum', { a: 2, b: 40 }, '2'), use('nothing', {}, '3')],
    [
      call('search_tools', { queries: ['read a text file'] }),
      use(READ, { head: 3 }, '4'),
      use(READ, { path: 'a.log' }, '5'),
    ],
    [text('Done.')],
  ],
  [
    [call('search_tools', { queries: ['select:github_create_issue', 'list the issues of a repository'] })],
    [use('github_create_issue', { owner: 'a', repo: 'b', title: 'c', labels: 'bug' }, '6')],
    [text('It '), new ModelError('The connection broke.')],
  ],
];
const SCRIPTS = [
  [
    [call('search_tools', { queries: ['read a text file', 'search code'] })],
    [
      run(
        `const log = await tools.${READ}.text({ path: 'a.log' });\nreturn log.split('\\n').filter((line) => line.includes('ERROR')).length`,
      ),
    ],
    [
      run(
        `try { await tools.${READ}({ path: 'absent.log' }) } catch {}\nreturn [await tools.${READ}({ path: 'b.log' }), await tools.everything_get_sum({ a: 1, b: 2 })]`,
      ),
    ],
    [run('return (await results.get("r1")).slice(0, 20) + nowhere()')],
    [run('const a = ;')],
    [text('136')],
  ],
];

function run(code: string) {
  return call('run_code', { code, title: 'Counts errors' }, code.slice(0, 20));
}

/** The lines of a request. */
const linesOf = ({ transcript, ...rest }: ModelRequest) =>
  [rest, ...transcript].flatMap((it) => rows(it)).map((line) => line.trim());

const direct = asked((name, input, callId) => call(name, input, callId));
const bridged = asked((name, input, callId) => call('call_tool', { name, arguments: input }, callId));
const native = { strategies: ['bm25'], references: true, maxDeferred: 1_000 };
it.each([
  ['listed', {}, direct, { delivery: 'local' }],
  ['references', { native, addsTools: true }, direct, { codeMode: 'off' }],
  ['bridge', { addsTools: true }, bridged, { codeMode: 'off' }],
  ['scripts', { addsTools: true }, SCRIPTS, {}],
] satisfies [string, Partial<ModelInfo>, typeof direct, Partial<Settings>][])(
  'a conversation is requested, recorded and reported (%s)',
  async (name, info, script, settings) => {
    const { source } = makeWorld(TOOLS);
    const services = makeServices(source, { user: choices(() => ({ ...DEFAULT_SETTINGS, ...settings })) });
    const session = new Session(services);
    const port = new TestModel(script.flat(), { info });
    const told: string[] = [];
    let history: Transcript = [];
    for (const prompt of script.map((_, at) => `Question ${at + 1}`)) {
      const sink = new TestSink();
      const runner = new TestRunner(answerOf);
      const question = { prompt, history, references: new Set<string>(), port, runner, code: scriptsIn(made.sandbox) };
      const outcome = await session.ask(question, sink, never);
      history = [...history, ...outcome.items];
      told.push(
        `# ${prompt}`,
        ...[sink.said, sink.events, sink.warnings, runner.ran, session.lastReport].flatMap((it) => rows(it)),
      );
    }
    const requests = port.requests.map(linesOf);
    for (const [at, lines] of requests.entries())
      told.push(`# Request ${at + 1}`, ...changes(requests[at - 1] ?? [], lines));
    // Counting ends at any time.
    const record = services.ledger.events.map((event) => ({
      ...event,
      turn: undefined,
      at: undefined,
      seq: undefined,
    }));
    const isCount = ({ type }: { readonly type: string }) => type === 'roundEnded';
    const sorted = [...record.filter((it) => !isCount(it)), ...record.filter(isCount)];
    told.push('# Record', ...sorted.flatMap((event) => rows(event)));
    const lines = told.map((line) => (line.length > 2_000 ? `${line.slice(0, 2_000)}… ${line.length}` : line));
    const text = lines
      .join('\n')
      .replace(/"(?:ms|computeMs)":[\d.]+/g, '"ms":0')
      .replace(/\d+\.\d{4,}/g, (it) => Number(it).toFixed(3));
    await expect(`${text}\n`).toMatchFileSnapshot(`turns-${name}.txt`);
  },
);
