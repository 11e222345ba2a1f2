import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { iconsOf } from '../../scripts/icons.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** The kinds of theme of VS Code: name → classes of the body. */
export const THEMES = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'hc-dark': 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast vscode-high-contrast-light',
};

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** Simulates VS Code: answers as the host does. */
const HOST = `
const wanted = new URLSearchParams(location.search);
// The playground runs in Node.
window.setImmediate = (run) => setTimeout(run);
window.acquireVsCodeApi = () => ({
  getState: () => JSON.parse(wanted.get('nav')),
  setState() {},
  postMessage({ request, message }) {
    const answer = (data) => setTimeout(() => window.postMessage(data));
    if (message.type === 'ready') answer({ type: 'state', state: preview.state(wanted.get('state'), wanted.get('language')) });
    if (message.type === 'play') preview.play(message.question, (said) => answer({ type: 'played', request, answer: said }));
    if (message.type === 'getTool') answer({ type: 'tool', request, detail: preview.detail(message.id) });
  },
});`;

function page(theme) {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Inspector</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'">
<link rel="stylesheet" href="/themes/${theme}.css"><link rel="stylesheet" href="/codicon.css"><link rel="stylesheet" href="/inspector.css"></head>
<body class="${THEMES[theme]}"><div id="root"></div>
<script src="/host.js"></script><script src="/data.js"></script><script src="/inspector.js"></script></body></html>`;
}

/**
 * Serves the inspector over invented data. Its files are built into the folder `assets`. `address(shot, theme,
 * language)` is a page that shows one of `SHOTS`.
 */
export async function startDrawing(assets) {
  await mkdir(assets, { recursive: true });
  const common = {
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    logLevel: 'warning',
  };
  const define = { 'process.env.NODE_ENV': '"production"' };
  await esbuild.build({
    ...common,
    define,
    entryPoints: [path.join(root, 'webview/main.tsx')],
    outfile: path.join(assets, 'inspector.js'),
  });
  const icons = await iconsOf(path.join(assets, 'inspector.js'));
  for (const [file, content] of icons) await writeFile(path.join(assets, file), content);
  await esbuild.build({
    ...common,
    entryPoints: [path.join(root, 'test/webview/preview-data.ts')],
    outfile: path.join(assets, 'data.js'),
  });

  const FILES = {
    '/inspector.js': path.join(assets, 'inspector.js'),
    '/inspector.css': path.join(assets, 'inspector.css'),
    '/data.js': path.join(assets, 'data.js'),
    '/codicon.css': path.join(assets, 'codicon.css'),
    '/codicon.ttf': path.join(assets, 'codicon.ttf'),
    '/axe.js': path.join(root, 'node_modules/axe-core/axe.min.js'),
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const send = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
    try {
      if (pathname === '/') return send('text/html', page(searchParams.get('theme')));
      if (pathname === '/host.js') return send('text/javascript', HOST);
      const file = pathname.startsWith('/themes/')
        ? path.join(root, 'test/webview', path.normalize(pathname))
        : FILES[pathname];
      return send(TYPES[path.extname(file)], await readFile(file));
    } catch {
      return response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address({ state = '', nav }, theme, language = 'en') {
      const query = new URLSearchParams({ theme, state, language, nav: JSON.stringify(nav) });
      return `http://127.0.0.1:${server.address().port}/?${query}`;
    },
    axe: '/axe.js',
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
