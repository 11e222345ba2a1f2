import { spawn } from 'node:child_process';
import { UserError } from './say.mjs';

const LAST_LINES = 30;

/**
 * Runs a command and waits for it. Its output is kept and shown only when it fails, unless `stream` lets it through to stderr.
 * On Windows npm is a .cmd file, which only a shell can start.
 */
export async function run(command, args, { cwd, env = process.env, stream = false, input } = {}) {
  const shell = process.platform === 'win32' && !command.endsWith('.exe');
  const child = spawn(command, args, { cwd, env, shell, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
  if (input !== undefined) child.stdin.end(input);
  let stdout = '';
  let all = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    all += chunk;
    if (stream) process.stderr.write(chunk);
  });
  child.stderr.on('data', (chunk) => {
    all += chunk;
    if (stream) process.stderr.write(chunk);
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new UserError(`'${command}' could not be started: ${error.message}`)));
    child.once('close', (status, signal) => resolve(status ?? signal));
  });
  if (code !== 0) {
    const tail = stream ? '' : `\n${all.trimEnd().split('\n').slice(-LAST_LINES).join('\n')}`;
    throw new UserError(`'${command} ${args.join(' ')}' ended with ${code}${cwd ? ` in ${cwd}` : ''}.${tail}`);
  }
  return stdout;
}

/** npm without what only slows it down. Scripts of packages never run: nothing that is used here needs them. */
export function npm(args, options) {
  return run('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], options);
}
