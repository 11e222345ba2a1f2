// `npm run package`: packages the extension as a `.vsix` file.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { ROOT } from '../test/vscode/harness/paths.mjs';
import { main, say } from '../test/vscode/harness/say.mjs';

await main(async () => {
  await ensureDependencies(ROOT, 'the packages of Tool Search');
  const { packageExtension } = await import('../test/vscode/harness/vsix.mjs');
  process.stdout.write(`${await packageExtension()}\n`);
  const { repository } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  if (!repository)
    say(`
!! NOT A RELEASE: package.json names no repository, so the extension's page has no pictures and no links to docs.
!! Name it before you publish: npm pkg set repository=github:OWNER/NAME`);
});
