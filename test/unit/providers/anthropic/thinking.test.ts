import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { runTurn } from '../../../../src/core/turn/turn';
import { createAnthropicPort } from '../../../../src/providers/anthropic/anthropicPort';
import { Capabilities } from '../../../../src/providers/capabilities';
import { makeRequest, makeTool, makeWorld, schema, TestSink } from '../../core/turn/world';
import { inProcess } from '../inProcess';

const ECHO = makeTool('math', 'echo', 'Does echo', { inputSchema: schema({ x: { type: 'string' } }, ['x']) });

/** A chat with a model whose thinking is bound to its prefix. */
function chat(faults: readonly string[] = []) {
  const service = inProcess(new Set(faults));
  const port = createAnthropicPort({
    model: 'claude-opus-5-5',
    name: 'Claude',
    apiKey: 'sk-test-think',
    baseUrl: 'https://claude.test',
    capabilities: new Capabilities(),
    fetch: service.fetch,
  });
  const world = makeWorld([ECHO]);
  const self = {
    ...service,
    history: [] as Transcript,
    thoughts: '',
    async ask(prompt: string) {
      const sink = new TestSink();
      const thinking = (delta: string) => {
        self.thoughts += delta;
      };
      const shows = Object.assign(sink, { thinking });
      const request = makeRequest(port, { prompt, history: self.history });
      const outcome = await runTurn(world, request, shows, new AbortController().signal);
      self.history = [...self.history, ...outcome.items];
      return { ...outcome, warnings: sink.warnings };
    },
    /** Changes what was said before, as a defect of ours would: nothing notices it but the service. */
    rewrite() {
      const unbound = JSON.stringify(self.history, (key, value) => (key === 'after' ? undefined : value));
      self.history = JSON.parse(unbound.replaceAll('echo x=a', 'echo x=b'));
    },
  };
  return self;
}

const thinkingIn = (body: { readonly messages: unknown }) =>
  JSON.stringify(body.messages).split('"thinking"').length - 1;

describe('Thinking that is bound to its prefix', () => {
  it('is asked for in summaries, shown, and sent back', async () => {
    const it = chat();
    await it.ask('echo x=a');
    await it.ask('echo x=c');
    expect(it.served.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(it.served[0]?.body.thinking).toMatchObject({ type: 'adaptive', display: 'summarized' });
    expect(it.thoughts).toContain('The user asks: echo x=a');
    expect(thinkingIn(it.served.at(-1)?.body)).toBeGreaterThan(2);
  });

  it('that the service drops is said once, and not sent again', async () => {
    const it = chat();
    await it.ask('echo x=a');
    it.rewrite();
    const { status, warnings } = await it.ask('echo x=c');
    expect(status).toBe('answered');
    expect(it.served.some(({ dropped }) => dropped > 0)).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('without what it thought before')]);
    const from = it.served.length;
    expect((await it.ask('echo x=d')).warnings).toEqual([]);
    expect(it.served.slice(from).map(({ dropped }) => dropped)).toEqual([0, 0]);
  });

  it('that is refused is left out of one retry', async () => {
    const it = chat(['nobinding']);
    await it.ask('echo x=a');
    it.rewrite();
    const { status, warnings } = await it.ask('echo x=c');
    expect(status).toBe('answered');
    expect(warnings).toEqual([expect.stringContaining('without what it thought before')]);
    expect(it.served.filter(({ error }) => error?.includes('different conversation'))).toHaveLength(1);
    const from = it.served.length;
    expect((await it.ask('echo x=d')).status).toBe('answered');
    expect(it.served.slice(from).flatMap(({ error }) => error ?? [])).toEqual([]);
  });

  it('whose own prefix has changed is left out before anybody refuses it', async () => {
    const it = chat();
    await it.ask('echo x=a');
    it.history = JSON.parse(JSON.stringify(it.history).replaceAll('echo x=a', 'echo x=b'));
    expect((await it.ask('echo x=c')).warnings).toEqual([]);
    expect(it.served.map(({ dropped }) => dropped)).toEqual([0, 0, 0, 0]);
  });
});

describe('A reply that is new to us', () => {
  it('keeps a block that comes in deltas of an unknown kind', async () => {
    const it = chat(['compaction']);
    await it.ask('echo x=a');
    await it.ask('echo x=c');
    expect(it.served.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(it.served.at(-1)?.body.messages.flatMap(({ content }: { content: unknown }) => content)).toContainEqual({
      type: 'compaction',
      content: 'A summary.',
      encrypted_content: 'c3VtbWFyeQ==',
    });
  });

  it('of a stream that began again holds one attempt’s thinking', async () => {
    const it = chat(['restart']);
    await it.ask('echo x=a');
    const [reply] = it.history.flatMap((item) => (item.kind === 'assistant' ? (item.opaque ?? []) : []));
    expect(JSON.stringify(reply?.value).split('"signature"')).toHaveLength(2);
    expect((await it.ask('echo x=c')).status).toBe('answered');
  });
});
