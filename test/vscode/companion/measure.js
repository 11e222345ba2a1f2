// Measures the extension host's thread, for the benchmark.
const { ChildProcess } = require('node:child_process');
const vscode = require('vscode');

/** Milliseconds between two samples of {@link exports.blocks}. */
const PAUSE_MS = 5;

let item;
let endWatch;

/**
 * Returns delays of the extension host's thread since the last call, in milliseconds; nothing at the first call.
 * `delay`: the longest time between two samples beyond the pause; on a busy machine it is mostly due to other
 * processes. `block`: the longest time that the thread worked without a pause. `blockBesideStarts`: the same without
 * the starting of processes, since VS Code starts all servers at once.
 */
exports.blocks = () => {
  const figures = endWatch?.() ?? {};
  endWatch = watch();
  return figures;
};

function watch() {
  const figures = { delay: 0, block: 0, blockBesideStarts: 0 };
  let last = performance.now();
  let worked = threadMs();
  let starts = 0;
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function (options) {
    const before = threadMs();
    const result = spawn.call(this, options);
    starts += threadMs() - before;
    return result;
  };
  const timer = setInterval(() => {
    const now = performance.now();
    const work = threadMs();
    figures.delay = Math.max(figures.delay, now - last - PAUSE_MS);
    figures.block = Math.max(figures.block, work - worked);
    figures.blockBesideStarts = Math.max(figures.blockBesideStarts, work - worked - starts);
    last = now;
    worked = work;
    starts = 0;
  }, PAUSE_MS);
  return () => {
    clearInterval(timer);
    ChildProcess.prototype.spawn = spawn;
    return Object.fromEntries(Object.entries(figures).map(([name, ms]) => [name, Math.round(ms)]));
  };
}

/**
 * The processor time of this thread. On a busy machine, the wall clock would include the time that the thread waits for
 * the processor.
 */
function threadMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Adds a status bar item that opens a webview panel with only text, as the minimum that any panel costs. */
exports.offerPlainPanel = () => {
  if (item) return;
  vscode.commands.registerCommand('companion.openPlainPanel', () => {
    const panel = vscode.window.createWebviewPanel('companion.plain', 'Plain', vscode.ViewColumn.Active, {
      enableScripts: true,
    });
    const lines = Array.from({ length: 5000 }, (_, line) => `<p>A line of plain text, number ${line}</p>`);
    panel.webview.html = `<!DOCTYPE html><html><body><main style="height:100vh;overflow:auto">${lines.join('')}</main></body></html>`;
  });
  item = vscode.window.createStatusBarItem('companion.plain', vscode.StatusBarAlignment.Right, 200);
  item.text = 'Plain Panel';
  item.command = 'companion.openPlainPanel';
  item.show();
};
