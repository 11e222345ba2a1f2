import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { messageOf } from '../../core/util/messageOf';
import { systemTimer } from '../../core/util/timers';
import { yieldToEventLoop } from '../../core/util/yieldToEventLoop';
import type { Answer, ToWebview } from '../protocol/messages';
import { parseRequest, type Request, type ToHost } from '../protocol/requests';
import type { Route } from '../protocol/route';
import type { ViewState } from '../protocol/view';
import type { Strings } from '../text/text';
import { page } from './page';
import { ViewSync } from './viewSync';
import { INSPECTOR_VIEW_TYPE } from './viewTypes';

/** The minimum time between two updates, in milliseconds. Faster changes are sent together. */
const THROTTLE_MS = 100;
/** The maximum share of time that computing views may take. With thousands of tools, a view takes long. */
const MAX_SHARE = 0.1;

/** The requests that the source handles. The panel itself handles all other requests. */
type SourceRequest = Exclude<ToHost, { type: 'ready' | 'watch' | 'copy' }>;

/** The data of this window's session for the panel. */
export interface InspectorSource {
  /** Does most of the work of {@link state} in steps. The caller can yield to the event loop between two steps. */
  prepare(watched: number | undefined): Iterable<unknown>;
  /**
   * Returns the view.
   * @param watched the turn whose timeline is shown; undefined for the newest
   */
  state(watched: number | undefined): ViewState;
  readonly onDidChange: vscode.Event<void>;
  /** Handles a request. `answer` may be called several times. Rejects with a message for the user. */
  handle(request: SourceRequest, answer: (answer: Answer) => void): Promise<void>;
}

/**
 * The inspector's editor tab: sends the view to the webview and receives its requests. There is at most one. It must be
 * disposed of with the extension.
 */
export class InspectorPanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #root: vscode.Uri;
  readonly #source: InspectorSource;
  readonly #strings: Strings;
  readonly #listening: vscode.Disposable;
  #panel: vscode.WebviewPanel | undefined;
  #cancelUpdate: (() => void) | undefined;
  /** The time that the last view took to compute, in milliseconds. */
  #cost = 0;
  readonly #sync = new ViewSync();
  /** The number of the current update. A newer update cancels earlier ones. */
  #update = 0;
  #sending = false;
  #watched: number | undefined;
  /** Whether the page can receive messages. A hidden page is unloaded, and loaded again when it is shown. */
  #listens = false;
  /** The place that the page opens when it can receive messages. */
  #place: Route | undefined;

  constructor(extensionUri: vscode.Uri, source: InspectorSource, strings: Strings) {
    this.#root = vscode.Uri.joinPath(extensionUri, 'dist');
    this.#source = source;
    this.#strings = strings;
    this.#listening = source.onDidChange(() => this.#updateSoon());
  }

  /** Opens the panel or brings it to the front, and shows `place`, if given. */
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

  /** Shows the inspector in a panel that VS Code restored. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.#panel) panel.dispose();
    else this.#attach(panel);
  }

  dispose(): void {
    this.#cancelUpdate?.();
    this.#panel?.dispose();
    this.#listening.dispose();
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
      if (!visible) this.#listens = false;
      // If only the focus changes, the page keeps its data.
      if (shown) this.#sendAll();
    });
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = undefined;
      this.#listens = false;
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

  #updateSoon(): void {
    if (this.#cancelUpdate || !this.#panel?.visible) return;
    this.#cancelUpdate = systemTimer(
      () => {
        this.#cancelUpdate = undefined;
        // An update must be sent completely before the next one starts.
        if (this.#sending) this.#updateSoon();
        else void this.#sendView();
      },
      Math.max(THROTTLE_MS, this.#cost / MAX_SHARE),
    );
  }

  /** Sends all data, since the page was just loaded, or was hidden and may have lost its data. */
  #sendAll(): void {
    this.#sync.reset();
    void this.#sendView();
  }

  /** Sends the current view to the page. Other work of the extension host can run between two messages. */
  async #sendView(): Promise<void> {
    if (!this.#panel?.visible) return;
    const update = ++this.#update;
    this.#sending = true;
    try {
      for (const _ of this.#source.prepare(this.#watched)) {
        await yieldToEventLoop();
        if (update !== this.#update) return;
      }
      const start = performance.now();
      const view = this.#source.state(this.#watched);
      this.#cost = performance.now() - start;
      for (const message of this.#sync.update(view, this.#watched)) {
        this.#send(message);
        await yieldToEventLoop();
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
        // A new page hasn't chosen a turn yet.
        this.#watched = undefined;
        this.#listens = true;
        this.#goTo();
        return this.#sendAll();
      case 'watch':
        this.#watched = message.turn ?? undefined;
        return this.#updateSoon();
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      default:
        return this.#source.handle(message, (answer) => this.#send({ ...answer, request }));
    }
  }
}
