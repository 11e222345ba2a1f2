// Builds the extension host's bundle and the inspector's. `--watch` rebuilds on change, `--production` minifies.
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as esbuild from 'esbuild';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');
const common = { bundle: true, minify: production, sourcemap: !production, legalComments: 'none', logLevel: watch ? 'info' : 'warning' };

/** Modules that the host imports dynamically: each is a file of its own, read when it is first needed. */
const PARTS = [
  'src/models/anthropic/anthropicClient.ts',
  'src/models/openai/openaiClient.ts',
  'src/tools/compileSchema.ts',
  'src/inspector/sessionFile/sessionFile.ts',
  'src/tools/mcp/mcpClient.ts',
  'src/endpoint/endpoint.ts',
];
const parts = {
  name: 'parts',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path)}.cjs`, external: true } : undefined,
    );
  },
};
/** The MCP SDK brings ajv for the results of tools, which we don't check: without it a part loads a quarter faster. */
const noResultCheck = {
  name: 'no-result-check',
  setup(build) {
    build.onResolve({ filter: /\/ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'export class AjvJsonSchemaValidator {}' }));
  },
};

/** jsonc-parser's UMD build hides its parts from a bundler: hence `mainFields`. */
const host = {
  ...common,
  entryPoints: { extension: 'src/extension.ts', ...Object.fromEntries(PARTS.map((file) => [basename(file, '.ts'), file])) },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', './re2js.cjs'],
  alias: { re2js: './re2js.cjs' },
  mainFields: ['module', 'main'],
  // `require`, which VS Code knows, in place of `import()`.
  supported: { 'dynamic-import': false },
  plugins: [parts, noResultCheck],
};
/** A file of its own, since a window has to read and compile all of the host's bundle before the extension can start. */
const re2 = { ...common, entryPoints: ['re2js'], outfile: 'dist/re2js.cjs', platform: 'node', format: 'cjs', target: 'node22' };
/** The thread of a script: read when the first one comes, as its engine is. */
const codeWorker = {
  ...common,
  entryPoints: { codeWorker: 'src/sandbox/worker.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  format: 'cjs',
  target: 'node20',
};
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
await copyFile('node_modules/quickjs-wasi/quickjs.wasm', 'dist/quickjs.wasm');
/** Bytes of the inspector's script and style: what a click on it has to load. */
const MAX_WEBVIEW_BYTES = 500_000;

for (const options of [host, re2, codeWorker, webview]) {
  if (watch) await (await esbuild.context(options)).watch();
  else await esbuild.build(options);
}
if (production) {
  const files = await Promise.all(['dist/inspector.js', 'dist/inspector.css'].map((file) => stat(file)));
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  if (bytes > MAX_WEBVIEW_BYTES) throw new Error(`The inspector has ${bytes} bytes, more than ${MAX_WEBVIEW_BYTES}.`);
}
