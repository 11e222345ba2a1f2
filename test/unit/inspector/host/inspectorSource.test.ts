import { beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { EMPTY_REQUEST, type ModelRequest, type ToolRun, toolMessage } from '../../../../src/core/ports';
import { NO_PINS } from '../../../../src/core/settings/pins';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { createInspector } from '../../../../src/inspector/host/inspector';
import { createInspectorSource, type InspectorSourceDeps } from '../../../../src/inspector/host/inspectorSource';
import type { Answer } from '../../../../src/inspector/protocol/messages';
import type { ViewState } from '../../../../src/inspector/protocol/view';
import { TextDocuments } from '../../../../src/vscode/textDocuments';
import { viewInputs } from '../../../data/viewInputs';
import { makeCatalog, makeTool } from '../../core/turn/world';
import { EventEmitter, Memento } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';
import { FakePanel } from './fakePanel';

const SECRET = 'planted-secret-1';
const tokens = () => ({ value: 1, certainty: 'estimated' as const });
let ledger: Ledger;
let signals: AbortSignal[];
let tried: unknown[];
let opened: string[];
/** The actions that were asked for. */
let done: unknown[];
beforeEach(() => {
  resetHost();
  ledger = new Ledger();
  signals = [];
  tried = [];
  opened = [];
  done = [];
});

/** Sends a request of the page. Returns its answers. */
async function ask(
  message: Parameters<ReturnType<typeof createInspectorSource>['handle']>[0],
  source = create(),
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  await source.handle(message, (answer) => void answers.push(answer));
  return answers;
}

function create(run: ToolRun = toolMessage('ok', `It is ${SECRET}.`)) {
  const answer = async (asked: unknown, signal: AbortSignal) => {
    signals.push(signal);
    tried.push(asked);
    return run;
  };
  const deps = {
    shown: {
      source: {
        catalog: makeCatalog([makeTool('math', 'sum', '')]),
        startServers: async (...given: unknown[]) => void done.push(['start', ...given]),
      },
      session: { tokensOfText: tokens },
      ledger,
      settings: () => ({}),
    },
    actions: {
      tryTool: (name: string, input: unknown, signal: AbortSignal) => answer([name, input], signal),
      pin: async (...given: unknown[]) => void done.push(['pin', ...given]),
      compareChanged: async (...given: unknown[]) => void done.push(['compare', ...given]),
      acceptChanged: async (...given: unknown[]) => void done.push(['accept', ...given]),
    },
    onDidChange: () => {},
    secrets: async () => new KnownSecrets().with([SECRET]),
    openText: async (name: string, text: string) => void opened.push(`${name} ${text}`),
  };
  return createInspectorSource(deps as unknown as InspectorSourceDeps, viewInputs);
}

it('no secret is in the result of a tried tool', async () => {
  const run = { outcome: 'ok', output: 'It is [secret].' };
  for (const id of ['math/sum', 'gone'])
    expect(await ask({ type: 'tryTool', id, input: { a: 1 } })).toEqual([{ type: 'tried', id, run }]);
  expect(tried).toEqual(['math_sum', 'gone'].map((name) => [name, { a: 1 }]));
  const [long] = await ask({ type: 'tryTool', id: 'gone', input: {} }, create(toolMessage('ok', 'x'.repeat(50_000))));
  expect((long as { run: { output: string } }).run.output.length).toBeLessThan(40_001);
});

it('no secret is in a request that is shown or opened', async () => {
  const sent: ModelRequest = { ...EMPTY_REQUEST, transcript: [{ kind: 'user', text: `Use ${SECRET}.` }] };
  ledger.exchanges.keep({ turn: 1, round: 1, request: sent, ours: [] });
  const shown = await ask({ type: 'getExchange', turn: 1, round: 1 });
  await ask({ type: 'getExchange', turn: 1, round: 1, whole: true });
  for (const text of [JSON.stringify(shown), opened.join()]) {
    expect(text).toContain('Use ');
    expect(text).not.toContain(SECRET);
  }
  await expect(ask({ type: 'getExchange', turn: 1, round: 2 })).rejects.toThrow();
});

it('the details of a tool that is gone are refused', async () => {
  await expect(ask({ type: 'getTool', id: 'a/b' })).rejects.toThrow('a/b is no longer in the catalog.');
});

it('a tool that is tried is stopped by the next one', async () => {
  const source = create();
  for (const a of [1, 2]) await ask({ type: 'tryTool', id: 'math/sum', input: { a } }, source);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

it('each request runs what it asks for', async () => {
  host.folders = [{ name: 'w', uri: vscode.Uri.file('/w'), index: 0 }];
  const own = 'selectStrategy selectDelivery selectMode selectSet exportSession hideTools showLog'.split(' ');
  const others = 'openSettings addServer manageTrust openMcpJson startServers acceptChanged'.split(' ');
  for (const command of [...own, ...others]) await ask({ type: 'run', command } as never);
  host.files.set('file:///w/.vscode/mcp.json', new TextEncoder().encode('{"servers":{"a":{}}}'));
  await ask({ type: 'run', command: 'openMcpJson' });
  await ask({ type: 'run', command: 'startServers', server: 's' });
  await ask({ type: 'run', command: 'compareChanged', server: 's', tool: 's/t' });
  await ask({ type: 'pin', target: { kind: 'server', id: 's' }, pin: 'eager' });
  expect(host.commands).toEqual([
    ...own.map((name) => [`toolsearch.${name}`]),
    ['workbench.action.openSettings', 'toolsearch.'],
    ['workbench.mcp.addConfiguration'],
    ['workbench.trust.manage'],
  ]);
  expect(done).toEqual([
    ['start', 'byUser', undefined],
    ['accept', '', undefined],
    ['start', 'byUser', 's'],
    ['compare', 's', 's/t'],
    ['pin', { kind: 'server', id: 's' }, 'eager'],
  ]);
  expect(host.shown).toEqual(Array(2).fill('file:///w/.vscode/mcp.json'));
  expect(new TextDecoder().decode(host.files.get('file:///w/.vscode/mcp.json'))).toBe('{"servers":{"a":{}}}');
  host.files.clear();
  await ask({ type: 'run', command: 'openMcpJson' });
  expect(new TextDecoder().decode(host.files.get('file:///w/.vscode/mcp.json'))).toBe('{\n  "servers": {}\n}\n');
  const spy = vi.spyOn(vscode.commands, 'executeCommand').mockRejectedValue(new Error('No such command.'));
  await expect(ask({ type: 'run', command: 'showLog' })).rejects.toThrow('No such command.');
  spy.mockRestore();
  host.folders = undefined;
  await expect(ask({ type: 'run', command: 'openMcpJson' })).rejects.toThrow('Open a folder first');
});

it('a window’s inspector shows its data, and keeps what is dismissed', async () => {
  const memento = new Memento();
  await memento.update('dismissedSuggestions', ['a', 7]);
  const fake = new FakePanel();
  host.makePanel = () => fake as unknown as vscode.WebviewPanel;
  const changes = new EventEmitter<void>();
  const catalog = makeCatalog([makeTool('math', 'sum', '')]);
  const standing = new Map([['math/sum', { loading: 'eager', reason: 'pinned', reasonLong: 'pinned: tool' }]]);
  const [strategy, delivery] = [
    { name: 'bm25', why: 'auto' },
    { name: 'local', why: 'set' },
  ];
  const session = {
    overview: () => ({ standing, loading: standing, strategy, delivery, modelRule: 'copilot/*' }),
    effective: { settings: { mode: 'on', maxResults: 7 } },
    ...{ tokensOf: tokens, tokensOfText: tokens },
  };
  const changed = [{ id: 'math/sum', server: 'math', name: 'sum' }];
  const diagnostics = [{ severity: 'error', source: 'mcp.json', message: 'Bad.' }];
  const shown = {
    source: { catalog, changed, startingSince: new Map([['math', 1]]) },
    ...{ session, ledger, registered: () => [], search: {} },
    ...{ settings: () => ({ changedTools: 'ask' }), pins: () => NO_PINS, diagnostics: () => diagnostics },
  };
  const inspector = createInspector({
    ...{ shown, memento, version: '1.2.3', extensionUri: vscode.Uri.file('/ext'), actions: {} },
    ...{ onDidChange: changes.event, secrets: async () => new KnownSecrets() },
  } as never);
  inspector.panel.show();
  await fake.ask({ type: 'ready' });
  await vi.waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]).toMatchObject({
    state: {
      header: { strategy, delivery, mode: 'on' },
      notices: [{ actions: [{ command: 'compareChanged' }, { command: 'acceptChanged' }] }, { bold: 'mcp.json:' }],
      tools: [{ id: 'math/sum', loading: 'eager', changed: true, tokens: tokens() }],
      suggestions: { items: [], dismissed: 0 },
      ...{ untrusted: false, locale: 'en', strings: { title: expect.any(String) } },
    },
  });
  expect((fake.sent[0] as { state: ViewState }).state.notices[0]?.text).toContain('until you accept the change');
  await fake.ask({ type: 'suggest', act: 'dismiss', id: 'b' });
  expect(memento.get('dismissedSuggestions')).toEqual(['a', 'b']);
  ledger.exchanges.keep({ turn: 1, round: 1, request: EMPTY_REQUEST, ours: [] });
  await fake.ask({ type: 'getExchange', turn: 1, round: 1, whole: true });
  expect(host.shown).toEqual(['toolsearch-exchange:///turn-1-round-1.json']);
  const exchange = vscode.Uri.from({ scheme: 'toolsearch-exchange', path: '/turn-1-round-1.json' });
  const provider = host.documents.get('toolsearch-exchange');
  expect(provider?.provideTextDocumentContent(exchange, {} as vscode.CancellationToken)).toContain('"turn": 1');
  await fake.ask({ type: 'getTool', id: 'math/sum' });
  const detail = { id: 'math/sum', exampleTokens: tokens(), annotations: ['VS Code doesn’t pass its hints on'] };
  expect(fake.sent.at(-1)).toMatchObject({ type: 'tool', detail });
  host.picked = vscode.Uri.file('/out.json');
  await inspector.export();
  expect(new TextDecoder().decode(host.files.get('file:///out.json'))).toContain('"maxResults": 7');
  inspector.dispose();
  expect(host.documents.size).toBe(0);
});

it('a text exists until its editor is closed', async () => {
  const texts = new TextDocuments('toolsearch-exchange');
  const provider = host.documents.get('toolsearch-exchange');
  const changed: unknown[] = [];
  provider?.onDidChange?.(({ path }) => changed.push(path));
  texts.put('turn-1.json', 'the text');
  expect(changed).toEqual(['/turn-1.json']);
  const read = (path: string) => {
    const uri = vscode.Uri.from({ scheme: 'toolsearch-exchange', path });
    return [uri, provider?.provideTextDocumentContent(uri, {} as vscode.CancellationToken)] as const;
  };
  const [uri, text] = read('/turn-1.json');
  expect(text).toBe('the text');
  host.documentClosed.fire({ uri: vscode.Uri.from({ scheme: 'file', path: uri.path }) } as vscode.TextDocument);
  expect(read('/turn-1.json')[1]).toBe('the text');
  host.documentClosed.fire({ uri } as vscode.TextDocument);
  expect(read('/turn-1.json')[1]).toBe('');
  texts.dispose();
});
