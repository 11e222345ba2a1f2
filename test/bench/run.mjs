// Runs one of the measuring commands: node test/bench/run.mjs eval|bench [options]
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { importTypeScript } from '../importTypeScript.mjs';
import { ensureDependencies } from '../vscode/harness/dependencies.mjs';
import { ROOT } from '../vscode/harness/paths.mjs';
import { main, UserError } from '../vscode/harness/say.mjs';

const [command, ...args] = process.argv.slice(2);

await main(async () => {
  if (command !== 'eval' && command !== 'bench')
    throw new UserError('Usage: node test/bench/run.mjs eval|bench [options]');
  const own = fileURLToPath(new URL('.', import.meta.url));
  if (command === 'bench' && ['peers', 'chats'].includes(args[0])) {
    const measuring = await importTypeScript(`test/bench/${args[0]}.ts`);
    execFileSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    await measuring.main(args.slice(1), own, path.join(ROOT, 'dist'));
    process.exit();
  }
  if (command === 'bench' && args.length === 1 && args[0] === 'code') {
    const sample = path.join(ROOT, 'sample');
    await ensureDependencies(sample, "the sample's MCP servers");
    const code = await importTypeScript('test/bench/code.ts');
    execFileSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    await code.main(sample, path.join(ROOT, 'dist'));
    process.exit();
  }
  if (command === 'bench' && args.length === 1 && args[0] === 'stuffing') {
    await (await importTypeScript('test/bench/stuffing.ts')).main(own);
    process.exit();
  }
  if (command === 'bench' && args[0] === 'scale') {
    await (await importTypeScript('test/bench/scale.ts')).main(args.slice(1), own);
    process.exit();
  }
  const measuring = await importTypeScript(`test/bench/${command}.ts`);
  if (command === 'bench' && args.length === 1 && args[0] === 'inspector') {
    await (await import('./inspector.mjs')).measureInspector();
    process.exit();
  }
  if (command === 'bench' && args.length === 1 && args[0] === 'activation') {
    await (await import('./product.mjs')).measureActivation();
    process.exit();
  }
  // With another catalog, or with output for a program, only the search is measured.
  if (command === 'bench' && args.length === 0) await (await import('./product.mjs')).measureProduct();
  await measuring.main(args, own);
});
