import { describe, expect, it } from 'vitest';
import { type Exchange, Exchanges } from '../../../../src/core/ledger/exchanges';
import { EMPTY_REQUEST, type ModelRequest } from '../../../../src/core/ports';
import { bytesOf } from '../../../../src/inspector/text/bytes';
import { exchangeText, exchangeView } from '../../../../src/inspector/view/exchangeView';

const count = (chars: number) => ({ value: chars, certainty: 'estimated' as const });
const tool = (name: string) => ({ id: `math/${name}`, server: 'math', name, description: 'Adds.', inputSchema: {} });

const image = { type: 'image' as const, mimeType: 'image/png', bytes: 3, data: 'AAAA' };

function exchange(request: Partial<ModelRequest>, change: Partial<Exchange> = {}): Exchange {
  return {
    turn: 3,
    round: 2,
    ours: ['search_tools'],
    request: { ...EMPTY_REQUEST, system: 'Be brief.', delivery: 'bridge', strategy: 'bm25', ...request },
    ...change,
  };
}

describe('a request and its reply', () => {
  it('are shown in the order in which they were sent', async () => {
    const transcript: ModelRequest['transcript'] = [
      { kind: 'user', text: 'Add 2 and 40.' },
      { kind: 'user', text: 'Two tools are new.', note: true },
      { kind: 'assistant', text: 'I add.', calls: [{ callId: 'c', name: 'add', input: { a: 2 } }] },
      { kind: 'results', results: [{ callId: 'c', outcome: 'ok', parts: [{ type: 'text', text: '42' }, image] }] },
      { kind: 'assistant', text: '', calls: [{ callId: 'd', name: 'add', input: undefined }] },
    ];
    const searches = [{ queries: ['a', 'b'], found: ['math/add', 'math/sub'] }];
    const calls = [{ callId: 'e', name: 'sub', input: {} }];
    const reply = { text: 'It is 42.', calls, searches, failure: 'It broke.' } as never;
    const views = [
      exchange({ transcript }, { reply }),
      exchange({ system: '' }),
      exchange({}, { reply: { text: '', calls: [], searches: [] } as never }),
    ].map((each) => exchangeView(each, count));
    await expect(`${JSON.stringify(views, undefined, 1)}\n`).toMatchFileSnapshot('exchange.txt');
  });

  it('name each definition with its tokens, our own and deferred ones marked', () => {
    const { tools, toolCount } = exchangeView(
      exchange({ tools: [tool('search_tools'), tool('add')], deferred: [tool('multiply')] }),
      count,
    );
    expect(tools.map(({ name, ours, deferred }) => [name, ours, deferred])).toEqual([
      ['search_tools', true, false],
      ['add', false, false],
      ['multiply', false, true],
    ]);
    expect(tools[1]?.tokens.value).toBe(JSON.stringify({ name: 'add', description: 'Adds.', parameters: {} }).length);
    expect(toolCount).toBe(3);
  });

  it('fit into a message, and are whole as text', () => {
    const text = '“\n😀'.repeat(20_000);
    const transcript = Array.from({ length: 40 }, () => ({ kind: 'user' as const, text }));
    const big = exchange(
      { system: text, transcript, tools: Array.from({ length: 10_000 }, (_, index) => tool(`tool_${index}`)) },
      { reply: { text, calls: [], searches: [], failure: text } },
    );
    const view = exchangeView(big, count);
    expect(bytesOf(view)).toBeLessThan(60_000);
    expect(view.sent.at(-1)?.chars).toBe(text.length);
    expect(view.toolCount).toBe(10_000);
    expect(JSON.parse(exchangeText(big)).request.transcript).toHaveLength(40);
  });
});

it('the exchanges of a window hold no data of images', () => {
  const transcript = [{ kind: 'results' as const, results: [{ callId: 'c', outcome: 'ok' as const, parts: [image] }] }];
  const kept = new Exchanges().keep(exchange({ transcript }));
  expect(JSON.stringify(kept)).not.toContain('AAAA');
  expect(exchangeView(kept, count).sent.at(-1)?.text).toBe('[image/png, 3 bytes]');
});
