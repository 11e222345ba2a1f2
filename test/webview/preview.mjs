/**
 * Draws the inspector with invented data in every section, theme and width, into test-results/preview, and runs axe
 * with colour contrast on each: `node test/webview/preview.mjs [only what contains this] [widths, by commas]`.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import * as esbuild from 'esbuild';
import { chromium as playwright } from 'playwright-core';

const root = path.resolve(import.meta.dirname, '../..');
const out = path.join(root, 'test-results/preview');
const only = process.argv[2] ?? '';
const widths = process.argv[3]?.split(',').map(Number) ?? [1100, 520];
const THEMES = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'hc-dark': 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast vscode-high-contrast-light',
};
const OPEN = { openTools: ['forge/list_pipeline_job'], filter: '@forge pipeline' };
const SHOTS = [
  { name: 'turns', nav: { section: 'turns' } },
  { name: 'table', nav: { section: 'turns', view: 'table' }, themes: ['dark', 'light'] },
  { name: 'timeline', nav: { section: 'timeline' }, full: true },
  { name: 'timeline-scripts', state: 'scripts', nav: { section: 'timeline' }, click: '.script-toggle >> nth=0', full: true },
  { name: 'timeline-script-failed', state: 'scripts', nav: { section: 'timeline' }, click: '.script-toggle >> nth=1', full: true },
  { name: 'tools', nav: { section: 'tools' } },
  { name: 'tools-expanded', nav: { section: 'tools', ...OPEN } },
  { name: 'tools-flat', nav: { section: 'tools', grouped: false, sort: { key: 'tokens', descending: true } }, themes: ['dark'] },
  {
    name: 'playground',
    nav: { section: 'playground', play: { mode: 'query', query: 'list issue' } },
    click: '[data-hit="0 1"]',
    full: true,
  },
  {
    name: 'playground-tool',
    nav: { section: 'playground', play: { mode: 'tool', query: 'what broke last night', tool: 'forge/list_pipeline_job' } },
  },
  { name: 'suggestions', nav: { section: 'suggestions' }, click: 'summary >> nth=0', full: true },
  { name: 'suggestions-exported', state: 'exported', nav: { section: 'suggestions' }, themes: ['dark', 'light', 'hc-dark'] },
  { name: 'suggestions-waiting', state: 'noturns', nav: { section: 'suggestions' }, themes: ['dark'] },
  { name: 'playground-intro', nav: { section: 'playground' }, themes: ['dark', 'light'] },
  {
    name: 'playground-picker',
    nav: { section: 'playground', play: { mode: 'tool' } },
    click: '[role=combobox]',
    themes: ['dark', 'hc-light'],
  },
  ...['empty', 'noturns', 'loading', 'degraded', 'untrusted'].map((state) => ({
    name: `state-${state}`,
    state,
    nav: { section: 'turns' },
  })),
  { name: 'export', nav: { section: 'export' } },
  ...['turns', 'tools', 'export'].map((section) => ({
    name: `exported-${section}`,
    state: 'exported',
    nav: { section },
    themes: ['dark', 'light'],
  })),
  ...[
    { name: 'turns' },
    { name: 'table', view: 'table', section: 'turns' },
    { name: 'timeline', turn: 1 },
    {
      name: 'tools',
      filter: 'name_of',
      openTools: [
        '<img src=x onerror=alert(1)>/name_of_a_tool_that_somebody_has_generated_from_a_path_of_an_interface_and_never_read_themselves',
      ],
    },
    { name: 'tools-all', section: 'tools' },
    { name: 'playground', play: { mode: 'query', query: 'list what there is' } },
  ].map(({ name, ...nav }) => ({
    name: `hostile-${name}`,
    state: 'hostile',
    nav: { section: name, ...nav },
    themes: ['dark', 'hc-light'],
  })),
  { name: 'state-loading-tools', state: 'loading', nav: { section: 'tools' } },
  { name: 'state-error', state: 'error', nav: { section: 'tools' } },
];

const assets = path.join(out, 'assets');
await rm(out, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
const common = { bundle: true, platform: 'browser', format: 'iife', target: 'es2022', jsx: 'automatic', logLevel: 'warning' };
const define = { 'process.env.NODE_ENV': '"production"' };
await esbuild.build({ ...common, define, entryPoints: [path.join(root, 'webview/main.tsx')], outfile: path.join(assets, 'inspector.js') });
await esbuild.build({ ...common, entryPoints: [path.join(root, 'test/webview/preview-data.ts')], outfile: path.join(assets, 'data.js') });

const FILES = {
  '/inspector.js': path.join(assets, 'inspector.js'),
  '/inspector.css': path.join(assets, 'inspector.css'),
  '/data.js': path.join(assets, 'data.js'),
  '/codicon.css': path.join(root, 'node_modules/@vscode/codicons/dist/codicon.css'),
  '/codicon.ttf': path.join(root, 'node_modules/@vscode/codicons/dist/codicon.ttf'),
  '/axe.js': path.join(root, 'node_modules/axe-core/axe.min.js'),
};
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** Stands for VS Code: answers as the host does. */
const HOST = `
window.acquireVsCodeApi = () => ({
  getState: () => JSON.parse(new URLSearchParams(location.search).get('nav')),
  setState() {},
  postMessage({ request, message }) {
    const answer = (data) => setTimeout(() => window.postMessage(data));
    if (message.type === 'ready') answer({ type: 'state', state: preview.state(new URLSearchParams(location.search).get('state')) });
    if (message.type === 'play') preview.play(message.question, (said) => answer({ type: 'played', request, answer: said }));
    if (message.type === 'getTool') answer({ type: 'tool', request, detail: preview.detail(message.id) });
  },
});`;

function document(theme) {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Inspector</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'">
<link rel="stylesheet" href="/themes/${theme}.css"><link rel="stylesheet" href="/codicon.css"><link rel="stylesheet" href="/inspector.css"></head>
<body class="${THEMES[theme]}"><div id="root"></div>
<script src="/host.js"></script><script src="/data.js"></script><script src="/inspector.js"></script></body></html>`;
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const send = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
  try {
    if (pathname === '/') return send('text/html', document(searchParams.get('theme')));
    if (pathname === '/host.js') return send('text/javascript', HOST);
    const file = pathname.startsWith('/themes/') ? path.join(root, 'test/webview', path.normalize(pathname)) : FILES[pathname];
    return send(TYPES[path.extname(file)], await readFile(file));
  } catch {
    return response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}`;

// In a single process, closing a page closes the browser.
const args = [...chromium.args.filter((arg) => arg !== '--single-process'), '--no-sandbox'];
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
let problems = 0;
for (const theme of Object.keys(THEMES)) {
  for (const width of widths) {
    const page = await browser.newPage({ viewport: { width, height: 820 }, reducedMotion: 'reduce' });
    page.on('console', (message) => message.type() === 'error' && report(`${theme} ${width}: ${message.text()}`));
    page.on('pageerror', (error) => report(`${theme} ${width}: ${error}`));
    for (const shot of SHOTS) {
      const name = `${shot.name}-${theme}-${width}`;
      if (!(shot.themes ?? Object.keys(THEMES)).includes(theme) || !name.includes(only)) continue;
      const query = new URLSearchParams({ theme, state: shot.state ?? '', nav: JSON.stringify(shot.nav) });
      await page.setViewportSize({ width, height: 820 });
      await page.goto(`${address}/?${query}`);
      await page.waitForSelector('[role=tabpanel]');
      await page.waitForTimeout(250);
      if (shot.click)
        await page
          .locator(shot.click)
          .locator('visible=true')
          .first()
          .click({ timeout: 2000 })
          .catch(() => {});
      if (shot.full) {
        const height = await page.evaluate(
          () => innerHeight - document.querySelector('main').clientHeight + document.querySelector('main').scrollHeight,
        );
        await page.setViewportSize({ width, height });
      }
      await page.screenshot({ path: path.join(out, `${name}.png`) });
      const wide = await page.evaluate(() =>
        ['html', 'header', 'nav', 'main'].filter((name) => {
          const { scrollWidth, clientWidth } = document.querySelector(name);
          return scrollWidth > clientWidth;
        }),
      );
      if (wide.length > 0) report(`${name}: ${wide} is wider than the panel`);
      await page.addScriptTag({ url: '/axe.js' });
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      for (const violation of violations) {
        report(
          `${name}: ${violation.id}: ${violation.nodes.length} × ${violation.nodes[0].html.slice(0, 160)}\n  ${violation.nodes[0].failureSummary}`,
        );
      }
    }
    await page.close();
  }
}
await browser.close();
server.close();
console.log(`${problems} problems; pictures in ${path.relative(root, out)}`);
process.exitCode = problems > 0 ? 1 : 0;

function report(text) {
  problems++;
  console.log(text);
}
