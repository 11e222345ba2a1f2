import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import type { LedgerEvent } from '../../../../src/core/ledger/ledger';
import { ViewSync } from '../../../../src/inspector/host/viewSync';
import type { ViewInputs } from '../../../../src/inspector/protocol/inputs';
import type { ToWebview } from '../../../../src/inspector/protocol/messages';
import { applyPatch } from '../../../../src/inspector/protocol/patch';
import type { ViewState } from '../../../../src/inspector/protocol/view';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { createText } from '../../../../src/inspector/text/text';
import { toolDetail } from '../../../../src/inspector/view/toolDetail';
import { ViewFold, viewState } from '../../../../src/inspector/view/viewState';
import { addTurn, bigSession } from '../../../data/bigSession';
import { estimated } from '../../../data/entries';
import { viewInputs } from '../../../data/viewInputs';
import { holds } from '../../property';

/** Maximum size of a message in bytes. VS Code copies each message between processes, so larger ones cause delays. */
const LIMIT = 64 * 1024;

function inputsOf(session: Pick<ViewInputs, 'catalog' | 'events'>, charsPerToken = 3.6): ViewInputs {
  return viewInputs({
    ...session,
    loading: new Map(
      session.catalog.tools.map((tool) => [
        tool.id,
        {
          loading: 'deferred',
          reason: 'auto: many tools > 30',
          reasonLong: 'rule 7, mode auto: many tools are more than auto.maxTools (30)',
        },
      ]),
    ),
    tokensOf: (tool) => ({ value: Math.ceil((300 + tool.name.length) / charsPerToken), certainty: 'estimated' }),
  });
}

/** A webview that collects the view from its messages. */
class Page {
  state: ViewState | undefined;
  receive(message: ToWebview): void {
    if (message.type === 'state') this.state = message.state;
    if (message.type === 'patch' && this.state) this.state = applyPatch(this.state, message);
  }
}

/** The number of tools in the first message. */
function firstTools(view: ViewState): number {
  const { value } = new ViewSync().update(view).next();
  return value?.type === 'state' ? value.state.tools.length : 0;
}

const bytes = (message: unknown) => Buffer.byteLength(JSON.stringify(message));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a session of 500 turns over 10,000 tools', () => {
  const session = bigSession({ turns: 500, tools: 10_000 });
  const fold = new ViewFold();
  const sync = new ViewSync();
  const page = new Page();
  const send = (inputs: ViewInputs, watched?: number): number[] =>
    [...sync.update(fold.fold(inputs, watched), watched)].map((message) => {
      const text = JSON.stringify(message);
      page.receive(JSON.parse(text) as ToWebview);
      return Buffer.byteLength(text);
    });

  it('reaches the webview whole, in messages under 64 KB', () => {
    const sizes = send(inputsOf(session));
    expect(Math.max(...sizes)).toBeLessThan(LIMIT);
    expect(page.state).toEqual(plain(new ViewFold().fold(inputsOf(session), undefined)));
  });

  it('shows each whole list before the next; later changes at once', () => {
    const shown: string[] = [];
    const watch = new ViewSync();
    const view = new ViewFold().fold(inputsOf(session), undefined);
    const other = new Page();
    const take = (next: ViewState) => {
      for (const message of watch.update(next)) {
        other.receive(plain(message) as ToWebview);
        if (message.type !== 'patch' || message.more) continue;
        const { turns = [], tools = [] } = other.state ?? {};
        shown.push(
          `${turns.length} turns, ${turns[0]?.events?.length ? 'with' : 'without'} events, ${tools.length} tools`,
        );
      }
    };
    take(view);
    const begun = firstTools(view);
    expect(shown.filter((each, index) => each !== shown[index - 1]).slice(1)).toEqual([
      `500 turns, without events, ${begun} tools`,
      `500 turns, with events, ${begun} tools`,
      '500 turns, with events, 10000 tools',
    ]);
    shown.length = 0;
    take({ ...view, turns: view.turns.slice(0, -1), tools: view.tools.slice(1) });
    expect(shown).toEqual(['499 turns, with events, 9999 tools']);
  });

  it('takes one small message for each thing that happens in a turn', () => {
    const events: LedgerEvent[] = [];
    addTurn(events, 501, session.catalog.tools);
    for (const event of events) {
      session.events.push({ ...event, seq: session.events.length + 1 });
      const sizes = send(inputsOf(session));
      expect(sizes.length).toBeLessThan(6);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(12_000);
    }
    expect(page.state?.turns).toHaveLength(501);
    expect(page.state).toEqual(plain(new ViewFold().fold(inputsOf(session), undefined)));
  });

  it('stays under the limit when all numbers or tools change', () => {
    expect(Math.max(...send(inputsOf(session, 3.1)))).toBeLessThan(LIMIT);
    expect(page.state).toEqual(plain(new ViewFold().fold(inputsOf(session, 3.1), undefined)));
    const without = { events: session.events, catalog: createCatalog(2, [], []) };
    expect(Math.max(...send(inputsOf(without)))).toBeLessThan(LIMIT);
    expect(page.state?.tools).toEqual([]);
  });

  it('sends the timeline of the watched turn alone', () => {
    send(inputsOf(session), 17);
    expect(page.state?.turns.filter((turn) => turn.events).map((turn) => turn.turn)).toEqual([17]);
    send(inputsOf(session));
    expect(page.state?.turns.filter((turn) => turn.events).map((turn) => turn.turn)).toEqual([501]);
  });
});

describe('what strangers send', () => {
  const long = '“\n\u{1f600}'.repeat(100_000);

  it('is cut so that it fits into a message', () => {
    const [tool] = bigSession({ turns: 0, tools: 1 }).catalog.tools;
    if (!tool) throw new Error('No tools.');
    const events = [...bigSession({ turns: 1, tools: 1 }).events].map((event): LedgerEvent => {
      if (event.type === 'turnStarted') return { ...event, prompt: long };
      if (event.type === 'searched') return { ...event, query: long, note: long };
      if (event.type === 'called') return { ...event, args: long, summary: long };
      return event.type === 'turnEnded' ? { ...event, message: long } : event;
    });
    const problems = Array.from({ length: 1000 }, () => long.slice(0, 3000));
    const catalog = createCatalog(1, [tool], [{ name: tool.server, state: 'failed', detail: long, problems }]);
    const diagnostics = Array.from({ length: 9 }, () => ({
      severity: 'error' as const,
      source: 'mcp.json',
      message: long,
    }));
    const view = new ViewFold().fold({ ...inputsOf({ events, catalog }), diagnostics }, undefined);
    expect(Math.max(...[...new ViewSync().update(view)].map(bytes))).toBeLessThan(LIMIT);
  });

  it('is cut in a tool’s details too', () => {
    const [tool] = bigSession({ turns: 0, tools: 1 }).catalog.tools;
    if (!tool) throw new Error('No tools.');
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`argument${i}`, { type: 'string', description: long.slice(0, 4000) }]),
    );
    const examples = Array.from({ length: 20 }, () => ({ args: { long }, description: long }));
    const weighty = { ...tool, description: long, inputSchema: { type: 'object', properties }, examples };
    expect(
      bytes(toolDetail(weighty, createText(INSPECTOR_STRINGS, 'en'), { tools: [], count: estimated, hinted: true })),
    ).toBeLessThan(LIMIT);
  });
});

describe('the view in the webview', () => {
  const all = bigSession({ turns: 6, tools: 30 });
  /**
   * Any stage of a session: the number of events, a range of tools, a ratio of characters to a token, a watched
   * turn, and the messages of an update before.
   */
  const stage = fc.record({
    events: fc.nat({ max: all.events.length }),
    from: fc.nat({ max: 15 }),
    to: fc.integer({ min: 10, max: 30 }),
    ratio: fc.constantFrom(3.6, 3.1),
    watched: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
    sent: fc.nat({ max: 4 }),
  });

  it('is what the host’s is, whatever came before and whatever was lost', () => {
    holds([fc.array(stage, { minLength: 1, maxLength: 6 })], (stages) => {
      const sync = new ViewSync();
      const page = new Page();
      for (const { events, from, to, ratio, watched, sent } of stages) {
        const catalog = createCatalog(from * 100 + to, all.catalog.tools.slice(from, to), all.catalog.servers);
        const inputs = inputsOf({ events: all.events.slice(0, events), catalog }, ratio);
        const view = new ViewFold().fold(inputs, watched);
        // An update that a newer one replaces after some messages.
        const replaced = sync.update(view, watched);
        for (const { value } of Array.from({ length: sent }, () => replaced.next()))
          if (value) page.receive(plain(value) as ToWebview);
        for (const message of sync.update(view, watched)) page.receive(plain(message) as ToWebview);
        expect(page.state).toEqual(plain(view));
      }
    });
  });

  it('folded bit by bit equals folded at once', () => {
    holds([fc.array(fc.nat({ max: all.events.length }), { maxLength: 5 })], (steps) => {
      const events: LedgerEvent[] = [];
      const fold = new ViewFold();
      for (const step of [...steps].sort((a, b) => a - b)) {
        events.push(...all.events.slice(events.length, step));
        const inputs = inputsOf({ events, catalog: all.catalog });
        if (step % 2 === 0) for (const _ of fold.prepare(inputs, 'all'));
        expect(fold.fold(inputs, 'all')).toEqual(viewState(inputs));
      }
    });
  });

  it('keeps what didn’t change as the same objects', () => {
    const page = new Page();
    const sync = new ViewSync();
    const fold = new ViewFold();
    const events = all.events.slice(0, -1);
    for (const message of sync.update(fold.fold(inputsOf({ events, catalog: all.catalog }), undefined)))
      page.receive(message);
    const before = page.state;
    events.push(...all.events.slice(-1));
    for (const message of sync.update(fold.fold(inputsOf({ events, catalog: all.catalog }), undefined)))
      page.receive(message);
    expect(page.state?.turns[3]).toBe(before?.turns[3]);
    expect(page.state?.tools).toBe(before?.tools);
  });
});

/** The webview's view after the host has sent these views as text, one after another. */
function shown(...views: readonly ViewState[]): ViewState | undefined {
  const [sync, page] = [new ViewSync(), new Page()];
  for (const view of views)
    for (const message of sync.update(view)) page.receive(JSON.parse(JSON.stringify(message)) as ToWebview);
  return page.state;
}

const without = <Value extends object>(value: Value, field: string): Value =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field)) as Value;

it('a field that a view drops is gone in the webview', () => {
  const view = new ViewFold().fold(viewInputs(bigSession({ turns: 2, tools: 3 })), undefined);
  const marked = { ...view, suggestions: {}, tools: view.tools.map((tool) => ({ ...tool, pin: 'eager' })) };
  const first = marked as unknown as ViewState;
  expect(shown(first, without(first, 'suggestions'))?.suggestions).toBeUndefined();
  const rowGone = { ...first, tools: first.tools.map((tool) => without(tool, 'pin')) };
  expect(shown(first, rowGone)?.tools.map((tool) => (tool as { pin?: string }).pin)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
