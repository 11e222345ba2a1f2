import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { downloadAndUnzipVSCode, resolveCliPathFromVSCodeExecutablePath } from '@vscode/test-electron';
import { cacheFolder } from '../test/vscode/harness/paths.mjs';
import { run } from '../test/vscode/harness/run.mjs';
import { say, step } from '../test/vscode/harness/say.mjs';
import { temporaryFolder } from '../test/vscode/harness/temporary.mjs';

/** Opens a desktop VS Code with the extension, on a profile of its own, and waits until it is closed. */
export async function openDesktop({ vsix, workspace, settings }) {
  const executable = await step('Getting the desktop VS Code', () =>
    downloadAndUnzipVSCode({ cachePath: path.join(cacheFolder(), 'desktop'), extensionDevelopmentPath: undefined }),
  );
  const temporary = temporaryFolder('desktop');
  const folder = temporary.path;
  try {
    const user = path.join(folder, 'data/User');
    await mkdir(user, { recursive: true });
    await writeFile(path.join(user, 'settings.json'), JSON.stringify(settings, null, 2));
    const profile = ['--user-data-dir', path.join(folder, 'data'), '--extensions-dir', path.join(folder, 'extensions')];
    const cli = resolveCliPathFromVSCodeExecutablePath(executable);
    await step('Installing Tool Search', () => run(cli, [...profile, '--install-extension', vsix]));
    say('VS Code opens. Ask in its chat: @toolsearch get-sum a=2 b=40\nClosing its window ends this.');
    const child = spawn(executable, [...profile, '--disable-workspace-trust', '--skip-welcome', '--wait', workspace], {
      stdio: 'ignore',
    });
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
  } finally {
    await temporary.remove();
  }
}
