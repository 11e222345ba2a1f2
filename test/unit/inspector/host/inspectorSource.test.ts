import { beforeEach, expect, it } from 'vitest';
import * as vscode from 'vscode';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { EMPTY_REQUEST, type ModelRequest, type ToolRun, toolMessage } from '../../../../src/core/ports';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { createInspectorSource, type InspectorSourceDeps } from '../../../../src/inspector/host/inspectorSource';
import type { Answer } from '../../../../src/inspector/protocol/messages';
import { TextDocuments } from '../../../../src/vscode/textDocuments';
import { viewInputs } from '../../../data/viewInputs';
import { makeCatalog, makeTool } from '../../core/turn/world';
import { host, resetHost } from '../../shim/host';

const SECRET = 'planted-secret-1';
const tokens = () => ({ value: 1, certainty: 'estimated' as const });
let ledger: Ledger;
let signals: AbortSignal[];
let opened: string[];
beforeEach(() => {
  resetHost();
  ledger = new Ledger();
  signals = [];
  opened = [];
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
  const answer = async (_: unknown, signal: AbortSignal) => {
    signals.push(signal);
    return run;
  };
  const deps = {
    shown: {
      source: { catalog: makeCatalog([makeTool('math', 'sum', '')]) },
      session: { tokensOfText: tokens },
      ledger,
      settings: () => ({}),
    },
    actions: { tryTool: (_: string, input: unknown, signal: AbortSignal) => answer(input, signal) },
    onDidChange: () => {},
    secrets: async () => new KnownSecrets().with([SECRET]),
    openText: async (_: string, text: string) => void opened.push(text),
  };
  return createInspectorSource(deps as unknown as InspectorSourceDeps, viewInputs);
}

it('no secret is in the result of a tried tool', async () => {
  const [tried] = await ask({ type: 'tryTool', id: 'math/sum', input: {} });
  expect(tried).toMatchObject({ type: 'tried', run: { outcome: 'ok', output: expect.stringMatching(/^It is \W/) } });
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

it.each([
  ['selectSet', 'toolsearch.selectSet'],
  ['openSettings', 'workbench.action.openSettings'],
  ['addServer', 'workbench.mcp.addConfiguration'],
  ['manageTrust', 'workbench.trust.manage'],
] as const)('the button %s runs %s', async (command, run) => {
  await ask({ type: 'run', command });
  expect(host.commands.map(([name]) => name)).toEqual([run]);
});

it('a text exists until its editor is closed', async () => {
  const texts = new TextDocuments('toolsearch-exchange');
  texts.put('turn-1.json', 'the text');
  const provider = host.documents.get('toolsearch-exchange');
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
