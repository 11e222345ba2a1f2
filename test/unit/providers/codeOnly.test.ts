import { expect, it } from 'vitest';
import { makeTool, makeWorld, playTurn, schema, TestRunner } from '../core/turn/world';
import { portOf } from './ports';
import { ANTHROPIC, OPENAI, streamed } from './wires';

const ECHO = makeTool('math', 'echo', 'Does echo', { inputSchema: schema({ x: { type: 'string' } }, ['x']) });

it.each([
  ['claude-sonnet-4-6', ANTHROPIC, '"allowed_callers":["code_execution_20260120"]'],
  ['gpt-5.6-sol', OPENAI, '"allowed_callers":["programmatic"]'],
] as const)('%s can’t call a tool directly that is left to its code', async (model, wire, allowed) => {
  // The services don't prevent that a reply calls the tool directly, though its definition allows only code.
  const direct = wire.calls([{ id: 'call_1', name: 'math_echo', input: { x: 'a' } }]);
  const bodies: string[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(String(init?.body));
    return bodies.length === 1 ? streamed(direct) : new Response('{}', { status: 400 });
  };
  const port = portOf(model, { fetch: fetch as never });
  const { countTokens: _, countDefinitions: __, countRequest: ___, countToolPrompt: ____, ...silent } = port;
  const runner = new TestRunner();
  const world = makeWorld([ECHO]);
  await playTurn(
    world,
    { ...silent, info: port.info, countTokens: async () => 1 },
    { runner, settings: { mode: 'off', delivery: 'auto', allowedCallers: { 'math/*': 'code' } } },
  );
  expect(bodies[0]).toContain(allowed);
  expect(bodies[1]).toContain('math_echo can only be called from the code that you run (toolsearch.allowedCallers)');
  expect(runner.ran).toEqual([]);
  expect(world.ledger.events.flatMap((event) => (event.type === 'called' ? [event.outcome] : []))).toEqual(['refused']);
});
