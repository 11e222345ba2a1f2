import { describe, expect, it } from 'vitest';
import type { DeliveryName } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import { schema } from '../../core/turn/world';
import { useChats } from '../chats';
import { ECHO, SUM } from './definitions';

const EAGER: Partial<Settings> = { allowedCallers: { 'math/*': 'both' }, eagerTools: { math: ['*'] } };

const chats = useChats();
const { chat } = chats;

const gpt = (model = 'gpt-5.6-sol') => chats.portOf(model);

describe('A program of GPT', () => {
  it('calls tools at once and in turn; its text is the answer', async () => {
    const talk = chat(EAGER);
    const { answer, asked, refused, message } = await talk.ask(
      'code: get-sum a=2 b=40 & echo message=hi; get-sum a=1 b=1',
      gpt(),
    );
    expect({ message, refused }).toEqual({ message: undefined, refused: [] });
    expect(answer).toBe('The program said: 42\nsaid hi\n2');
    expect(asked).toHaveLength(3);
    expect(asked[0]?.body.tools[1]).toEqual({ type: 'programmatic_tool_calling' });
    expect(JSON.stringify(asked[0]?.body.tools)).toContain('"allowed_callers":["direct","programmatic"]');
    const outputs = asked[1]?.body.input.filter((item: { type?: string }) => item.type === 'function_call_output');
    expect(outputs).toMatchObject([{ caller: { type: 'program' } }, { caller: { type: 'program' } }]);
    const next = await talk.ask('get-sum a=5 b=5', gpt());
    expect(next.refused).toEqual([]);
    expect(next.asked[0]?.body.input.map((item: { type?: string }) => item.type)).toEqual(
      expect.arrayContaining(['program', 'function_call', 'function_call_output', 'program_output']),
    );
  });

  it.each<DeliveryName>(['server', 'client'])('waits for the search, with delivery %s', async (delivery) => {
    const talk = chat({ allowedCallers: { 'math/*': 'code' }, mode: 'on', delivery });
    const { answer, refused, asked } = await talk.ask('code: get-sum a=2 b=40', gpt());
    expect(refused).toEqual([]);
    expect(answer).toBe('The program said: 42');
    const found = asked.at(-1)?.body.input.find((item: { type?: string }) => item.type === 'tool_search_output');
    expect(JSON.stringify(found)).toContain('"allowed_callers":["programmatic"]');
  });

  it('learns what tools return, as JSON, if the service allows that', async () => {
    const outputSchema = schema({ total: { type: 'number' } }, ['total']);
    const talk = chat(EAGER, {
      tools: [
        { ...SUM, outputSchema },
        { ...ECHO, outputSchema },
      ],
    });
    const schemas = (asked: typeof chats.standIn.requests) =>
      asked.map(({ body }) => body.tools.filter((tool: object) => 'output_schema' in tool).length);
    const { answer, asked, refused } = await talk.ask('code: get-sum a=2 b=40', gpt());
    expect({ answer, refused, schemas: schemas(asked) }).toEqual({
      answer: 'The program said: 42',
      refused: [],
      schemas: [2, 2],
    });
    const later = await talk.ask('code: get-sum a=1 b=1 [[fault:noreturns]]', gpt());
    expect(later.answer).toBe('The program said: 2');
    expect(later.refused).toHaveLength(1);
    expect(later.sink.warnings).toEqual([]);
    expect(schemas(later.asked)).toEqual([2, 0, 0]);
  });

  it('that has neither called nor said anything is asked to go on', async () => {
    const { answer, asked, refused } = await chat(EAGER).ask('code: get-sum a=2 b=40 [[fault:quiet]]', gpt());
    expect({ answer, refused }).toEqual({ answer: 'The program said: 42', refused: [] });
    expect(asked[1]?.body.input.at(-1)).toMatchObject({ type: 'program' });
  });
});
