import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { Capabilities } from '../../../../src/providers/capabilities';
import type { ModelAccess } from '../../../../src/providers/modelAccess';
import { buildRequest } from '../../../../src/providers/openai/request';
import { said, user } from '../../../data/items';
import { useStandIn } from '../ports';
import { define, ECHO, request, SUM } from './definitions';

const services = useStandIn();
const never = new AbortController().signal;

const connect = (rest: Partial<ModelAccess> = {}) => services.portOf('gpt-5.4', { name: 'GPT-5.4', ...rest });

describe('GPT', () => {
  it('sees images in prompts if it reads their type', async () => {
    const image = (mimeType: string) => ({ type: 'image' as const, mimeType, bytes: 3, data: 'AAAA' });
    const body = buildRequest(
      request({ transcript: [{ kind: 'user', text: 'look', images: [image('image/png'), image('image/tiff')] }] }),
      { model: 'gpt-5.4' },
    );
    const shown = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };
    expect(body.input).toMatchObject([
      { content: [{ text: 'look' }, shown, { text: '[image/tiff, 3 bytes, not shown]' }] },
    ]);
  });

  /** Refuses the first request in the service's form, then lets the stand-in answer. */
  const refusingFirst = (param: string, message: string, status = 400) => {
    const error = { message, param, code: 'invalid_value', type: 'invalid_request_error' };
    let asked = 0;
    return async (url: string | URL | Request, init?: RequestInit) =>
      asked++ === 0 ? new Response(JSON.stringify({ error }), { status }) : fetch(url, init);
  };

  it('leaves out a tool that the service refuses by position', async () => {
    const port = connect({ fetch: refusingFirst('tools[0].description', 'Too many enum values.') });
    const novel = { type: 'novel_item', id: 'nov_1', status: 'completed', payload: 'x' };
    const reply = said('', [], { opaque: [{ wire: 'openai', model: 'gpt-5.4', value: [novel] }] });
    const transcript = [user('a'), reply, user('b')];
    const events = [];
    for await (const event of port.send(request({ tools: [define(ECHO)], transcript }), never)) events.push(event);
    expect(events[0]).toEqual({
      type: 'warning',
      message: expect.stringContaining(
        'math/echo is left out because OpenAI refuses its definition: Too many enum values.',
      ),
    });
    expect(services.standIn.requests.at(-1)?.body.tools).toBeUndefined();
    expect(services.standIn.requests.at(-1)?.body.input).toContainEqual(novel);
  });

  it('leaves out what a refused tool returns before the tool itself', async () => {
    const tool = { ...define(ECHO), callers: 'both' as const, outputSchema: { type: 'object' } };
    const port = connect({ fetch: refusingFirst('tools[0].description', 'Too many enum values.') });
    for await (const event of port.send(request({ tools: [tool] }), never)) expect(event.type).not.toBe('warning');
    expect(services.standIn.requests.at(-1)?.body.tools).toHaveLength(1);
  });

  it('asks without a demand if the service takes none', async () => {
    const capabilities = new Capabilities();
    const port = connect({ capabilities, fetch: refusingFirst('tool_choice', 'Unsupported tool_choice type.') });
    const demanding = request({ tools: [define(ECHO)], required: ['math_echo'] });
    for await (const event of port.send(demanding, never)) expect(event.type).not.toBe('warning');
    expect(services.standIn.requests.at(-1)?.body.tool_choice).toBeUndefined();
    expect(capabilities.of('openai', 'gpt-5.4').forcesTools).toBe(false);
  });

  it('adds no tools to a conversation once the service refuses them', async () => {
    const capabilities = new Capabilities();
    const refusal = refusingFirst('input[2].type', 'Invalid value: additional_tools.');
    const port = services.portOf('gpt-6-sol', { capabilities, fetch: refusal });
    const joined = { kind: 'user', text: '', note: true, joined: [define(SUM)] } as const;
    const transcript = [user('a'), said('b', []), joined, user('c')];
    const events = port.send(request({ tools: [define(ECHO)], transcript }), never);
    await expect(events[Symbol.asyncIterator]().next()).rejects.toThrow('does not accept new tools');
    expect(capabilities.of('openai', 'gpt-6-sol').addsTools).toBe(false);
  });

  it('is told by its list alone which tools are gone', () =>
    expect(services.portOf('gpt-6-sol').info.removesTools).toBe(false));

  it.each([400, 401])('asks again if a part is another account’s (%i)', async (status) => {
    const port = connect({ fetch: refusingFirst('', 'The item ID does not belong to you.', status) });
    for await (const event of port.send(request(), never)) expect(event.type).not.toBe('warning');
  });

  it('has one cache for the same tools', () => {
    const keyOf = (tool: Tool) =>
      buildRequest(request({ tools: [define(tool)] }), { model: 'x', features: { cacheKey: true } }).prompt_cache_key;
    expect(keyOf({ ...ECHO, description: 'x' })).toBe(keyOf(ECHO));
    expect(keyOf(SUM)).not.toBe(keyOf(ECHO));
  });

  it('counts definitions exactly', async () => {
    const port = connect();
    const one = (await port.countDefinitions?.([define0()], never)) ?? 0;
    expect(await port.countDefinitions?.([define0(), { ...define0(), name: 'other' }], never)).toBe(2 * one);
    expect(await port.countTokens('four words are here', never)).toBeGreaterThan(0);
  });

  it('is of more definitions than a request may have, too', async () => {
    const port = connect();
    const one = (await port.countDefinitions?.([define0()], never)) ?? 0;
    const many = Array.from({ length: 300 }, (_, index) => ({ ...define0(), name: `sum_${index + 100}` }));
    // The service refuses a list of 300.
    const count = (await port.countDefinitions?.(many, never)) ?? 0;
    expect(count / (300 * one)).toBeCloseTo(1, 1);
  });
});

const define0 = () => ({
  id: 'math/sum',
  server: 'math',
  name: 'math_sum',
  description: 'Adds',
  inputSchema: { type: 'object', properties: {} },
});
