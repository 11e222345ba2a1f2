import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { run } from './run.mjs';
import { UserError } from './say.mjs';
import { temporaryFolder } from './temporary.mjs';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 1_500;
const POLL_MS = 50;
const LOG_LINES = 20;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Settings of every session: nothing opens by itself, and nothing uses the network. */
const QUIET = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'workbench.tips.enabled': false,
  // Without it, the processor draws each frame of an animation, which runs as long as a question waits.
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  // Its notification appears if the folder is inside a clone, and covers the chat's input.
  'git.openRepositoryInParentFolders': 'never',
};

/** The built-in extensions that tests use. The others take a quarter of what a window's start takes. */
const USED = ['configuration-editing', 'json', 'markdown-basics', 'prompt-basics', 'theme-defaults'];

/**
 * Starts VS Code with its own profile in a temporary folder and the given `.vsix` files installed.
 * `trust` leaves workspace trust on.
 * `proposedApi` names an extension that may use proposed API.
 * `home` is the HOME of servers and terminals: the user's own, or by default a temporary one.
 * `fewBuiltIn` leaves out VS Code's built-in extensions but those in `USED`.
 */
export async function startServer({
  vscode,
  port = 0,
  vsix = [],
  settings = {},
  env = {},
  home,
  trust = false,
  proposedApi,
  fewBuiltIn = false,
}) {
  const temporary = temporaryFolder('vscode');
  const folder = temporary.path;
  const profile = {
    userData: path.join(folder, 'data'),
    extensions: path.join(folder, 'extensions'),
    config: path.join(folder, 'config.yaml'),
  };
  const settingsFile = path.join(profile.userData, 'User/settings.json');
  const builtIn = path.join(folder, 'builtIn');
  await Promise.all(
    [path.dirname(settingsFile), profile.extensions, path.join(folder, 'home'), path.join(folder, 'tmp'), builtIn].map(
      (d) => mkdir(d, { recursive: true }),
    ),
  );
  for (const name of fewBuiltIn ? USED : [])
    await symlink(path.join(vscode.builtIn, name), path.join(builtIn, name), 'junction');
  await writeFile(settingsFile, JSON.stringify({ ...QUIET, ...settings }, null, 2));

  const environment = { ...serverEnvironment(vscode, folder, home), ...env };
  const profileArgs = [
    '--user-data-dir',
    profile.userData,
    '--extensions-dir',
    profile.extensions,
    '--config',
    profile.config,
  ];
  const command = (...args) =>
    run(vscode.node, [vscode.entry, ...args, ...profileArgs], { cwd: folder, env: environment });
  if (vsix.length > 0) await command(...vsix.flatMap((file) => ['--install-extension', file]));

  const chosen = port || (await freePort());
  const args = [
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${chosen}`, ...profileArgs],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    ...(trust ? [] : ['--disable-workspace-trust']),
    ...(fewBuiltIn ? ['--vscode-option', `builtin-extensions-dir=${builtIn}`] : []),
    // Given twice, since an option that is given once isn't parsed as a list.
    ...(proposedApi ? [1, 2].flatMap(() => ['--vscode-option', `enable-proposed-api=${proposedApi}`]) : []),
  ];
  const logFile = path.join(folder, 'server.log');
  const log = openSync(logFile, 'w');
  // Its own process group: the server starts extension hosts and they start MCP servers, all of which must end with it.
  const child = spawn(vscode.node, [vscode.entry, ...args], {
    cwd: folder,
    env: environment,
    detached: process.platform !== 'win32',
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const kill = (signal) => {
    try {
      if (process.platform === 'win32') child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // It has ended already.
    }
  };
  const killNow = () => kill('SIGKILL');
  // Runs before the temporary folder's own removal, which would find its files in use.
  process.prependOnceListener('exit', killNow);

  const server = {
    url: `http://127.0.0.1:${chosen}`,
    port: chosen,
    folder,
    userData: profile.userData,
    extensions: profile.extensions,
    /** Runs VS Code's command line over this profile, beside the server. */
    command,
    ended,
    log: () => readFile(logFile, 'utf8'),
    /** The address that opens `workspace`, a folder or a file of several. */
    address(workspace) {
      const query = new URLSearchParams({
        [workspace.endsWith('.code-workspace') ? 'workspace' : 'folder']: workspace,
      });
      return `http://127.0.0.1:${chosen}/?${query.toString().replaceAll('%2F', '/')}`;
    },
    async stop() {
      kill('SIGTERM');
      await Promise.race([ended, pause(STOP_TIMEOUT_MS)]);
      killNow();
      process.off('exit', killNow);
      await temporary.remove();
    },
  };
  await untilHealthy(server, child);
  return server;
}

/**
 * The user's own environment, in which the workspace's servers work as in a terminal. It leaves out the variables of a
 * surrounding VS Code, which would make this VS Code open its window there.
 */
function serverEnvironment(vscode, folder, home) {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|npm_(?!config_))/.test(name)),
  );
  const own = home ? { HOME: home } : { HOME: path.join(folder, 'home') };
  return {
    ...inherited,
    ...(process.platform === 'win32' ? {} : own),
    ...(process.platform === 'linux'
      ? { XDG_RUNTIME_DIR: path.join(folder, 'tmp'), TMPDIR: path.join(folder, 'tmp') }
      : {}),
    // A server that starts through npx uses the user's own npm settings and its already downloaded packages.
    npm_config_cache:
      process.env.npm_config_cache ??
      path.join(os.homedir(), process.platform === 'win32' ? 'AppData/Local/npm-cache' : '.npm'),
    npm_config_userconfig: process.env.npm_config_userconfig ?? path.join(os.homedir(), '.npmrc'),
    PATH: [path.dirname(vscode.node), process.env.PATH].join(path.delimiter),
    LANG: process.env.LANG ?? 'C.UTF-8',
    // No marketplace.
    EXTENSIONS_GALLERY: '{}',
  };
}

async function untilHealthy(server, child) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let ended = false;
  server.ended.then(() => {
    ended = true;
  });
  for (;;) {
    const healthy = await fetch(`${server.url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy && !ended) return;
    if (ended || Date.now() > deadline) {
      const tail = (await server.log()).trimEnd().split('\n').slice(-LOG_LINES).join('\n');
      await server.stop();
      throw new UserError(
        `VS Code ${ended ? `ended with ${child.exitCode ?? child.signalCode}` : "doesn't answer"} at ${server.url}. Its log:\n${tail}`,
      );
    }
    await pause(POLL_MS);
  }
}

/** Whether a port of this machine is free. */
export function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
