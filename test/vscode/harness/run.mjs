import { spawn } from 'node:child_process';
import { UserError } from './say.mjs';

const LAST_LINES = 30;

/**
 * Runs a command to its end and returns its exit code and output, whatever the code.
 * On Windows, npm and its programs are .cmd files, which only a shell can start.
 */
export async function finish(command, args, { cwd, env = process.env } = {}) {
  const shell = process.platform === 'win32' && !command.endsWith('.exe');
  const child = spawn(command, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new UserError(`'${command}' could not be started: ${error.message}`)));
    child.once('close', (status, signal) => resolve(status ?? signal));
  });
  return { code, output };
}

/** Runs a command that must succeed, and returns its output, which is shown only if it fails. */
export async function run(command, args, options = {}) {
  const { code, output } = await finish(command, args, options);
  if (code === 0) return output;
  const where = options.cwd ? ` in ${options.cwd}` : '';
  throw new UserError(
    `'${command} ${args.join(' ')}' ended with ${code}${where}.\n${output.trimEnd().split('\n').slice(-LAST_LINES).join('\n')}`,
  );
}

/** Runs npm without its slow extras. Scripts of packages never run, since no package here needs them. */
export function npm(args, options) {
  return run('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], options);
}
