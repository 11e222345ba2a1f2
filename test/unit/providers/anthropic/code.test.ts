import { describe, expect, it } from 'vitest';
import type { DeliveryName } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import { allowedCallers } from '../../../../src/providers/anthropic/code';
import { makeTool, schema } from '../../core/turn/world';
import { useChats } from '../chats';
import { ECHO, SUM } from '../openai/definitions';

const CODE: Partial<Settings> = {
  allowedCallers: { 'math/get-sum': 'both', 'math/echo': 'code' },
  eagerTools: { math: ['*'] },
};
const DEFERRED: Partial<Settings> = { allowedCallers: { 'math/*': 'code' }, mode: 'on' };

const chats = useChats();
const { chat } = chats;

const claude = (model = 'claude-sonnet-4-6') => chats.portOf(model);

describe('Code of Claude', () => {
  it('calls tools at once and in turn; its output is the answer', async () => {
    const talk = chat(CODE);
    const { answer, asked, refused, message } = await talk.ask(
      'code: get-sum a=2 b=40 & echo message=hi; get-sum a=1 b=1',
      claude(),
    );
    expect({ message, refused }).toEqual({ message: undefined, refused: [] });
    expect(answer).toContain('The code printed: 42\nsaid hi\n2');
    expect(asked).toHaveLength(3);
    expect(asked.map(({ body }) => body.container)).toEqual([undefined, expect.any(String), expect.any(String)]);
    expect(asked[0]?.body.tools).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ type: 'code_execution_20260120' }),
        expect.objectContaining({ name: 'math_get-sum', allowed_callers: ['direct', 'code_execution_20260120'] }),
        // A tool that only code may call is hidden until it is found.
        expect.objectContaining({
          name: 'math_echo',
          allowed_callers: ['code_execution_20260120'],
          defer_loading: true,
        }),
      ]),
    );
    // One message holds all answers to a pause, and nothing more. It repeats each call's caller.
    expect(asked[1]?.body.messages.at(-1).content.map(({ type }: { type: string }) => type)).toEqual([
      'tool_result',
      'tool_result',
    ]);
    expect(asked[1]?.body.messages.at(-2).content.at(-1).caller).toMatchObject({ type: 'code_execution_20260120' });
    // The next turn contains the code and its result in full, including unknown fields.
    const next = await talk.ask('get-sum a=5 b=5', claude());
    expect(next.refused).toEqual([]);
    expect(JSON.stringify(next.asked[0]?.body.messages)).toContain('"abort_reason":null');
  });

  it.each<DeliveryName>(['server', 'client'])(
    'waits for the search, which the model does itself, with delivery %s',
    async (delivery) => {
      const talk = chat({ ...DEFERRED, delivery });
      const { answer, refused, asked } = await talk.ask('code: get-sum a=2 b=40', claude());
      expect(refused).toEqual([]);
      expect(answer).toContain('The code printed: 42');
      const tools = asked[0]?.body.tools as { name: string; allowed_callers?: string[]; defer_loading?: boolean }[];
      expect(tools.find(({ name }) => name === 'math_get-sum')).toMatchObject({
        defer_loading: true,
        allowed_callers: ['code_execution_20260120'],
      });
      expect(tools.find(({ name }) => name === 'search_tools')?.allowed_callers).toBeUndefined();
    },
  );

  it('goes on as a working turn if its container is gone', async () => {
    const talk = chat(CODE);
    await talk.ask('code: get-sum a=2 b=40', claude());
    const { answer, sink } = await talk.ask('code: get-sum a=1 b=1 [[fault:nocontainer*1]]', claude());
    expect(answer).toContain('The code printed: 2');
    expect(sink.warnings).toEqual([]);
  });

  it('gets what the tools that it calls return', async () => {
    const outputSchema = schema({ total: { type: 'number' } }, ['total']);
    const talk = chat(CODE, {
      tools: [{ ...SUM, outputSchema }, makeTool('x', 'other', 'Other', { outputSchema }), ECHO],
    });
    const { asked } = await talk.ask('hello', claude());
    const described = new Map(
      asked[0]?.body.tools.map((tool: { name: string; description?: string }) => [tool.name, tool.description]),
    );
    expect(described.get('math_get-sum')).toBe('Returns the sum of two numbers\nReturns JSON: { total: number }');
    expect([described.get('math_echo'), described.get('x_other')]).toEqual(['Echoes back the input', 'Other']);
  });

  it('gets no tool with a circular schema or without a name', async () => {
    const tree = { type: 'object', properties: { child: { anyOf: [{ type: 'null' }, { $ref: '#' }] } } };
    const talk = chat(
      { allowedCallers: { 'x/*': 'code' }, mode: 'off' },
      {
        tools: [
          makeTool('x', 'tree', 'A tree', { inputSchema: tree }),
          makeTool('x', 'leaf', 'A leaf'),
          makeTool('y', 'other', 'Other'),
        ],
      },
    );
    const { asked, refused } = await talk.ask('hello', claude());
    expect(refused).toEqual([]);
    const tools = (asked[0]?.body.tools ?? []) as { name: string; allowed_callers?: string[] }[];
    const callers = new Map(tools.map(({ name, allowed_callers }) => [name, allowed_callers]));
    expect(callers.get('x_leaf')).toEqual(['code_execution_20260120']);
    expect([callers.get('x_tree'), callers.get('y_other')]).toEqual([undefined, undefined]);
  });

  it('gets a tool whose definitions are reached in many ways', () => {
    const next = (at: number) => ({ $ref: `#/$defs/d${at + 1}` });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`d${at}`, { anyOf: [next(at), next(at)] }]),
    );
    const tool = { ...makeTool('x', 'many', 'Many ways', { inputSchema: { ...next(-1), $defs } }), name: 'x_many' };
    expect(allowedCallers({ ...tool, callers: 'code' })).toEqual(['code_execution_20260120']);
  });
});
