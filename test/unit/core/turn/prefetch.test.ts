import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { readTranscript } from '../../../../src/core/conversation/transcriptSchema';
import { reportTurn } from '../../../../src/core/ledger/report';
import type { ModelEvent, ModelRequest } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import { runTurn } from '../../../../src/core/turn/turn';
import { toRequest } from '../../../../src/providers/anthropic/request';
import { buildRequest } from '../../../../src/providers/openai/request';
import { call, filler, makeRequest, makeTool, makeWorld, ScriptedModel, TestSink, text } from './world';

const TOOLS = [
  makeTool('math', 'sum', 'Returns the sum of two numbers'),
  makeTool('weather', 'forecast', 'The weather forecast of a city for the next days'),
  makeTool('notes', 'find_notes', 'Finds notes by their words'),
  makeTool('notes', 'find_tags', 'Finds tags of notes by their words'),
  makeTool('sky', 'planets', 'Lists the planets of a star'),
  ...filler('other', 40),
];
const NATIVE = { native: { strategies: ['bm25'], references: true, maxDeferred: 1_000 } };
const PLAIN = 'the sum of two numbers, please';
const PLANETS = 'the planets of a star';
const CALLS: readonly (readonly ModelEvent[])[] = [[call('math_sum', {})], [text('3')]];
const ANSWERS: readonly (readonly ModelEvent[])[] = [[text('Hello.')]];

/** A conversation, as VS Code hands it back. */
function conversation(settings: Partial<Settings> = {}) {
  const world = makeWorld(TOOLS);
  let history: Transcript = [];
  return {
    world,
    async ask(
      prompt: string,
      script: readonly (readonly ModelEvent[])[],
      rest: Parameters<typeof makeRequest>[1] = {},
    ) {
      const model = new ScriptedModel(script, { info: NATIVE });
      const request = makeRequest(model, {
        prompt,
        history,
        ...rest,
        settings: { prefetch: 'auto', delivery: 'local', ...settings, ...rest.settings },
      });
      const sink = new TestSink();
      const { items, turn, answer } = await runTurn(world, request, sink, new AbortController().signal);
      history = readTranscript(JSON.parse(JSON.stringify([...history, ...items]))) ?? [];
      const events = world.ledger.events.filter((event) => event.turn === turn);
      return { requests: model.requests, sink, report: reportTurn(world.ledger.events, turn, answer), events };
    },
  };
}

const names = (request: ModelRequest | undefined) => request?.tools.map((tool) => tool.name) ?? [];

describe('a question that names its tool plainly', () => {
  it('has it in the first request, and takes a model call less', async () => {
    const { requests, report, events, sink } = await conversation().ask(PLAIN, CALLS);
    expect(names(requests[0])).toEqual(['search_tools', 'math_sum']);
    expect(names(requests[1])).toEqual(names(requests[0]));
    expect(report).toMatchObject({
      rounds: 2,
      discovered: ['math/sum'],
      foundBefore: { tools: ['math/sum'], used: true, roundsSaved: 1, tokens: { value: expect.any(Number) } },
    });
    const [search] = events.filter((event) => event.type === 'searched');
    expect(search).toMatchObject({ before: true, query: PLAIN, round: 1, strategy: 'bm25' });
    expect(sink.events).toContain('found math/sum');
  });

  it('costs what it brings: the definition is discovered, the search is overhead', async () => {
    const { events } = await conversation().ask(PLAIN, CALLS);
    const rounds = (found: typeof events) =>
      found.flatMap((event) => (event.type === 'roundEnded' ? [event.tokens] : []));
    const off = rounds((await conversation({ prefetch: 'off' }).ask(PLAIN, ANSWERS)).events);
    const [first] = rounds(events);
    expect(first?.discovered.value).toBeGreaterThan(0);
    expect(first?.searchOverhead.value).toBeGreaterThan(off[0]?.searchOverhead.value ?? 0);
  });

  it('saves no call where the model searches all the same', async () => {
    const search = call('search_tools', { queries: ['sum'] });
    const { report } = await conversation().ask(PLAIN, [[search], ...CALLS]);
    expect(report?.foundBefore).toMatchObject({ used: true, roundsSaved: 0 });
  });

  it('is searched with what the user typed, not with what is attached', async () => {
    const prompt = `${PLAIN}\n\n<attachment name="a">${'weather forecast of a city '.repeat(100)}</attachment>`;
    const { report } = await conversation().ask(prompt, ANSWERS, { typed: PLAIN });
    expect(report?.foundBefore?.tools).toEqual(['math/sum']);
    expect((await conversation().ask(prompt, ANSWERS)).report?.foundBefore).toBeUndefined();
  });

  it.each([
    ['bridge', { delivery: 'bridge' }],
    ['server', { delivery: 'server' }],
    ['off', { prefetch: 'off' }],
    ['another strategy', { strategy: 'exact' }],
    ['nothing deferred', { mode: 'off' }],
    ['left to scripts', { allowedCallers: { 'math/*': 'code' }, codeMode: 'on' }],
  ] as const)('isn’t searched with: %s', async (_, settings) => {
    const world = conversation();
    const code =
      settings && 'codeMode' in settings
        ? { sandbox: { unavailable: undefined }, shapes: { of: () => undefined } }
        : undefined;
    const { report } = await world.ask(PLAIN, ANSWERS, { settings, ...(code ? { code: code as never } : {}) });
    expect(report?.foundBefore).toBeUndefined();
  });

  it('finds nothing before where two tools fit, where the request has it already, or where it was found', async () => {
    const { ask } = conversation();
    expect((await ask('find notes by their words', ANSWERS)).report?.foundBefore).toBeUndefined();
    const eager = await ask(PLAIN, ANSWERS, { settings: { eagerTools: { math: ['*'] } } });
    expect(eager.report?.foundBefore).toBeUndefined();
    expect((await ask(PLAIN, CALLS)).report?.foundBefore).toBeDefined();
    expect((await ask(PLAIN, CALLS)).report?.foundBefore).toBeUndefined();
  });

  it('stops for a conversation after two that weren’t used', async () => {
    const { ask } = conversation();
    const found = async (prompt: string, script = ANSWERS) =>
      (await ask(prompt, script)).report?.foundBefore !== undefined;
    expect(await found('the weather forecast of a city')).toBe(true);
    expect(await found(PLAIN, CALLS)).toBe(true);
    expect(await found('tags of notes')).toBe(true);
    expect(await found(PLANETS)).toBe(false);
    expect((await conversation().ask(PLANETS, ANSWERS)).report?.foundBefore).toBeDefined();
  });

  it('counts as used where a script calls it', async () => {
    const { ask } = conversation();
    const script = (code: string) => [[call('run_code', { code })], [text('done')]];
    await ask('the weather forecast of a city', script('return await tools.weather_forecast({})'));
    await ask('find tags of notes', script('return await tools.notes_find_tags({})'));
    expect((await ask(PLAIN, ANSWERS)).report?.foundBefore).toBeDefined();
  });
});

describe('what was found before goes over the wires in the form of a search of ours', () => {
  const first = async (delivery: Settings['delivery']) => {
    const { requests } = await conversation({ delivery }).ask(PLAIN, CALLS);
    return requests[0] as ModelRequest;
  };
  const off = async () =>
    (await conversation({ delivery: 'client', prefetch: 'off' }).ask(PLAIN, ANSWERS)).requests[0] as ModelRequest;
  const capability = { maxOutputTokens: 64_000, forcesTools: true, strategies: ['bm25', 'regex'], code: false };

  it('to Claude as a reference, behind definitions that stay as they are', async () => {
    const request = toRequest(await first('client'), { model: 'claude', capability });
    expect(request.tools).toEqual(toRequest(await off(), { model: 'claude', capability }).tools);
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(request.messages[1]?.content).toMatchObject([
      { type: 'tool_use', name: 'search_tools', input: { queries: ['sum two numbers'] } },
    ]);
    const told = { type: 'text', text: expect.stringContaining('before you read it') };
    expect(request.messages[2]?.content).toMatchObject([
      { type: 'tool_result', content: [{ type: 'tool_reference', tool_name: 'math_sum' }] },
      told,
    ]);
  });

  it('to GPT as the output of a search', async () => {
    const request = buildRequest(await first('client'), { model: 'gpt', reasoning: false });
    expect(request.tools).toEqual(buildRequest(await off(), { model: 'gpt', reasoning: false }).tools);
    expect([request.input].flat().slice(1, 3)).toMatchObject([
      { type: 'tool_search_call', execution: 'client' },
      { type: 'tool_search_output', tools: [{ tools: [{ name: 'math_sum' }] }] },
    ]);
  });

  it('to any other model as a call of search_tools and its answer', async () => {
    const { transcript } = await first('local');
    expect(transcript.slice(1)).toMatchObject([
      { kind: 'assistant', calls: [{ name: 'search_tools' }] },
      { kind: 'results', results: [{ outcome: 'ok', search: { found: ['math/sum'], before: true } }] },
    ]);
  });
});
