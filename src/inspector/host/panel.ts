import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { messageOf } from '../../core/util/messageOf';
import type { Answer, ToWebview } from '../protocol/messages';
import { parseRequest, type Request, type ToHost } from '../protocol/requests';
import type { Route } from '../protocol/route';
import type { ViewState } from '../protocol/view';
import type { Strings } from '../text/text';
import { page } from './page';
import { ViewSync } from './viewSync';
import { INSPECTOR_VIEW_TYPE } from './viewTypes';

/** Changes that come faster than this many milliseconds are sent together. */
const THROTTLE_MS = 100;
/** A view of thousands of tools takes long to make: making them takes this share of the time at most. */
const MAX_SHARE = 0.1;

/** The requests that depend on the session; the panel itself answers the others. */
type SourceRequest = Exclude<ToHost, { type: 'ready' | 'watch' | 'copy' }>;

/** A session as the panel shows it: this window's, or an exported one. */
export interface InspectorSource {
  /** Does most of the work of `state` in steps; the caller can yield to the event loop between them. */
  prepare(watched: number | undefined): Iterable<unknown>;
  /** @param watched the turn whose timeline is shown; undefined is the newest */
  state(watched: number | undefined): ViewState;
  /** Calls `listener` after each change; returns the function that ends this. */
  onDidChange(listener: () => void): () => void;
  /** Handles a request; `answer` may be called several times. Rejects with a message for the user. */
  handle(request: SourceRequest, answer: (answer: Answer) => void): Promise<void>;
}

/** An inspector's editor tab: one at most. Dispose it with the extension. */
export class InspectorPanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #root: vscode.Uri;
  readonly #source: InspectorSource;
  readonly #strings: Strings;
  readonly #disposables: vscode.Disposable[] = [];
  #panel: vscode.WebviewPanel | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds that the last view took to make. */
  #cost = 0;
  readonly #sync = new ViewSync();
  /** Which of the updates is under way: a newer one ends those before it. */
  #update = 0;
  #sending = false;
  #watched: number | undefined;
  /** Whether the page listens: one that is hidden is gone, and is loaded again. */
  #listens = false;
  /** Where the page is to go once it listens. */
  #place: Route | undefined;

  constructor(extensionUri: vscode.Uri, source: InspectorSource, strings: Strings) {
    this.#root = vscode.Uri.joinPath(extensionUri, 'dist');
    this.#source = source;
    this.#strings = strings;
    this.#disposables.push({ dispose: source.onDidChange(() => this.#changed()) });
  }

  /** Opens the panel, or brings it to the front; at a place, or if it was. */
  show(place?: Route): void {
    this.#place = place;
    if (this.#panel) {
      this.#panel.reveal();
      this.#goTo();
      return;
    }
    const { title } = this.#strings;
    this.#attach(
      vscode.window.createWebviewPanel(INSPECTOR_VIEW_TYPE, title, vscode.ViewColumn.Active, { enableScripts: true }),
    );
  }

  /** Shows itself in a panel that is there already. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.#panel) panel.dispose();
    else this.#attach(panel);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#panel?.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #attach(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    const { webview } = panel;
    const asset = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.#root, name)).toString();
    webview.options = { enableScripts: true, localResourceRoots: [this.#root] };
    webview.onDidReceiveMessage((message) => void this.#receive(message));
    panel.iconPath = new vscode.ThemeIcon('search');
    let visible = panel.visible;
    panel.onDidChangeViewState(() => {
      const shown = panel.visible && !visible;
      visible = panel.visible;
      if (!visible) this.#leave();
      // A page that only gets or loses the focus has lost nothing of what it was sent.
      if (shown) this.#sendAll();
    });
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = undefined;
      this.#leave();
    });
    this.#watched = undefined;
    this.#listens = false;
    webview.html = page({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      script: asset('inspector.js'),
      styles: [asset('codicon.css'), asset('inspector.css')],
      lang: vscode.env.language,
      title: this.#strings.title,
      waiting: this.#strings.starting,
    });
  }

  /** The page is gone, and nobody waits for its longest request. */
  #leave(): void {
    this.#listens = false;
    void this.#source.handle({ type: 'stopWhatIf' }, () => {});
  }

  #changed(): void {
    if (this.#timer || !this.#panel?.visible) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        // An update must arrive whole before the next one starts.
        if (this.#sending) this.#changed();
        else void this.#sendView();
      },
      Math.max(THROTTLE_MS, this.#cost / MAX_SHARE),
    );
  }

  /** Everything again: the page has just been loaded, or was hidden and may have lost what it was sent. */
  #sendAll(): void {
    this.#sync.reset();
    void this.#sendView();
  }

  /** Brings the webview to what is known now, letting the extension host go on between any two messages. */
  async #sendView(): Promise<void> {
    if (!this.#panel?.visible) return;
    const update = ++this.#update;
    this.#sending = true;
    try {
      for (const _ of this.#source.prepare(this.#watched)) {
        await new Promise(setImmediate);
        if (update !== this.#update) return;
      }
      const start = performance.now();
      const view = this.#source.state(this.#watched);
      this.#cost = performance.now() - start;
      for (const message of this.#sync.update(view, this.#watched)) {
        this.#send(message);
        await new Promise(setImmediate);
        if (update !== this.#update) return;
        if (!this.#panel?.visible) break;
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#sending = false;
  }

  #goTo(): void {
    if (!this.#place || !this.#listens) return;
    this.#send({ type: 'goTo', place: this.#place });
    this.#place = undefined;
  }

  #fail(error: unknown, request?: number): void {
    const message = messageOf(error);
    this.#send({ type: 'failed', ...(request === undefined ? {} : { request }), message });
  }

  #send(message: ToWebview): void {
    void this.#panel?.webview.postMessage(message);
  }

  async #receive(raw: unknown): Promise<void> {
    const asked = parseRequest(raw);
    if (!asked) return;
    try {
      await this.#handle(asked);
    } catch (error) {
      this.#fail(error, asked.request);
    }
  }

  async #handle({ request, message }: Request): Promise<void> {
    switch (message.type) {
      case 'ready':
        // A new page watches nothing yet.
        this.#watched = undefined;
        this.#listens = true;
        this.#goTo();
        return this.#sendAll();
      case 'watch':
        this.#watched = message.turn ?? undefined;
        return this.#changed();
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      default:
        return this.#source.handle(message, (answer) => this.#send({ ...answer, request }));
    }
  }
}
