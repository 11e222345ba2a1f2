import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { modelFacts } from '../../../../src/core/models/modelFacts';
import { ownDefinitions } from '../../../../src/core/planning/ownTools';
import type { ModelRequest } from '../../../../src/core/ports';
import { type RequestOptions, toCountRequest, toRequest } from '../../../../src/providers/anthropic/request';
import { result, results, said, searchOf, user } from '../../../data/items';
import { refuse } from '../../../standin/anthropicRules.mjs';
import { anyTranscript, TODAY } from '../../core/conversation/anyTranscript';
import { holds } from '../../property';
import { requestOf } from './wire';

const OPTIONS: RequestOptions = {
  model: 'claude-sonnet-4-6',
  capability: modelFacts('anthropic', 'claude-sonnet-4-5').features,
};
const { sum, echo, read } = TODAY;
const OWN = ownDefinitions('client');
const CACHED = { cache_control: { type: 'ephemeral' } };
const toolsOf = (request: ModelRequest) =>
  toRequest(request, OPTIONS).body.tools as { name: string; defer_loading?: boolean; cache_control?: object }[];
const messagesOf = (request: ModelRequest) =>
  toRequest(request, OPTIONS).body.messages as { role: string; content: { type: string }[] }[];

/** The kinds of a request's blocks, a text for each message. */
const kindsIn = (request: ModelRequest) =>
  messagesOf(request).map(({ content }) => content.map(({ type }) => type).join());

const search = searchOf('math/sum', 'gone/tool');
const found = (id: string, ...names: string[]) => [
  { type: 'server_tool_use', id, name: 'tool_search_tool_bm25', input: { query: 'add' }, caller: { type: 'direct' } },
  {
    type: 'tool_search_tool_result',
    tool_use_id: id,
    content: {
      type: 'tool_search_tool_search_result',
      tool_references: names.map((name) => ({ type: 'tool_reference', tool_name: name })),
    },
  },
];
const ownReply = (value: object[], rest: { model?: string } = {}) => [
  { wire: 'anthropic' as const, value: value as never, ...rest },
];

describe('the tools of a request', () => {
  it('are the search tool, then the eager ones, then the deferred ones', () => {
    const tools = toolsOf(requestOf({ tools: [sum], deferred: [echo, read] }));
    expect(tools.map(({ name, defer_loading }) => [name, defer_loading])).toEqual([
      ['tool_search_tool_bm25', undefined],
      ['math_sum', undefined],
      ['math_echo', true],
      ['files_read', true],
    ]);
    expect(toolsOf(requestOf({ strategy: 'regex', deferred: [echo] }))[0]).toMatchObject({
      type: 'tool_search_tool_regex_20251119',
    });
  });

  it('have no provider search if we search or nothing is deferred', () => {
    expect(toolsOf(requestOf({ delivery: 'client', tools: OWN, deferred: [sum] })).map((tool) => tool.name)).toEqual([
      'search_tools',
      'math_sum',
    ]);
    expect(toolsOf(requestOf({ tools: [sum] })).map((tool) => tool.name)).toEqual(['math_sum']);
  });

  it('carry the cache’s breakpoint on the last one that isn’t deferred', () => {
    const breakpoints = (request: Partial<ModelRequest>) =>
      toolsOf(requestOf(request)).map((tool) => tool.cache_control);
    const { cache_control } = CACHED;
    expect(breakpoints({ tools: [sum], deferred: [echo] })).toEqual([undefined, cache_control, undefined]);
    expect(breakpoints({ deferred: [echo] })).toEqual([cache_control, undefined]);
  });

  it('are never all deferred', () => {
    const tools = toolsOf(requestOf({ delivery: 'client', deferred: [sum, echo] }));
    expect(tools.map((tool) => tool.defer_loading)).toEqual([undefined, true]);
  });

  it('carry examples in their own field', () => {
    const [tool] = toolsOf(requestOf({ tools: [{ ...sum, examples: [{ args: { x: '1' }, description: 'one' }] }] }));
    expect(tool).toMatchObject({ description: 'Does sum\nExample 1: one', input_examples: [{ x: '1' }] });
  });

  it('are required if the prompt names them and the model allows', () => {
    const choice = (required: string[], options = OPTIONS, callers?: 'both' | 'code') =>
      toRequest(requestOf({ tools: [{ ...sum, ...(callers && { callers }) }, echo], required }), options).body
        .tool_choice;
    expect(choice([])).toBeUndefined();
    expect(choice(['math_sum'])).toEqual({ type: 'tool', name: 'math_sum' });
    expect(choice(['math_sum', 'math_echo'])).toEqual({ type: 'any' });
    expect(choice(['math_sum', 'joined_later'])).toEqual({ type: 'any' });
    expect(choice(['not_there'])).toBeUndefined();
    expect(choice(['math_sum'], OPTIONS, 'both')).toEqual({ type: 'tool', name: 'math_sum' });
    expect(choice(['math_sum'], OPTIONS, 'code')).toBeUndefined();
    const unforced = { ...OPTIONS, capability: { ...OPTIONS.capability, forcesTools: false } };
    expect(choice(['math_sum'], unforced)).toBeUndefined();
  });

  it('are counted without the provider’s search tool', () => {
    const request = requestOf({ system: 'Be brief.', deferred: [sum, echo] });
    expect(toCountRequest(request, OPTIONS).body.tools).toMatchObject([
      { name: 'math_sum', defer_loading: true },
      { name: 'math_echo', defer_loading: true },
    ]);
    expect(toCountRequest(requestOf(), OPTIONS).body).not.toHaveProperty('tools');
  });
});

describe('a conversation on the wire', () => {
  it('plays a reply back as it came, with valid references', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'text', text: 'I search.' },
      ...found('srvtoolu_1', 'math_sum', 'gone_tool'),
      { type: 'tool_use', id: 'toolu_1', name: 'math_sum', input: { x: '1' }, caller: { type: 'direct' } },
    ];
    const request = requestOf({
      deferred: [sum],
      transcript: [
        user('add'),
        said('I search.', [{ callId: 'toolu_1', name: 'math_sum', input: { x: '1' } }], {
          searches: [search],
          opaque: ownReply(content, { model: OPTIONS.model }),
        }),
        results(result('toolu_1', '3')),
      ],
    });
    const messages = messagesOf(request);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]?.content).toEqual([
      content[0],
      content[1],
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: { query: 'add' } },
      found('srvtoolu_1', 'math_sum')[1],
      { type: 'tool_use', id: 'toolu_1', name: 'math_sum', input: { x: '1' } },
    ]);
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '3' }], ...CACHED },
    ]);
    expect(refuse(toRequest(request, OPTIONS).body)).toBeUndefined();
  });

  it('answers our own search with references, otherwise with text', () => {
    const exchange = (ids: string[]) => [
      user('add'),
      said('', [{ callId: 'toolu_1', name: 'search_tools', input: { queries: ['add'] } }]),
      results(result('toolu_1', '{"message":"…"}', { search: searchOf(...ids) })),
    ];
    const last = (ids: string[], rest: Partial<ModelRequest> = {}) =>
      messagesOf(
        requestOf({ delivery: 'client', tools: OWN, deferred: [sum, echo], transcript: exchange(ids), ...rest }),
      ).at(-1)?.content[0];
    expect(last(['math/sum', 'gone/tool', 'math/echo'])).toMatchObject({
      content: [
        { type: 'tool_reference', tool_name: 'math_sum' },
        { type: 'tool_reference', tool_name: 'math_echo' },
      ],
    });
    expect(last(['gone/tool'])).toMatchObject({ content: [{ type: 'text', text: '{"message":"…"}' }] });
    expect(last(['math/sum'], { delivery: 'local', deferred: [] })).toMatchObject({ content: [{ type: 'text' }] });
  });

  it('renders another provider’s search as references', () => {
    const searches = [{ ...search, strategy: 'provider' }];
    const found = said('Found it.', [], { searches, opaque: [{ wire: 'openai', value: [] }] });
    const transcript = [user('add'), found, user('go on')];
    const request = requestOf({ deferred: [sum], transcript });
    expect(kindsIn(request)).toEqual(['text', 'tool_use', 'tool_result', 'text', 'text']);
    expect(messagesOf(request)[2]?.content[0]).toMatchObject({
      content: [{ type: 'tool_reference', tool_name: 'math_sum' }],
    });
  });

  it('keeps a model’s thinking from any other model', () => {
    const blocks = [
      { type: 'thinking', thinking: 'x', signature: 'y' },
      { type: 'text', text: 'b' },
    ];
    const reply = said('b', [], { opaque: ownReply(blocks, { model: 'claude-opus-4-5' }) });
    const transcript = [user('a'), reply, user('c')];
    expect(messagesOf(requestOf({ transcript }))[1]?.content).toEqual([{ type: 'text', text: 'b' }]);
  });

  it('keeps a search apart from a result in the next reply', () => {
    const [asked, answered] = found('srvtoolu_1', 'math_sum');
    const call = { type: 'tool_use', id: 'toolu_1', name: 'math_echo', input: {} };
    const transcript = [
      user('a'),
      said('', [{ callId: 'toolu_1', name: 'math_echo', input: {} }], { opaque: ownReply([asked ?? {}, call]) }),
      results(result('toolu_1', '3')),
      said('ok', [], { searches: [search], opaque: ownReply([answered ?? {}, { type: 'text', text: 'ok' }]) }),
      user('b'),
    ];
    const request = requestOf({ tools: [echo], deferred: [sum], transcript });
    const kinds = ['text', 'server_tool_use,tool_use', 'tool_result', 'tool_search_tool_result,text', 'text'];
    expect(kindsIn(request)).toEqual(kinds);
    // Without the second reply, the results that it answered are missing too.
    const cut = [...transcript.slice(0, 3), said('ok'), user('b')];
    expect(kindsIn({ ...request, transcript: cut })[1]).toBe('tool_use');
  });

  it('shows images of a question', () => {
    const images = [{ type: 'image' as const, mimeType: 'image/png', bytes: 3, data: 'AAAA' }];
    const transcript = [user('look', { images })];
    expect(messagesOf(requestOf({ tools: [sum], transcript }))[0]?.content).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text', text: 'look' },
    ]);
  });

  it('says nothing of a new tool to a model that takes none', () => {
    const transcript = [user('a'), said('b'), user('', { note: true, joined: [echo] }), user('c')];
    expect(kindsIn(requestOf({ tools: [sum], transcript }))).toEqual(['text', 'text', 'text']);
  });

  it('has a note after a reply as text of the question', () => {
    const capability = { ...OPTIONS.capability, systemMessages: true };
    const rolesOf = (...transcript: Transcript) =>
      toRequest(requestOf({ transcript }), { ...OPTIONS, capability }).body.messages.map(({ role }) => role);
    const note = user('(Tools have gone.)', { note: true });
    expect(rolesOf(user('a'), said('b'), note, user('c'))).toEqual(['user', 'assistant', 'user']);
    expect(rolesOf(user('a'), note, said('b'), user('c'))).toEqual(['user', 'system', 'assistant', 'user']);
  });

  it.each([
    ['reference', ['mid-conversation-tool-changes-2026-07-01']],
    ['definition', ['inline-tools-2026-09-15']],
  ] as const)('names the beta of a tool that joins by %s', (addsTools, betas) => {
    const capability = { ...OPTIONS.capability, addsTools, systemMessages: true };
    const transcript = [user('a'), said('b'), user('c', { joined: [echo] })];
    expect(toRequest(requestOf({ tools: [sum], transcript }), { ...OPTIONS, capability }).betas).toEqual(betas);
  });

  it('is valid whatever became of it', () => {
    const blocks = [
      { type: 'text', text: 'hello' },
      { type: 'text', text: ' ' },
      { type: 'thinking', thinking: 'x', signature: 'y' },
      { type: 'tool_use', id: 'a', name: 'math_sum', input: {}, caller: { type: 'direct' } },
      { type: 'tool_use', id: 'b', name: 'gone_tool', input: {} },
      ...found('srvtoolu_1', 'math_sum', 'gone_tool'),
      ...found('srvtoolu_2'),
    ];
    const anyOpaque = fc.oneof(
      fc.constant([{ wire: 'openai' as const, value: [{ type: 'reasoning' }] }]),
      fc
        .record({ model: fc.constantFrom(OPTIONS.model, 'claude-opus-4-5'), value: fc.subarray(blocks) })
        .map(({ model, value }) => ownReply(value, { model })),
      fc.constant(ownReply([])),
    );
    const anyRequest = fc.record({
      transcript: anyTranscript(anyOpaque),
      delivery: fc.constantFrom('server' as const, 'client' as const, 'local' as const),
      strategy: fc.constantFrom('bm25', 'regex'),
      tools: fc.subarray([...OWN, sum]),
      deferred: fc.subarray([sum, echo, read]),
      required: fc.subarray(['math_sum', 'gone_tool']),
      system: fc.constantFrom('', 'Be brief.'),
    });
    holds([anyRequest], { numRuns: 200 }, (request) => {
      expect(refuse(toRequest(request, OPTIONS).body)).toBeUndefined();
      if (request.tools.length > 0)
        expect(refuse(toCountRequest(request, OPTIONS).body, { counting: true })).toBeUndefined();
      expect(JSON.stringify(toRequest(request, OPTIONS))).not.toContain('reasoning');
    });
  });
});
