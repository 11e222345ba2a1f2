// Builds the extension host's bundle and the inspector's. `--watch` rebuilds on change, `--production` minifies.
import { copyFile, mkdir } from 'node:fs/promises';
import * as esbuild from 'esbuild';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');
const common = { bundle: true, minify: production, sourcemap: !production, legalComments: 'none', logLevel: watch ? 'info' : 'warning' };

/** jsonc-parser's UMD build hides its parts from a bundler: hence `mainFields`. */
const host = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', './re2js.cjs'],
  alias: { re2js: './re2js.cjs' },
  mainFields: ['module', 'main'],
};
/** A file of its own, since a window has to read and compile all of the host's bundle before the extension can start. */
const re2 = { ...common, entryPoints: ['re2js'], outfile: 'dist/re2js.cjs', platform: 'node', format: 'cjs', target: 'node22' };
const webview = {
  ...common,
  entryPoints: ['webview/main.tsx'],
  outfile: 'dist/inspector.js',
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  jsx: 'automatic',
  loader: { '.ttf': 'file' },
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

await mkdir('dist', { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf']) await copyFile(`node_modules/@vscode/codicons/dist/${file}`, `dist/${file}`);
for (const options of [host, re2, webview]) {
  if (watch) await (await esbuild.context(options)).watch();
  else await esbuild.build(options);
}
