import type { ToWebview } from '../../../../src/inspector/protocol/messages';

/** A webview panel that keeps its messages. */
export class FakePanel {
  visible = true;
  iconPath: unknown;
  revealed = 0;
  readonly sent: ToWebview[] = [];
  receive: (message: unknown) => unknown = () => {};
  #asked = 0;
  ask(message: unknown) {
    return this.receive({ request: ++this.#asked, message });
  }
  changeVisibility: () => void = () => {};
  close: () => void = () => {};
  readonly webview = {
    cspSource: 'csp:',
    html: '',
    options: {},
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: (listener: (message: unknown) => unknown) => {
      this.receive = listener;
    },
    postMessage: async (message: ToWebview) => this.sent.push(message),
  };
  reveal() {
    this.revealed++;
  }
  onDidChangeViewState(listener: () => void) {
    this.changeVisibility = listener;
  }
  onDidDispose(listener: () => void) {
    this.close = listener;
  }
  dispose() {
    this.close();
  }
}
