import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Whether there is a process with this id, also one of another user. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The command lines of all processes. On Linux it avoids `ps`, which takes longer than most tests that need them. */
export function commandLines() {
  if (process.platform !== 'linux') return execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return readdirSync('/proc').flatMap((entry) => {
    try {
      return /^\d+$/.test(entry) ? readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ') : [];
    } catch {
      return []; // It has ended.
    }
  });
}

/**
 * The names of the running faulty servers that have `mark` among their arguments: a test's folder or another unique
 * word.
 */
export function faultyServers(mark) {
  return commandLines()
    .filter((line) => line.includes(mark))
    .flatMap((line) => /faultyServer\.mjs (\S*)/.exec(line)?.[1] ?? []);
}
