// Builds the extension host's bundle and the inspector's. `--watch` rebuilds on change, `--production` minifies.
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { ICON_FILES, iconsOf } from './scripts/icons.mjs';
import { packagedReadme, thirdPartyNotices } from './scripts/packageTexts.mjs';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');
const common = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  // The licences are in ThirdPartyNotices.txt.
  legalComments: 'none',
  // As ASCII, each typographic quote in a text would be an escape of six bytes.
  charset: 'utf8',
  metafile: true,
  logOverride: { 'import-is-undefined': 'error' },
  logLevel: watch ? 'info' : 'warning',
};

/**
 * Modules that the host imports dynamically, and modules that several of these import. Each becomes a file of its own,
 * read when it is first needed.
 */
const PARTS = [
  'src/inspector/host/inspector.ts',
  'src/core/search/searchPort.ts',
  'src/core/search/toolFilter.ts',
  'src/core/search/toolIndex.ts',
  'src/core/catalog/marks.ts',
  'src/ui/chat/slashCommands.ts',
  'src/ui/commands/choices.ts',
  'src/ui/commands/hideTools.ts',
  'src/vscode/removeStoredData.ts',
  'src/vscode/searchWordStore.ts',
  'src/core/turn/recordRound.ts',
  'src/core/turn/turn.ts',
  'src/core/turn/rounds.ts',
  'src/core/turn/calls.ts',
  'src/core/turn/gates.ts',
  'src/core/agents/relay.ts',
  'src/core/ledger/turnReport.ts',
  'src/core/ledger/turnFigures.ts',
  'src/providers/native/nativePorts.ts',
  'src/providers/searchOnly/searchOnly.ts',
  'src/providers/anthropic/anthropicClient.ts',
  'src/providers/openai/openaiClient.ts',
  'src/tools/arguments/compileSchema.ts',
  'src/inspector/sessionFile/sessionFile.ts',
  'src/tools/mcp/connection/chooseTransport.ts',
  'src/tools/mcp/config/parseMcpConfig.ts',
  'src/tools/mcp/servers/mcpToolProvider.ts',
  'src/tools/mcp/lists/serverItems.ts',
  'src/tools/mcp/agentFiles/readAgentFiles.ts',
  'src/tools/vscode/mcpClientSetup.ts',
  'src/tools/vscode/askSignIn.ts',
  'src/tools/vscode/askStart.ts',
  'src/tools/vscode/useInAgents.ts',
  'src/tools/vscode/askForm.ts',
  'src/tools/vscode/useItem.ts',
  'src/endpoint/endpoint.ts',
  'src/ui/confirmations/confirmationText.ts',
  'src/ui/confirmations/endpointConfirmations.ts',
];
/**
 * Modules that exist only once for the host and its parts: those that hold state or classes that `instanceof` tests, and
 * large ones that the host needs at start and several parts later.
 */
const SHARED = [
  'src/core/code/scriptName.ts',
  'src/core/code/signature.ts',
  'src/core/models/modelTable.ts',
  'src/core/planning/ownTools.ts',
  'src/core/search/text/lexicon.ts',
  'src/core/search/text/words.ts',
  'src/core/settings/glob.ts',
  'src/core/usage/accounting.ts',
  'src/core/usage/tokens.ts',
  'src/core/util/l10n.ts',
  'src/core/util/lookalikes.ts',
  'src/core/util/plainText.ts',
  'src/core/ports.ts',
  'src/core/util/re2.ts',
  'src/tools/mcp/config/serverFailure.ts',
  'src/tools/mcp/transport/startOneByOne.ts',
  'src/tools/withinTime.ts',
];
/** Packages that several parts use, or that most windows never need. Each is a file of its own. */
const PACKAGES = { 'jsonc-parser': './jsonc.cjs', re2js: './re2js.cjs', 'smol-toml': './toml.cjs' };
const sharedFiles = SHARED.map((file) => resolve(file));
const partFiles = new Map(PARTS.map((file) => [resolve(file), `./${basename(file, '.ts')}.cjs`]));
/**
 * Requires VS Code's API, the shared file and other parts once in a bundle. As externals they would be required again for each file
 * that imports them. Each time, all names of the API would be copied, which takes two thirds of the bundle's load time.
 */
const requiredOnce = {
  name: 'required-once',
  setup(build) {
    const namespace = 'required-once';
    const sources = {
      vscode: ['node_modules/@types/vscode/index.d.ts'],
      './shared.cjs': sharedFiles,
      ...Object.fromEntries([...partFiles].map(([file, part]) => [part, [file]])),
    };
    build.onResolve({ filter: /^vscode$/ }, ({ path, namespace: from }) =>
      from === namespace ? undefined : { path, namespace, sideEffects: false },
    );
    build.onResolve({ filter: /^(?:zod\/v4|@modelcontextprotocol\/core\/internal)$/ }, () => ({
      path: './mcpSchemas.cjs',
      namespace,
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace }, async ({ path }) => {
      const names = await (path === './mcpSchemas.cjs'
        ? mcpSchemaNames()
        : namesIn(sources[path], /^\t?export (?:async )?(?:namespace|class|enum|const|function) (\w+)/gm));
      // A bundle drops the names that it doesn't use.
      const lines = names.flatMap((name, index) => [
        `const e${index} = /* @__PURE__ */ of('${name}');`,
        `export { e${index} as ${name} };`,
      ]);
      return { contents: [`const all = require('${path}');`, 'const of = (name) => all[name];', ...lines].join('\n') };
    });
  },
};
/** The names that files contain as the first group of a pattern, each once. */
async function namesIn(files, pattern) {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)))];
}
const parts = {
  name: 'parts',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
      const file = resolve(resolveDir, `${path}.ts`);
      if (file.startsWith(resolve('src')) && kind === 'dynamic-import') {
        const part = partFiles.get(file);
        return part
          ? { path: part, external: true }
          : { errors: [{ text: `${file} is imported dynamically, so it must be in PARTS.` }] };
      }
      const bundle = sharedFiles.includes(file) ? './shared.cjs' : partFiles.get(file);
      return bundle && { path: bundle, namespace: 'required-once', sideEffects: false };
    });
  },
};
/**
 * Requires zod when the first schema is made. Few starts make one, and each bundle's own copy would take 15 to 30 kB.
 */
const zodLater = {
  name: 'zod-later',
  setup(build) {
    const namespace = 'zod-later';
    build.onResolve({ filter: /^zod\/mini$/ }, ({ path }) => ({ path, namespace, sideEffects: false }));
    build.onLoad({ filter: /.*/, namespace }, async () => {
      const functions = (await zodFunctions()).map((name, index) => [
        `const f${index} = /* @__PURE__ */ later('${name}');`,
        `export { f${index} as ${name} };`,
      ]);
      const later = "const later = (name) => (...given) => (zod ??= require('./zod.cjs'))[name](...given);";
      return { contents: ['let zod;', later, ...functions.flat()].join('\n') };
    });
  },
};
/** The names of zod's functions that src calls. */
async function zodFunctions() {
  const all = await import('zod/mini');
  return (await zodNames('src', '.ts')).filter((name) => typeof all[name] === 'function');
}
/** The names that the files of a folder take from zod. */
async function zodNames(folder, ending) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(ending));
  return namesIn(
    files.map((file) => `${folder}/${file}`),
    /\bz\.(\w+)/g,
  );
}
/** What the MCP SDK's client and server take from zod. Both also take all of the SDK's core. */
async function sdkZodNames() {
  const all = await import('zod/v4');
  const folders = ['client', 'core', 'server'].map((name) => `node_modules/@modelcontextprotocol/${name}/dist`);
  const names = (await Promise.all(folders.map((folder) => zodNames(folder, '.mjs')))).flat();
  return [...new Set(names)].filter((name) => name in all);
}
async function mcpSchemaNames() {
  return [...(await sdkZodNames()), ...Object.keys(await import('@modelcontextprotocol/core/internal'))];
}
/** Areas of both services' clients that the extension never uses: resources, helpers that gather streams, other sign-ins. */
const UNUSED_AREAS = [
  /openai[\\/]resources[\\/](?:admin|audio|batches|beta|chat[\\/](?:chat|completions[\\/]completions)|completions|containers|conversations|embeddings|evals|files|fine-tuning|graders|images|live|models|moderations|realtime|safety|skills|uploads|vector-stores|videos|webhooks)[\\/.][\w\\/-]*(?:\.mjs)?$/,
  /openai[\\/](?:lib[\\/]responses[\\/]ResponseStream|auth[\\/]workload-identity-auth|internal[\\/]auth[\\/]x509-workload-identity-auth)\.mjs$/,
  /@anthropic-ai[\\/]sdk[\\/]resources[\\/](?:beta|completions|files|messages[\\/]batches|models|organization|skills|user-profiles)[\\/.][\w\\/.-]*$/,
  /@anthropic-ai[\\/]sdk[\\/]lib[\\/]MessageStream\.mjs$/,
];
/** Zod's conversion to JSON Schema. The extension gives the MCP SDK JSON schemas, never zod's. */
const TO_JSON_SCHEMA = /zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
/**
 * Leaves out modules that are never run: the MCP SDK's check of results, which saves a quarter of a part's load time,
 * the check of webhooks in Anthropic's SDK, zod's conversion to JSON Schema, and the unused areas of both services. The
 * clients create an object for each area and refer to its errors, so an area becomes an empty class and its error the
 * general error of the same status. A function that asks for an unused option becomes one that finds nothing.
 */
const leftOut = {
  name: 'left-out',
  setup(build) {
    const leave = (filter, contents) => {
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'left-out', pluginData: contents }));
    };
    leave(/\/ajvProvider-[^/]+\.mjs$/, 'export class n {}');
    leave(/^standardwebhooks$/, 'export class Webhook {}');
    for (const filter of UNUSED_AREAS) {
      build.onLoad({ filter }, async ({ path }) => {
        const errors = JSON.stringify(path.replace(/resources[\\/].*/, 'core/error.mjs'));
        const text = await readFile(path, 'utf8');
        const classes = text.matchAll(/^ *(?:export )?class (\w+)(?: extends (\w+Error)\b)?/gm);
        const functions = text.matchAll(/^export function (\w+)/gm);
        const lines = [...classes].map(([, name, base]) =>
          base === undefined ? `export class ${name} {}` : `export { ${base} as ${name} } from ${errors};`,
        );
        lines.push(...[...functions].map(([, name]) => `export function ${name}() {}`));
        return { contents: lines.join('\n'), resolveDir: dirname(path) };
      });
    }
    build.onLoad({ filter: TO_JSON_SCHEMA }, async ({ path }) => {
      const names = (await readFile(path, 'utf8')).matchAll(/^export (?:function|const) (\w+)/gm);
      return { contents: [...names].map(([, name]) => `export const ${name} = () => {};`).join('\n') };
    });
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ pluginData }) => ({ contents: pluginData }));
  },
};

/** Removes the descriptions of settings. Only package.json, which is generated from them, has a use for them. */
const withoutDescriptions = {
  name: 'without-descriptions',
  setup(build) {
    build.onLoad({ filter: /core[\\/]settings[\\/]settings\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/'(?:[^'\\\n]|\\.)*\.'|"(?:[^"\\\n]|\\.)*\."/g, "''"),
      loader: 'ts',
    }));
  },
};

/** jsonc-parser's UMD build hides its parts from a bundler: hence `mainFields`. */
const host = {
  ...common,
  entryPoints: {
    extension: 'src/extension.ts',
    ...Object.fromEntries(PARTS.map((file) => [basename(file, '.ts'), file])),
  },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: [
    'vscode',
    './shared.cjs',
    './zod.cjs',
    './mcpSchemas.cjs',
    ...Object.values(PACKAGES),
    ...partFiles.values(),
  ],
  alias: PACKAGES,
  mainFields: ['module', 'main'],
  // Compiles `import()` to `require`, which VS Code supports.
  supported: { 'dynamic-import': false },
  plugins: [requiredOnce, parts, zodLater, leftOut, withoutDescriptions],
};
const shared = {
  ...host,
  entryPoints: undefined,
  stdin: { contents: SHARED.map((file) => `export * from './${file}';`).join('\n'), resolveDir: '.' },
  outdir: undefined,
  outfile: 'dist/shared.cjs',
  plugins: [zodLater],
};
const zod = {
  ...host,
  entryPoints: undefined,
  stdin: { contents: `export { ${await zodFunctions()} } from 'zod/mini';`, resolveDir: '.' },
  outdir: undefined,
  outfile: 'dist/zod.cjs',
  plugins: [leftOut],
};
/** The schemas of MCP's messages, which the SDK's client and server share, with the zod that made them. */
const mcpSchemas = {
  ...zod,
  stdin: {
    contents: `export { ${await sdkZodNames()} } from 'zod/v4'; export * from '@modelcontextprotocol/core/internal';`,
    resolveDir: '.',
  },
  outfile: 'dist/mcpSchemas.cjs',
};
const packages = {
  ...host,
  entryPoints: Object.fromEntries(Object.entries(PACKAGES).map(([name, file]) => [basename(file, '.cjs'), name])),
  alias: {},
  plugins: [],
};
/** The worker thread of a script. Like the script engine, it is loaded when the first script runs. */
const codeWorker = {
  ...common,
  entryPoints: { codeWorker: 'src/sandbox/scriptThread.ts' },
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

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
const ENGINE = 'node_modules/quickjs-wasi/quickjs.wasm';
await copyFile(ENGINE, `dist/${basename(ENGINE)}`);
const outputs = [];
for (const options of [host, shared, zod, mcpSchemas, packages, codeWorker, webview]) {
  if (watch) await (await esbuild.context(options)).watch();
  else outputs.push(...Object.entries((await esbuild.build(options)).metafile?.outputs ?? {}));
}
if (watch) for (const file of ICON_FILES) await copyFile(file, `dist/${basename(file)}`);
else for (const [file, content] of await iconsOf('dist/inspector.js')) await writeFile(`dist/${file}`, content);
await checkDoubles(outputs);
checkPackages(outputs);
if (production) {
  const bundled = outputs.flatMap(([, { inputs }]) =>
    Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0),
  );
  await writeFile('dist/ThirdPartyNotices.txt', thirdPartyNotices([...bundled, ...ICON_FILES, ENGINE]));
  const manifest = JSON.parse(await readFile('package.json', 'utf8'));
  await writeFile('dist/readme.md', packagedReadme(await readFile('README.md', 'utf8'), manifest));
  // The size that a window reads when it starts, and the size that a click on the inspector loads.
  await checkSize('host', ['dist/extension.cjs', 'dist/shared.cjs'], 240_000);
  await checkSize('inspector', ['dist/inspector.js', 'dist/inspector.css'], 500_000);
}

async function checkSize(name, files, max) {
  const bytes = (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0);
  if (bytes > max) throw new Error(`The ${name} has ${bytes} bytes, more than ${max}.`);
}

/**
 * Checks which modules are in two of the host's bundles. Such a module exists twice, which is only right if it has
 * nothing but functions.
 */
async function checkDoubles(outputs) {
  const places = new Map();
  for (const [output, { inputs }] of outputs) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      if (file.startsWith('src/') && bytesInOutput > 0) places.set(file, [...(places.get(file) ?? []), output]);
    }
  }
  const texts = new Map(
    await Promise.all([...places.keys()].map(async (file) => [file, await readFile(file, 'utf8')])),
  );
  const askedFor = new Set(
    [...texts.values()].flatMap((text) => [...text.matchAll(/ instanceof (\w+)/g)].map(([, name]) => name)),
  );
  for (const [file, bundles] of places) {
    const text = bundles.length > 1 ? texts.get(file) : '';
    const keeps = /^(?:export )?(?:let |const \w+ = new (?:Map|Set)(?:<.*>)?\(\);)/m.test(text);
    const classes = [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)].map(([, name]) => name);
    if (!keeps && !classes.some((name) => askedFor.has(name))) continue;
    throw new Error(
      `${file} keeps something or is asked for by its class, and would be in ${bundles.join(' and ')}: see SHARED.`,
    );
  }
}

/**
 * Checks that each package of more than 5 kB is in one file of the host alone. The webview and the worker thread can't
 * require the host's. Of zod, zod.cjs has the small functions for src, and mcpSchemas.cjs the classes for MCP.
 */
function checkPackages(outputs) {
  const places = new Map();
  for (const [output, { inputs }] of outputs) {
    if (/(?:inspector\.js|codeWorker\.cjs)$/.test(output)) continue;
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
      if (name === undefined || name === 'zod') continue;
      const bytes = places.get(name) ?? new Map();
      places.set(name, bytes.set(output, (bytes.get(output) ?? 0) + bytesInOutput));
    }
  }
  for (const [name, bytes] of places) {
    const large = [...bytes].filter(([, size]) => size > 5_000).map(([output]) => output);
    if (large.length > 1) throw new Error(`${name} would be in ${large.join(' and ')}: see PACKAGES.`);
  }
}
