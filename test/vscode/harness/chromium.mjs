import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cached } from './cache.mjs';
import { ROOT } from './paths.mjs';
import { npm, run } from './run.mjs';
import { say, step, UserError } from './say.mjs';

/** Increases with each change of the cache entry's content. */
const REVISION = 1;
/** Fonts for monospace, and for the characters that Open Sans lacks. */
const DEJAVU = { name: 'dejavu-fonts-ttf', version: '2.37.3' };

const INSTALLED = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((variable) =>
    ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((file) =>
      path.join(process.env[variable] ?? '', file),
    ),
  ),
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
};

/**
 * Finds a Chromium and the environment that it needs: the one that CHROME names, otherwise the one from npm (Linux on
 * x64), otherwise an installed one.
 */
export async function ensureChromium() {
  if (process.env.CHROME) {
    if (!existsSync(process.env.CHROME))
      throw new UserError(`CHROME names ${process.env.CHROME}, which doesn't exist.`);
    return { executablePath: process.env.CHROME, env: {} };
  }
  if (process.platform === 'linux' && process.arch === 'x64') return fromNpm();
  const executablePath = (INSTALLED[process.platform] ?? []).find((file) => existsSync(file));
  if (executablePath) return { executablePath, env: {} };
  throw new UserError(
    'No Chrome, Chromium or Edge was found. Install one, or name its program in the environment variable CHROME.',
  );
}

async function fromNpm() {
  const require = createRequire(path.join(ROOT, 'package.json'));
  const manifest = path.join(path.dirname(require.resolve('@sparticuz/chromium')), '../package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  const folder = await cached(`chromium-${version}-r${REVISION}`, (temporary, target) =>
    step(`Unpacking Chromium ${version} and fonts into the cache folder (once)`, () => unpack(temporary, target)),
  );
  const executablePath = path.join(folder, 'chromium');
  const env = { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') };
  return { executablePath, env: { ...env, ...(await libraries(executablePath, folder)) } };
}

/** Unpacks the package. It uses fixed names in the temporary folder, so it gets a temporary folder of its own. */
async function unpack(folder, target) {
  // The variable makes the package unpack the shared libraries too, as it does in a bare cloud function.
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  const script = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();";
  await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, env });

  const fonts = path.join(folder, 'npm');
  await mkdir(fonts);
  await writeFile(path.join(fonts, 'package.json'), JSON.stringify({ name: 'fonts', version: '0.0.0', private: true }));
  await npm(['install', '--save-exact', `${DEJAVU.name}@${DEJAVU.version}`], { cwd: fonts });
  await cp(path.join(fonts, 'node_modules', DEJAVU.name, 'ttf'), path.join(folder, 'fonts/fonts/DejaVu'), {
    recursive: true,
  });
  await rm(fonts, { recursive: true });
  await writeFile(path.join(folder, 'fonts.conf'), fontConfiguration(path.join(target, 'fonts/fonts')));
}

/** Selects the same fonts on every machine. The system's fonts are used only for scripts that ours lack. */
function fontConfiguration(folder) {
  const alias = (family, ...fonts) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test>` +
    `<edit name="family" mode="assign" binding="strong">${fonts.map((font) => `<string>${font}</string>`).join('')}</edit></match>`;
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  ${['system-ui', 'sans-serif', 'Ubuntu', 'Droid Sans'].map((family) => alias(family, 'Open Sans', 'DejaVu Sans')).join('\n  ')}
  ${['monospace', 'Droid Sans Mono'].map((family) => alias(family, 'DejaVu Sans Mono')).join('\n  ')}
</fontconfig>
`;
}

/** Uses Chromium's own copies of the few shared libraries (NSS, expat) that the system lacks. */
async function libraries(executablePath, folder) {
  const starts = (env) =>
    spawnSync(executablePath, ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (starts({}).status === 0) return {};
  const bundled = [path.join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  const result = starts({ LD_LIBRARY_PATH: bundled });
  if (result.status === 0) return { LD_LIBRARY_PATH: bundled };
  const installed = INSTALLED.linux.find((file) => existsSync(file));
  if (installed) say(`  Chromium from npm doesn't start here; ${installed} may: CHROME=${installed}`);
  throw new UserError(
    `Chromium doesn't start on this system: ${(result.stderr || result.error?.message || '').trim()}. ` +
      'Install its libraries (on Debian and Ubuntu: apt-get install libnss3 libexpat1), or name a browser in the environment variable CHROME.',
  );
}
