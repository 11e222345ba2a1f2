import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { CountRefused, ModelError, type ModelEvent, type ModelRequest } from '../../../../src/core/ports';
import { createVscodeLmPort } from '../../../../src/providers/vscodeLm/vscodeLmPort';
import { result, results, said, user } from '../../../data/items';
import {
  type LanguageModelChatMessage,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from '../../shim/parts';

const never = new AbortController().signal;

/** A model of VS Code with this answer; `sent` holds its requests. */
function model(answer: (token: vscode.CancellationToken) => AsyncIterable<unknown>, rest: object = {}) {
  const sent: {
    messages: LanguageModelChatMessage[];
    tools: readonly vscode.LanguageModelChatTool[];
    toolMode?: vscode.LanguageModelChatToolMode;
  }[] = [];
  const asVscode = {
    id: 'm',
    vendor: 'v',
    name: 'Model M',
    maxInputTokens: 1000,
    sendRequest: async (
      messages: LanguageModelChatMessage[],
      { tools = [], toolMode }: vscode.LanguageModelChatRequestOptions,
      token: vscode.CancellationToken,
    ) => {
      sent.push({ messages, tools, ...(toolMode !== undefined && { toolMode }) });
      return { stream: answer(token) };
    },
    countTokens: async (text: string) => text.length,
    ...rest,
  } as unknown as vscode.LanguageModelChat;
  return { port: createVscodeLmPort(asVscode), sent };
}

async function* parts(...all: unknown[]): AsyncGenerator<unknown> {
  yield* all;
}

const REQUEST: ModelRequest = {
  system: 'Search first.',
  transcript: [
    user('add'),
    said('Well', [{ callId: 'c1', name: 'math_sum', input: { a: 1 } }]),
    results(result('c1', '3')),
  ],
  tools: [{ id: 'math/sum', server: 'math', name: 'math_sum', description: 'Adds', inputSchema: { type: 'object' } }],
  required: [],
} as unknown as ModelRequest;

async function send({ port }: ReturnType<typeof model>, signal = never, request = REQUEST): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of port.send(request, signal)) events.push(event);
  return events;
}

/** What a silent model with these properties gets of a request. */
async function sentOf(differs: Partial<ModelRequest> = {}, rest: object = {}) {
  const asked = model(() => parts(), rest);
  await send(asked, never, { ...REQUEST, ...differs });
  return asked.sent[0];
}

describe('images of results', () => {
  const IMAGE = { type: 'image' as const, mimeType: 'image/png', bytes: 3, data: 'QUFB' };
  const shown = [{ type: 'text' as const, text: 'a page' }, IMAGE, { ...IMAGE, mimeType: 'image/tiff' }];
  const transcript = [...REQUEST.transcript.slice(0, 2), results(result('c1', { parts: shown }))];
  const sentTo = async (capabilities: object) => {
    const [part] = (await sentOf({ transcript }, { capabilities }))?.messages.at(-1)?.content ?? [];
    return part instanceof LanguageModelToolResultPart ? part.content : undefined;
  };

  it('reach a model that reads images', async () => {
    expect(await sentTo({ supportsImageToText: true })).toEqual([
      new LanguageModelTextPart('a page'),
      new LanguageModelDataPart(Buffer.from('AAA'), 'image/png'),
      new LanguageModelTextPart('[image/tiff, 3 bytes, not shown]'),
    ]);
  });

  it('are named to any other model', async () => {
    const text = 'a page\n[image/png, 3 bytes, not shown]\n[image/tiff, 3 bytes, not shown]';
    for (const capabilities of [{}, { supportsImageToText: false }])
      expect(await sentTo(capabilities)).toEqual([new LanguageModelTextPart(text)]);
  });
});

describe('a model of VS Code', () => {
  it('gets the guidance first, then the conversation, and the tools', async () => {
    const sent = await sentOf();
    expect(
      sent?.messages.map(({ role, content }) => ({ role, content: content.map((part) => ({ ...part })) })),
    ).toMatchObject([
      { role: 1, content: [{ value: 'Search first.' }] },
      { role: 1, content: [{ value: 'add' }] },
      { role: 2, content: [{ value: 'Well' }, { callId: 'c1', name: 'math_sum', input: { a: 1 } }] },
      { role: 1, content: [{ callId: 'c1', content: [{ value: '3' }] }] },
    ]);
    expect(sent?.tools).toEqual([{ name: 'math_sum', description: 'Adds', inputSchema: { type: 'object' } }]);
  });

  it('must call the only tool if the prompt names it', async () => {
    const required = ['math_sum'];
    expect((await sentOf({ required }))?.toolMode).toBe(2);
    expect((await sentOf())?.toolMode).toBeUndefined();
    expect((await sentOf({ required, tools: [...REQUEST.tools, ...REQUEST.tools] }))?.toolMode).toBeUndefined();
  });

  it('gets notes before the question: it reads the last message so', async () => {
    const sent = await sentOf({ transcript: [user('add'), user('(Tools have come.)', { note: true })] });
    const texts = sent?.messages.map(({ content }) => content.map((part) => (part as { value?: string }).value));
    expect(texts).toEqual([['Search first.'], ['(Tools have come.)'], ['add']]);
  });

  it('gets no empty message for a note on tools of another model', async () => {
    const sent = await sentOf({ transcript: [user('add'), user('', { note: true, left: ['math_sum'] })] });
    expect(sent?.messages).toHaveLength(2);
  });

  it('says texts and calls; what nobody knows is passed over', async () => {
    const call = new LanguageModelToolCallPart('c2', 'math_sum', { a: 2 });
    const events = await send(model(() => parts(new LanguageModelTextPart('It is '), { thinking: '…' }, call)));
    expect(events.filter(({ type }) => type === 'text' || type === 'call')).toEqual([
      { type: 'text', text: 'It is ' },
      { type: 'call', callId: 'c2', name: 'math_sum', input: { a: 2 } },
    ]);
  });

  it.each<[string, Error, RegExp]>([
    ['isn’t allowed', LanguageModelError.NoPermissions(), /not allowed Tool Search to use Model M/],
    ['is gone', LanguageModelError.NotFound(), /Model M is no longer available/],
    ['refuses', LanguageModelError.Blocked('too rude'), /Model M refused the request: too rude/],
    ['fails in any other way', new Error('out of memory'), /Model M failed: out of memory/],
  ])('that %s says so', async (_, error, words) => {
    const failing = model(async function* () {
      yield* [];
      throw error;
    });
    const failure = await send(failing).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(ModelError);
    expect((failure as Error).message).toMatch(words);
  });

  it('gets a signal when the question is cancelled, and isn’t asked again', async () => {
    const abort = new AbortController();
    let cancelled = false;
    const asked = model(async function* (token) {
      token.onCancellationRequested(() => {
        cancelled = true;
      });
      yield new LanguageModelTextPart('x');
      abort.abort();
    });
    await send(asked, abort.signal);
    expect(cancelled).toBe(true);
    await send(asked, abort.signal);
    expect(asked.sent).toHaveLength(1);
  });

  it('counts, unless it has no tokeniser', async () => {
    const count = (rest?: object) => model(() => parts(), rest).port.countTokens('four', never);
    expect(await count()).toBe(4);
    await expect(count({ countTokens: async () => 0 })).rejects.toThrow(CountRefused);
    await expect(count({ id: 'search-only' })).rejects.toThrow(CountRefused);
  });

  it('counts as calling tools unless VS Code says no', () => {
    expect(model(() => parts()).port.info).toMatchObject({ id: 'm', vendor: 'v', toolCalling: true, maxTools: 128 });
    expect(model(() => parts(), { capabilities: { supportsToolCalling: false } }).port.info.toolCalling).toBe(false);
  });
});
