// `npm run package`: packages the extension as a `.vsix` file.
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { ROOT } from '../test/vscode/harness/paths.mjs';
import { main } from '../test/vscode/harness/say.mjs';

await main(async () => {
  await ensureDependencies(ROOT, 'the packages of Tool Search');
  const { packageExtension } = await import('../test/vscode/harness/vsix.mjs');
  process.stdout.write(`${await packageExtension()}\n`);
});
