const { monitorEventLoopDelay } = require('node:perf_hooks');
const vscode = require('vscode');

let histogram;
let item;

/** Milliseconds for which the extension host was held up since the last call, at the most; undefined at the first. */
exports.holdUps = () => {
  const longest = histogram && histogram.max / 1e6;
  histogram?.disable();
  histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  return { longest };
};

/** Puts an item into the status bar that opens a webview panel with nothing but text: the least that any panel takes. */
exports.offerPlainPanel = () => {
  if (item) return;
  vscode.commands.registerCommand('companion.openPlainPanel', () => {
    const panel = vscode.window.createWebviewPanel('companion.plain', 'Plain', vscode.ViewColumn.Active, { enableScripts: true });
    const lines = Array.from({ length: 5000 }, (_, line) => `<p>A line of plain text, number ${line}</p>`);
    panel.webview.html = `<!DOCTYPE html><html><body><main style="height:100vh;overflow:auto">${lines.join('')}</main></body></html>`;
  });
  item = vscode.window.createStatusBarItem('companion.plain', vscode.StatusBarAlignment.Right, 200);
  item.text = 'Plain Panel';
  item.command = 'companion.openPlainPanel';
  item.show();
};
