import { expect, it } from 'vitest';
import { resultText } from '../../../../src/core/conversation/resultText';
import { type Gate, type ToolRunner, toolMessage } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import { CallLimits } from '../../../../src/core/turn/callLimits';
import { type GATES, gatesOf, passGates } from '../../../../src/core/turn/gates';
import { callOf, makeTool, NO_SANDBOX, ok, runCall, SETTINGS, scriptsIn, TestRunner } from './world';

const PAY = makeTool('bank', 'pay', '', { annotations: { destructiveHint: true } });
const no = (words: string) => toolMessage('refused', words);
const refuse: (words: string) => Gate = (words) => async () => no(words);

/** What is otherwise than for a call that all gates let go on. */
interface Case {
  readonly settings?: Partial<Settings>;
  readonly choice?: readonly string[];
  readonly gates?: Partial<ToolRunner>;
  readonly by?: 'model' | 'providerCode' | 'script';
  readonly asked?: unknown;
  readonly late?: true;
}

/** Makes one call. Returns what the model reads and what was done for it. */
async function make({ settings: own, choice, gates, by = 'model', asked = {}, late }: Case = {}) {
  const done: string[] = [];
  const settings = { ...SETTINGS, ...own };
  const base = new TestRunner(() => {
    done.push('run');
    return ok('paid');
  });
  const consent: Gate = (call, goOn) => {
    done.push('ask');
    return goOn(call);
  };
  const context = {
    ...(choice && { choice }),
    code: scriptsIn(NO_SANDBOX),
    offer: { prefix: 'toolsearch_' },
    turn: {
      settings,
      limits: new CallLimits(settings),
      runner: Object.assign(base, { consent }, gates),
      services: {
        clock: {
          now: () => 0,
          timer: (work: () => void) => {
            if (late) work();
            return () => {};
          },
        },
      },
    },
  };
  const run = await passGates({ ...callOf(PAY, asked), by }, gatesOf(context), (call) =>
    context.turn.runner.invoke(call),
  );
  return { said: JSON.stringify(run), done };
}

/** Makes a call that is answered with these words. Without `before`, nothing was done for it. */
async function expectStopped(given: Case, words: string, before: readonly string[] = []): Promise<void> {
  const { said, done } = await make(given);
  expect(said).toContain(words);
  expect(done).toEqual(before);
}

it('lets a call go on that no gate stops', async () => {
  expect(await make()).toEqual({ said: JSON.stringify(ok('paid')), done: ['ask', 'run'] });
});

/** For each gate a call that it stops, the words of the answer, and what was done before. */
const STOPPED: { readonly [name in (typeof GATES)[number]]?: Parameters<typeof expectStopped> } = {
  choice: [{ choice: ['a_b', 'a_c'] }, 'the user named a_b and a_c'],
  limits: [{ settings: { toolCallsPerTurn: 0 } }, 'the limit of 0 tool calls'],
  hidden: [{ gates: { refusalOf: () => no('hidden') } }, 'hidden'],
  permission: [{ settings: { allowedCallers: { 'bank/*': 'code' } } }, 'only be called from a script'],
  arguments: [{ gates: { checkArguments: async () => ['misfit'] } }, 'misfit'],
  deadline: [
    { by: 'providerCode', late: true, settings: { allowedCallers: { '*': 'both' } } },
    'within 4 minutes',
    ['ask', 'run'],
  ],
  consent: [{ gates: { consent: refuse('skipped') } }, 'skipped'],
  time: [{ gates: { time: refuse('too late') } }, 'too late', ['ask']],
  stillTheSameTool: [{ gates: { changedSince: () => no('changed') } }, 'changed', ['ask']],
};

it.each(Object.entries(STOPPED))('the gate %s stops a call', (_, stopped) => expectStopped(...stopped));

it('changing calls keep their order, and one tool’s are asked about together', async () => {
  const move = makeTool('bank', 'move', '', { annotations: { readOnlyHint: false } });
  const done: string[] = [];
  const runner = new TestRunner(async ({ name }) => {
    done.push(`run ${name}`);
    for (let turns = 0; turns < 20; turns++) await null;
    done.push(`ran ${name}`);
    return ok('');
  });
  const checkArguments: ToolRunner['checkArguments'] = async ({ name }) => {
    for (let turns = 0; name === 'pay' && turns < 20; turns++) await null;
    return [];
  };
  const consent: Gate = (call, goOn) => {
    done.push(`ask ${call.tool.name}`);
    return goOn(call);
  };
  const turn = {
    settings: SETTINGS,
    limits: new CallLimits(SETTINGS),
    runner: Object.assign(runner, { checkArguments, consent }),
  };
  const gates = gatesOf({ offer: {}, turn: { ...turn, services: { clock: { timer: () => () => {}, now: () => 0 } } } });
  await Promise.all([PAY, PAY, move, PAY].map((tool) => passGates(callOf(tool), gates, (call) => runner.invoke(call))));
  const alone = (name: string) => [`ask ${name}`, `run ${name}`, `ran ${name}`];
  expect(done).toEqual(['ask pay', ...alone('pay'), 'run pay', 'ran pay', ...alone('move'), ...alone('pay')]);
});

it.each([
  ['script', 'direct', 'only be called directly'],
  ['providerCode', 'direct', 'only be called directly'],
  ['providerCode', undefined, 'only be called directly'],
  ['model', 'code', 'from a script (toolsearch.allowedCallers). Use toolsearch_run_code: await tools.bank_pay({ … }).'],
] as const)('a %s may not call a tool for %s', (by, allowed, words) =>
  expectStopped({ by, settings: { allowedCallers: allowed ? { 'bank/*': allowed } : {} } }, words),
);

it.each([['"a"'], [[1]], [7]])('arguments that are no object, %j, are refused', (asked) =>
  expectStopped({ asked }, 'must be a JSON object'),
);

it('converted arguments are checked, and only what is left is told', async () => {
  const typed = { ...PAY, inputSchema: { properties: { to: { type: 'number' }, cents: { type: 'number' } } } };
  const checkArguments: ToolRunner['checkArguments'] = async (_, input) => {
    return Object.keys(input).filter((name) => typeof input[name] !== 'number');
  };
  const runner = Object.assign(new TestRunner(), { checkArguments });
  const say = async (asked: unknown) => resultText(await runCall(runner, typed, asked, new AbortController().signal));
  expect((await say({ to: '7', cents: 'many' })).split('\n')[1]).toBe('- cents');
  expect(await say({ to: '7', cents: '100' })).toBe('done');
  expect(runner.ran).toEqual([{ id: PAY.id, input: { to: 7, cents: 100 } }]);
});

it('a call that has passed no gate runs nowhere', async () => {
  const runner = new TestRunner();
  expect((await runner.invoke(callOf(PAY))).outcome).toBe('refused');
  expect(runner.ran).toEqual([]);
});
