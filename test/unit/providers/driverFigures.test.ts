import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../src/core/ledger/ledger';
import type { ModelPort } from '../../../src/core/ports';
import type { Settings } from '../../../src/core/settings/settings';
import { type StandIn, startStandIn } from '../../standin/server.mjs';
import { askRelay, askTurn, type Drive } from '../core/turn/drivers';
import { filler, makeTool, ok, schema } from '../core/turn/world';
import { standInPort } from './ports';

/** The services with a fresh stand-in each. The same question comes from `@toolsearch` and from another agent. */
const WIRES: readonly (readonly [string, (standIn: StandIn) => ModelPort])[] = [
  ['Claude', (standIn) => standInPort(standIn, 'claude-sonnet-4-6', { name: 'Model' })],
  ['GPT', (standIn) => standInPort(standIn, 'gpt-5.4', { name: 'Model' })],
];

const numbers = schema({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']);
/** Tools with the names that turns use, since an agent passes tools under VS Code's names. */
const TOOLS = [
  makeTool('math', 'get-sum', 'Returns the sum of two numbers', { invokeName: 'math_get-sum', inputSchema: numbers }),
  ...filler('other', 40).map((tool) => ({ ...tool, invokeName: tool.modelName })),
];

/** The fault, the delivery, the turn's status and its rounds: a service with its own search saves one round. */
const COURSES = [
  { course: 'nothing', faults: '', delivery: 'server', status: 'answered', rounds: 2 },
  { course: 'nothing', faults: '', delivery: 'client', status: 'answered', rounds: 3 },
  { course: 'nothing', faults: '', delivery: 'local', status: 'answered', rounds: 3 },
  { course: 'nothing', faults: '', delivery: 'bridge', status: 'answered', rounds: 3 },
  { course: 'a stream that is cut', faults: '[[fault:cut]]', delivery: 'server', status: 'failed', rounds: 1 },
  { course: 'a stream that is cut', faults: '[[fault:cut]]', delivery: 'client', status: 'failed', rounds: 1 },
  { course: 'a stream that is cut', faults: '[[fault:cut]]', delivery: 'local', status: 'failed', rounds: 1 },
  { course: 'a stream that is cut', faults: '[[fault:cut]]', delivery: 'bridge', status: 'failed', rounds: 1 },
] as const;

describe.each(WIRES)('the figures of a question to %s', (_, create) => {
  it.each(COURSES)(
    'are equal to the token, whoever asks ($delivery, $course)',
    async ({ delivery, faults, status, rounds }) => {
      const [turn, relay] = await Promise.all(
        [askTurn, askRelay].map((drive) => figuresOf(drive, create, delivery, faults)),
      );
      expect(turn?.report).toMatchObject({ status, rounds });
      expect(turn?.rounds).toHaveLength(rounds);
      expect(relay).toEqual(turn);
    },
  );
});

async function figuresOf(
  drive: Drive,
  create: (standIn: StandIn) => ModelPort,
  delivery: Settings['delivery'],
  faults: string,
) {
  const standIn = await startStandIn();
  try {
    const came = await drive({
      port: create(standIn),
      tools: TOOLS,
      prompt: `get-sum a=2 b=40 ${faults}`.trim(),
      settings: { mode: 'on', delivery },
      answer: () => ok('42'),
    });
    const of = <Type extends LedgerEvent['type']>(type: Type) =>
      came.events.filter((event): event is Extract<LedgerEvent, { type: Type }> => event.type === type);
    // The answer's text and the duration of calls are not compared.
    const { answer: _, calls: _calls, ...report } = came.report ?? ({} as never);
    return {
      report,
      rounds: of('roundEnded').map(({ round, tokens, outputTokens, prefix }) => ({
        round,
        tokens,
        outputTokens,
        prefix,
      })),
      counts: of('roundStarted').map(({ round, counts }) => ({ round, counts })),
      replanned: of('replanned').map(({ refused, strategy, delivery: way, counts }) => ({
        refused,
        strategy,
        way,
        counts,
      })),
      ran: came.ran,
    };
  } finally {
    await standIn.close();
  }
}
