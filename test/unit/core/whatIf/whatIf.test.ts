import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../../src/core/ledger/events';
import type { SearchPort } from '../../../../src/core/search/types';
import type { WhatIf } from '../../../../src/core/whatIf/types';
import { whatIf } from '../../../../src/core/whatIf/whatIf';
import { exportedEvent } from '../../../../src/inspector/sessionFile/contents';
import { makeCatalog, makeTool, SETTINGS } from '../turn/world';
import { type Step, TOOLS } from '../usage/twinConversations';
import { type ChatCourse, inputsFor, playChat, tableOf } from './tableOf';

const ask = (prompt: string, rest = {}): Step => ({
  kind: 'ask',
  prompt,
  model: 0,
  eager: false,
  stop: false,
  ...rest,
});
const COURSE: ChatCourse = {
  wire: 'claude',
  delivery: 'local',
  steps: [
    ask('get-sum a=1 b=2 n=1'),
    ask('echo message="hello" n=2'),
    ask('get-sum a=2 b=2 n=3'),
    ask('echo message="you" n=4'),
  ],
};
const UNCALLED = TOOLS.find(({ name }) => name !== 'get-sum' && name !== 'echo');
const ON = { mode: 'on', delivery: 'local' } as const;
const { signal } = new AbortController();

describe('what if', () => {
  it('begins with what was recorded, and marks the best row', async () => {
    const { events, reported } = await playChat(COURSE);
    const { rows, best, measured } = await tableOf(events, ON);
    const [recorded, today] = rows;
    expect(recorded).toMatchObject({ requests: reported.requests, tokens: reported.tokens });
    expect(today).toMatchObject({ requests: reported.requests, tokens: reported.tokens });
    expect(measured).toBe(true);
    const eager = rows.find(({ change }) => change.kind === 'eager');
    expect(eager?.change).toEqual({ kind: 'eager', tools: ['math/get-sum', 'talk/echo'] });
    expect(best).toBe(eager?.id);
  });

  it('ranks the called tools under each strategy by the real search', async () => {
    const played = await playChat(COURSE);
    // Each search also found a tool that was never called.
    const events = played.events.map((event) =>
      event.type === 'searched' && event.hits[0] && UNCALLED
        ? { ...event, hits: [...event.hits, { ...event.hits[0], id: UNCALLED.id }] }
        : event,
    );
    const { ranks, rankedBy } = await tableOf(events, ON);
    expect(rankedBy).toEqual(['bm25', 'regex', 'keywords', 'exact']);
    expect(new Set(ranks.map(({ tool }) => tool))).toEqual(new Set(['math/get-sum', 'talk/echo']));
    expect(ranks.find(({ tool }) => tool === 'math/get-sum')).toMatchObject({ query: 'get-sum', ranks: [1, 1, 1, 1] });
  });

  it('counts one more search for a tool that a strategy doesn’t find', async () => {
    const { events } = await playChat(COURSE);
    const blind: SearchPort = {
      search: async (request, aborted) =>
        request.strategy === 'exact'
          ? { ok: true, strategy: 'exact', hits: [], below: [], matched: 0, searched: 1, nearest: [], ms: 0 }
          : inputsFor(events, ON).search.search(request, aborted),
    };
    const { rows } = await whatIf(inputsFor(events, ON, { search: blind }), signal);
    const exact = rows.find(({ id }) => id === 'strategy exact');
    expect(exact?.missed).toEqual(['math/get-sum', 'talk/echo']);
    expect(exact?.requests).toBeGreaterThan(rows[0]?.requests ?? 0);
  });

  it('goes on with the right one of two chats', async () => {
    const steps: Step[] = [
      ask('get-sum a=1 b=2 n=1'),
      { kind: 'newChat' },
      ask('echo message="hello" n=2'),
      { kind: 'firstChat' },
      ask('get-sum a=2 b=2 n=3'),
    ];
    const { events, reported } = await playChat({ ...COURSE, steps });
    const { rows, leftOut } = await tableOf(events, ON);
    expect(leftOut).toEqual([]);
    const bridge = rows.find(({ id }) => id === 'delivery client');
    const real = await playChat({ ...COURSE, steps, delivery: 'client' });
    expect(rows[1]).toMatchObject({ requests: reported.requests, tokens: reported.tokens });
    expect(bridge?.requests).toBe(real.reported.requests);
  });

  it('counts definitions without the tools that only search brings in', async () => {
    const found = Array.from({ length: 30 }, (_, index) =>
      makeTool('vscode', `look${index}`, 'Looks.', { origin: 'vscode' }),
    );
    const tools = [...TOOLS, ...found];
    const { events } = await playChat({ ...COURSE, tools });
    const { rows } = await whatIf(inputsFor(events, ON, { catalog: makeCatalog(tools) }), signal);
    const { reported } = await playChat({ ...COURSE, tools, settings: { mode: 'off' } });
    const row = rows.find(({ change }) => change.kind === 'allEager');
    expect(Math.abs((row?.tokens ?? 0) - reported.tokens)).toBeLessThan(0.02 * reported.tokens);
  });

  it('compares results up to the limit, and the most called tools first', async () => {
    const { events } = await playChat({ ...COURSE, steps: [...COURSE.steps, ask('echo message="x" n=5')] });
    const { rows } = await whatIf(inputsFor(events, { ...ON, maxResultsLimit: 10 }), signal);
    const limits = rows.flatMap(({ change }) => (change.kind === 'maxResults' ? [change.to] : []));
    expect(limits).toEqual([3, 5, 10].filter((limit) => limit !== SETTINGS.maxResults));
    expect(rows.find(({ change }) => change.kind === 'eager')?.id).toBe('eager talk/echo math/get-sum');
  });

  it('makes no tool eager that one turn alone called', async () => {
    const { events } = await playChat({ ...COURSE, steps: COURSE.steps.slice(0, 3) });
    const { rows } = await tableOf(events, ON);
    expect(rows.flatMap(({ change }) => (change.kind === 'eager' ? change.tools : []))).toEqual(['math/get-sum']);
  });

  it('is empty for a session without turns', async () => {
    expect(await tableOf([], ON)).toMatchObject({ turns: [], leftOut: [], ranks: [], running: false });
  });

  it('names the turns that it leaves out', async () => {
    const steps = [
      ask('get-sum a=1 b=2 [[fault:500]] n=0'),
      ask('get-sum a=1 b=2 n=1', { stop: true }),
      ask('echo message="hi" n=2'),
    ];
    const { events } = await playChat({ ...COURSE, steps });
    const table = await tableOf(events, ON);
    expect(table.leftOut).toEqual([
      { turn: 1, why: 'unfinished' },
      { turn: 2, why: 'unfinished' },
    ]);
    expect(table.turns.map(({ turn }) => turn)).toEqual([3]);
    const gone = makeCatalog(TOOLS.filter(({ id }) => id !== 'talk/echo'));
    expect((await whatIf(inputsFor(events, ON, { catalog: gone }), signal)).leftOut).toContainEqual({
      turn: 3,
      why: 'toolGone',
    });
    const bare = events.map((event) => exportedEvent(event, false));
    expect((await tableOf(bare, ON)).leftOut).toContainEqual({ turn: 3, why: 'noContents' });
  });

  it('leaves a turn out whose replay lacks the text of a search', async () => {
    const { events } = await playChat(COURSE);
    const hidden = events.map((event): LedgerEvent => (event.type === 'searched' ? { ...event, query: '' } : event));
    const { leftOut } = await tableOf(hidden, ON);
    expect(leftOut.map(({ why }) => why)).toEqual(['differs', 'differs']);
  });

  it('is rough if a few tokens decide what is cached', async () => {
    const nothing = 'nothing that any of these could do';
    const long = `echo message="${'some words of a message '.repeat(59)}"`;
    const steps = [ask(`${long} n=0`), ask(`${nothing} n=1`, { model: 2 }), ask(`${nothing} n=2`)];
    const { events } = await playChat({ ...COURSE, delivery: 'server', steps });
    const { rows } = await tableOf(events, { mode: 'on', delivery: 'server' });
    const [recorded, regex] = ['recorded', 'strategy regex'].map((id) => rows.find((row) => row.id === id));
    expect(regex).toMatchObject({ tokens: recorded?.tokens, cost: recorded?.cost, rough: 'cache' });
    expect(rows.find(({ id }) => id === 'today')).not.toHaveProperty('rough');
  });

  it('is rough if the cache didn’t do as in the replay', async () => {
    const { events } = await playChat(COURSE);
    const roughOf = async (recorded: readonly LedgerEvent[]) =>
      (await tableOf(recorded, ON)).rows.find(({ id }) => id === 'allEager')?.rough;
    expect(await roughOf(events)).toBeUndefined();
    const missed = events.map((event): LedgerEvent => {
      if (event.type !== 'roundEnded' || !event.tokens.cost) return event;
      const cost = { ...event.tokens.cost, sent: 3 * event.tokens.cost.sent };
      return { ...event, tokens: { ...event.tokens, cost } };
    });
    expect(await roughOf(missed)).toBe('cache');
  });

  it.each([
    ['get-sum a=2 b=2', 'searches'],
    ['echo message="hello"', undefined],
  ])('is rough with bridge for tools found earlier (%s)', async (second, rough) => {
    const { events } = await playChat({ ...COURSE, steps: [ask('get-sum a=1 b=2 n=1'), ask(`${second} n=2`)] });
    const { rows } = await tableOf(events, ON);
    expect(rows.find(({ id }) => id === 'delivery bridge')?.rough).toBe(rough);
  });

  it('leaves another agent’s turns out', async () => {
    const { events } = await playChat(COURSE, 'agent');
    const { leftOut } = await tableOf(events, ON);
    expect(leftOut.map(({ why }) => why)).toEqual(['agent', 'agent', 'agent', 'agent']);
  });

  it('leaves a turn out whose replay differs from what was recorded', async () => {
    const { events } = await playChat(COURSE);
    const other = events.map((event): LedgerEvent => {
      if (event.type !== 'roundEnded' || event.turn !== 2) return event;
      return { ...event, tokens: { ...event.tokens, sent: { value: 50_000, certainty: 'measured' } } };
    });
    expect((await tableOf(other, ON)).leftOut).toEqual([{ turn: 2, why: 'differs' }]);
  });

  it('replays the last twenty turns unless all are asked for', async () => {
    const { events } = await playChat(COURSE);
    const many = Array.from({ length: 6 }, (_, round) =>
      events.map((event) => ({ ...event, turn: event.turn + 4 * round })),
    ).flat();
    // Stops after the first table, which already has the turns.
    const firstTable = (all: boolean) =>
      new Promise<WhatIf>((resolve) => {
        const controller = new AbortController();
        const stop = (table: WhatIf) => {
          controller.abort();
          resolve(table);
        };
        void whatIf(inputsFor(many, ON, { all }), controller.signal, stop).catch(() => {});
      });
    const [last, all] = [await firstTable(false), await firstTable(true)];
    expect([last.turns.length + last.leftOut.length, last.earlier]).toEqual([20, 4]);
    expect([all.turns.length + all.leftOut.length, all.earlier]).toEqual([24, 0]);
  });

  it('stops when it is cancelled, and lets others work between two turns', async () => {
    const { events } = await playChat(COURSE);
    const controller = new AbortController();
    let yields = 0;
    const yieldToEventLoop = async () => {
      if (++yields === 10) controller.abort();
    };
    await expect(whatIf(inputsFor(events, ON, { yieldToEventLoop }), controller.signal)).rejects.toThrow();
    expect(yields).toBeLessThan(15);
  });

  it('writes nothing into the recorded session', async () => {
    const { events } = await playChat(COURSE);
    const before = JSON.stringify(events);
    await tableOf(events, ON);
    expect(JSON.stringify(events)).toBe(before);
  });
});
