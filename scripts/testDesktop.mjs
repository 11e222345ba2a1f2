// `npm run test:desktop`: runs the host suite in a desktop VS Code, if one is installed and there is a display.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDependencies } from '../test/vscode/harness/dependencies.mjs';
import { cacheFolder, RESULTS, ROOT } from '../test/vscode/harness/paths.mjs';
import { main, UserError } from '../test/vscode/harness/say.mjs';
import { temporaryFolder } from '../test/vscode/harness/temporary.mjs';

await main(async () => {
  await ensureDependencies(ROOT, 'the packages of Tool Search');
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new UserError(
      "A desktop VS Code needs a display, and there is none here: run 'xvfb-run -a npm run test:desktop', or 'npm test -- --file twentyServers'.",
    );
  }
  const { runTests } = await import('@vscode/test-electron');
  const { buildHostSuite, HOST_SUITE_SETTINGS } = await import('../test/vscode/harness/hostSuite.mjs');
  await rm(RESULTS, { recursive: true, force: true });
  await mkdir(RESULTS, { recursive: true });
  const { suite, workspace } = await buildHostSuite();
  const results = path.join(RESULTS, 'host.json');
  const profile = temporaryFolder('profile');
  await mkdir(path.join(profile.path, 'User'), { recursive: true });
  await writeFile(path.join(profile.path, 'User/settings.json'), JSON.stringify(HOST_SUITE_SETTINGS));
  let ended = 'It ended with 0.';
  await runTests({
    cachePath: path.join(cacheFolder(), 'desktop'),
    extensionDevelopmentPath: ROOT,
    extensionTestsPath: suite,
    extensionTestsEnv: { TOOLSEARCH_HOST_RESULTS: results },
    launchArgs: [workspace, '--user-data-dir', profile.path, '--disable-workspace-trust', '--disable-extensions'],
  }).catch((error) => {
    ended = String(error);
  });
  const text = await readFile(results, 'utf8').catch(() => undefined);
  if (!text) throw new Error(`The host suite left no report. ${ended}`);
  const { tests } = JSON.parse(text);
  const failed = tests.filter(({ status }) => status === 'failed');
  for (const { name, message } of failed) process.stdout.write(`\n✗ ${name}\n${message}\n`);
  process.stdout.write(
    `\n${tests.filter(({ status }) => status === 'passed').length} passed, ${failed.length} failed\n`,
  );
  if (failed.length > 0) process.exitCode = 1;
});
