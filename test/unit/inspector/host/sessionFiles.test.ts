import { beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { searchOver } from '../../../../src/core/search/searchOver';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { SessionFiles } from '../../../../src/inspector/host/sessionFiles';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { bigSession } from '../../../data/bigSession';
import { viewInputs } from '../../../data/viewInputs';
import { Uri } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';

const asUri = (path: string) => Uri.file(path) as unknown as vscode.Uri;

/** A panel that shows anything. */
function panel(title = 'session.json') {
  const closers: (() => void)[] = [];
  return {
    title,
    visible: true,
    html: '',
    webview: {
      cspSource: 'csp:',
      html: '',
      options: {},
      asWebviewUri: (uri: unknown) => uri,
      onDidReceiveMessage: () => ({ dispose() {} }),
      postMessage: async () => true,
    },
    onDidChangeViewState: () => ({ dispose() {} }),
    onDidDispose: (listener: () => void) => {
      closers.push(listener);
      return { dispose() {} };
    },
    dispose() {
      for (const close of closers) close();
    },
  };
}

let kept: { [key: string]: unknown };
let panels: ReturnType<typeof panel>[];
let files: SessionFiles;
beforeEach(() => {
  resetHost();
  kept = {};
  panels = [];
  host.makePanel = () => {
    panels.push(panel());
    return panels.at(-1) as unknown as vscode.WebviewPanel;
  };
  files = new SessionFiles({
    extensionUri: asUri('/ext'),
    version: '1.2.3',
    session: () => viewInputs(bigSession({ turns: 2, tools: 3 })),
    strings: INSPECTOR_STRINGS,
    searchOver: (tools) => searchOver(tools, async () => {}),
    loadWhatIf: () => Promise.reject(new Error('Nobody asks for replays here.')),
    memento: {
      get: (key: string) => kept[key],
      update: async (key: string, value: unknown) => {
        kept[key] = value;
      },
    } as unknown as vscode.Memento,
    secrets: async () => new KnownSecrets(),
  });
});

const exported = (path: string) => JSON.parse(new TextDecoder().decode(host.files.get(`file://${path}`)));
const heading = (shown: ReturnType<typeof panel>) => shown.webview.html.match(/<h1[^>]*>([^<]*)/)?.[1];

describe('a session’s file', () => {
  it('is written without contents unless the user chose to include them', async () => {
    host.picked = asUri('/out/a.json');
    await files.export();
    expect(exported('/out/a.json')).toMatchObject({ product: { version: '1.2.3' }, contents: false });
    await files.handle({ type: 'export', format: 'json', contents: true });
    expect(exported('/out/a.json').contents).toBe(true);
    expect(host.messages).toEqual([
      'Exported to a.json, without prompts and results.',
      'Exported to a.json, with prompts and results.',
    ]);
  });

  it('is not written if the user chooses no place, format or contents', async () => {
    await files.handle({ type: 'export', format: 'json', contents: true });
    host.picked = asUri('/out/a.json');
    host.choose = () => undefined;
    await files.export();
    expect(host.files.size).toBe(0);
  });

  it('is opened in its own panel, and known in this workspace', async () => {
    host.picked = asUri('/out/a.json');
    await files.handle({ type: 'export', format: 'json', contents: false });
    await files.open();
    expect(panels).toHaveLength(1);
    expect(kept.openedExports).toEqual(['file:///out/a.json']);
    const again = panel('a.json');
    await files.deserializeWebviewPanel(
      again as unknown as vscode.WebviewPanel,
      exportState('a.json', 'file:///out/a.json'),
    );
    expect(heading(again)).toBeUndefined();
    expect(again.webview.html).toContain('<div id="root"');
  });

  it.each<[string, unknown, RegExp]>([
    [
      'was never opened here',
      { file: 'b.json', uri: 'file:///out/b.json' },
      /folder of this session is no longer known/,
    ],
    ['was dropped', { file: 'b.json' }, /is dragged here/],
    ['is of another version', 'nonsense', /folder of this session is no longer known/],
  ])('that %s is not read after a reload; the panel says so', async (_, state, words) => {
    host.files.set('file:///out/b.json', new TextEncoder().encode('{}'));
    const shown = panel('b.json');
    const { file, uri } = state as { file?: string; uri?: string };
    await files.deserializeWebviewPanel(shown as unknown as vscode.WebviewPanel, file ? exportState(file, uri) : state);
    expect(shown.webview.html).toMatch(words);
  });

  it.each([[undefined], ['everything'], [[7, 'file:///out/c.json']]])(
    'is found again as far as what was kept (%j) is good',
    async (opened) => {
      kept.openedExports = opened;
      const shown = panel('c.json');
      await files.deserializeWebviewPanel(
        shown as unknown as vscode.WebviewPanel,
        exportState('c.json', 'file:///out/c.json'),
      );
      expect(shown.webview.html).toMatch(
        Array.isArray(opened) ? /c\.json no longer exists/ : /folder of this session is no longer known/,
      );
    },
  );

  it('that is none is refused in words, wherever it comes from', async () => {
    await expect(files.handle({ type: 'openText', name: 'x.json', text: '{"a":1}' })).rejects.toThrow(
      /x\.json isn’t a session/,
    );
    host.picked = asUri('/gone.json');
    await expect(files.open()).rejects.toThrow(/gone\.json/);
    host.picked = asUri('/pipe.json');
    host.files.set('file:///pipe.json', new TextEncoder().encode('{}'));
    host.fileType = 0 as typeof host.fileType;
    await expect(files.open()).rejects.toThrow('pipe.json isn’t a regular file.');
    expect(panels).toEqual([]);
  });
});

/** The state that a panel of an exported session leaves behind, as `parseKeptExport` reads it. */
function exportState(file: string, uri?: string) {
  return { exported: { file, uri } };
}
