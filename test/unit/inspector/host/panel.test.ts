import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { page } from '../../../../src/inspector/host/page';
import { InspectorPanel, type InspectorSource } from '../../../../src/inspector/host/panel';
import { applyPatch } from '../../../../src/inspector/protocol/patch';
import type { ToolDetail, ViewState } from '../../../../src/inspector/protocol/view';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { EventEmitter } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';
import { FakePanel } from './fakePanel';

const EMPTY = { revision: 1, turns: [], tools: [], servers: [] } as unknown as ViewState;

function open(change: Partial<InspectorSource> = {}) {
  const changes = new EventEmitter<void>();
  const source: InspectorSource = {
    prepare: () => [],
    state: () => EMPTY,
    onDidChange: changes.event,
    handle: async () => {},
    ...change,
  };
  const fake = new FakePanel();
  host.makePanel = () => fake as unknown as vscode.WebviewPanel;
  const inspector = new InspectorPanel({ path: '/ext' } as vscode.Uri, source, INSPECTOR_STRINGS);
  inspector.show();
  return { inspector, fake, changed: () => changes.fire() };
}

beforeEach(() => {
  vi.useFakeTimers();
  resetHost();
});
afterEach(() => vi.useRealTimers());

describe('the inspector’s panel', () => {
  it('answers ready with a whole snapshot', () => {
    const { fake } = open();
    fake.ask({ type: 'ready' });
    expect(fake.sent).toEqual([{ type: 'state', state: EMPTY }]);
  });

  it('drops the rest of an update that a newer one replaces', async () => {
    const tools = Array.from({ length: 3_000 }, (_, at) => ({ id: `a/${at}`, name: 'x'.repeat(50) }));
    const view = { revision: 1, turns: [], tools, servers: [] } as unknown as ViewState;
    vi.useRealTimers();
    const { fake } = open({ state: () => view });
    fake.ask({ type: 'ready' });
    fake.ask({ type: 'ready' });
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve));
    const states = fake.sent.flatMap((message) => (message.type === 'state' ? [message.state] : []));
    expect(states).toHaveLength(2);
    const patches = fake.sent.slice(2).flatMap((message) => (message.type === 'patch' ? [message] : []));
    expect(patches.reduce(applyPatch, states[1] as ViewState).tools).toHaveLength(3_000);
  });

  it('sends many quick changes as one snapshot', () => {
    const { fake, changed } = open();
    for (let i = 0; i < 50; i++) changed();
    vi.advanceTimersByTime(1000);
    expect(fake.sent).toHaveLength(1);
  });

  it('sends nothing while hidden, and everything when it is seen again', async () => {
    let view = EMPTY;
    const { fake, changed } = open({ state: () => view });
    fake.ask({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(1000);
    view = { ...view, revision: 2 };
    changed();
    await vi.advanceTimersByTimeAsync(1000);
    expect(fake.sent.map((message) => message.type)).toEqual(['state', 'patch']);
    fake.visible = false;
    fake.changeVisibility();
    changed();
    await vi.advanceTimersByTimeAsync(1000);
    expect(fake.sent).toHaveLength(2);
    fake.visible = true;
    fake.changeVisibility();
    expect(fake.sent.at(-1)).toEqual({ type: 'state', state: view });
  });

  it('goes to the wanted place once, when the page listens', async () => {
    const { fake, inspector } = open();
    const sent = () => fake.sent.flatMap((message) => (message.type === 'goTo' ? [message.place] : []));
    const query = { section: 'playground', query: 'fax' } as const;
    const filter = { section: 'tools', filter: 'is:eager' } as const;
    inspector.show(query);
    expect(sent()).toEqual([]);
    fake.ask({ type: 'ready' });
    expect(sent()).toEqual([query]);
    inspector.show(filter);
    expect(sent()).toEqual([query, filter]);
    fake.visible = false;
    fake.changeVisibility();
    inspector.show(query);
    expect(sent()).toEqual([query, filter]);
    fake.visible = true;
    fake.changeVisibility();
    fake.ask({ type: 'ready' });
    fake.ask({ type: 'ready' });
    expect(sent()).toEqual([query, filter, query]);
    inspector.show();
    expect(sent()).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1000);
  });

  it('sends nothing when it only gets or loses the focus', async () => {
    const { fake } = open();
    fake.ask({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(1000);
    fake.changeVisibility();
    fake.changeVisibility();
    await vi.advanceTimersByTimeAsync(1000);
    expect(fake.sent.map((message) => message.type)).toEqual(['state']);
  });

  it('answers under the number that was asked with', async () => {
    const detail = { id: 'a/b' } as ToolDetail;
    const { fake } = open({
      handle: async ({ type }, answer) => {
        if (type === 'getTool') answer({ type: 'tool', detail });
        else answer({ type: 'played', answer: { mode: 'query', limit: 5, columns: [] } });
      },
    });
    await fake.receive({ request: 41, message: { type: 'getTool', id: 'a/b' } });
    const question = { mode: 'query', query: 'x', scope: 'all' };
    await fake.receive({ request: 42, message: { type: 'play', question } });
    expect(fake.sent).toEqual([
      { type: 'tool', request: 41, detail },
      { type: 'played', request: 42, answer: { mode: 'query', limit: 5, columns: [] } },
    ]);
  });

  it('makes the view with the timeline that the webview watches', async () => {
    const state = vi.fn((_: number | undefined) => EMPTY);
    const { fake } = open({ state });
    for (const turn of [7, null, 'x']) fake.ask({ type: 'watch', turn });
    await vi.advanceTimersByTimeAsync(1000);
    fake.ask({ type: 'watch', turn: 7 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.mock.calls).toEqual([[undefined], [7]]);
    fake.ask({ type: 'ready' });
    expect(state.mock.lastCall).toEqual([undefined]);
  });

  it('says so when the view can’t be made', () => {
    const { fake } = open({ state: vi.fn().mockThrow(new Error('Out of order.')) });
    fake.ask({ type: 'ready' });
    expect(fake.sent).toEqual([{ type: 'failed', message: 'Out of order.' }]);
  });

  it('answers what failed with its words', async () => {
    const { fake } = open({ handle: () => Promise.reject(new Error('No such file.')) });
    fake.ask({ type: 'run', command: 'openMcpJson' });
    await vi.runAllTimersAsync();
    expect(fake.sent).toEqual([{ type: 'failed', request: 1, message: 'No such file.' }]);
  });

  it('passes pins and copies on, and drops what it doesn’t know', async () => {
    const handle = vi.fn(async () => {});
    const { fake } = open({ handle });
    const pin = { type: 'pin', target: { kind: 'tool', id: 'a/b' }, pin: 'eager' };
    await fake.ask(pin);
    await fake.ask({ type: 'copy', text: 'hello' });
    await fake.ask({ type: 'format', disk: 'C:' });
    expect(handle).toHaveBeenCalledExactlyOnceWith(pin, expect.any(Function));
    expect(host.clipboard).toContain('hello');
    expect(fake.sent).toEqual([]);
  });

  it('is one at most, and can be opened again once closed', async () => {
    const { inspector, fake } = open();
    inspector.show();
    expect(fake.revealed).toBe(1);
    const second = new FakePanel();
    const closed = vi.spyOn(second, 'dispose');
    await inspector.deserializeWebviewPanel(second as unknown as vscode.WebviewPanel);
    second.close();
    inspector.show();
    expect([closed.mock.calls.length, fake.revealed]).toEqual([1, 2]);
    fake.close();
    const made = vi.fn(() => new FakePanel() as unknown as vscode.WebviewPanel);
    host.makePanel = made;
    inspector.show();
    expect(made).toHaveBeenCalledOnce();
  });

  it('comes back after a reload', async () => {
    const { inspector, fake } = open();
    fake.close();
    const restored = new FakePanel();
    await inspector.deserializeWebviewPanel(restored as unknown as vscode.WebviewPanel);
    restored.ask({ type: 'ready' });
    expect(restored.sent).toHaveLength(1);
    const html = restored.webview.html.replace(/nonce(-|=")[\w-]{22}/g, 'nonce$1…');
    await expect(`${html}\n`).toMatchFileSnapshot('page.txt');
    const root = { path: '/ext/dist' };
    expect(restored).toMatchObject({ iconPath: { id: 'search' }, webview: { options: { enableScripts: true } } });
    expect(restored.webview.options).toMatchObject({ localResourceRoots: [root] });
  });

  it('is closed and silent once it is disposed of', async () => {
    const { inspector, fake, changed } = open();
    const closed = vi.spyOn(fake, 'dispose');
    changed();
    inspector.dispose();
    changed();
    await vi.advanceTimersByTimeAsync(1000);
    expect([closed.mock.calls.length, fake.sent]).toEqual([1, []]);
  });

  it('yields while it prepares a view, and stops for a newer one', async () => {
    vi.useRealTimers();
    const steps: (number | undefined)[] = [];
    const { fake } = open({
      *prepare(watched) {
        for (let step = 0; step < 3; step++) yield steps.push(watched);
      },
    });
    fake.ask({ type: 'watch', turn: 7 });
    fake.ask({ type: 'ready' });
    expect(steps).toEqual([undefined]);
    fake.ask({ type: 'ready' });
    await vi.waitFor(() => expect(fake.sent).toHaveLength(1));
    expect(steps).toHaveLength(4);
  });

  it('finishes an update before the next one starts', async () => {
    let steps = 0;
    const { fake, changed } = open({
      *prepare() {
        if (steps === 0) changed();
        for (let step = 0; step < 3; step++) yield [steps++, vi.advanceTimersByTime(200)];
      },
    });
    fake.ask({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(steps).toBe(6);
  });

  it('takes a tenth of the time at most', async () => {
    let views = 0;
    const { fake, changed } = open({
      state: () => {
        views++;
        vi.advanceTimersByTime(50);
        return EMPTY;
      },
    });
    fake.ask({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(100);
    changed();
    changed();
    await vi.advanceTimersByTimeAsync(490);
    expect(views).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(views).toBe(2);
  });
});

it('the webview’s page escapes what it is given', () => {
  const odd = page({
    nonce: 'n0nce',
    title: 'Tool "Search" <b>',
    lang: '"<&>',
    script: '"<&>',
    styles: ['"<&>', 'b'],
    waiting: '"<&>',
    cspSource: '"<&>',
  });
  expect(odd).not.toMatch(/<b>|"Search|"<|<&|&>/);
  expect(odd.match(/&#34;&#60;&#38;&#62;/g)).toHaveLength(6);
  expect(odd.match(/<link rel="stylesheet"/g)).toHaveLength(2);
});
