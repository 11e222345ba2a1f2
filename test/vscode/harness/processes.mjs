import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The command lines of all processes. On Linux without `ps`, which takes longer than most tests that ask. */
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
 * The names of the faulty servers that run with `mark`, the folder of a test or a word of its own, among their
 * arguments.
 */
export function faultyServers(mark) {
  return commandLines()
    .filter((line) => line.includes(mark))
    .flatMap((line) => /faultyServer\.mjs (\S*)/.exec(line)?.[1] ?? []);
}
