import { execFileSync } from 'node:child_process';

export interface Running {
  readonly pid: number;
  readonly args: string;
}

export function endProcesses(processes: readonly Running[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended meanwhile.
    }
  }
}

/** Running processes that have this text among their arguments. Always none on Windows. */
export function processesWith(text: string): readonly Running[] {
  if (process.platform === 'win32') return [];
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, args = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || !args.includes(text) ? [] : [{ pid: Number(pid), args }];
  });
}
