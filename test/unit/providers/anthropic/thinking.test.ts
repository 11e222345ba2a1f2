import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../../../src/core/catalog/tool';
import type { Transcript, TranscriptItem } from '../../../../src/core/conversation/transcript';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { type RequestOptions, toRequest } from '../../../../src/providers/anthropic/request';
import { Capabilities } from '../../../../src/providers/capabilities';
import { makeTool, makeWorld, playTurn, schema, TestSink } from '../../core/turn/world';
import { inProcess } from '../inProcess';
import { portOf } from '../ports';
import { requestOf } from '../wires';

const ECHO = makeTool('math', 'echo', 'Does echo', { inputSchema: schema({ x: { type: 'string' } }, ['x']) });

/** A chat with a model whose thinking is bound to its prefix, after one question. */
async function chat(faults: readonly string[] = []) {
  const service = inProcess(new Set(faults));
  const port = portOf('claude-opus-5-5', { name: 'Claude', fetch: service.fetch });
  const world = makeWorld([ECHO]);
  const self = {
    ...service,
    history: [] as Transcript,
    thoughts: '',
    async ask(prompt: string) {
      const sink = new TestSink();
      Object.assign(sink, { thinking: (delta: string) => (self.thoughts += delta) });
      const outcome = await playTurn(world, port, { prompt, history: self.history, sink });
      self.history = [...self.history, ...outcome.items];
      return { ...outcome, warnings: sink.warnings };
    },
    /** Changes earlier messages, as a defect of the extension would. Only the service notices it unless `bound`. */
    rewrite(bound = false) {
      const unbound = JSON.stringify(self.history, (key, value) => (key === 'after' && !bound ? undefined : value));
      self.history = JSON.parse(unbound.replaceAll('echo x=a', 'echo x=b'));
    },
  };
  await self.ask('echo x=a');
  return self;
}

const thinkingIn = (body: { readonly messages: unknown }) =>
  JSON.stringify(body.messages).split('"thinking"').length - 1;

describe('Thinking that is bound to its prefix', () => {
  it('is asked for in summaries, shown, and sent back', async () => {
    const it = await chat();
    await it.ask('echo x=c');
    expect(it.served.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(it.served[0]?.body.thinking).toMatchObject({ type: 'adaptive', display: 'summarized' });
    expect(it.thoughts).toContain('The user asks: echo x=a');
    expect(thinkingIn(it.served.at(-1)?.body)).toBeGreaterThan(2);
  });

  it.each([
    ['that the service drops is said once, and not sent again', []],
    ['that is refused is left out of one retry', ['nobinding']],
  ])('%s', async (_, faults) => {
    const it = await chat(faults);
    it.rewrite();
    const { status, warnings } = await it.ask('echo x=c');
    expect(status).toBe('answered');
    expect(warnings).toEqual([expect.stringContaining('without its earlier thinking')]);
    const refused = it.served.filter(({ error }) => error?.includes('different conversation'));
    expect([refused.length, it.served.some(({ dropped }) => dropped > 0)]).toEqual(
      faults.length > 0 ? [1, false] : [0, true],
    );
    const from = it.served.length;
    expect(await it.ask('echo x=d')).toMatchObject({ status: 'answered', warnings: [] });
    expect(it.served.slice(from).map(({ error, dropped }) => [error, dropped])).toEqual(Array(2).fill([undefined, 0]));
  });

  it('whose own prefix has changed is left out before anybody refuses it', async () => {
    const it = await chat();
    it.rewrite(true);
    expect((await it.ask('echo x=c')).warnings).toEqual([]);
    expect(it.served.map(({ dropped }) => dropped)).toEqual([0, 0, 0, 0]);
  });
});

describe('A reply that is new to us', () => {
  it('keeps a block that comes in deltas of an unknown kind', async () => {
    const it = await chat(['compaction']);
    await it.ask('echo x=c');
    expect(it.served.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(it.served.at(-1)?.body.messages.flatMap(({ content }: { content: unknown }) => content)).toContainEqual({
      type: 'compaction',
      content: 'A summary.',
      encrypted_content: 'c3VtbWFyeQ==',
    });
  });

  it('of a stream that began again holds one attempt’s thinking', async () => {
    const it = await chat(['restart']);
    const [reply] = it.history.flatMap((item) => (item.kind === 'assistant' ? (item.opaque ?? []) : []));
    expect(JSON.stringify(reply?.value).split('"signature"')).toHaveLength(2);
    expect((await it.ask('echo x=c')).status).toBe('answered');
  });
});

describe('Thinking after a search in its own reply', () => {
  const tools = ['sum', 'echo'].map((name) => definitionOf(makeTool('math', name)).definition);
  const options: RequestOptions = {
    model: 'claude-haiku-5-5',
    capability: new Capabilities().of('anthropic', 'claude-haiku-5-5'),
  };
  const first = requestOf({ deferred: tools, delivery: 'server' });
  const thought = (signature: string) => ({ type: 'thinking', thinking: 'Hm.', signature });
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: { query: 'sum' } };
  const found = {
    type: 'tool_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { tool_references: [{ type: 'tool_reference', tool_name: 'math_sum' }] },
  };
  const reply: TranscriptItem = {
    kind: 'assistant',
    text: 'Found it.',
    calls: [],
    opaque: [
      {
        wire: 'anthropic',
        model: 'claude-haiku-5-5',
        value: [thought('a'), search, found, thought('b'), { type: 'text', text: 'Found it.' }],
        after: toRequest(first, options).after,
      },
    ],
  };
  const later = (deferred: readonly ToolDefinition[]) =>
    toRequest(
      { ...first, deferred, transcript: [...first.transcript, reply, { kind: 'user', text: 'go on' }] },
      options,
    );

  it('is kept while the search is sent back as it came', () => expect(thinkingIn(later(tools).body)).toBe(4));

  it('is left out once a found tool is gone', () => expect(thinkingIn(later(tools.slice(1)).body)).toBe(0));
});
