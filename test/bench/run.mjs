// Runs one of the measuring commands: node test/bench/run.mjs eval|bench [options]
import { fileURLToPath } from 'node:url';
import { importTypeScript } from '../importTypeScript.mjs';
import { main, UserError } from '../vscode/harness/say.mjs';

const [command, ...args] = process.argv.slice(2);

await main(async () => {
  if (command !== 'eval' && command !== 'bench') throw new UserError('Usage: node test/bench/run.mjs eval|bench [options]');
  const measuring = await importTypeScript(`test/bench/${command}.ts`);
  if (command === 'bench' && args.length === 1 && args[0] === 'inspector') {
    await (await import('./inspector.mjs')).measureInspector();
    process.exit();
  }
  // With a catalog of one's own, or for a program, only the search counts.
  if (command === 'bench' && args.length === 0) await (await import('./product.mjs')).measureProduct();
  await measuring.main(args, fileURLToPath(new URL('.', import.meta.url)));
});
