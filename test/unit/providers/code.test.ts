// Code that a provider runs, which calls our tools: what holds for Claude's code and for GPT's programs.
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../src/core/settings/settings';
import { useChats } from './chats';

const CODE: Partial<Settings> = { allowedCallers: { 'math/*': 'both' }, eagerTools: { math: ['*'] } };

/** The input tokens of a request, as its service reports them. */
const inputOf = (usage: { readonly [key: string]: number } = {}) =>
  (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);

describe.each([
  {
    wire: 'Claude',
    model: 'claude-sonnet-4-6',
    without: 'claude-haiku-4-5',
    word: 'code_execution',
    gaveUp: 'TimeoutError',
    refused: 'lets no code call tools after all',
  },
  {
    wire: 'GPT',
    model: 'gpt-5.6-sol',
    without: 'gpt-5.4',
    word: '"program"',
    gaveUp: 'The program took too',
    refused: 'lets no program call tools after all',
  },
])('Code of $wire', ({ model, without, word, gaveUp, refused }) => {
  const { chat, portOf } = useChats();

  it('is in the ledger with its calls, at the service’s cost', async () => {
    const talk = chat(CODE);
    const { asked } = await talk.ask('code: get-sum a=2 b=40; echo message=hi', portOf(model));
    const [started] = talk.events('scriptStarted');
    expect(started).toMatchObject({ where: 'provider', code: expect.stringContaining('get-sum') });
    const { callId } = started as { callId: string };
    expect(talk.events('called')).toMatchObject([
      { tool: 'math/get-sum', script: callId },
      { tool: 'math/echo', script: callId },
    ]);
    const figures = { calls: 2, failed: 0, servers: ['math'], returnedChars: 9, countedChars: 9 };
    expect(talk.events('scriptEnded')).toMatchObject([{ callId, outcome: 'ok', output: '42\nsaid hi', ...figures }]);
    const reported = asked.map(({ usage }) => ({ value: inputOf(usage), certainty: 'measured' }));
    expect(reported[1]?.value).toBe(0);
    expect(talk.events('roundEnded')).toMatchObject(reported.map((sent) => ({ tokens: { sent } })));
  });

  it('that never ended becomes plain calls', async () => {
    const talk = chat(CODE);
    const stop = new AbortController();
    talk.onRun(() => stop.abort());
    const cut = await talk.ask('code: get-sum a=2 b=40; get-sum a=1 b=1', portOf(model), { signal: stop.signal });
    expect(cut.status).toBe('cancelled');
    expect(talk.events('scriptEnded')).toMatchObject([{ outcome: 'cancelled' }]);
    const { refused, status, asked } = await talk.ask('get-sum a=3 b=4', portOf(model));
    expect({ refused, status }).toEqual({ refused: [], status: 'answered' });
    expect(JSON.stringify(asked[0]?.body.messages ?? asked[0]?.body.input)).not.toContain(word);
  });

  it('says so if the service gave up waiting for its calls', async () => {
    const talk = chat(CODE);
    const { answer } = await talk.ask('code: get-sum a=2 b=40 [[fault:timeout]]', portOf(model));
    expect(answer).toContain(gaveUp);
    expect(talk.events('scriptEnded')).toMatchObject([{ outcome: 'failed' }]);
  });

  it('is missing with a model that has none; the user learns once', async () => {
    const talk = chat(CODE);
    const older = portOf(without);
    const first = await talk.ask('get-sum a=2 b=40', older);
    expect(first).toMatchObject({ answer: '42', refused: [] });
    expect(first.sink.warnings).toEqual([expect.stringContaining('can’t call tools from its own code')]);
    expect((await talk.ask('get-sum a=1 b=1', older)).sink.warnings).toEqual([]);
    expect(JSON.stringify(first.asked)).not.toContain(word);
  });

  it('that the service refuses after all is left out, with one warning', async () => {
    const talk = chat(CODE);
    const port = portOf(model);
    const { answer, sink } = await talk.ask('get-sum a=2 b=40 [[fault:nocode]]', port);
    expect(answer).toBe('42');
    expect(sink.warnings).toEqual([expect.stringContaining(refused)]);
    expect(port.info.runsCode).toBe(false);
  });
});
