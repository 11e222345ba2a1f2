import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '../../../src/core/catalog/tool';
import type { ResultPart } from '../../../src/core/conversation/transcript';
import { CountRefused, ModelError, type ModelEvent, type ModelPort } from '../../../src/core/ports';
import { SERVICES } from '../../../src/core/settings/modelServices';
import { explainError } from '../../../src/providers/failures';
import { result, results, said, user } from '../../data/items';
import { ANTHROPIC, definition, KEY, OPENAI, requestOf, streamed, type Wire } from './wires';

afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;
const SUM = definition('math/sum');
const ECHO = definition('text/echo');
const SEARCH = definition('search_tools', { server: '', name: 'search_tools' });

const LIMIT = { refusal: 'limit', unanswered: true };

const typeOf = (event: unknown) => (event as { type?: unknown } | null)?.type ?? 'message_start';
const STREAM = { headers: { 'content-type': 'text/event-stream' } };
/** Events as they are in a stream. */
const written = (events: readonly unknown[]) =>
  events.map((event) => `event: ${typeOf(event)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
/** Whether an event is the stream's end, which needs no further fields. */
const isEnd = (event: unknown) => typeOf(event) === 'message_stop';

/** A port whose service gives these answers in order, and its requests. */
function over(wire: Wire, answers: readonly ((signal?: AbortSignal | null) => Response | Promise<Response>)[]) {
  const sent: { readonly [key: string]: Json }[] = [];
  const port = wire.create(async (_url, init) => {
    const answer = answers[sent.length];
    sent.push(JSON.parse(String(init?.body)));
    if (!answer) throw new TypeError(`No answer ${sent.length}`);
    // A cancelled request gets no answer, as on a network.
    init?.signal?.throwIfAborted();
    return answer(init?.signal);
  });
  return { port, sent };
}

async function hear(port: ModelPort, request = requestOf(), signal = never) {
  const events: ModelEvent[] = [];
  try {
    for await (const event of port.send(request, signal)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { events, error };
  }
}

const usages = (events: readonly ModelEvent[]) => events.flatMap((event) => (event.type === 'usage' ? [event] : []));
const warnings = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
const textOf = (events: readonly ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe.each<Wire>([ANTHROPIC, OPENAI])('The wire of $name', (wire) => {
  const ok = () => streamed(wire.reply('Fine.'));
  const slowDown = (headers: { readonly [name: string]: string }) => () => wire.failure(429, 'slow down', headers);

  it('tells a text, what it cost, and the whole to play back', async () => {
    const { events, error } = await hear(over(wire, [ok]).port);
    expect(error).toBeUndefined();
    expect(textOf(events)).toBe('Fine.');
    expect(usages(events).at(-1)).toEqual({
      type: 'usage',
      usage: { inputTokens: 30, outputTokens: 5, cacheReadTokens: 7, cacheWriteTokens: 3 },
    });
    expect(events.at(-1)).toMatchObject({ type: 'opaque', block: { wire: wire.name } });
  });

  it('says so if an answer takes too many requests', async () => {
    const { port, sent } = over(
      wire,
      Array(9).fill(() => streamed(wire.paused)),
    );
    const { events, error } = await hear(port);
    expect([error, sent.length]).toEqual([undefined, 6]);
    expect(warnings(events)).toEqual(['Model needed more than 6 requests for one answer, so the answer is cut.']);
  });

  it('sends no half character; whole ones and lookalikes stay', async () => {
    const { port, sent } = over(wire, [ok]);
    const text = 'a\ud83d b\ude00 \\ud83d 😀';
    await hear(
      port,
      requestOf({ system: text, transcript: [{ kind: 'user', text }], tools: [{ ...SUM, description: text }] }),
    );
    expect(JSON.stringify(sent[0]).split('a\ufffd b\ufffd \\\\ud83d 😀')).toHaveLength(4);
  });

  it('passes over events that are none, or are about nothing', async () => {
    const odd = [null, 7, [], {}, ...wire.reply('').map(({ type }) => ({ type }))].filter((event) => !isEnd(event));
    const events = wire.reply('fine').flatMap((event) => [...odd, event]);
    const { port } = over(wire, [() => new Response(written(events), STREAM)]);
    const { events: heard, error } = await hear(port);
    expect(error).toBeUndefined();
    expect(textOf(heard)).toBe('fine');
  });

  it('gives up a reply that falls silent, after two minutes', async () => {
    vi.useFakeTimers();
    const heard = hear(over(wire, [() => streamed(wire.reply('Half').slice(0, 4), { open: true })]).port);
    await vi.advanceTimersByTimeAsync(2 * 60_000 + 1_000);
    const { events, error } = await heard;
    expect(error?.message).toBe('Model has sent nothing for 2 minutes, so Tool Search stopped waiting. Ask again.');
    expect(textOf(events)).toBe('Half');
    expect(error?.unanswered).toBe(false);
  });

  it('counts any byte as life, also a ping or a comment', async () => {
    vi.useFakeTimers();
    const encode = (text: string) => new TextEncoder().encode(text);
    const alive = () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            for (let minute = 0; minute < 5; minute++) {
              controller.enqueue(encode(wire === ANTHROPIC ? written([{ type: 'ping' }]) : ': keepalive\n\n'));
              await new Promise((resolve) => setTimeout(resolve, 60_000));
            }
            controller.enqueue(encode(written(wire.reply('Late.'))));
            controller.close();
          },
        }),
        STREAM,
      );
    const heard = hear(over(wire, [alive]).port);
    await vi.advanceTimersByTimeAsync(6 * 60_000);
    expect(textOf((await heard).events)).toBe('Late.');
  });

  it('that is cut after any event keeps its cost, and says so', async () => {
    const events = wire.reply('Half');
    for (let length = 0; length < events.length - 1; length++) {
      const { events: heard, error } = await hear(over(wire, [() => streamed(events.slice(0, length))]).port);
      expect(error?.message).toBe('The connection to Model ended before the answer was complete. Ask again.');
      expect(error?.unanswered).toBe(false);
      const [first] = usages(heard);
      if (length === 0 || wire.soFar === undefined) expect(first).toBeUndefined();
      else expect(first).toMatchObject({ soFar: true, usage: { inputTokens: wire.soFar } });
    }
  });

  it('says that a refusal cost nothing', async () => {
    const { error } = await hear(over(wire, [() => wire.failure(401, `wrong key ${KEY}`)]).port);
    expect(error).toMatchObject({ unanswered: true, refusal: 'key' });
    expect(error?.message).not.toContain(KEY);
  });

  it('leaves a refused tool out until its server has mended it', async () => {
    const { port, sent } = over(wire, [() => wire.refuseTool(0, SUM.name), ok, ok, ok]);
    const request = requestOf({ tools: [SUM, ECHO] });
    const { events } = await hear(port, request);
    expect(warnings(events)).toEqual([expect.stringContaining('The tool math/sum is left out')]);
    expect(warnings((await hear(port, request)).events)).toEqual([]);
    const mended = { ...SUM, inputSchema: { type: 'object', properties: { y: { type: 'number' } } } };
    await hear(port, requestOf({ tools: [mended, ECHO] }));
    expect(sent.map(wire.toolNames)).toEqual([
      ['math_sum', 'text_echo'],
      ['text_echo'],
      ['text_echo'],
      ['math_sum', 'text_echo'],
    ]);
  });

  it('never drops a tool of ours: the turn ends with why', async () => {
    const { port, sent } = over(wire, [() => wire.refuseTool(0, SEARCH.name), ok]);
    const { error } = await hear(port, requestOf({ tools: [SEARCH, ECHO] }));
    expect(error?.message).toContain(`${wire.service} refuses search_tools, which Tool Search`);
    expect(error?.unanswered).toBe(true);
    await hear(port, requestOf({ tools: [SEARCH, ECHO] }));
    expect(sent.at(-1) && wire.toolNames(sent[1] ?? {})).toEqual(['search_tools', 'text_echo']);
  });

  it('waits as long as it is asked to, and says so', async () => {
    vi.useFakeTimers();
    const { port, sent } = over(wire, [slowDown({ 'retry-after': '12' }), ok]);
    const heard = hear(port);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    const { events, error } = await heard;
    expect(error).toBeUndefined();
    expect(events[0]).toEqual({ type: 'waiting', models: wire.models, seconds: 12 });
    expect(textOf(events)).toBe('Fine.');
  });

  it.each([
    ['300', new Date(2026, 4, 5, 14, 30, 12), '5 minutes. Ask again after 14:36.'],
    ['300', new Date(2026, 4, 5, 23, 58), '5 minutes. Ask again after 00:03 on 6 May.'],
    ['86400', new Date(2026, 11, 31, 9, 0), '24 hours. Ask again after 09:00 on 1 January.'],
    [new Date(2026, 4, 5, 16, 30).toUTCString(), new Date(2026, 4, 5, 14, 30), '2 hours. Ask again after 16:30.'],
  ])('waits at most a minute (%s): then says when to ask', async (after, now, words) => {
    vi.useFakeTimers();
    vi.setSystemTime(now);
    const { port, sent } = over(wire, [slowDown({ 'retry-after': after }), ok]);
    const { error } = await hear(port);
    expect(error).toMatchObject({ ...LIMIT, message: `${wire.models} asks to wait ${words}` });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '40' }, 1_500],
    [{ 'retry-after-ms': '', 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '-1', 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '-5' }, 500],
    [{ 'retry-after': 'NaN' }, 500],
    [{ 'retry-after': 'in a moment' }, 500],
    [{ 'retry-after': '1e300' }, 500],
    [{ 'retry-after': new Date(2001, 1).toUTCString() }, 500],
  ])('reads %j as the time meant, or waits as without', async (headers, ms) => {
    vi.useFakeTimers();
    const { port, sent } = over(wire, [slowDown(headers), ok]);
    const heard = hear(port);
    await vi.advanceTimersByTimeAsync(Math.max(0, ms - 1));
    expect(sent).toHaveLength(ms === 0 ? 2 : 1);
    await vi.advanceTimersByTimeAsync(2);
    expect(sent).toHaveLength(2);
    expect((await heard).events.filter((event) => event.type === 'waiting')).toHaveLength(ms >= 1_000 ? 1 : 0);
  });

  it.each([
    ['waits two minutes for one request at the most', 429, { 'retry-after': '60' }, 121_000, { refusal: 'limit' }],
    ['asks an overloaded service three times, and no more', 503, {}, 10_000, { unanswered: true }],
    ['says that it is overloaded', 529, {}, 10_000, { message: expect.stringContaining('is overloaded just now') }],
  ])('%s', async (_, status, headers, ms, error) => {
    vi.useFakeTimers();
    const busy = () => wire.failure(status, 'busy', headers);
    const { port, sent } = over(wire, [busy, busy, busy, ok]);
    const heard = hear(port);
    await vi.advanceTimersByTimeAsync(ms);
    expect((await heard).error).toMatchObject(error);
    expect(sent).toHaveLength(3);
  });

  it.each([
    [{ type: 'insufficient_quota', code: null }],
    [{ type: 'insufficient_quota', code: 'insufficient_quota' }],
    [{ type: 'billing_error', code: null }],
  ])('isn’t asked again if the account can’t pay: %j', async (told) => {
    const body = { type: 'error', error: { message: 'no credit', ...told } };
    const answer = () => Response.json(body, { status: 429, headers: { 'retry-after': '1' } });
    const { port, sent } = over(wire, [answer, ok]);
    expect((await hear(port)).error).toMatchObject(LIMIT);
    expect(sent).toHaveLength(1);
  });

  it('sends nothing that was cancelled before', async () => {
    const { port, sent } = over(wire, [ok]);
    expect(await hear(port, requestOf(), AbortSignal.abort())).toEqual({ events: [], error: undefined });
    await expect(port.countTokens('text', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(sent).toEqual([]);
  });

  it('ends silently when cancelled, before the answer and after each event', async () => {
    const stop = new AbortController();
    const { port, sent } = over(wire, [() => new Promise<Response>(() => {})]);
    const heard = hear(port, requestOf(), stop.signal);
    await expect.poll(() => sent.length).toBe(1);
    stop.abort();
    expect(await heard).toEqual({ events: [], error: undefined });

    const all = (await hear(over(wire, [ok]).port)).events;
    for (let length = 1; length <= all.length; length++) {
      const cancel = new AbortController();
      const events: ModelEvent[] = [];
      const { port: open } = over(wire, [(signal) => streamed(wire.reply('Fine.'), { open: true, signal })]);
      for await (const event of open.send(requestOf(), cancel.signal)) {
        events.push(event);
        if (events.length === length) cancel.abort();
      }
      // Events that arrived together with the last one may still come.
      expect(events.slice(0, length)).toEqual(all.slice(0, length));
    }
  });

  it('doesn’t wait on once it is cancelled', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const { port, sent } = over(wire, [slowDown({ 'retry-after': '50' })]);
    const heard: ModelEvent[] = [];
    for await (const event of port.send(requestOf(), stop.signal)) {
      heard.push(event);
      stop.abort();
    }
    expect(heard).toHaveLength(1);
    expect(sent).toHaveLength(1);
  });

  describe('counting', () => {
    it('is of the text alone; one cancel takes nothing from others', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const port = wire.create(async (_url, init) => {
        await held;
        init?.signal?.throwIfAborted();
        return wire.count(JSON.stringify(init?.body).includes('some text') ? 110 : 8);
      });
      const stop = new AbortController();
      const cancelled = port.countTokens('some text', stop.signal);
      const other = port.countTokens('some text', never);
      stop.abort();
      await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
      release();
      expect(await other).toBe(103);
    });

    it('is that of the others if a definition is refused', async () => {
      const port = wire.create(async (_url, init) => {
        const body = JSON.parse(String(init?.body));
        const names = wire.toolNames(body);
        const place = names.indexOf(SUM.name);
        return place >= 0 ? wire.refuseTool(place, SUM.name) : wire.count(8 + (names.includes(ECHO.name) ? 30 : 0));
      });
      expect(await port.countDefinitions?.([SUM, ECHO], never)).toBe(30);
      const request = requestOf({ tools: [ECHO], deferred: [SUM], delivery: 'server' });
      if (wire === OPENAI) expect(await port.countRequest?.(request, never)).toBe(38);
      expect(await port.countTokens('x', never)).toBe(1);
    });

    it.each([400, 403, 404])('is refused for good by a %i', async (status) => {
      const { port } = over(
        wire,
        Array(4).fill(() => wire.failure(status, 'no counts here')),
      );
      await expect(port.countTokens('x', never)).rejects.toBeInstanceOf(CountRefused);
    });

    it.each([
      ['by a limit', () => wire.failure(429, 'slow down')],
      ['by a failure', () => wire.failure(500, 'oops')],
      ['by the network', () => Promise.reject(new TypeError('fetch failed'))],
    ])('may work later when refused %s, and isn’t asked again', async (_, answer) => {
      const { port, sent } = over(wire, Array(4).fill(answer));
      expect(await port.countDefinitions?.([SUM], never).catch((caught: unknown) => caught)).toBeInstanceOf(ModelError);
      expect(sent.length).toBeLessThanOrEqual(2);
    });
  });

  describe('a result', () => {
    const sentParts = async (parts: readonly ResultPart[]) => {
      const { port, sent } = over(wire, [ok]);
      const called = said('', [{ callId: 'call_1', name: 'math_sum', input: { x: 'a' } }]);
      const transcript = [user('look'), called, results(result('call_1', { parts }))];
      await hear(port, requestOf({ tools: [SUM], transcript }));
      return wire.resultParts(sent[0] ?? {}).map(({ cache_control: _, ...part }) => part);
    };
    const media = (type: 'image' | 'document', mimeType: string): ResultPart => ({
      type,
      mimeType,
      bytes: 3,
      data: 'AAAA',
    });
    const text: ResultPart = { type: 'text', text: 'a cat' };

    it('shows images and PDFs as the service takes them', async () => {
      expect(await sentParts([media('image', 'image/png'), media('document', 'application/pdf'), text])).toEqual(
        wire === ANTHROPIC
          ? [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
              { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
              { type: 'text', text: 'a cat' },
            ]
          : [
              { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
              { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,AAAA' },
              { type: 'input_text', text: 'a cat' },
            ],
      );
    });

    it('says what isn’t shown', async () => {
      const parts = await sentParts([
        media('image', 'image/png'),
        media('image', 'image/tiff'),
        media('document', 'application/zip'),
        { type: 'omitted', mimeType: 'audio/wav', bytes: 5 },
      ]);
      expect(parts.slice(1).map((part) => part.text)).toEqual([
        '[image/tiff, 3 bytes, not shown]',
        '[application/zip, 3 bytes, not shown]',
        '[audio/wav, 5 bytes, not shown]',
      ]);
    });
  });
});

it.each(['', 'k-1'])('an unknown error is shown without the key “%s”', (apiKey) => {
  const asked = { name: 'Claude', model: 'claude', baseUrl: 'https://example.com', apiKey };
  const { message } = explainError(new Error('odd k-1'), asked, SERVICES.anthropic);
  expect(message).toBe(apiKey === '' ? 'Claude failed: odd k-1' : 'Claude failed: odd [key]');
});
