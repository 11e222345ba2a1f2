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
  const [part, ...rest] = command === 'bench' && !args[0]?.startsWith('--') ? args : [];
  const measuring = (name) => importTypeScript(`test/bench/${name}.ts`);
  const built = () => {
    execFileSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    return path.join(ROOT, 'dist');
  };
  switch (part) {
    case undefined:
      return (await measuring(command)).main(args, own);
    case 'peers':
    case 'chats':
      return (await measuring(part)).main(rest, own, built());
    case 'code': {
      const sample = path.join(ROOT, 'sample');
      await ensureDependencies(sample, "the sample's MCP servers");
      return (await measuring(part)).main(sample, built());
    }
    case 'scale':
    case 'stuffing':
      return (await measuring(part)).main(rest, own);
    case 'activation':
      return (await import('./activation.mjs')).measureActivation();
    default:
      throw new UserError(`bench has no part ${part}.`);
  }
});
process.exit();
